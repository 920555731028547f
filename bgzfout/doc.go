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
// called, which says what is a record, and on Options.Level: not on how the bytes were divided over calls of
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
// Deflating is nearly all of it: bgzfout/internal/deflate says how it is done. One
// thread of a shared 2 GHz core, uncompressed MB/s and compressed/raw, first 2 MB of
// a file; and speed and size against libdeflate's level 7, which is level 6 of
// samtools, in the same run, as the median of 20 real files:
//
//	         WGS NovaSeq     WGS HiSeq X     ONT with MM/ML    against samtools' 6
//	level    MB/s   ratio    MB/s   ratio    MB/s   ratio        speed     size
//	1         329   0.156     268   0.238     308   0.551        x4.65    +7.8 %
//	2         208   0.151     138   0.230     222   0.550        x2.42    +3.0 %
//	3         180   0.145     129   0.224     223   0.549        x2.24    +1.6 %
//	4         168   0.142     119   0.222     220   0.549        x2.11    +0.8 %
//	5         147   0.141     109   0.220     135   0.543        x1.90    +0.1 %
//	6         129   0.139     102   0.218      84   0.539        x1.68    -0.3 %
//	7         105   0.138      88   0.217      65   0.537        x1.52    -0.6 %
//	8          88   0.138      80   0.217      56   0.536        x1.32    -0.8 %
//	9          73   0.138      68   0.216      56   0.536        x1.22    -0.9 %
//	samtools
//	1         338   0.162     279   0.241     120   0.613        x4.70    +8.3 %
//	4         165   0.150     123   0.223      68   0.576        x1.88    +2.1 %
//	6          67   0.141      58   0.217      66   0.576        x1        0
//	7          29   0.139      26   0.216      57   0.576        x0.48    -0.6 %
//
// Level Stored runs at several GB/s. Two threads on two cores give 1.7 to 1.9 times
// one.
package bgzfout
