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
		const mib = 1 << 20
		return m, &usageError{
			msg:   fmt.Sprintf("-memory %s is too small for -threads %d", formatSize(cfg.memory), cfg.threads),
			hints: []string{fmt.Sprintf("the least that works is -memory %dM with -threads %d", (least+mib-1)/mib, cfg.threads)},
		}
	}
	return m, nil
}

// mergeReader returns the options of one of n readers that are open at once: all together they get half of the memory,
// on as few goroutines as overlap inflating with the rest.
func (m *memory) mergeReader(n int) bam.ReaderOptions {
	room := (m.collection + m.reader.Memory()) / 2 / int64(n)
	for units := m.reader.UnitBlocks; units >= 1; units /= 2 {
		if o := (bam.ReaderOptions{Threads: 2, UnitBlocks: units}); m.reader.Threads > 1 && o.Memory() <= room {
			return o
		}
	}
	return bam.ReaderOptions{Threads: 1, UnitBlocks: 1}
}

func (m *memory) buffers() int64 { return max(m.reader.Memory(), m.writer.Memory()) }

// charge takes the header's memory out of the collection's: its text is kept by the input and by the output.
func (m *memory) charge(h *bam.Header) {
	m.collection = max(m.collection-headerMemory(h), sortcoll.LeastMemory)
}

func headerMemory(h *bam.Header) int64 { return 4*int64(len(h.Text())) + 32*int64(h.NumRefs()) }

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
