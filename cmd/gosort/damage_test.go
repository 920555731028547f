package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// damagedInput is a real file of some twenty blocks.
const damagedInput = golden + "/real/umi_duplex_grouped_NA12878.bam"

const (
	damageSeed = 20
	flips      = 40
	cuts       = 30
)

// damage is a file that is not what it was, and what was done to it.
type damage struct {
	what string
	data []byte
	cut  bool
}

// damages returns flipped bytes and cuts, at random but the same in each run.
func damages(whole []byte) (list []damage) {
	rng := rand.New(rand.NewPCG(damageSeed, 0))
	for range flips {
		data := slices.Clone(whole)
		at, mask := rng.IntN(len(data)), byte(1+rng.IntN(255))
		data[at] ^= mask
		list = append(list, damage{fmt.Sprintf("byte %d xor %#x", at, mask), data, false})
	}
	for _, n := range slices.Concat(rng.Perm(len(whole))[:cuts], blockEnds(whole)[:3], []int{0, len(whole) - 28, len(whole) - 1}) {
		list = append(list, damage{fmt.Sprintf("cut at byte %d", n), whole[:n], true})
	}
	return list
}

// TestDamage: damage is an error that leaves no output and no change in an old
// one. Where it hits nothing that counts (a time stamp, say) the output is that
// of the whole file, to the byte.
func TestDamage(t *testing.T) {
	whole := []byte(readFile(t, damagedInput))
	for _, format := range []string{"bam", "sam"} {
		t.Run(format, func(t *testing.T) {
			flags := []string{"-no-pg", "-level", "1", "-format", format, "-threads", "2"}
			want := mustSort(t, append(flags, "-i", damagedInput)...)
			for i, d := range damages(whole) {
				dir := t.TempDir()
				input, out := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out")
				writeFile(t, input, string(d.data), 0o600)
				old := i%2 == 0
				if old {
					writeFile(t, out, "old", 0o640)
				}
				got := gosort(t, append(flags, "-i", input, "-o", out)...)
				switch {
				case got.code == 0 && d.cut:
					t.Errorf("%s: status 0, want 1", d.what)
				case got.code == 0:
					if readFile(t, out) != want {
						t.Errorf("%s: status 0, and the output is not that of the whole file", d.what)
					}
				case got.code != 1 || !strings.HasPrefix(complaints(got.stderr), "gosort: error: "+input+": "):
					t.Errorf("%s: status %d, want 1; it says %s", d.what, got.code, got.stderr)
				case old:
					wantFile(t, out, "old", 0o640)
					wantNames(t, dir, "in.bam", "out")
				default:
					wantNames(t, dir, "in.bam")
				}
			}
		})
	}
}

// TestAllowTruncated: every whole record of every whole block before the cut is
// kept, and the warning says how many. Without a whole header there is nothing
// to keep.
func TestAllowTruncated(t *testing.T) {
	whole := []byte(readFile(t, damagedInput))
	for _, d := range damages(whole) {
		if !d.cut {
			continue
		}
		dir := t.TempDir()
		input, out := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out.bam")
		writeFile(t, input, string(d.data), 0o600)
		got := gosort(t, "-i", input, "-o", out, "-level", "1", "-threads", "2", "-allow-truncated")
		want, ok := wholeRecords(t, d.data)
		if !ok {
			if got.code != 1 || strings.Contains(got.stderr, "-allow-truncated") {
				t.Errorf("%s: status %d, want 1 and no hint to the flag that is there; it says %s", d.what, got.code, got.stderr)
			}
			wantMissing(t, out)
			continue
		}
		warning := fmt.Sprintf("; the %s whole records before the cut are kept\n", grouped(int64(len(want))))
		if got.code != 0 || !strings.HasPrefix(complaints(got.stderr), "gosort: warning: "+input+": ") || !strings.HasSuffix(got.stderr, warning) {
			t.Errorf("%s: status %d, want 0 and a warning that ends in %q; it says %s", d.what, got.code, warning, got.stderr)
			continue
		}
		bamtest.SameRecords(t, readRecords(t, out), want)
	}
}

// TestAllowTruncatedHidesNoDamage: with it, too, a flipped byte is an error or
// does not count. Only one that makes a block seem to go on behind the file's
// end is a cut to everybody; then there is a warning, and what was before it.
func TestAllowTruncatedHidesNoDamage(t *testing.T) {
	whole := []byte(readFile(t, damagedInput))
	want := readRecords(t, damagedInput)
	for _, d := range damages(whole) {
		if d.cut {
			continue
		}
		dir := t.TempDir()
		input, out := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out.bam")
		writeFile(t, input, string(d.data), 0o600)
		got := gosort(t, "-i", input, "-o", out, "-level", "1", "-allow-truncated")
		if got.code == 1 {
			wantMissing(t, out)
			continue
		}
		records := readRecords(t, out)
		if got.code != 0 || len(records) != len(want) && complaints(got.stderr) == "" {
			t.Errorf("%s: status %d, %d records of %d; it says %q", d.what, got.code, len(records), len(want), got.stderr)
		}
		bamtest.SameRecords(t, records, want[:len(records)])
	}
}

// blockEnds lists where BGZF blocks end (SAMv1 section 4.1).
func blockEnds(data []byte) (ends []int) {
	for at := 0; at+18 <= len(data); {
		at += int(binary.LittleEndian.Uint16(data[at+16:])) + 1
		if at <= len(data) {
			ends = append(ends, at)
		}
	}
	return ends
}

// wholeRecords reads what is whole with none of our own readers; false without
// a whole header.
func wholeRecords(t *testing.T, data []byte) (records []bam.Record, ok bool) {
	t.Helper()
	ends := blockEnds(data)
	if len(ends) == 0 {
		return nil, false
	}
	zr, err := gzip.NewReader(bytes.NewReader(data[:ends[len(ends)-1]]))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	next := func(size int) []byte {
		if size > len(b) {
			ok, b = false, nil
			return make([]byte, size)
		}
		part := b[:size]
		b = b[size:]
		return part
	}
	number := func() int { return int(binary.LittleEndian.Uint32(next(4))) }
	ok = true
	next(4)
	next(number())
	for range number() {
		next(number())
		next(4)
	}
	if !ok {
		return nil, false
	}
	for len(b) >= 4 {
		n := number()
		if n > len(b) {
			break
		}
		r, err := bam.ParseRecord(next(n))
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records, true
}

// TestDamagedPipe: a producer that dies in the middle is a cut like any other.
func TestDamagedPipe(t *testing.T) {
	whole := readFile(t, damagedInput)
	out := filepath.Join(t.TempDir(), "out.bam")
	cmd := command("-o", out)
	cmd.Stdin = strings.NewReader(whole[:len(whole)/2])
	got := child(t, cmd)
	if got.code != 1 || !strings.HasPrefix(complaints(got.stderr), "gosort: error: standard input: ") || !strings.Contains(got.stderr, "truncated") {
		t.Errorf("status %d, want 1; it says %s", got.code, got.stderr)
	}
	wantNames(t, filepath.Dir(out))
}

// TestDamageInPipe: an error is told when it is found, though the producer neither writes again nor ends.
func TestDamageInPipe(t *testing.T) {
	data := mixedBAM(t, 2<<20)
	ends := blockEnds(data)
	data[ends[2]-8] ^= 0xff // the CRC
	data = data[:ends[19]]  // more than a reader takes at once, and less than it has room for
	for _, threads := range []string{"1", "2"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "gosort", "-o", filepath.Join(t.TempDir(), "out.bam"), "-threads", threads)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var written sync.WaitGroup
		written.Go(func() { _, _ = stdin.Write(data) }) // a closed pipe is what it should find
		got := child(t, cmd)
		written.Wait()
		if got.code != exitFailed || !strings.Contains(got.stderr, "CRC32") {
			t.Errorf("%s threads: status %d, it says %q, want status %d and the block's CRC", threads, got.code, got.stderr, exitFailed)
		}
	}
}
