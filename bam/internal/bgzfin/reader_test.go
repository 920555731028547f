package bgzfin

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
)

// makeBlock returns payload as one BGZF block, with extra subfields before BC.
func makeBlock(t testing.TB, payload []byte, extra ...byte) []byte {
	t.Helper()
	var z bytes.Buffer
	w, err := flate.NewWriter(&z, 6)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(payload); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return frameBlock(z.Bytes(), crc32.ChecksumIEEE(payload), uint32(len(payload)), extra...)
}

func frameBlock(deflate []byte, crc, isize uint32, extra ...byte) []byte {
	b := []byte{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(extra)+6))
	b = append(b, extra...)
	b = append(b, 'B', 'C', 2, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(b)+2+len(deflate)+footer-1))
	b = append(b, deflate...)
	b = binary.LittleEndian.AppendUint32(b, crc)
	return binary.LittleEndian.AppendUint32(b, isize)
}

// makeFile returns text in blocks of the given payload sizes, with the marker, and text itself.
func makeFile(t testing.TB, sizes ...int) (file, text []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range sizes {
		p := make([]byte, n)
		for i := range p {
			p[i] = "ACGTIJKL"[rng.IntN(8)]
		}
		file = append(file, makeBlock(t, p)...)
		text = append(text, p...)
	}
	return append(file, eofMarker...), text
}

// readAll returns everything that comes before the error that ends it.
func readAll(src io.Reader, o Options) ([]byte, error) {
	r := NewReader(src, o)
	defer r.Close()
	var all []byte
	for {
		u, err := r.Next()
		if err != nil {
			return all, err
		}
		all = append(all, u.Bytes()...)
	}
}

var shapes = []Options{{}, {Threads: 1, UnitBlocks: 1}, {Threads: 2, UnitBlocks: 1}, {Threads: 3, UnitBlocks: 4}, {Threads: 8}}

func TestReadsInOrder(t *testing.T) {
	many := make([]int, 100)
	for i := range many {
		many[i] = i * 601 % 65281
	}
	for _, sizes := range [][]int{nil, {1}, {0, 0, 5}, {65280, 65536, 1}, many} {
		file, text := makeFile(t, sizes...)
		for _, o := range shapes {
			for name, src := range map[string]io.Reader{
				"whole": bytes.NewReader(file), "bytes": iotest.OneByteReader(bytes.NewReader(file)), "eof with data": iotest.DataErrReader(bytes.NewReader(file)),
			} {
				got, err := readAll(src, o)
				if err != io.EOF || !bytes.Equal(got, text) {
					t.Errorf("%d blocks, %+v, %s: got %d bytes and %v, want %d bytes and EOF", len(sizes), o, name, len(got), err, len(text))
				}
			}
		}
	}
}

func TestVirtualOffset(t *testing.T) {
	file, _ := makeFile(t, 10, 0, 20, 30)
	var starts []int64
	for off := 0; off < len(file)-len(eofMarker); {
		n, err := blockSize(file[off:])
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, int64(off))
		off += n
	}
	r := NewReader(bytes.NewReader(file), Options{})
	u, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]int64{0: 0, 9: 9, 10: starts[2] << 16, 29: starts[2]<<16 | 19, 30: starts[3] << 16, 59: starts[3]<<16 | 29} {
		if got := u.VirtualOffset(i); got != want {
			t.Errorf("byte %d: got virtual offset %#x, want %#x", i, got, want)
		}
	}
}

// TestEveryCut cuts a file at every length: what comes out is a prefix made of whole blocks, and then ErrTruncated.
func TestEveryCut(t *testing.T) {
	file, text := makeFile(t, 40, 0, 50, 60)
	for cut := range file {
		if cut == 0 {
			continue // NewReader of package bam tells an empty file by itself
		}
		for _, o := range []Options{{}, {Threads: 2, UnitBlocks: 2}} {
			got, err := readAll(bytes.NewReader(file[:cut]), o)
			if !errors.Is(err, ErrTruncated) {
				t.Errorf("cut at %d of %d: got %v, want ErrTruncated", cut, len(file), err)
			}
			if !bytes.HasPrefix(text, got) || len(got) != 0 && len(got) != 40 && len(got) != 90 && len(got) != 150 {
				t.Errorf("cut at %d: got %d bytes", cut, len(got))
			}
		}
	}
}

// TestEveryFlip flips each bit of each byte: either the error says corrupt or truncated, or the bytes are right. Bits
// that BGZF does not check (MTIME, XFL, OS) may change.
func TestEveryFlip(t *testing.T) {
	file, text := makeFile(t, 100, 30)
	for i := range file {
		for bit := range 8 {
			bad := bytes.Clone(file)
			bad[i] ^= 1 << bit
			got, err := readAll(bytes.NewReader(bad), Options{Threads: 2, UnitBlocks: 1})
			if err == io.EOF && bytes.Equal(got, text) {
				continue
			}
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTruncated) || !bytes.HasPrefix(text, got) {
				t.Errorf("byte %d bit %d: got %d bytes and %v", i, bit, len(got), err)
			}
		}
	}
}

func TestDamage(t *testing.T) {
	one := makeBlock(t, []byte("payload"))
	deflate := one[18 : len(one)-footer]
	crc := crc32.ChecksumIEEE([]byte("payload"))
	huge := make([]byte, 70000)
	for _, tc := range []struct {
		name string
		file []byte
		want error
		text string
	}{
		{"marker in the middle", slicesOf(one, eofMarker, one, eofMarker), io.EOF, ""},
		{"two markers at the end", slicesOf(one, eofMarker, eofMarker), io.EOF, ""},
		{"other extra fields", slicesOf(makeBlock(t, []byte("payload"), 'X', 'Y', 1, 0, 9), eofMarker), io.EOF, ""},
		{"garbage behind the marker", slicesOf(one, eofMarker, "garbage"), ErrCorrupt, "garbage behind the EOF marker"},
		{"one byte behind the marker", slicesOf(one, eofMarker, "x"), ErrCorrupt, "garbage behind the EOF marker"},
		{"garbage in the middle", slicesOf(one, "garbage", one, eofMarker), ErrCorrupt, "not a BGZF block, at offset"},
		{"no marker", one, ErrTruncated, "no EOF marker"},
		{"empty block of another make at the end", slicesOf(one, string(makeBlock(t, nil))+"")[:len(one)+len(makeBlock(t, nil))], ErrTruncated, "no EOF marker"},
		{"wrong CRC", slicesOf(frameBlock(deflate, crc+1, 7), eofMarker), ErrCorrupt, "CRC32"},
		{"ISIZE too small", slicesOf(frameBlock(deflate, crc, 6), eofMarker), ErrCorrupt, "more than its ISIZE"},
		{"ISIZE too large", slicesOf(frameBlock(deflate, crc, 8), eofMarker), ErrCorrupt, "does not inflate"},
		{"ISIZE absurd", slicesOf(frameBlock(deflate, crc, 1<<31), eofMarker), ErrCorrupt, "ISIZE 2147483648 exceeds"},
		{"bytes behind the deflate data", slicesOf(frameBlock(slicesOf(deflate, "zz"), crc, 7), eofMarker), ErrCorrupt, "more than its ISIZE"},
		{"payload above 64 KiB", slicesOf(makeBlock(t, huge), eofMarker), ErrCorrupt, "ISIZE 70000"},
		{"BSIZE too small", slicesOf(one[:16], "\x05\x00", one[18:], eofMarker), ErrCorrupt, "BSIZE"},
		{"extra overruns", slicesOf(one[:14], "\xff\xff", one[16:], eofMarker), ErrCorrupt, "overruns"},
	} {
		for _, o := range shapes {
			_, err := readAll(bytes.NewReader(tc.file), o)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("%s, %+v: got error %q, want %v with %q", tc.name, o, err, tc.want, tc.text)
			}
		}
	}
}

// slicesOf joins strings and byte slices.
func slicesOf(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		b = fmt.Appendf(b, "%s", p)
	}
	return b
}

var errSource = errors.New("source failed")

// TestSourceErrors fails the source after every number of reads: its error comes through, and no goroutine stays.
func TestSourceErrors(t *testing.T) {
	file, text := makeFile(t, 3000, 3000, 3000, 3000, 3000, 3000)
	for n := range 40 {
		for _, o := range []Options{{}, {Threads: 3, UnitBlocks: 1}} {
			synctest.Test(t, func(t *testing.T) {
				src := io.MultiReader(io.LimitReader(bytes.NewReader(file), int64(n*256)), iotest.ErrReader(errSource))
				got, err := readAll(src, o)
				want := errSource
				if !errors.Is(err, want) || !bytes.HasPrefix(text, got) {
					t.Errorf("%d reads, %+v: got %v, want %v", n, o, err, want)
				}
			})
		}
	}
}

// TestCloseEarly closes at every point; synctest finds goroutines that stay.
func TestCloseEarly(t *testing.T) {
	file, _ := makeFile(t, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000)
	for n := range 12 {
		synctest.Test(t, func(t *testing.T) {
			r := NewReader(bytes.NewReader(file), Options{Threads: 2, UnitBlocks: 1})
			for range n {
				if _, err := r.Next(); err != nil {
					break
				}
			}
			for range 2 {
				if err := r.Close(); err != nil {
					t.Errorf("Close after %d units: %v", n, err)
				}
			}
			if _, err := r.Next(); err == nil || err == io.EOF {
				t.Errorf("Next after Close: got %v, want an error", err)
			}
		})
	}
}

func TestNoAllocationPerUnit(t *testing.T) {
	sizes := make([]int, 64)
	for i := range sizes {
		sizes[i] = 60000
	}
	file, _ := makeFile(t, sizes...)
	r := NewReader(&loop{b: file[:len(file)-len(eofMarker)]}, Options{UnitBlocks: 4})
	for range 40 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	allocs := testing.AllocsPerRun(20, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("got %v allocations a unit, want 0", allocs)
	}
}

// loop yields b again and again.
type loop struct {
	b []byte
	i int
}

func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.b[l.i:])
	l.i = (l.i + n) % len(l.b)
	return n, nil
}

func TestMemory(t *testing.T) {
	o := Options{Threads: 4, UnitBlocks: 2}
	file, _ := makeFile(t, 65280, 65280, 65280, 65280)
	r := NewReader(bytes.NewReader(file), o)
	defer r.Close()
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	held := int64(0)
	for _, u := range []*Unit{r.cur} {
		held += int64(cap(u.comp) + cap(u.raw))
	}
	if most := o.Memory() / int64(o.units()); held > most {
		t.Errorf("a unit holds %d bytes, Memory says %d", held, most)
	}
}

func TestInflaterBytes(t *testing.T) {
	if size := reflect.TypeFor[inflater]().Size(); size > inflaterBytes {
		t.Errorf("an inflater has %d bytes, inflaterBytes says %d", size, inflaterBytes)
	}
}

func TestIsBGZF(t *testing.T) {
	block := makeBlock(t, []byte("x"))
	for _, tc := range []struct {
		head string
		want bool
	}{
		{string(block[:18]), true}, {eofMarker, true}, {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abcdefgh", false},
		{"BAM\x01", false}, {"", false}, {string(block[:17]), false},
	} {
		if got := IsBGZF([]byte(tc.head)); got != tc.want {
			t.Errorf("IsBGZF(%q) = %v, want %v", tc.head, got, tc.want)
		}
	}
}

// FuzzReader: whatever the bytes, serial and parallel reading agree, with each other and with nothing lost in silence.
func FuzzReader(f *testing.F) {
	file, _ := makeFile(f, 10, 300, 0, 70)
	f.Add(file)
	f.Add(file[:len(file)-28])
	f.Add(slicesOf(eofMarker, "x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, errA := readAll(bytes.NewReader(data), Options{})
		b, errB := readAll(iotest.HalfReader(bytes.NewReader(data)), Options{Threads: 2, UnitBlocks: 1})
		if !bytes.Equal(a, b) || errA.Error() != errB.Error() {
			t.Fatalf("serial: %d bytes, %v; parallel: %d bytes, %v", len(a), errA, len(b), errB)
		}
		if errA != io.EOF && !errors.Is(errA, ErrTruncated) && !errors.Is(errA, ErrCorrupt) {
			t.Fatalf("unexpected error %v", errA)
		}
		if errA == io.EOF && !bytes.HasSuffix(data, []byte(eofMarker)) {
			t.Fatal("a clean end without the EOF marker")
		}
	})
}

func BenchmarkInflate(b *testing.B) {
	sizes := make([]int, 256)
	for i := range sizes {
		sizes[i] = 65280
	}
	file, text := makeFile(b, sizes...)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(file), Options{Threads: threads})
				for {
					if _, err := r.Next(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
				r.Close()
			}
		})
	}
}
