package sortcoll

import (
	"errors"
	"fmt"

	"github.com/gosort/gosort/spill"
)

// ErrClosed is returned by a Collection that was closed.
var ErrClosed = errors.New("sortcoll: collection is closed")

// DefaultMemory is the budget when Options.Memory is 0, in bytes.
const DefaultMemory = 512 << 20

// Options configure a Collection. The zero value works.
type Options struct {
	// Memory is the budget in bytes for everything the collection holds; 0 means DefaultMemory.
	Memory int64
	// Threads > 1 sorts and spills in the background and reads runs ahead; <= 1 starts no goroutine.
	Threads int
	// TempDirs are where runs go, the one with the most free space first; empty means os.TempDir().
	TempDirs []string
	// SpillCodec compresses the runs.
	SpillCodec spill.Codec
	// MaxRuns is the most runs merged at once; 0 means as many as the budget has room for.
	MaxRuns int
	// FS replaces the operating system's files; nil means those. It is there for tests of failure.
	FS spill.FS
}

// BudgetError says that Options.Memory is too small for the other options.
type BudgetError struct {
	Memory, Least int64 // bytes
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("sortcoll: a budget of %d bytes is too small, the least is %d", e.Memory, e.Least)
}

// LeastMemory is the smallest Options.Memory: buffers for the spill writer, two fills and a merge of two runs.
const LeastMemory = 4 << 20

// budget is how Options.Memory is divided.
type budget struct {
	block  int   // raw bytes of a spilled block
	frames int64 // for fills, and for read buffers once the fills are spilled
	share  int64 // of frames, for one fill
	slab   int   // bytes
}

// divide splits the memory. Blocks are 1/2048 of it, so that several hundred runs merge in one pass; slabs a small part
// of a fill, so that little is lost at their ends.
func divide(o Options) (budget, error) {
	if o.Memory < LeastMemory {
		return budget{}, &BudgetError{o.Memory, LeastMemory}
	}
	var b budget
	b.block = int(min(max(o.Memory/2048, 16<<10), 512<<10))
	b.frames = o.Memory - spill.Options{Codec: o.SpillCodec, BlockSize: b.block}.WriterMemory()
	b.share = b.frames
	if o.Threads > 1 {
		b.share /= 2
	}
	b.slab = int(min(max(b.share/32, 64<<10), 1<<20))
	if least := int64(4*b.slab + 2*pageSize); b.share < least {
		return budget{}, &BudgetError{o.Memory, o.Memory + least - b.share}
	}
	return b, nil
}
