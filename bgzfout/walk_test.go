package bgzfout

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// blockInfo is what walk finds out about one block.
type blockInfo struct {
	size    int // bytes in the file
	payload int // bytes uncompressed
}

// walk checks data against SAMv1 section 4.1 block by block, with nothing of
// this package but the limits, and returns the blocks before the EOF marker and
// what they hold.
func walk(data []byte) (blocks []blockInfo, content []byte, err error) {
	var marker bool
	for at := 0; at < len(data); {
		if marker {
			return nil, nil, fmt.Errorf("offset %d: bytes after the EOF marker", at)
		}
		block, payload, err := nextBlock(data[at:])
		if err != nil {
			return nil, nil, fmt.Errorf("offset %d: %w", at, err)
		}
		at += len(block)
		if len(payload) == 0 {
			if want := "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00\x42\x43\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"; string(block) != want {
				return nil, nil, fmt.Errorf("empty block % x, want the EOF marker", block)
			}
			marker = true
			continue
		}
		blocks = append(blocks, blockInfo{len(block), len(payload)})
		content = append(content, payload...)
	}
	if !marker {
		return nil, nil, fmt.Errorf("no EOF marker in %d bytes", len(data))
	}
	return blocks, content, nil
}

// nextBlock returns data's first block and its payload.
func nextBlock(data []byte) (block, payload []byte, err error) {
	const magic = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00"
	if len(data) < 26 || string(data[:16]) != magic {
		return nil, nil, fmt.Errorf("header % x, want % x", data[:min(16, len(data))], magic)
	}
	size := int(binary.LittleEndian.Uint16(data[16:])) + 1
	if size > len(data) || size < 26 {
		return nil, nil, fmt.Errorf("block size %d with %d bytes left", size, len(data))
	}
	block = data[:size]
	stream := bytes.NewReader(block[18 : size-8])
	payload, err = io.ReadAll(flate.NewReader(stream))
	if err != nil {
		return nil, nil, err
	}
	crc, isize := binary.LittleEndian.Uint32(block[size-8:]), binary.LittleEndian.Uint32(block[size-4:])
	switch {
	case stream.Len() != 0:
		err = fmt.Errorf("%d bytes between deflate stream and footer", stream.Len())
	case int(isize) != len(payload):
		err = fmt.Errorf("ISIZE %d, payload %d", isize, len(payload))
	case crc != crc32.ChecksumIEEE(payload):
		err = fmt.Errorf("CRC32 %08x, payload's is %08x", crc, crc32.ChecksumIEEE(payload))
	case len(payload) > MaxPayload || len(block) > MaxBlock:
		err = fmt.Errorf("payload %d, block %d: over the limits", len(payload), len(block))
	}
	return block, payload, err
}

// mustWalk is walk for output that has to be right.
func mustWalk(t testing.TB, data []byte) ([]blockInfo, []byte) {
	t.Helper()
	blocks, content, err := walk(data)
	if err != nil {
		t.Fatal(err)
	}
	return blocks, content
}

// payloadSizes lists the blocks' uncompressed sizes.
func payloadSizes(blocks []blockInfo) []int {
	sizes := make([]int, len(blocks))
	for i, b := range blocks {
		sizes[i] = b.payload
	}
	return sizes
}

// records returns the raw BAM records of one file in testdata.
func records(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".records.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// randomBytes returns n incompressible bytes, always the same.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b) // never fails
	return b
}

// kinds are inputs that drive deflate to its different block types.
func kinds(t testing.TB) map[string][]byte {
	t.Helper()
	random := randomBytes(400_000)
	half := bytes.Clone(random)
	for i := range half {
		if i%70000 < 40000 {
			half[i] &= 0x0f
		}
	}
	return map[string][]byte{
		"zeros":   make([]byte, 400_000),
		"random":  random,
		"half":    half,
		"text":    []byte(strings.Repeat("It is a truth universally acknowledged, that a read in possession of a mate ", 6000)),
		"novaseq": records(t, "novaseq151"),
		"hiseqx":  records(t, "hiseqx128"),
	}
}

// compress writes data through a Writer in one call.
func compress(t testing.TB, o Options, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, o)
	if err != nil {
		t.Fatal(err)
	}
	n, err := w.Write(data)
	if err != nil || n != len(data) {
		t.Fatalf("Write = %d, %v, want %d, nil", n, err, len(data))
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close = %v", err)
	}
	return buf.Bytes()
}

// TestWalkRefuses holds the checker itself to its job.
func TestWalkRefuses(t *testing.T) {
	good := compress(t, Options{}, []byte("some payload"))
	mustWalk(t, good)
	eof := len(good) - 28
	tests := []struct {
		name string
		data []byte
	}{
		{"no marker", good[:eof]},
		{"cut", good[:eof-1]},
		{"bytes after marker", append(bytes.Clone(good), 0)},
		{"two markers", slices.Concat(good, good[eof:])},
		{"magic", flip(good, 0)},
		{"block size", flip(good, 16)},
		{"crc", flip(good, eof-8)},
		{"isize", flip(good, eof-4)},
		{"marker", flip(good, eof+20)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if blocks, _, err := walk(tt.data); err == nil {
				t.Errorf("walk found nothing wrong: %v", blocks)
			}
		})
	}
}

// flip returns data with the lowest bit of byte i changed.
func flip(data []byte, i int) []byte {
	data = bytes.Clone(data)
	data[i] ^= 1
	return data
}
