package bgzfout

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/gosort/gosort/bgzfout/internal/deflate"
)

// header is htslib's: gzip magic, deflate, FEXTRA, no time, XFL 0, OS unknown,
// and the BC field whose last two bytes, BSIZE, appendBlock fills in.
const header = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x00\x00"

// bsizeOffset is where BSIZE, the block's size less one, stands in the header.
const bsizeOffset = 16

// EOFMarker returns the empty block that ends every BGZF file (SAMv1 section
// 4.1.2). It is part of the format, so it is the same at every level.
func EOFMarker() [28]byte {
	return [28]byte([]byte(header[:bsizeOffset] + "\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
}

// appendBlock appends payload, 1 to MaxPayload bytes laid out as l says, as one
// block of at most MaxBlock bytes.
func appendBlock(dst []byte, e *deflate.Encoder, payload []byte, l layout) []byte {
	start := len(dst)
	dst = append(dst, header...)
	if l.records {
		dst = e.AppendRecords(dst, payload, l.open)
	} else {
		dst = e.Append(dst, payload)
	}
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(payload))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(payload)))
	binary.LittleEndian.PutUint16(dst[start+bsizeOffset:], uint16(len(dst)-start-1))
	return dst
}
