package bgzfout

import "github.com/gosort/gosort/bgzfout/internal/deflate"

// slot carries payloads from the caller through a worker to the underlying
// writer. Its buffers are allocated once; slots circulate.
type slot struct {
	raw   []byte        // payloads end to end, the open one last
	ended []payload     // those that have ended
	out   []byte        // their blocks end to end
	done  chan struct{} // a worker has filled out, or will not
}

// payload is what becomes a block.
type payload struct {
	end int // in slot.raw
	layout
}

// layout is what FlushTry has told of a payload; zero is nothing.
type layout struct {
	records bool           // it begins with a record, or inside open
	open    deflate.Record // begun in a payload before
}

func newSlot(blocks int) *slot {
	return &slot{
		raw:   make([]byte, 0, blocks*MaxPayload),
		ended: make([]payload, 0, blocks),
		out:   make([]byte, 0, blocks*MaxBlock+deflate.Slack),
		done:  make(chan struct{}, 1),
	}
}

// begin is where in raw the open payload begins.
func (s *slot) begin() int {
	if len(s.ended) == 0 {
		return 0
	}
	return s.ended[len(s.ended)-1].end
}

// open is the number of bytes in the payload that has not ended.
func (s *slot) open() int { return len(s.raw) - s.begin() }

// full reports whether no further payload may be opened.
func (s *slot) full() bool { return len(s.ended) == cap(s.ended) }

// endBlock ends the open payload if it has bytes. It takes the layout of that and
// returns the layout of the next.
func (s *slot) endBlock(l layout) layout {
	src := s.raw[s.begin():]
	if len(src) == 0 {
		return l
	}
	s.ended = append(s.ended, payload{len(s.raw), l})
	if !l.records {
		return layout{}
	}
	open := l.open.Next(src)
	return layout{open != deflate.Record{}, open}
}

// compress fills out from the ended payloads.
func (s *slot) compress(e *deflate.Encoder) {
	start := 0
	for _, p := range s.ended {
		s.out = appendBlock(s.out, e, s.raw[start:p.end], p.layout)
		start = p.end
	}
}

func (s *slot) reset() {
	s.raw, s.ended, s.out = s.raw[:0], s.ended[:0], s.out[:0]
}
