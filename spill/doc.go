// Package spill stores sorted runs of opaque frames in private temporary files
// and reads them back.
//
// A frame is a byte slice the package never looks into. A run is a sequence of
// frames written once, in order, and read in that order as often as wanted.
//
//	s, err := spill.NewStore(spill.Options{})
//	w, err := s.Create()
//	err = w.Write(frame)            // copied
//	run, err := w.Close()
//	r, err := s.Open(run, spill.ReadOptions{})
//	frame, err := r.Next()          // borrowed; io.EOF at the end
//	err = r.Close()
//	err = s.Remove(run)
//	err = s.Close()                 // nothing is left behind
//
// # Few files, many runs
//
// A run is not a file. It is a list of extents in a few temporary files: a
// [Writer] takes a file that no other live Writer holds (or opens one), appends
// its blocks at the end, and hands the file back when it closes; a [Reader] uses
// positioned reads on the same descriptor. So the number of descriptors is the
// largest number of Writers that were at work at once, per directory, and has
// nothing to do with how many runs exist or are being merged: with `ulimit -n 32`
// 500 runs are merged in one pass. (A file that met the file system's limit on
// file size is retired and replaced, which adds one descriptor each time.)
//
// # Files
//
// Files have mode 0600 and no name: on Linux they are opened with O_TMPFILE,
// elsewhere, and where the file system has no O_TMPFILE, they are created under a
// random name with O_EXCL and unlinked at once, so that not even SIGKILL leaves
// one behind. A system that cannot unlink an open file (Windows) has them removed
// by [Store.Close]. Messages call a nameless file dir/#inode, as lsof does.
//
// Removing a run punches a hole where the system can (Linux); elsewhere its space
// comes back when the last run of its file is removed, and the file is emptied.
//
// A run goes to the directory with the most free space, round robin among equals.
// When a directory has no room left (ENOSPC, EDQUOT, EFBIG) or refuses a new file,
// the run goes on in another one; when all have failed it ends with a
// [*NoSpaceError]. What a failed write left behind is overwritten or cut off.
//
// # Blocks
//
// An extent is a sequence of blocks. A block is a 32-byte header, little endian,
// and a payload:
//
//	offset size field
//	     0    4 CRC-32C of everything after this field, payload included
//	     4    4 stored payload length in bytes
//	     8    4 raw payload length in bytes
//	    12    4 number of frames
//	    16    8 run id
//	    24    4 number of the block in its run, from 0
//	    28    1 kind: a Codec value, or 255 for the trailer
//	    29    3 zero
//
// A raw payload is a sequence of frames, each a uint32 length and that many bytes;
// a frame never straddles blocks. It is compressed as a whole, or stored as it is
// when that does not save 1/32. The last block of a run is its trailer: three
// uint64, the run's frames, the bytes in them, and its data blocks.
//
// # What a Reader believes
//
// Nothing. The lengths are checked against the index kept in the [Run], then the
// checksum, the run id, the block number, the kind, the decoded length, every
// frame length and, before io.EOF, the trailer's counts. A flipped, missing, stale
// or foreign byte is an error that wraps [ErrCorrupt] and names file, run and
// offset; it is never a shorter output. A frame from a block that was verified may
// be handed out before a later block turns out to be damaged.
//
// # Ownership
//
// Write copies. Next lends: the frame is good until the call of Next that moves to
// another block, which can only be one made while [Reader.Buffered] is 0.
//
// # Goroutines
//
// A Store, and a ReadAhead, may be used from several goroutines; a Writer or a
// Reader from one at a time, many of them at once. The only goroutines are the
// workers of a [ReadAhead]: started by NewReadAhead, ended by its Close. They hold
// at most one block per Reader, and a Reader never waits for a block that no worker
// has begun to load: it loads that one itself.
//
// # Errors
//
// Errors wrap their cause. The first error of a Writer or a Reader is sticky.
// Failing to give space back (hole punching, truncation) is not an error.
//
// # Cost
//
// One positioned write and one positioned read per block, no allocation per block
// or frame once buffers are warm, and 4 bytes of index per block. A Writer's
// buffers and tables serve the next Writer; [Options.WriterMemory],
// [Store.ReaderMemory] and [Store.LoadMemory] give what a caller's budget must
// hold.
package spill
