// Package inflate decodes a DEFLATE stream (RFC 1951) that is in memory as a whole, to a destination of known size, as the
// blocks of BGZF are.
//
// Nothing is allocated and nothing kept: there is no window, because the destination is the window, and no reader, because
// the source is there. That, and tables that are built for a load of 8 bytes rather than for one byte, is what makes it 2.5
// times as fast as the streaming readers of compress/flate's kind.
//
// It takes and refuses what compress/flate does, with the same bytes and the same end of the stream: codes that are
// over-subscribed or incomplete, except for a code of a single symbol of 1 bit; distances behind the beginning; symbols 286,
// 287 and distances 30, 31 even in the fixed code; a repeated length with none before it, or beyond the last; a stored
// block whose length and complement differ; a cut anywhere. A fuzz target holds the two together.
//
// Whatever the source, work is bounded by its size: each symbol takes a bit or more of it, and the codes of a block 11
// bytes, for tables that are made in 4 microseconds. 64 KiB of nothing but codes take 20 ms on a core of 2 GHz.
//
// There is no unsafe: every access has its bounds checked, by the compiler's code or by what it has proven.
//
// Errors are ErrCorrupt and ErrTooLong, bare; the caller knows which block it was. Source and destination stay the
// caller's. There are no goroutines: one goroutine uses a Decoder at a time.
//
// Cost: 19 kB a Decoder, and on that core 300 to 1200 MB/s of BAM, by how well it was compressed.
package inflate
