package sortcoll

import (
	"context"
	"fmt"

	"github.com/gosort/gosort/bam"
)

// Collection sorts values of type T within a memory budget. Its methods, and those of its Iterators, are for one
// goroutine at a time.
type Collection[T any] struct {
	eng    *engine
	encode func(v T) ([]byte, error)
	decode func(frame []byte) (T, error)
}

// NewRecords returns a Collection of the records of a file with header h. Cancelling ctx makes its methods fail with
// ctx's cause. The caller must Close it.
func NewRecords(ctx context.Context, h *bam.Header, ord Order, o Options) (*Collection[bam.Record], error) {
	if n := h.NumRefs(); n > maxRefID {
		return nil, fmt.Errorf("sortcoll: %d reference sequences exceed %d", n, maxRefID)
	}
	how := ord.ordering(h)
	eng, err := newEngine(ctx, how, o)
	if err != nil {
		return nil, err
	}
	c := &Collection[bam.Record]{eng: eng, decode: decoder(how)}
	c.encode = newEncoder(ord, how).frame
	return c, nil
}

// encoder makes frames of records.
type encoder struct {
	ord Order
	how ordering
	buf []byte
}

func newEncoder(ord Order, how ordering) *encoder { return &encoder{ord: ord, how: how} }

// frame returns the frame of r, borrowed until the next call or as long as r is.
func (e *encoder) frame(r bam.Record) ([]byte, error) {
	if e.how.digest == nil {
		return r.Bytes(), nil
	}
	buf, err := e.how.digest(e.buf[:0], r)
	if err != nil {
		return nil, e.ord.refusal(r, err)
	}
	e.buf = append(buf, r.Bytes()...)
	return e.buf, nil
}

// decoder returns what makes records of frames.
func decoder(how ordering) func(frame []byte) (bam.Record, error) {
	return func(frame []byte) (bam.Record, error) { return bam.ParseRecord(frame[how.digestLen:]) }
}

// Add copies v into the collection; the caller may reuse v's memory at once. An error is sticky, that of a record which
// has no place in the order too: see [Order.Check].
func (c *Collection[T]) Add(v T) error {
	frame, err := c.encode(v)
	if err != nil {
		if c.eng.err == nil {
			c.eng.err = err
		}
		return c.eng.err
	}
	return c.eng.add(frame)
}

// Sort ends the adding and returns an Iterator over the sorted values. It may be called again: each call is a new pass.
// The passes share the budget one after another, so an Iterator should be closed before the next is opened.
func (c *Collection[T]) Sort() (*Iterator[T], error) {
	e := c.eng
	if e.err == nil && !e.sealed {
		e.err = e.seal()
	}
	if e.err != nil {
		return nil, e.err
	}
	p, err := e.iterate(e.runs, e.memory)
	if err != nil {
		return nil, err
	}
	return &Iterator[T]{pass: p, decode: c.decode}, nil
}

// Stats returns what the collection has done so far. It is for the goroutine that adds; while a fill is being spilled
// in the background, the bytes are those of the spills that ended.
func (c *Collection[T]) Stats() Stats {
	s := c.eng.stats
	disk := c.eng.store.Stats()
	s.SpilledRaw, s.SpilledStored = disk.RawBytes, disk.StoredBytes
	return s
}

// Close ends the background work and removes all temp files. It is idempotent. Iterators must be closed before it.
func (c *Collection[T]) Close() error { return c.eng.close() }

// Iterator streams a Collection's values in order.
type Iterator[T any] struct {
	pass   *pass
	decode func(frame []byte) (T, error)
}

// Read returns the next value, borrowed until the next Read; io.EOF after the last. An error is sticky.
func (it *Iterator[T]) Read() (T, error) {
	frame, err := it.pass.read()
	if err != nil {
		var none T
		return none, err
	}
	return it.decode(frame)
}

// Close ends the pass. It is idempotent.
func (it *Iterator[T]) Close() error { return it.pass.close() }
