package main

import (
	"errors"
	"strings"
	"testing"
)

// failAfter takes so many bytes and refuses all that follow.
type failAfter struct {
	taken []byte
	room  int
}

var errRefused = errors.New("refused")

func (f *failAfter) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errRefused
	}
	f.room -= len(p)
	f.taken = append(f.taken, p...)
	return len(p), nil
}

// TestTextWriter: all bytes arrive in order, or the error does; and nobody waits for ever.
func TestTextWriter(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 100_000)
	for _, threads := range []int{1, 2} {
		for _, piece := range []int{1000, textBuffer, 3 * textBuffer} {
			for _, room := range []int{0, textBuffer + 1, len(text) - 1, len(text)} {
				w := &failAfter{room: room}
				b, end := textWriter(w, threads)
				for rest := text; rest != ""; {
					n := min(piece, len(rest))
					_, _ = b.WriteString(rest[:n]) // the end tells
					rest = rest[n:]
				}
				err := end()
				if whole := room == len(text); (err == nil) != whole || !whole && !errors.Is(err, errRefused) {
					t.Errorf("%d threads, pieces of %d, room for %d: error %v", threads, piece, room, err)
				}
				if got := string(w.taken); !strings.HasPrefix(text, got) || err == nil && len(got) != len(text) {
					t.Errorf("%d threads, pieces of %d, room for %d: %d bytes arrived, or others", threads, piece, room, len(got))
				}
			}
		}
	}
}
