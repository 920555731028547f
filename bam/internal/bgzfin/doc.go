// Package bgzfin inflates BGZF (SAMv1 section 4.1) in parallel and in order.
//
// A Reader hands out units: the inflated bytes of several consecutive blocks, laid end to end. Work travels between
// goroutines by the unit, because a hand-off per 64 KiB block costs more than it wins.
//
// Everything is checked before it is believed: the gzip header and its BC field, BSIZE against the header it follows,
// ISIZE against the format's 64 KiB, the deflate data against both, the CRC32 of the result, and the 28-byte marker
// that must be the last block of the file. A marker in the middle is an ordinary empty block.
//
// Errors wrap ErrTruncated when the input ends too early, ErrCorrupt when bytes are wrong, or the source's own; they
// name the block's offset in the file and come after all sound blocks before them.
//
// Goroutines (none when Options.Threads <= 1):
//
//	goroutine        started by   ended by   blocks on                     limit
//	block reader     NewReader    Close      the source, free units        1
//	inflate workers  NewReader    Close      units to inflate              Threads
//
// Close waits for a Read of the source that is under way; the source's owner makes that Read return.
//
// Cost: Threads+2 units, each at most UnitBlocks * 64 KiB inflated and about a third of that compressed.
package bgzfin
