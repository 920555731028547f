package main

import (
	"fmt"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bgzfout"
	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

const (
	// programMemory is the part of the process that Go's heap limit does not see: code and data of the binary, as far as
	// they are touched. Measured: 6 to 7 MiB.
	programMemory = 7 << 20
	// runtimeMemory is what the runtime itself and small objects take: stacks, spans, the collector's own.
	runtimeMemory = 6 << 20
)

// memory is how -memory is divided. Reader and writer never work at the same time, except in -order unsorted, which has
// no collection; so the larger of the two is set aside and the collection gets the rest.
type memory struct {
	heap       int64 // the limit given to Go's runtime
	reader     bam.ReaderOptions
	writer     bgzfout.Options
	collection int64
}

// divideMemory divides cfg.memory. Units and slots are as large as an eighth of it allows, up to 1 MiB each.
func divideMemory(cfg config) (memory, error) {
	m := memory{heap: cfg.memory - programMemory}
	m.writer.Level = cfg.level
	if cfg.level == 0 {
		m.writer.Level = bgzfout.Stored
	}
	m.reader.Threads, m.writer.Threads = cfg.threads, cfg.threads
	for n := 16; n >= 1; n /= 2 {
		m.reader.UnitBlocks, m.writer.SlotBlocks = n, n
		m.collection = cfg.memory - programMemory - runtimeMemory - m.buffers()
		if m.buffers() <= cfg.memory/8 && m.collection >= sortcoll.LeastMemory {
			break
		}
	}
	if m.collection < sortcoll.LeastMemory {
		least := cfg.memory + sortcoll.LeastMemory - m.collection
		return m, &usageError{
			msg:   fmt.Sprintf("-memory %s is too small for -threads %d", formatSize(cfg.memory), cfg.threads),
			hints: []string{fmt.Sprintf("the least that works is -memory %s with -threads %d", roundedSize(least), cfg.threads)},
		}
	}
	return m, nil
}

// mergeReader returns the options of one of n readers that are open at once, on as few goroutines as overlap inflating
// with the rest. All together they have what the collection, which is not made, would have had. Its error says that this
// is too little.
func (m *memory) mergeReader(cfg config, n int) (bam.ReaderOptions, error) {
	for units := m.reader.UnitBlocks; units >= 1; units /= 2 {
		if o := (bam.ReaderOptions{Threads: 2, UnitBlocks: units}); cfg.threads > 1 && m.mergeShort(o, n) <= 0 {
			return o, nil
		}
	}
	o := bam.ReaderOptions{Threads: 1, UnitBlocks: 1}
	if m.mergeShort(o, n) <= 0 {
		return o, nil
	}
	return o, &needError{
		fmt.Errorf("-memory %s is too small to read %d inputs at once", formatSize(cfg.memory), n),
		leastFor(cfg, func(m memory) int64 { return m.mergeShort(o, n) }),
		"; without -merge they are read one after the other",
	}
}

// mergeShort returns how many bytes n readers lack.
func (m *memory) mergeShort(o bam.ReaderOptions, n int) int64 {
	return int64(n)*o.Memory() - (m.collection + m.buffers() - m.writer.Memory())
}

// leastFor returns the least -memory at which nothing is short.
func leastFor(cfg config, short func(memory) int64) int64 {
	for {
		m, _ := divideMemory(cfg) // more can be no worse than what worked
		lacking := short(m)
		if lacking <= 0 {
			return cfg.memory
		}
		cfg.memory += lacking
	}
}

func (m *memory) buffers() int64 { return max(m.reader.Memory(), m.writer.Memory()) }

// charge takes what the headers hold out of the collection's memory, and what an index may come to hold, of which only
// the most is known: that must leave half. Its error says what would be enough.
func (m *memory) charge(cfg config, headers, index int64) error {
	m.collection -= headers
	if m.collection < sortcoll.LeastMemory {
		return &needError{
			fmt.Errorf("the headers take %s of -memory %s: too much to sort in the rest", humanSize(headers), formatSize(cfg.memory)),
			leastFor(cfg, func(m memory) int64 { return sortcoll.LeastMemory - (m.collection - headers) }), "",
		}
	}
	m.collection = max(m.collection-min(index, m.collection/2), sortcoll.LeastMemory)
	return nil
}

// needError is a -memory that is too small for the inputs, which nobody could know before.
type needError struct {
	error
	least     int64  // that works
	otherwise string // what works too
}

func (e *needError) hint() string {
	return "the least that works is -memory " + roundedSize(e.least) + e.otherwise
}

// roundedSize writes a number of bytes as a value of -memory, in MiB and not less.
func roundedSize(n int64) string { return fmt.Sprintf("%dM", (n+1<<20-1)>>20) }

// spillEstimate guesses the space that temporary files will take from the size of a BAM, 0 if none or unknown. BAM is
// taken to shrink to 0.3 of its records' bytes, a run to what its codec makes of them (measured on short reads).
func spillEstimate(inputSize int64, codec spill.Codec, memory int64) int64 {
	raw := inputSize * 10 / 3
	if raw <= memory {
		return 0
	}
	switch codec {
	case spill.S2:
		return raw / 2
	case spill.Zstd:
		return raw / 3
	}
	return raw
}
