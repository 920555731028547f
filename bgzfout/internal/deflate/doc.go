// Package deflate compresses the payloads of BGZF blocks to DEFLATE streams (RFC
// 1951): at most 65,535 bytes, in practice alignment records, any bytes in
// principle. It is made for payloads that are at hand whole, and for nothing
// else: there is no window that slides, no buffering, and no Write.
//
//	e := deflate.New(6)
//	out = e.AppendRecords(out, payload, open)
//
// # Guarantees
//
// A stream is a function of the payload, the level, and what AppendRecords is told:
// an Encoder carries nothing from one payload to the next, so it does not matter
// which of several compresses which. Costs are computed in integers: all machines
// agree. A stream is never longer than the payload stored, with its 5 bytes of
// overhead. It consists of blocks with codes of their own, complete and of at most
// 14 bits, and of stored blocks. Nothing is allocated if dst has Slack more room
// than the payload is long. There is no unsafe code, and hot loops have no bounds
// checks either: see payload. There are no errors: a level or a payload out of
// bounds is the caller's mistake and panics. An Encoder is for one goroutine at a
// time; no other is started.
//
// # How
//
// The payload is parsed to sequences of literals and matches (level 1: greedy.go;
// others: lazy.go, with the search in chain.go and costs of short matches from
// cost.go), in pieces with a histogram each; long bases and qualities are pieces of
// their own (record.go). Neighbouring pieces that are alike become one block
// (piece.go), for which codes are made (huffman.go), described (block.go) and used
// (write.go).
//
// What decided: of the time at level 6, 60 % is search, 13 % entering positions in
// tables, 10 % writing. It is bound by mispredicted branches, 5 to 7 a match, and by
// the count of instructions, not by caches. So doing less beats doing it cleverly:
// chains of 6 bytes, one jump to a rarer chain, no search in what is not worth it.
//
// Measured and left out: effort by field of short reads, candidates from the same
// field of the record before (0.1 to 2 % larger), optimal parsing (1 to 2 % smaller
// at a third of the speed), buckets of 4 to 16 positions (a fifth to half of the
// speed at one size), optimal length-limited codes (1/100,000 smaller), working on
// the caller's payload instead of a copy (no faster).
//
// # Cost
//
// Median of 20 real files (Illumina of 25 to 250 bp, ONT, PacBio), first 2 MB of
// each, one thread of a shared 2 GHz core, in turns with libdeflate 1.14 on the same
// payloads; relative to its level 7, which is samtools' default:
//
//	level   speed    size      libdeflate   speed    size
//	  1     x4.65   +7.8 %         1        x4.70   +8.3 %
//	  2     x2.42   +3.0 %         3        x2.67   +4.2 %
//	  3     x2.24   +1.6 %         5        x1.88   +2.1 %
//	  4     x2.11   +0.8 %
//	  5     x1.90   +0.1 %
//	  6     x1.68   -0.3 %         7        x1       0
//	  7     x1.52   -0.6 %
//	  8     x1.32   -0.8 %
//	  9     x1.22   -0.9 %         8        x0.48   -0.6 %
//
// File by file, level 1 has x1.0 to x1.1 of the speed of libdeflate's in the
// median of several runs, from x0.86 to x2.6.
// At level 6 files are between 7.7 % smaller (PacBio) and 0.5 % larger (HiSeq X). Level 1 is 4 % larger than libdeflate's where reads are of 50 bases with
// 40 quality values, whose matches of 4 and 5 bytes it does not see. Arrays of
// numbers in tags, as old PacBio files have them, are up to 10 % larger at all
// levels: matches of 3 bytes are looked for at the last distance only. Very long
// reads gain least in speed at levels 8 and 9, where all of them is searched.
//
// An Encoder takes Memory(level), 0.4 to 0.6 MB.
package deflate
