package bgzfout

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
)

var allLevels = []int{Stored, 1, 2, 3, 4, 5, 6, 7, 8, 9}

// payloadsOf cuts data at sizes that reach each way an encoder treats small,
// middling and full payloads.
func payloadsOf(data []byte) [][]byte {
	var cut [][]byte
	for _, n := range []int{MaxPayload, 1, 12, 31, 33, 127, 128, 129, 1025, 20000, MaxPayload, 40000} {
		cut = append(cut, data[:n])
		data = data[n:]
	}
	return cut
}

// TestEncoderHasNoMemory: whatever an encoder did before, it compresses a
// payload to the bytes a new encoder makes of it.
func TestEncoderHasNoMemory(t *testing.T) {
	var payloads [][]byte
	inputs := kinds(t)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		payloads = append(payloads, payloadsOf(inputs[name])...)
	}
	for _, level := range allLevels {
		t.Run(fmt.Sprintf("level=%d", level), func(t *testing.T) {
			fresh := make([][]byte, len(payloads))
			for i, p := range payloads {
				fresh[i] = newEncoder(level).deflate(nil, p)
			}
			used := newEncoder(level)
			// Steps prime to the count: each payload comes after two others.
			for _, step := range []int{5, 31} {
				for i := range payloads {
					k := i * step % len(payloads)
					got := used.deflate(nil, payloads[k])
					if !bytes.Equal(got, fresh[k]) {
						t.Fatalf("step %d: payload %d: %d bytes after others, %d from a new encoder", step, k, len(got), len(fresh[k]))
					}
				}
			}
		})
	}
}

// TestEncoderPositionWrap: the encoders of levels 1 to 6 count positions in 31
// bits and start over after about 65,000 small payloads; that must not show.
func TestEncoderPositionWrap(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses 70,000 payloads at each level")
	}
	data := records(t, "novaseq151")
	payloads := [][]byte{make([]byte, 200), data[:150], data[:20_000]}
	for _, level := range []int{1, 6} {
		used := newEncoder(level)
		var want [3][]byte
		for k, p := range payloads {
			want[k] = newEncoder(level).deflate(nil, p)
		}
		var got []byte
		for i := range 70_000 {
			k := i % 2
			if i%100 == 99 {
				k = 2
			}
			if got = used.deflate(got[:0], payloads[k]); !bytes.Equal(got, want[k]) {
				t.Fatalf("level %d: payload %d: % x, from a new encoder % x", level, i, got, want[k])
			}
		}
	}
}

// TestDeflateBound: no stream is longer than the stored form, at any level, and
// what does not compress is the stored form. (A few bytes may do with the fixed
// Huffman code, so only longer payloads count as incompressible.)
func TestDeflateBound(t *testing.T) {
	inputs := kinds(t)
	for _, level := range allLevels {
		e := newEncoder(level)
		for name, data := range inputs {
			for _, p := range payloadsOf(data) {
				got := e.deflate([]byte("before"), p)
				stored := appendStored([]byte("before"), p)
				if !bytes.HasPrefix(got, []byte("before")) {
					t.Fatalf("level %d, %s, %d bytes: what stood in dst changed", level, name, len(p))
				}
				if len(got) > len(stored) {
					t.Errorf("level %d, %s: %d bytes deflate to %d, stored %d", level, name, len(p), len(got), len(stored))
				}
				if (level == Stored || name == "random" && len(p) > 100) && !bytes.Equal(got, stored) {
					t.Errorf("level %d, %s: %d bytes are not stored", level, name, len(p))
				}
			}
		}
	}
}

func TestNewEncoderPanicsOnUncheckedLevel(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("newEncoder(10) did not panic")
		}
	}()
	newEncoder(10)
}

// TestEncoderBytes holds the budget's figure to what an encoder allocates.
func TestEncoderBytes(t *testing.T) {
	data := records(t, "novaseq151")[:MaxPayload]
	dst := make([]byte, 0, MaxBlock)
	for _, level := range allLevels {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := newEncoder(level)
		dst = e.deflate(dst[:0], data)
		dst = e.deflate(dst[:0], data)
		runtime.ReadMemStats(&after)
		got := int64(after.TotalAlloc - before.TotalAlloc)
		t.Logf("level %d: %d bytes", level, got)
		if limit := encoderBytes(level) + 4096; got > limit {
			t.Errorf("level %d: an encoder allocates %d bytes, encoderBytes %d", level, got, limit)
		}
	}
}
