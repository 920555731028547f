package deflate

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	kpflate "github.com/klauspost/compress/flate"
)

const (
	bgzfPayload = 65280
	levels      = len(efforts)
)

// input is a payload and the record open at its beginning.
type input struct {
	src  []byte
	open Record
}

// cuts are the real inputs: see ../../testdata/README.md.
var cuts = []string{"novaseq151", "hiseqx128", "umi", "ont", "hifi"}

// cut returns the first payloads of a file of records, cut as a writer of BGZF
// does it: before a record that does not fit, else where the payload is full.
func cut(t testing.TB, name string, payloads int) (in []input) {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".records.gz"))
	var z *gzip.Reader
	if err == nil {
		z, err = gzip.NewReader(bytes.NewReader(packed))
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err != nil {
		t.Fatal(err)
	}
	var open Record
	for len(data) > 0 && len(in) < payloads {
		n := 0
		for r, ok := open, true; ok && r.End <= bgzfPayload; r, ok = recordAt(data, r.End) {
			n = r.End
		}
		if n == 0 {
			n = min(bgzfPayload, len(data))
		}
		in = append(in, input{data[:n], open})
		open = open.Next(data[:n])
		data = data[n:]
	}
	return in
}

// decoders are those that a stream must please.
var decoders = map[string]func(io.Reader) io.ReadCloser{"compress/flate": flate.NewReader, "klauspost": kpflate.NewReader}

// check compresses an input with e, which may have compressed others, and holds
// the result to every promise. It returns the stream.
func check(t testing.TB, e *Encoder, in input, what string) []byte {
	t.Helper()
	const before = "before"
	out := e.AppendRecords([]byte(before), bytes.Clone(in.src), in.open)
	if !bytes.HasPrefix(out, []byte(before)) {
		t.Fatalf("%s: %d bytes: what stood in dst changed", what, len(in.src))
	}
	out = out[len(before):]
	if limit := len(in.src) + storedOverhead; len(out) > limit {
		t.Fatalf("%s: %d bytes became %d, more than stored", what, len(in.src), len(out))
	}
	for name, decoder := range decoders {
		r := bytes.NewReader(out)
		got, err := io.ReadAll(decoder(r))
		if err != nil || !bytes.Equal(got, in.src) || r.Len() > 0 {
			t.Fatalf("%s: %d bytes: %s read %d, left %d, error %v", what, len(in.src), name, len(got), r.Len(), err)
		}
	}
	return out
}

// inflate returns what a stream of ours holds.
func inflate(t testing.TB, stream []byte) []byte {
	t.Helper()
	got, err := io.ReadAll(flate.NewReader(bytes.NewReader(stream)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestRecords: real payloads come back whatever the level, and whatever is known
// of their records.
func TestRecords(t *testing.T) {
	for level := range levels {
		e := New(level)
		for _, name := range cuts {
			for i, in := range cut(t, name, 2) {
				what := fmt.Sprintf("level %d, %s, payload %d", level, name, i)
				check(t, e, in, what)
				check(t, e, input{src: in.src[1:]}, what+" from its second byte")
				if got := e.Append(nil, in.src); !bytes.Equal(inflate(t, got), in.src) {
					t.Errorf("%s: Append of %d bytes reads as others", what, len(in.src))
				}
			}
		}
	}
}

// TestMadeUp runs payloads that are like nothing real.
func TestMadeUp(t *testing.T) {
	for level := range levels {
		t.Run(fmt.Sprintf("level=%d", level), func(t *testing.T) {
			e := New(level)
			for name, data := range madeUp() {
				for _, n := range []int{0, 1, 63, 64, 65, 1000, 32768, 32769, bgzfPayload, MaxPayload} {
					check(t, e, input{src: data[:min(n, len(data))]}, name)
				}
			}
		})
	}
}

// TestTiny runs every small size.
func TestTiny(t *testing.T) {
	kinds := madeUp()
	for level := range levels {
		e := New(level)
		for _, name := range []string{"zeros", "random", "two bits", "period 7", "text"} {
			for n := range 300 {
				check(t, e, input{src: kinds[name][:n]}, fmt.Sprintf("level %d, %s", level, name))
			}
		}
	}
}

// TestWrongRecords: a hint may lie, and so may a record, without harm.
func TestWrongRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, level := range []int{1, 6} {
		e := New(level)
		for k := range 150 {
			payloads := cut(t, cuts[k%len(cuts)], 2)
			in := payloads[r.IntN(len(payloads))]
			in.src = in.src[r.IntN(len(in.src)/2):]
			in.open = Record{r.IntN(90000) - 9000, r.IntN(90000) - 9000, r.IntN(90000) - 9000, r.IntN(90000) - 9000}
			check(t, e, in, fmt.Sprintf("level %d, %d, %+v", level, k, in.open))
			check(t, e, input{src: lyingRecords(r)}, fmt.Sprintf("level %d, lie %d", level, k))
		}
	}
}

// TestNoMemory: whatever an Encoder did before, it makes the bytes that a new one
// makes.
func TestNoMemory(t *testing.T) {
	var inputs []input
	for _, name := range cuts {
		for _, in := range cut(t, name, 2) {
			inputs = append(inputs, in, input{src: in.src[:20_000]}, input{src: in.src[:100]})
		}
	}
	for _, data := range madeUp() {
		inputs = append(inputs, input{src: data[:bgzfPayload]})
	}
	for _, level := range []int{0, 1, 4, 6, 9} {
		used := New(level)
		fresh := make([][]byte, len(inputs))
		for i, in := range inputs {
			fresh[i] = New(level).AppendRecords(nil, in.src, in.open)
		}
		for _, step := range []int{1, 7, 11} { // each comes after others
			for i := range inputs {
				k := i * step % len(inputs)
				if got := used.AppendRecords(nil, inputs[k].src, inputs[k].open); !bytes.Equal(got, fresh[k]) {
					t.Fatalf("level %d, step %d, input %d: %d bytes after others, %d from a new Encoder", level, step, k, len(got), len(fresh[k]))
				}
			}
		}
	}
}

// TestStoredWhenIncompressible holds random payloads to the stored form.
func TestStoredWhenIncompressible(t *testing.T) {
	random := madeUp()["random"]
	for level := range levels {
		e := New(level)
		for _, n := range []int{0, 1, 63, 64, 1000, MaxPayload} {
			if got, want := e.Append(nil, random[:n]), appendStored(nil, random[:n]); !bytes.Equal(got, want) {
				t.Errorf("level %d: %d random bytes became %d, want %d", level, n, len(got), len(want))
			}
		}
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"level -1":     func() { New(-1) },
		"level 10":     func() { New(levels) },
		"long payload": func() { New(1).Append(nil, make([]byte, MaxPayload+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			f()
		})
	}
}

// TestAllocatesNothing, if dst has Slack.
func TestAllocatesNothing(t *testing.T) {
	inputs := cut(t, "hifi", 2)
	for _, name := range []string{"random", "half random", "zeros"} {
		inputs = append(inputs, input{src: madeUp()[name][:bgzfPayload]})
	}
	dst := make([]byte, 0, bgzfPayload+Slack)
	for level := range levels {
		e := New(level)
		for i, in := range inputs {
			if n := testing.AllocsPerRun(3, func() { e.AppendRecords(dst, in.src, in.open) }); n > 0 {
				t.Errorf("level %d, input %d: %v allocations", level, i, n)
			}
		}
	}
}

// TestMemory holds Memory to what New allocates, and not far above.
func TestMemory(t *testing.T) {
	for level := range levels {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := New(level)
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(e)
		got := int64(after.TotalAlloc - before.TotalAlloc)
		if limit := Memory(level); got > limit || got < limit*3/4 {
			t.Errorf("level %d: an Encoder takes %d bytes, Memory says %d", level, got, limit)
		}
	}
}
