package spill

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Codec says how the blocks of a run are compressed.
type Codec uint8

const (
	// S2 is the fastest that still halves sequencing records; the default.
	S2 Codec = iota
	// Zstd takes about three times the CPU of S2 and two thirds of the space.
	Zstd
	// None stores blocks as they are, for disks faster than a codec.
	None
)

var codecNames = [...]string{S2: "s2", Zstd: "zstd", None: "none"}

// String returns the name ParseCodec takes.
func (c Codec) String() string {
	if int(c) < len(codecNames) {
		return codecNames[c]
	}
	return fmt.Sprintf("Codec(%d)", uint8(c))
}

// ParseCodec returns the Codec called name: "s2", "zstd" or "none".
func ParseCodec(name string) (Codec, error) {
	for c, n := range codecNames {
		if n == name {
			return Codec(c), nil
		}
	}
	return 0, fmt.Errorf("spill: unknown codec %q (want s2, zstd or none)", name)
}

const (
	// s2Tables is what an s2 encoder needs beside its input and output: a hash
	// table of 64 KiB, from a pool or on the stack, which grows by doubling.
	s2Tables = 128 << 10
	// zstdEncoderTables bounds what a zstd encoder of SpeedFastest holds beside
	// its window: 256 KiB of hash table, literals, output and up to 32 Ki
	// sequences of one 128 KiB zstd block, entropy tables, and a 128 KiB margin
	// of the history. TestWriterMemory measures it.
	zstdEncoderTables = 2 << 20
	// zstdDecoderTables bounds a zstd block decoder: 128 KiB of literals and
	// the entropy tables.
	zstdDecoderTables = 512 << 10
	// maxWindow bounds the history a zstd encoder copies. Matches farther away
	// than 1 MiB are rare in sorted records, for their neighbours are near.
	maxWindow = 1 << 20
	// decodeSlack past the end of the output lets zstd copy in whole words.
	decodeSlack = 16
)

// zstdWindow is the smallest power of two that holds a block, up to maxWindow.
func zstdWindow(blockSize int) int {
	w := 1 << bits.Len(uint(min(blockSize, maxWindow)-1))
	return min(max(w, zstd.MinWindowSize), maxWindow)
}

// compressor holds the buffers and tables of one Writer at a time.
type compressor struct {
	codec Codec
	raw   []byte // room for a header, then the frames of the block being filled
	out   []byte // room for a header, then the compressed payload
	z     *zstd.Encoder
}

func newCompressor(codec Codec, blockSize int) (*compressor, error) {
	c := &compressor{codec: codec, raw: make([]byte, headerSize, headerSize+blockSize)}
	if codec != Zstd {
		return c, nil
	}
	var err error
	c.z, err = zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(zstdWindow(blockSize)),
		zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderCRC(false)) // the block header has one
	if err != nil {
		return nil, fmt.Errorf("spill: zstd encoder: %w", err)
	}
	return c, nil
}

// maxEncoded returns the room codec needs to compress n bytes, 0 if it needs none.
func maxEncoded(codec Codec, n int) int {
	switch codec {
	case S2:
		return max(0, s2.MaxEncodedLen(n))
	case Zstd:
		// Frame header, and 3 bytes for each zstd block of up to 128 KiB.
		return n + 32 + 3*(n>>10)
	default:
		return 0
	}
}

// compress returns the block of the frames in c.raw, header still blank, and its
// kind. The block is c.raw itself if compression saves less than 1/32: then reading
// it back should not pay for decoding either. No copy is made in that case.
func (c *compressor) compress() ([]byte, uint8) {
	payload := c.raw[headerSize:]
	room := maxEncoded(c.codec, len(payload))
	if room == 0 {
		return c.raw, uint8(None)
	}
	if cap(c.out) < headerSize+room {
		c.out = make([]byte, headerSize+room)
	}
	out := c.out[headerSize : headerSize+room]
	if c.codec == S2 {
		out = s2.Encode(out, payload)
	} else {
		out = c.z.EncodeAll(payload, out[:0])
	}
	if len(out) > len(payload)-len(payload)/32 {
		return c.raw, uint8(None)
	}
	return c.out[:headerSize+len(out)], uint8(c.codec)
}

// newZstdDecoder makes the decoder all Readers of a Store share; it serves up to
// GOMAXPROCS of them at once.
func newZstdDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(0),
		zstd.WithDecodeAllCapLimit(true)) // a lying frame cannot outgrow dst
}

// decompressor decodes payloads. It may be used from several goroutines.
type decompressor struct {
	zstd func() (*zstd.Decoder, error) // made when the first zstd block is met
}

func newDecompressor() decompressor {
	return decompressor{zstd: sync.OnceValues(newZstdDecoder)}
}

// decode decodes payload, of the given kind, into dst, whose capacity must be
// len(dst)+decodeSlack. It fails unless exactly len(dst) bytes come out.
func (d decompressor) decode(kind uint8, dst, payload []byte) error {
	switch Codec(kind) {
	case S2:
		if n, err := s2.DecodedLen(payload); err != nil || n != len(dst) {
			return fmt.Errorf("decodes to %d bytes, header says %d (%v)", n, len(dst), err)
		}
		_, err := s2.Decode(dst, payload)
		return err
	case Zstd:
		z, err := d.zstd()
		if err != nil {
			return err
		}
		out, err := z.DecodeAll(payload, dst[:0])
		if err == nil && len(out) != len(dst) {
			err = fmt.Errorf("decodes to %d bytes, header says %d", len(out), len(dst))
		}
		return err
	default:
		if len(payload) != len(dst) {
			return fmt.Errorf("stores %d bytes, header says %d", len(payload), len(dst))
		}
		copy(dst, payload)
		return nil
	}
}
