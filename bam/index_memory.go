package bam

import "cmp"

const (
	// windowMemory is what an index keeps for each window with reads: a reach, and a
	// span each of its smallest bin and of a larger one, for the reads that leave it.
	windowMemory = 16 + 2*24
	// blockMemory is what it keeps for each block if, as among long reads, bins change
	// in every one: a span, and 2.25 bytes for where the block starts.
	blockMemory = 24 + 3
	// readBytes and blockBytes are what a short read that is alone in its window, and
	// a block, take of a compressed file; more, as a rule.
	readBytes, blockBytes = 100, 16 << 10
)

// Memory estimates the bytes that an IndexBuilder with valid options o takes for
// a file with header h that has size bytes, and the BlockStarts with it: as much
// as is plausible, and a half more for lists that grow. Where the size is not
// known, 0, every window of the references counts, and no block.
func (o IndexOptions) Memory(h *Header, size int64) int64 {
	scheme := binning{minShift: cmp.Or(o.MinShift, defaultMinShift)}
	var windows int64
	for i := range h.NumRefs() {
		windows += int64(scheme.window(h.RefLen(i))) + 2 // the last, and as much for the reference itself
	}
	if size > 0 {
		windows = min(windows, size/readBytes)
	}
	kept := windows*windowMemory + size/blockBytes*blockMemory
	return kept + kept/2
}
