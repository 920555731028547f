package bam

import "errors"

// ErrTruncated is wrapped by every error that means the input ended before its
// structure did: inside a record, a length field or a block, or without the
// BGZF end-of-file marker, or inside a last line of SAM that is no record.
// Everything before the cut was sound. Where the marker says that nothing is
// missing such an end is no cut, but corrupt.
var ErrTruncated = errors.New("bam: truncated input")

// ErrCorrupt is wrapped by every error that means bytes contradict the format
// (SAMv1, BGZF): lengths that overrun, text that has no BAM form, a checksum
// that does not match.
var ErrCorrupt = errors.New("bam: corrupt input")
