package bam_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

// atRead is a line of a read whose name begins with '@'.
var atRead = regexp.MustCompile(`^(@|@C|@CO[^\t]+|@C[^\tO][^\t]*|@[^\tC][^\t]*)\t[0-9][^\t]*(\t[^\t]*){9}`)

// readLines is what a Reader must make of SAM: one line after the other, without units. err is the text of the error
// that ends it, "" for none. A marker may say that the text is whole.
func readLines(text []byte, marked bool) (records []bam.Record, err string) {
	var head []byte
	line := 0
	next := func() (l []byte, ok bool) {
		l, rest, _ := bytes.Cut(text, []byte("\n"))
		ok = len(text) > 0
		text = rest
		line++
		return l, ok
	}
	for bytes.HasPrefix(text, []byte("@")) {
		if l, _, _ := bytes.Cut(text, []byte("\n")); atRead.Match(l) {
			break
		}
		l, _ := next()
		head = append(append(head, l...), '\n')
	}
	h, herr := bam.ParseHeader(head)
	if herr != nil {
		return nil, herr.Error() + " (in the header)"
	}
	for {
		open := !marked && bytes.IndexByte(text, '\n') < 0
		l, ok := next()
		blank := string(l) == "" || string(l) == "\r"
		if !ok || blank && len(text) == 0 {
			return records, ""
		}
		raw, err := h.ParseSAMLine(nil, l)
		switch {
		case blank:
			err = fmt.Errorf("%w: a blank line between records", bam.ErrCorrupt)
		case l[0] == '@' && len(l) > 3 && l[3] == '\t' && !atRead.Match(l):
			err = fmt.Errorf("%w: a header line behind the first record", bam.ErrCorrupt)
		}
		if err != nil {
			what := err.Error()
			if open {
				what = strings.Replace(what, bam.ErrCorrupt.Error(), bam.ErrTruncated.Error()+": the last line has no end and is no record", 1)
			}
			return records, fmt.Sprintf("%s (record %d, line %d)", what, len(records)+1, line)
		}
		records = append(records, bam.Trusted(raw))
	}
}

// unitOptions cut the text in every way: units of less than a line, of a few lines, of everything.
func unitOptions() (all []bam.ReaderOptions) {
	for _, threads := range []int{1, 2, 5} {
		for _, unit := range []int{1, 7, 300, 2000, 1 << 16} {
			all = append(all, bam.ReaderOptions{Threads: threads, UnitBlocks: 1}.WithTextUnit(unit))
		}
	}
	return all
}

// checkSAM reads text, which open gives plain, or as BGZF with the EOF marker.
func checkSAM(t *testing.T, name string, open func() io.Reader, text []byte, o bam.ReaderOptions) {
	t.Helper()
	first, err := bufio.NewReader(open()).Peek(1)
	want, wantErr := readLines(text, err == nil && first[0] == 0x1f)
	_, got, err := readAll(open(), o)
	if gotErr := fmt.Sprint(err); gotErr != wantErr && (err != nil || wantErr != "") {
		t.Errorf("%s, %+v: error %q, want %q", name, o, gotErr, wantErr)
	}
	bamtest.SameSequence(t, got, want)
}

// atEnd is what follows FLAG in a line.
const atEnd = "\t*\t0\t0\t*\t*\t0\t0\t*\t*\n"

func TestSAMUnits(t *testing.T) {
	h := bamtest.Header(t, 3)
	records := bamtest.Generator{Seed: 5, Refs: 3, Length: 20, Odd: true}.Records(t, 60)
	text := plain(t, h, records, bam.SAM)
	for name, text := range map[string][]byte{
		"whole":            text,
		"no final newline": bytes.TrimSuffix(text, []byte("\n")),
		"blank last line":  append(bytes.Clone(text), '\n'),
		"two blank lines":  append(bytes.Clone(text), "\n\n"...),
		"crlf":             bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
		"crlf blank":       append(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), "\r\n"...),
		"header only":      plain(t, h, nil, bam.SAM),
		"header cut":       bytes.TrimSuffix(plain(t, h, nil, bam.SAM), []byte("\n")),
		"records only":     []byte("a\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\nb\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n"),
		"blank only":       []byte("\n"),
		"late header":      append(bytes.Clone(text), "@CO\tx\n"...),
		"cut":              text[:len(text)-len(text)/30],
		"cut in a name":    append(bytes.Clone(text), "@"...),
		"reads called @":   fmt.Appendf(nil, "%s@\t4%s@read\t4%s@at\t4%s@COW\t4%s", plain(t, h, nil, bam.SAM), atEnd, atEnd, atEnd, atEnd),
		"@ alone":          []byte("@read\t4" + atEnd),
		"@ alone, no end":  []byte("@read\t4" + strings.TrimSuffix(atEnd, "\n")),
		"no reads":         []byte("@CO\t4" + atEnd + "@RG\tID:4" + atEnd + "@read\t4\t*\n@\n@xy\tAB:1" + atEnd + "r\t4" + atEnd + "@CO\t4" + atEnd),
	} {
		var z bytes.Buffer
		compress(t, &z, text)
		for _, o := range unitOptions() {
			checkSAM(t, name, func() io.Reader { return bytes.NewReader(text) }, text, o)
			checkSAM(t, name+", dripping", func() io.Reader { return iotest.OneByteReader(bytes.NewReader(text)) }, text, o)
			checkSAM(t, name+", BGZF", func() io.Reader { return bytes.NewReader(z.Bytes()) }, text, o)
		}
	}
}

// TestSAMErrorsInOrder damages one line, or several: what stands before the first is delivered, and the error is its.
func TestSAMErrorsInOrder(t *testing.T) {
	h := bamtest.Header(t, 2)
	good := bytes.SplitAfter(plain(t, h, bamtest.Generator{Seed: 9, Refs: 2, Length: 8}.Records(t, 80), bam.SAM), []byte("\n"))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		all := append([][]byte(nil), good...)
		for range 1 + rng.IntN(3) {
			bad := []string{"\n", "x\n", "@CO\tlate\n", "r\t0\tchr9\t1\t60\t1M\t=\t5\t-3\tA\tI\n", "r\t0\tchr1\t1\t60\t1M\t=\t5\t-3\tA\tI\tXX:i:y\r\n"}
			all[7+rng.IntN(len(all)-8)] = []byte(bad[rng.IntN(len(bad))])
		}
		text := bytes.Join(all, nil)
		for _, o := range unitOptions() {
			checkSAM(t, "damaged", func() io.Reader { return bytes.NewReader(text) }, text, o)
		}
	}
}

// TestSAMSourceErrors: a source that fails, or BGZF that is cut, behind n bytes: all whole lines before that come first.
func TestSAMSourceErrors(t *testing.T) {
	h := bamtest.Header(t, 2)
	records := bamtest.Generator{Seed: 2, Refs: 2, Length: 8}.Records(t, 30)
	text := plain(t, h, records, bam.SAM)
	head := len(plain(t, h, nil, bam.SAM))
	for n := head + 1; n <= len(text); n += 41 {
		want := bytes.Count(text[head:n], []byte("\n"))
		for _, o := range []bam.ReaderOptions{{}, bam.ReaderOptions{}.WithTextUnit(100), bam.ReaderOptions{Threads: 3}.WithTextUnit(100)} {
			_, got, err := readAll(io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(errDisk)), o)
			place := fmt.Sprintf("(record %d, line %d)", want+1, bytes.Count(text[:n], []byte("\n")))
			if !errors.Is(err, errDisk) || len(got) != want || !strings.Contains(err.Error(), place) {
				t.Fatalf("source failing after %d bytes, %+v: %d records and %v, want %d and %s", n, o, len(got), err, want, place)
			}
			var z bytes.Buffer
			compress(t, &z, text[:n])
			cut := z.Bytes()[:z.Len()-28]
			if _, got, err := readAll(bytes.NewReader(cut), o); !errors.Is(err, bam.ErrTruncated) || len(got) != want {
				t.Fatalf("no EOF marker after %d bytes, %+v: %d records and %v, want %d and ErrTruncated", n, o, len(got), err, want)
			}
			o.AllowTruncated = true
			if _, got, err := readAll(bytes.NewReader(cut), o); err != nil || len(got) != want {
				t.Fatalf("no EOF marker after %d bytes, allowed, %+v: %d records and %v, want %d", n, o, len(got), err, want)
			}
		}
	}
}

// TestSAMEveryCut: text that ends inside a line is cut there, unless what there is of it is a record, or BGZF says that
// nothing is missing.
func TestSAMEveryCut(t *testing.T) {
	h := bamtest.Header(t, 1)
	text := plain(t, h, bamtest.Generator{Seed: 2, Refs: 1, Length: 5}.Records(t, 3), bam.SAM)
	head := len(plain(t, h, nil, bam.SAM))
	for n := head; n <= len(text); n++ {
		var z bytes.Buffer
		compress(t, &z, text[:n])
		lines := bytes.SplitAfter(text[head:n], []byte("\n"))
		last := lines[len(lines)-1]
		want, cut := len(lines)-1, false
		if _, err := h.ParseSAMLine(nil, last); err == nil {
			want++
		} else {
			cut = len(last) > 0
		}
		for _, o := range []bam.ReaderOptions{{}, bam.ReaderOptions{Threads: 2}.WithTextUnit(100)} {
			if _, got, err := readAll(bytes.NewReader(text[:n]), o); cut != errors.Is(err, bam.ErrTruncated) || !cut && err != nil || len(got) != want {
				t.Errorf("cut at %d: %d records and %v, want %d and a cut: %v", n, len(got), err, want, cut)
			}
			o.AllowTruncated = true
			if _, got, err := readAll(bytes.NewReader(z.Bytes()), o); cut != errors.Is(err, bam.ErrCorrupt) || errors.Is(err, bam.ErrTruncated) || len(got) != want {
				t.Errorf("cut at %d, EOF marker, allowed: %d records and %v, want %d and ErrCorrupt: %v", n, len(got), err, want, cut)
			}
			r, err := bam.NewReader(bytes.NewReader(text[:n]), o)
			for k := 0; err == nil; k++ {
				if _, err = r.Read(); err == io.EOF && k != want {
					t.Errorf("cut at %d, allowed: %d records, want %d", n, k, want)
				}
			}
			if err != io.EOF || cut != errors.Is(r.Truncated(), bam.ErrTruncated) || !cut && r.Truncated() != nil {
				t.Errorf("cut at %d, allowed: %v, Truncated says %v, want a cut: %v", n, err, r.Truncated(), cut)
			}
			if want := !cut && len(last) > 0; r.Unended() != want {
				t.Errorf("cut at %d: Unended says %v, want %v", n, r.Unended(), want)
			}
		}
	}
}

// longLine is a record with n bases and qualities.
func longLine(n int) string {
	return "long\t4\t*\t0\t0\t*\t*\t0\t0\t" + strings.Repeat("ACGTN", n/5) + "\t" + strings.Repeat("I", n/5*5) + "\n"
}

// TestLongLines: lines longer than all units together are read, and take memory for a few of them at most however many
// there are.
func TestLongLines(t *testing.T) {
	const bases, many = 1_000_000, 5
	short := "s\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\n"
	text := strings.Repeat(longLine(bases)+short+longLine(bases/10), many)
	for _, threads := range []int{1, 4} {
		o := bam.ReaderOptions{Threads: threads, UnitBlocks: 1}
		before, _ := heap()
		r, err := bam.NewReader(strings.NewReader(text), o)
		if err != nil {
			t.Fatal(err)
		}
		n, held := 0, int64(0)
		for err == nil {
			var rec bam.Record
			if rec, err = r.Read(); err == nil {
				if want := []int{bases, 1, bases / 10}[n%3]; rec.LSeq() != want {
					t.Fatalf("record %d has %d bases, want %d", n+1, rec.LSeq(), want)
				}
				after, _ := heap()
				held = max(held, after-before)
				n++
			}
		}
		if err != io.EOF || n != 3*many {
			t.Errorf("threads %d: %d records and %v, want %d", threads, n, err, 3*many)
		}
		if most := o.Memory() + 3*2*bases; held > most {
			t.Errorf("threads %d: %d bytes are held, want at most %d", threads, held, most)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSAMCloseEnds closes readers in the middle; a goroutine that stayed, or waited for ever, would be found.
func TestSAMCloseEnds(t *testing.T) {
	h := bamtest.Header(t, 2)
	text := plain(t, h, bamtest.Generator{Seed: 2, Refs: 2}.Records(t, 300), bam.SAM)
	var z bytes.Buffer
	compress(t, &z, text)
	for _, file := range [][]byte{text, z.Bytes(), append(bytes.Clone(text), "bad\n"...), append(bytes.Clone(text), strings.Repeat(longLine(10_000), 20)...)} {
		for _, reads := range []int{0, 1, 150, 1000} {
			synctest.Test(t, func(t *testing.T) {
				r, err := bam.NewReader(bytes.NewReader(file), bam.ReaderOptions{Threads: 3}.WithTextUnit(500))
				if err != nil {
					t.Fatal(err)
				}
				for range reads {
					if _, err := r.Read(); err != nil {
						break
					}
				}
				for range 2 {
					if err := r.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// TestRecordsFitUnits: no line makes more than the bytes that a unit sets aside for it.
func TestRecordsFitUnits(t *testing.T) {
	h := parseHeader(t, "@SQ\tSN:c\tLN:9\n")
	for _, line := range []string{
		"r\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n", "r\t0\tc\t1\t0\t1M\t*\t0\t0\tA\t*\n", "r\t0\tc\t1\t0\t" + strings.Repeat("1M1D", 30_000) + "\t*\t0\t0\t*\t*\n",
		strings.Replace(manyOps(), "chr1", "c", 1), "r\t0\tc\t1\t0\t*\t*\t0\t0\t*\t*\tXX:B:I" + strings.Repeat(",1", 1000) + "\n",
		"r\t0\tc\t1\t0\t*\t*\t0\t0\t*\t*\tXX:d:1\tXY:d:1\tXZ:B:f,1\n",
	} {
		raw, err := h.ParseSAMLine(nil, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got, most := len(raw)+4, 2*len(line); got > most {
			t.Errorf("%.40q: %d bytes of text make %d, want at most %d", line, len(line), got, most)
		}
	}
}

func TestNoAllocationPerLine(t *testing.T) {
	h := bamtest.Header(t, 2)
	text := plain(t, h, bamtest.Generator{Seed: 2, Refs: 2}.Records(t, 6000), bam.SAM)
	r, err := bam.NewReader(bytes.NewReader(text), bam.ReaderOptions{}.WithTextUnit(4000))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read := func() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 { // the first units make the buffers
		read()
	}
	if allocs := testing.AllocsPerRun(5000, read); allocs > 0 {
		t.Errorf("got %v allocations a record, want 0", allocs)
	}
}

// FuzzSAMReader: whatever the text, units and threads change neither records nor errors.
func FuzzSAMReader(f *testing.F) {
	h := bamtest.Header(f, 2)
	text := plain(f, h, bamtest.Generator{Seed: 1, Refs: 2, Length: 5, Odd: true}.Records(f, 6), bam.SAM)
	f.Add(text, uint16(1))
	f.Add(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), uint16(100))
	f.Add([]byte("a\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n\n\n@CO\n"), uint16(30))
	f.Add([]byte("@CO\n\nx"), uint16(2))
	f.Fuzz(func(t *testing.T, text []byte, unit uint16) {
		if len(text) == 0 || text[0] < ' ' && text[0] != '\n' || strings.HasPrefix("BAM\x01", string(text[:min(len(text), 4)])) || bytes.HasPrefix(text, []byte("CRAM")) || bytes.IndexByte(text, 0) >= 0 {
			return // no SAM
		}
		for _, threads := range []int{1, 3} {
			o := bam.ReaderOptions{Threads: threads}.WithTextUnit(1 + int(unit))
			checkSAM(t, "fuzz", func() io.Reader { return bytes.NewReader(text) }, text, o)
		}
	})
}

// BenchmarkSAMReader reads records of ordinary short reads with a handful of tags.
func BenchmarkSAMReader(b *testing.B) {
	h := bamtest.Header(b, 20)
	text := plain(b, h, bamtest.Generator{Seed: 4, Refs: 20}.Records(b, 40_000), bam.SAM)
	for _, threads := range []int{1, 2, 4} {
		for _, blocks := range []int{4, 16, 64} {
			b.Run(fmt.Sprintf("threads=%d/unit=%dK", threads, 16*blocks), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					r, err := bam.NewReader(bytes.NewReader(text), bam.ReaderOptions{Threads: threads, UnitBlocks: blocks})
					for err == nil {
						_, err = r.Read()
					}
					if err != io.EOF {
						b.Fatal(err)
					}
					if err := r.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// compress writes text as BGZF, in blocks that end anywhere in a line.
func compress(t testing.TB, w io.Writer, text []byte) {
	t.Helper()
	z, err := bgzfout.NewWriter(w, bgzfout.Options{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	for len(text) > 0 {
		n := min(len(text), 777)
		if _, err := z.Write(text[:n]); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
