package spill

import "fmt"

// Run is a run that was written. It is a small value; its zero value is no run.
// It also carries the lengths of the run's blocks, 4 bytes a block, which is how
// each block is read with one positioned read.
type Run struct {
	id        uint64
	frames    int64
	raw       int64
	stored    int64
	maxBlock  int
	maxStored int
	direct    bool // no block is compressed: read without a scratch buffer
	extents   []extent
	lengths   []uint32 // whole length of each block, trailer last
	life      *runLife
}

// extent is a row of a run's blocks that lie one after the other in a file.
type extent struct {
	file   *tempFile
	off, n int64 // bytes
	blocks int
}

// runLife is the part of a run that changes after it was written. Guarded by
// Store.mu.
type runLife struct {
	store   *Store
	readers int
	removed bool
}

// ID returns the run's number, unique in its Store and rising in the order of
// Create. It is 0 for the zero Run only.
func (r Run) ID() uint64 { return r.id }

// Frames returns the number of frames.
func (r Run) Frames() int64 { return r.frames }

// RawBytes returns the bytes of all frames, without anything added to them.
func (r Run) RawBytes() int64 { return r.raw }

// StoredBytes returns the bytes the run takes in its files.
func (r Run) StoredBytes() int64 { return r.stored }

// MaxBlock returns the bytes of the largest block before compression, which is
// what a Reader must hold.
func (r Run) MaxBlock() int { return r.maxBlock }

// MaxStored returns the bytes of the largest block as it is stored, header
// included, which is the size of the largest read.
func (r Run) MaxStored() int { return r.maxStored }

// Name returns words for messages: the run's number and the file it begins in.
func (r Run) Name() string {
	if len(r.extents) == 0 {
		return fmt.Sprintf("run %d", r.id)
	}
	return fmt.Sprintf("run %d in %s", r.id, r.extents[0].file.Name())
}

// bufferSize is the size of a buffer that holds any block of the run, decoded, or
// with its header if the run is read directly.
func (r Run) bufferSize() int {
	return headerSize + max(r.maxBlock, trailerSize) + decodeSlack
}
