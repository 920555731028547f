package bgzfout

// slot carries payloads from the caller through a worker to the underlying
// writer. Its buffers are allocated once; slots circulate.
type slot struct {
	raw  []byte        // payloads end to end, the open one last
	ends []int         // where in raw each ended payload ends
	out  []byte        // their blocks end to end
	done chan struct{} // a worker has filled out, or will not
}

func newSlot(blocks int) *slot {
	return &slot{
		raw:  make([]byte, 0, blocks*MaxPayload),
		ends: make([]int, 0, blocks),
		out:  make([]byte, 0, blocks*MaxBlock),
		done: make(chan struct{}, 1),
	}
}

// open is the number of bytes in the payload that has not ended.
func (s *slot) open() int {
	if len(s.ends) == 0 {
		return len(s.raw)
	}
	return len(s.raw) - s.ends[len(s.ends)-1]
}

// full reports whether no further payload may be opened.
func (s *slot) full() bool { return len(s.ends) == cap(s.ends) }

// endBlock ends the open payload if it has bytes.
func (s *slot) endBlock() {
	if s.open() > 0 {
		s.ends = append(s.ends, len(s.raw))
	}
}

// compress fills out from the ended payloads.
func (s *slot) compress(e *encoder) {
	start := 0
	for _, end := range s.ends {
		s.out = appendBlock(s.out, e, s.raw[start:end])
		start = end
	}
}

func (s *slot) reset() {
	s.raw, s.ends, s.out = s.raw[:0], s.ends[:0], s.out[:0]
}
