package spill

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	headerSize  = 32
	trailerSize = 24 // payload of a trailer: frames, frame bytes, data blocks
	prefixSize  = 4  // length before each frame

	kindTrailer = 255
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the header of a block without its checksum. See the package comment
// for the layout.
type header struct {
	stored uint32
	raw    uint32
	frames uint32
	run    uint64
	seq    uint32
	kind   uint8
}

// seal writes h and the checksum into block, whose payload is in place.
func (h header) seal(block []byte) {
	le := binary.LittleEndian
	le.PutUint32(block[4:], h.stored)
	le.PutUint32(block[8:], h.raw)
	le.PutUint32(block[12:], h.frames)
	le.PutUint64(block[16:], h.run)
	le.PutUint32(block[24:], h.seq)
	le.PutUint32(block[28:], uint32(h.kind)) // and three zero bytes
	le.PutUint32(block, crc32.Checksum(block[4:], castagnoli))
}

// errShort says that a block is too short to have a header.
var errShort = errors.New("no room for a block header")

// parseHeader checks and returns the header of block, which is the whole block. The
// checksum comes first: only bytes a Writer wrote are worth interpreting, and what
// they claim is still compared with what the Run knows.
func parseHeader(block []byte, run uint64, seq, maxRaw int) (header, error) {
	if len(block) < headerSize {
		return header{}, errShort
	}
	le := binary.LittleEndian
	want, got := le.Uint32(block), crc32.Checksum(block[4:], castagnoli)
	h := header{
		stored: le.Uint32(block[4:]),
		raw:    le.Uint32(block[8:]),
		frames: le.Uint32(block[12:]),
		run:    le.Uint64(block[16:]),
		seq:    le.Uint32(block[24:]),
		kind:   block[28],
	}
	switch {
	case want != got:
		return h, fmt.Errorf("checksum is %08x, header says %08x", got, want)
	case uint64(h.stored) != uint64(len(block)-headerSize):
		return h, fmt.Errorf("payload has %d bytes, header says %d", len(block)-headerSize, h.stored)
	case h.run != run:
		return h, fmt.Errorf("block belongs to run %d", h.run)
	case uint64(h.seq) != uint64(seq):
		return h, fmt.Errorf("block is number %d of its run", h.seq)
	case h.kind > uint8(None) && h.kind != kindTrailer || block[29]|block[30]|block[31] != 0:
		return h, fmt.Errorf("unknown kind % x", block[28:32])
	case h.kind == kindTrailer:
		if h.stored != trailerSize || h.raw != trailerSize || h.frames != 0 {
			return h, errors.New("trailer is malformed")
		}
	case uint64(h.raw) > uint64(maxRaw):
		return h, fmt.Errorf("raw length %d exceeds the run's largest, %d", h.raw, maxRaw)
	case h.frames == 0 || uint64(h.raw) < prefixSize*uint64(h.frames):
		return h, fmt.Errorf("%d frames in %d raw bytes", h.frames, h.raw)
	}
	return h, nil
}

// trailer is what the last block of a run says about the others.
type trailer struct {
	frames, bytes, blocks uint64
}

func (t trailer) append(p []byte) []byte {
	p = binary.LittleEndian.AppendUint64(p, t.frames)
	p = binary.LittleEndian.AppendUint64(p, t.bytes)
	return binary.LittleEndian.AppendUint64(p, t.blocks)
}

func parseTrailer(payload []byte) trailer {
	le := binary.LittleEndian
	return trailer{frames: le.Uint64(payload), bytes: le.Uint64(payload[8:]), blocks: le.Uint64(payload[16:])}
}
