package bgzfin

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"
)

// DefaultUnitBlocks makes a unit of about 1 MiB, large enough that the hand-over between goroutines vanishes.
const DefaultUnitBlocks = 16

// Options configure a Reader. The zero value inflates on the caller's goroutine.
type Options struct {
	// Threads is the number of inflate workers; <= 1 starts no goroutine.
	Threads int
	// UnitBlocks is the most blocks that travel together; 0 means DefaultUnitBlocks.
	UnitBlocks int
}

func (o Options) withDefaults() Options {
	if o.UnitBlocks <= 0 {
		o.UnitBlocks = DefaultUnitBlocks
	}
	o.Threads = max(o.Threads, 1)
	return o
}

// units is how many units circulate: one with the consumer, one with the block reader, one for each worker.
func (o Options) units() int {
	if o.Threads == 1 {
		return 1
	}
	return o.Threads + 2
}

// compCap is the room for compressed bytes in one unit: blocks of sequencing data shrink to a third or less of their
// payload; a unit of less compressible blocks just holds fewer of them.
func (o Options) compCap() int {
	return o.UnitBlocks*maxBlock*3/8 + maxBlock
}

// Memory returns an upper bound of the bytes a Reader with these options holds.
func (o Options) Memory() int64 {
	o = o.withDefaults()
	return int64(o.units())*int64(o.compCap()+o.UnitBlocks*maxBlock) + int64(o.Threads)*inflaterBytes
}

// Unit is a run of consecutive inflated blocks.
type Unit struct {
	comp   []byte
	blocks []block
	raw    []byte
	size   int   // of raw, known before it is inflated
	err    error // follows the blocks
	done   chan struct{}
}

// Bytes returns the unit's inflated bytes.
func (u *Unit) Bytes() []byte { return u.raw }

// VirtualOffset returns the virtual file offset (SAMv1 section 4.1.1) of byte i of the unit. That of its end is in the
// last block that is not empty, whatever blocks the unit is of.
func (u *Unit) VirtualOffset(i int) int64 {
	for k := len(u.blocks) - 1; k >= 0; k-- {
		if b := &u.blocks[k]; b.start <= i && b.isize > 0 {
			return b.coffset<<16 | int64(i-b.start)
		}
	}
	return 0
}

// inflate fills raw; blocks after a bad one are left out.
func (u *Unit) inflate(f *inflater) {
	if cap(u.raw) < u.size {
		u.raw = make([]byte, u.size)
	}
	u.raw = u.raw[:u.size]
	for k := range u.blocks {
		b := &u.blocks[k]
		if err := f.block(u.raw[b.start:b.start+b.isize], b); err != nil {
			u.raw, u.err, u.blocks = u.raw[:b.start], err, u.blocks[:k]
			return
		}
	}
}

// Reader inflates a BGZF stream. It is used from one goroutine.
type Reader struct {
	o     Options
	src   io.Reader
	err   error // sticky, of Next
	cur   *Unit
	serve *inflater // of the caller's goroutine, when Threads is 1

	// Owned by the block reader.
	pos      int64  // of the next unparsed byte in the source
	tail     []byte // bytes read beyond the last unit
	lastEOF  bool   // the last block was the EOF marker
	srcErr   error
	finished bool

	free, work, order chan *Unit
	stop              chan struct{}
	group             errgroup.Group
	closed            bool
}

// NewReader returns a Reader of src and starts its goroutines. Close ends them.
func NewReader(src io.Reader, o Options) *Reader {
	r := &Reader{o: o.withDefaults(), src: src}
	if r.o.Threads == 1 {
		r.cur, r.serve = r.newUnit(), new(inflater)
		return r
	}
	n := r.o.units()
	r.free, r.work, r.order = make(chan *Unit, n), make(chan *Unit, n), make(chan *Unit, n)
	r.stop = make(chan struct{})
	for range n {
		r.free <- r.newUnit()
	}
	r.group.Go(r.readUnits)
	for range r.o.Threads {
		r.group.Go(func() error {
			var f inflater
			for u := range r.work {
				u.inflate(&f)
				u.done <- struct{}{}
			}
			return nil
		})
	}
	return r
}

func (r *Reader) newUnit() *Unit {
	return &Unit{done: make(chan struct{}, 1)}
}

// readUnits is the block reader's goroutine.
func (r *Reader) readUnits() error {
	defer close(r.order)
	defer close(r.work)
	for !r.finished {
		select {
		case u := <-r.free:
			r.fill(u)
			r.order <- u
			r.work <- u
		case <-r.stop:
			return nil
		}
	}
	return nil
}

// Next returns the next unit, valid until the next call of Next or Close. After the last one it returns io.EOF, or an
// error wrapping ErrTruncated, ErrCorrupt or the source's own error, once all sound blocks before it were handed out.
func (r *Reader) Next() (*Unit, error) {
	for r.err == nil {
		u := r.nextUnit()
		if u == nil {
			r.err = io.EOF
			break
		}
		r.err = u.err
		if len(u.raw) > 0 {
			return u, nil
		}
	}
	return nil, r.err
}

func (r *Reader) nextUnit() *Unit {
	if r.o.Threads == 1 {
		if r.finished {
			return nil
		}
		r.fill(r.cur)
		r.cur.inflate(r.serve)
		return r.cur
	}
	if r.cur != nil {
		r.free <- r.cur
		r.cur = nil
	}
	u, ok := <-r.order
	if !ok {
		return nil
	}
	<-u.done
	r.cur = u
	return u
}

// fill reads whole blocks into u until it is full or the source ends; then u.err says how.
func (r *Reader) fill(u *Unit) {
	if u.comp == nil {
		u.comp = make([]byte, r.o.compCap())
	}
	u.blocks, u.size, u.err = u.blocks[:0], 0, nil
	have, done := copy(u.comp, r.tail), 0
	r.tail = r.tail[:0]
	for len(u.blocks) < r.o.UnitBlocks {
		n, err := blockSize(u.comp[done:have])
		if err == nil && n <= have-done {
			err = r.addBlock(u, u.comp[done:done+n])
			done += n
		} else if err == nil || errors.Is(err, errShort) {
			if done > 0 && len(u.comp)-done < maxBlock {
				break // no room for a block of the largest size: it begins the next unit
			}
			var m int
			m, err = r.read(u.comp[have:])
			have += m
			if err != nil {
				err = r.ended(u.comp[done:have], err)
			}
		} else if r.lastEOF {
			err = fmt.Errorf("%w: garbage behind the EOF marker, at offset %d", ErrCorrupt, r.pos)
		} else {
			err = fmt.Errorf("%w, at offset %d", err, r.pos)
		}
		if err != nil {
			u.err, r.finished = err, true
			return
		}
	}
	r.tail = append(r.tail, u.comp[done:have]...)
}

func (r *Reader) addBlock(u *Unit, b []byte) error {
	blk, err := parse(b, r.pos)
	if err != nil {
		return fmt.Errorf("%w, in the block at offset %d", err, r.pos)
	}
	r.lastEOF = string(b) == eofMarker
	r.pos += int64(len(b))
	blk.start = u.size
	u.size += blk.isize
	u.blocks = append(u.blocks, blk)
	return nil
}

// read reads at least one byte, unless the source has ended.
func (r *Reader) read(p []byte) (int, error) {
	if r.srcErr != nil {
		return 0, r.srcErr
	}
	n, err := io.ReadAtLeast(r.src, p, 1)
	if n > 0 {
		r.srcErr, err = err, nil
	}
	return n, err
}

// ended judges the end of the source: rest is what follows the last whole block.
func (r *Reader) ended(rest []byte, err error) error {
	switch {
	case err != io.EOF:
		return err
	case len(rest) > 0:
		return fmt.Errorf("%w: the file ends inside the block at offset %d", ErrTruncated, r.pos)
	case !r.lastEOF:
		return fmt.Errorf("%w: no EOF marker, the file was cut at offset %d", ErrTruncated, r.pos)
	}
	return io.EOF
}

// Close ends the Reader's goroutines. It is idempotent and does not close the source.
func (r *Reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	r.err = errors.New("bgzfin: read after Close")
	if r.o.Threads > 1 {
		close(r.stop)
		return r.group.Wait()
	}
	return nil
}
