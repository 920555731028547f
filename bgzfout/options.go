package bgzfout

import (
	"fmt"

	"github.com/gosort/gosort/bgzfout/internal/deflate"
)

// The levels with a meaning of their own, and the sizes that bound a block.
const (
	// DefaultLevel is the level that Options.Level 0 stands for.
	DefaultLevel = 6
	// Stored is the level that does not compress: every payload is one stored
	// deflate block, 31 bytes longer than its input.
	Stored = -1
	// MaxPayload is the most uncompressed bytes of one block: htslib's limit,
	// chosen so that a payload that does not compress still fits MaxBlock.
	MaxPayload = 65280
	// MaxBlock is the most bytes of one block in the file, header and footer
	// included: BSIZE is 16 bits wide and holds the size less one.
	MaxBlock = 65536
)

// defaultSlotBlocks makes a hand-over of about 1 MiB, some 6 ms of deflating,
// and a write of 100 to 600 KiB. BenchmarkSlotBlocks has 1 to 64 within 10 % on
// two cores and memory; more cores and real disks want the few, large ones.
const defaultSlotBlocks = 16

// Options says how a Writer compresses. The zero value is level 6 on the
// caller's goroutine. Only Level changes the bytes written.
type Options struct {
	// Level is 1 (fast) to 9 (small); 0 is DefaultLevel, Stored does not
	// compress. The package comment has speeds and ratios.
	Level int
	// Threads is the number of deflate workers. With more than one a further
	// goroutine writes; with one or less everything runs on the caller's.
	Threads int
	// SlotBlocks is the number of payloads handed to a worker, and to the
	// underlying writer, at once; 0 is 16, about 1 MiB.
	SlotBlocks int
	// BlockStarts has the Writer keep where each block starts, for BlockStart: an
	// index needs that. It costs 2.25 bytes a block, 4 MB for 100 GB of payload,
	// and some of that twice while it grows.
	BlockStarts bool
}

// Memory is an upper bound, in bytes, of what a Writer with these options
// allocates over its life: slots and encoders. A short output stays far below
// it, because both are made when first needed. What BlockStarts keeps grows with
// the output and is not in it.
func (o Options) Memory() int64 {
	o = o.withDefaults()
	slot := int64(o.SlotBlocks)*(MaxPayload+MaxBlock+perBlock) + deflate.Slack
	return int64(o.slots())*slot + int64(max(1, o.Threads))*deflate.Memory(o.effort()) + perWriter
}

// The small things Memory counts: an entry of slot.ended for each block, and
// channels, goroutines and structs for each writer.
const (
	perBlock  = 48
	perWriter = 64 << 10
)

// effort is the level of deflate, which has 0 for what does not compress.
func (o Options) effort() int { return max(o.Level, 0) }

func (o Options) withDefaults() Options {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if o.SlotBlocks == 0 {
		o.SlotBlocks = defaultSlotBlocks
	}
	return o
}

// slots is one slot per worker, one being filled and one being written, so that
// no worker waits while both ends of the pipeline are busy. More (twice the
// workers) gained nothing measurable on two cores and cost 2 MiB each.
func (o Options) slots() int {
	if o.Threads <= 1 {
		return 1
	}
	return o.Threads + 2
}

func (o Options) check() error {
	if o.Level != Stored && (o.Level < 1 || o.Level > 9) {
		return fmt.Errorf("bgzfout: level %d is neither 1 to 9 nor %d (stored)", o.Level, Stored)
	}
	if o.SlotBlocks < 1 {
		return fmt.Errorf("bgzfout: %d blocks per slot: need at least 1", o.SlotBlocks)
	}
	return nil
}
