// Package bgzfout writes BGZF, the blocked gzip of SAMv1 section 4.1, with the
// deflating spread over goroutines and the blocks in order.
//
//	w, err := bgzfout.NewWriter(file, bgzfout.Options{Threads: 8})
//	for each record: w.FlushTry(len(record)), w.Write(record)
//	err = w.Close()
//
// # Guarantees
//
// The output depends on the bytes written, on where FlushTry and Flush were
// called, and on Options.Level: not on how the bytes were divided over calls of
// Write, on the number of threads, the size of a slot, or timing. Each payload is
// compressed as if it were the first.
//
// A payload is at most MaxPayload bytes and a block at most MaxBlock, with
// htslib's 18-byte header. A payload that deflate would not shorten is stored. No
// block but the EOF marker is empty. The marker follows only if all before it was
// written without an error, so a file that has it is whole.
//
// # Ownership and goroutines
//
// Write copies: the caller may reuse its buffer at once. With Options.Threads at
// most 1 there is no goroutine and the caller's does all the work. Otherwise
// NewWriter starts Threads deflate workers and one writing goroutine, and Close
// ends them. Payloads travel in slots of up to Options.SlotBlocks:
//
//	caller, fills --work--> workers, deflate --done--> writing goroutine
//	      ^ \-------------------order------------------>  one Write a slot
//	      '----------------------free--------------------'
//
// There are Threads + 2 slots. When all are in use Write waits: that is the
// back-pressure, and Options.Memory is the bound. Slots and encoders are made
// when first needed, circulate, and nothing is allocated per block after that.
//
// # Places
//
// An index names records by the block they begin in and the offset there. Position
// tells both while writing, as the number of the block; where in the file that lies
// is known only when the blocks before it are compressed, and BlockStart tells it
// after Close, if Options.BlockStarts asked for that.
//
// # Errors
//
// The only source of errors is the underlying writer; a short write counts as
// io.ErrShortWrite. The first error is sticky: nothing is written after it, Write,
// FlushTry, Flush and Close return it from then on, and slots keep circulating so
// that no method hangs. It wraps what the underlying writer returned. After Close
// the others return an error of their own.
//
// # Cost
//
// Deflating is nearly all of it. One thread of a 2 GHz core, klauspost/compress
// flate, whole Writer, uncompressed MB/s and compressed/raw, first 6 MB of a file:
//
//	         WGS NovaSeq     WGS HiSeq X     ONT with MM/ML
//	level    MB/s   ratio    MB/s   ratio    MB/s   ratio
//	1         315   0.163     260   0.263     273   0.782
//	2         343   0.157     249   0.254     243   0.781
//	3         333   0.156     224   0.251     105   0.651
//	4         266   0.150     203   0.243      78   0.628
//	5         245   0.141     162   0.234      57   0.627
//	6         208   0.137     144   0.230      58   0.621
//	7         112   0.135      71   0.225      47   0.607
//	8          64   0.132      42   0.221      46   0.606
//	9          15   0.128      11   0.217      34   0.607
//
// Levels 7 to 9 also clear 640 KB of tables for every payload. Level Stored runs
// at several GB/s. Two threads on two cores give 1.7 to 1.9 times one.
package bgzfout
