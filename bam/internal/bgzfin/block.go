package bgzfin

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	// maxBlock is the largest BGZF block and the largest payload: BSIZE and ISIZE are checked against it.
	maxBlock = 1 << 16
	// fixedHeader is the length of a gzip header up to and including XLEN.
	fixedHeader = 12
	// footer is CRC32 and ISIZE.
	footer = 8
)

// eofMarker is the empty block that ends every complete BGZF file (SAMv1 section 4.1.2).
const eofMarker = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00\x42\x43\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// Errors that callers tell apart with errors.Is. ErrTruncated means that the input ends too early, everything before
// the cut being sound; ErrCorrupt means that bytes are wrong.
var (
	ErrTruncated = errors.New("truncated")
	ErrCorrupt   = errors.New("corrupt")
)

// errShort says that more bytes are needed before a block can be judged.
var errShort = errors.New("short")

// block is one BGZF block inside a unit.
type block struct {
	coffset int64 // of the block in the source, bytes
	deflate []byte
	crc     uint32
	start   int // of the payload in the unit's raw bytes
	isize   int
}

// IsBGZF tells whether head, the first bytes of a stream, begin a BGZF block. It needs 18 bytes to say yes to the
// blocks that are written in practice.
func IsBGZF(head []byte) bool {
	_, err := blockSize(head)
	return err == nil
}

// blockSize returns the whole length of the block that b begins with, in bytes. It returns errShort when b is too short
// to tell, and an error wrapping ErrCorrupt when b is no BGZF block.
func blockSize(b []byte) (int, error) {
	for i := range min(len(b), 4) {
		if b[i] != eofMarker[i] {
			return 0, fmt.Errorf("%w: not a BGZF block", ErrCorrupt)
		}
	}
	if len(b) < fixedHeader {
		return 0, errShort
	}
	xlen := int(binary.LittleEndian.Uint16(b[10:]))
	if len(b) < fixedHeader+xlen {
		return 0, errShort
	}
	bsize := 0
	for extra := b[fixedHeader : fixedHeader+xlen]; len(extra) > 0; {
		if len(extra) < 4 {
			return 0, fmt.Errorf("%w: extra field of the block header overruns", ErrCorrupt)
		}
		slen := int(binary.LittleEndian.Uint16(extra[2:]))
		if slen > len(extra)-4 {
			return 0, fmt.Errorf("%w: extra field of the block header overruns", ErrCorrupt)
		}
		if extra[0] == 'B' && extra[1] == 'C' && slen == 2 && bsize == 0 {
			bsize = int(binary.LittleEndian.Uint16(extra[4:])) + 1
		}
		extra = extra[4+slen:]
	}
	if bsize < fixedHeader+xlen+footer+1 {
		return 0, fmt.Errorf("%w: BSIZE missing or smaller than the block's own header", ErrCorrupt)
	}
	return bsize, nil
}

// parse splits a whole block, as measured by blockSize, into its parts.
func parse(b []byte, coffset int64) (block, error) {
	head := fixedHeader + int(binary.LittleEndian.Uint16(b[10:]))
	tail := b[len(b)-footer:]
	isize := binary.LittleEndian.Uint32(tail[4:])
	if isize > maxBlock {
		return block{}, fmt.Errorf("%w: ISIZE %d exceeds %d", ErrCorrupt, isize, maxBlock)
	}
	return block{
		coffset: coffset,
		deflate: b[head : len(b)-footer],
		crc:     binary.LittleEndian.Uint32(tail),
		isize:   int(isize),
	}, nil
}
