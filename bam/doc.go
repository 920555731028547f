// Package bam reads and writes alignment records as what they are on disk: the
// bytes of SAMv1 section 4.2, with accessors on top.
//
// # Guarantees
//
// A record goes out bit for bit as it came in: nothing is decoded into fields
// and encoded again, no bin is recomputed, no tag is moved. A header's text is
// kept byte for byte too; only the @HD and @PG lines are ever edited, and only
// when [Header.SetSortOrder] or [Header.AddProgram] is called. Where several
// inputs become one, [MergeHeaders] makes a new header, and a [Translation] gives
// records its RefIDs, RG and PG.
//
// SAM text has one reading here. [Header.ParseSAMLine] makes the bytes that
// htslib makes of the same line (a reference without a position counts for none,
// a read without a reference or a CIGAR becomes unmapped), and [Header.AppendSAM]
// the text that "samtools view" prints, with one exception: floats are C's "%g"
// everywhere, where htslib 1.16 rounds a half in an array up (100000.5 is
// 100001), not to even. What SAM has no form for, or no reader would take back,
// is refused, where samtools prints it.
//
// An [IndexBuilder] makes the BAI or CSI index of a file while [Writer] writes it,
// the same in meaning as "samtools index" makes of the file.
//
// # Checks
//
// [ParseRecord] checks that the lengths inside a record fit it; after that no
// accessor can panic or read outside the record, whatever the bytes. Nothing
// else is judged: odd flags, stale bins, a CIGAR that contradicts SEQ pass.
// Auxiliary fields are checked while they are walked.
//
// # Ownership
//
// A [Record] and everything taken from it (Cigar, Aux, ReadName) are views of
// the slice given to [ParseRecord] and live as long as that slice is left
// alone. A [Header] owns its memory. It may be read from many goroutines at
// once; SetSortOrder and AddProgram need exclusive access, and end the life of
// what Text returned before. A [Translation] may be used from many at once.
//
// # Goroutines
//
// Records, headers, text conversion and the Writer start none, nor does a
// [Reader] with ReaderOptions.Threads <= 1. Else it has these:
//
//	goroutine                  started by   ended by   blocks on                   limit
//	BGZF: block reader         NewReader    Close      the source, free units      1
//	BGZF: inflate workers      NewReader    Close      units to inflate            Threads
//	SAM: reader of lines       NewReader    Close      the above, free units       1
//	SAM: parsers               NewReader    Close      units to parse              Threads
//
// Close waits for a Read of the source that is under way.
//
// # Errors
//
// Errors wrap [ErrTruncated] or [ErrCorrupt] where a caller may want to tell
// them apart, and name the field, tag or line that is wrong. An input of 0 bytes
// is [ErrEmpty], a CRAM [ErrCRAM].
//
// # Cost
//
// Parsing and every accessor are free of allocation and take a few
// nanoseconds; [Record.Aux] walks the fields before the one asked for. Text is
// appended to the caller's slice. A line of SAM of 450 characters takes 0.6
// microseconds. A header costs its text plus about 20 bytes and the name for
// each reference (see [Header.Memory]).
package bam
