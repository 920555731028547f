package sortcoll

import (
	"errors"
	"fmt"
	"io"

	"github.com/gosort/gosort/spill"
)

// errOrder reports a broken invariant: better no output than one that lies about its order.
var errOrder = errors.New("sortcoll: internal error: merged frames are out of order")

// source is one sorted input of the merge: a run on disk, a function or a fill in memory.
type source struct {
	key   uint64
	frame []byte
	done  bool

	run    *spill.Reader
	pull   func() ([]byte, error)
	cursor cursor // when run and pull are nil
}

// advance moves the source to its next frame.
func (s *source) advance(ord *ordering, skip int) error {
	var err error
	switch {
	case s.pull != nil:
		s.frame, err = s.pull()
	case s.run != nil:
		if s.frame, err = s.run.Next(); err != nil && err != io.EOF {
			err = fmt.Errorf("sortcoll: reading a run: %w", err)
		}
	default:
		if s.frame = s.cursor.read(); s.frame == nil {
			err = io.EOF
		}
	}
	if err == io.EOF {
		s.done, s.frame = true, nil
		return nil
	} else if err != nil {
		return err
	}
	s.key = ord.key(s.frame, skip)
	return nil
}

// merge streams sources, given in input order, as one sorted sequence: a tree of losers, log2 k compares a frame, of
// which most look at cached keys only. Equal frames come from the earlier source first.
type merge struct {
	ord     *ordering
	skip    int
	sources []source
	tree    []int // tree[0] is the winner, tree[i] the loser of the match at node i
	started bool
	err     error // sticky

	lastKey uint64 // of the frame handed out
	last    []byte
	saved   []byte // backs last when its block is about to be overwritten
}

func newMerge(ord *ordering, skip int, sources []source) merge {
	return merge{ord: ord, skip: skip, sources: sources, tree: make([]int, len(sources))}
}

// before tells whether source a's frame comes before b's.
func (m *merge) before(a, b int) bool {
	x, y := &m.sources[a], &m.sources[b]
	switch {
	case x.done || y.done:
		return !x.done && y.done || x.done == y.done && a < b
	case x.key != y.key:
		return x.key < y.key
	case m.ord.compare != nil:
		if c := m.ord.compare(x.frame, y.frame); c != 0 {
			return c < 0
		}
	}
	return a < b
}

// read returns the next frame, valid until the next call; io.EOF after the last.
func (m *merge) read() ([]byte, error) {
	if m.err == nil {
		m.err = m.step()
	}
	if m.err != nil {
		return nil, m.err
	}
	return m.last, nil
}

// step sets last to the next frame.
func (m *merge) step() error {
	first := !m.started
	if first {
		m.started = true
		if err := m.start(); err != nil {
			return err
		}
	} else if err := m.replay(m.tree[0]); err != nil {
		return err
	}
	if len(m.sources) == 0 || m.sources[m.tree[0]].done {
		return io.EOF
	}
	w := &m.sources[m.tree[0]]
	if !first && (w.key < m.lastKey || w.key == m.lastKey && m.ord.compare != nil && m.ord.compare(m.last, w.frame) > 0) {
		return errOrder
	}
	m.lastKey, m.last = w.key, w.frame
	return nil
}

// start reads the first frame of each source and plays all matches.
func (m *merge) start() error {
	k := len(m.sources)
	for i := range m.sources {
		if err := m.sources[i].advance(m.ord, m.skip); err != nil {
			return err
		}
	}
	// Node i has the children 2i and 2i+1; the leaves are nodes k to 2k-1.
	winner := make([]int, 2*k)
	for i := range k {
		winner[k+i] = i
	}
	for i := k - 1; i > 0; i-- {
		a, b := winner[2*i], winner[2*i+1]
		if m.before(b, a) {
			a, b = b, a
		}
		winner[i], m.tree[i] = a, b
	}
	if k > 0 {
		m.tree[0] = winner[1]
	}
	return nil
}

// replay advances the source that won and plays its matches again, from its leaf to the root.
func (m *merge) replay(w int) error {
	s := &m.sources[w]
	if s.pull != nil || s.run != nil && s.run.Buffered() == 0 {
		// The run goes on to its next block, the function to its next frame, but last is still needed to check the order.
		m.saved = append(m.saved[:0], m.last...)
		m.last = m.saved
	}
	if err := s.advance(m.ord, m.skip); err != nil {
		return err
	}
	for i := (w + len(m.sources)) / 2; i > 0; i /= 2 {
		if m.before(m.tree[i], w) {
			m.tree[i], w = w, m.tree[i]
		}
	}
	m.tree[0] = w
	return nil
}
