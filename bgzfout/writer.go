package bgzfout

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/gosort/gosort/bgzfout/internal/deflate"
)

var errClosed = errors.New("bgzfout: use of a closed writer")

// Writer compresses what is written to it into BGZF blocks. One goroutine at a
// time may call its methods. Close must be called, also after an error: it ends
// the goroutines.
type Writer struct {
	dst  io.Writer
	opts Options

	cur    *slot  // being filled; nil until a byte needs it
	layout layout // of the open payload
	made   int    // slots allocated so far
	closed bool
	err    error // what Close returned

	handedOver int64       // blocks, before those of cur
	starts     blockStarts // of the blocks written, if asked for; the writing goroutine's until Flush or Close has waited

	// failure is the first error of dst. With threads the writing goroutine
	// sets it and the caller and the workers see it there.
	failure atomic.Pointer[error]

	serial *deflate.Encoder // Threads <= 1: made for the first slot

	// Threads > 1. Each channel has room for every slot, so that the only wait
	// is for a free slot.
	free  chan *slot // written -> to be filled
	work  chan *slot // filled -> deflate workers
	order chan *slot // filled -> writing goroutine, in file order
	group errgroup.Group
	// unwritten counts the slots handed over and not yet written: Flush waits
	// for none.
	unwritten sync.WaitGroup
}

// NewWriter returns a Writer to w and starts its goroutines: none if o.Threads
// <= 1. It fails if an option is out of range. w is never closed.
func NewWriter(w io.Writer, o Options) (*Writer, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	z := &Writer{dst: w, opts: o}
	if o.Threads > 1 {
		z.start()
	}
	return z, nil
}

func (w *Writer) start() {
	n := w.opts.slots()
	w.free, w.work, w.order = make(chan *slot, n), make(chan *slot, n), make(chan *slot, n)
	for range w.opts.Threads {
		w.group.Go(w.deflateSlots)
	}
	w.group.Go(w.writeSlots)
}

// deflateSlots is a worker: it compresses slots until work is closed. After a
// failure it only passes them on.
func (w *Writer) deflateSlots() error {
	var enc *deflate.Encoder
	for s := range w.work {
		if w.failure.Load() == nil {
			if enc == nil {
				enc = deflate.New(w.opts.effort())
			}
			s.compress(enc)
		}
		s.done <- struct{}{}
	}
	return nil
}

// writeSlots is the writing goroutine: it writes slots in the order they were
// filled until order is closed, and frees them whatever happens, so that the
// caller never waits in vain.
func (w *Writer) writeSlots() error {
	for s := range w.order {
		<-s.done
		if w.failure.Load() == nil {
			w.outputSlot(s)
		}
		s.reset()
		w.free <- s
		w.unwritten.Done()
	}
	return w.failed()
}

// outputSlot writes a slot's blocks and notes where they start.
func (w *Writer) outputSlot(s *slot) {
	w.output(s.out)
	if w.opts.BlockStarts {
		w.starts.add(s.out)
	}
}

// output writes p to dst in one call and records the failure if there is one.
func (w *Writer) output(p []byte) {
	n, err := w.dst.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		failure := fmt.Errorf("bgzfout: write output: %w", err) // not err: that would move to the heap on every call
		w.failure.Store(&failure)
	}
}

// failed returns the first error of dst.
func (w *Writer) failed() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// usable returns the error with which every method but Close answers.
func (w *Writer) usable() error {
	if w.closed {
		return errClosed
	}
	return w.failed()
}

// Write copies p into the current block and ends blocks as they fill. It waits
// while every slot is in use. The error is the first of the underlying writer,
// which may have met it on bytes of an earlier call; n then counts the bytes of
// p that were taken, not those that arrived.
func (w *Writer) Write(p []byte) (n int, err error) {
	for err = w.usable(); err == nil && n < len(p); err = w.failed() {
		if w.cur == nil {
			w.cur = w.takeSlot()
		}
		s := w.cur
		room := MaxPayload - s.open()
		k := min(room, len(p)-n)
		s.raw = append(s.raw, p[n:n+k]...)
		n += k
		if k == room {
			w.endBlock()
		}
	}
	return n, err
}

// FlushTry ends the current block if it holds bytes and n more do not fit into
// it, as htslib's bgzf_flush_try: called before each record of n bytes it keeps
// a record that fits a block from straddling two. Where a block begins with a
// record, the fields of BAM records guide its compression; other records do no
// harm. Nothing is waited for.
func (w *Writer) FlushTry(n int) error {
	if err := w.usable(); err != nil {
		return err
	}
	if w.cur != nil && n > MaxPayload-w.cur.open() {
		w.endBlock()
	}
	if w.cur == nil || w.cur.open() == 0 {
		w.layout = layout{records: true}
	}
	return w.failed()
}

// Flush ends the current block if it holds bytes and returns when everything
// written so far has reached the underlying writer.
func (w *Writer) Flush() error {
	if err := w.usable(); err != nil {
		return err
	}
	w.drain()
	return w.failed()
}

// Close writes what is left and the EOF marker, ends all goroutines and returns
// the first error of the Writer's life. Without an error before it, it returns
// after everything reached the underlying writer; after an error nothing more is
// written, so that no marker vouches for a damaged file. Further calls do
// nothing and return the same. The underlying writer stays open.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	w.closed = true
	w.drain()
	if w.err = w.stop(); w.err == nil {
		marker := EOFMarker()
		w.output(marker[:])
		w.err = w.failed()
	}
	return w.err
}

// stop ends the goroutines and returns the first error.
func (w *Writer) stop() error {
	if w.work == nil {
		return w.failed()
	}
	close(w.work)
	close(w.order)
	return w.group.Wait()
}

// drain ends the current block and waits until all slots are written, or freed
// unwritten after a failure.
func (w *Writer) drain() {
	if w.cur != nil {
		w.layout = w.cur.endBlock(w.layout)
		if len(w.cur.ended) > 0 {
			w.handOver()
		}
	}
	w.unwritten.Wait()
}

// endBlock ends the current block and hands its slot over if that is full.
func (w *Writer) endBlock() {
	w.layout = w.cur.endBlock(w.layout)
	if w.cur.full() {
		w.handOver()
	}
}

// handOver passes the current slot on: with threads to the workers, else
// through the encoder to dst at once.
func (w *Writer) handOver() {
	s := w.cur
	w.handedOver += int64(len(s.ended))
	if w.work != nil {
		w.cur = nil
		w.unwritten.Add(1)
		w.order <- s
		w.work <- s
		return
	}
	if w.serial == nil {
		w.serial = deflate.New(w.opts.effort())
	}
	s.compress(w.serial)
	w.outputSlot(s)
	s.reset()
}

// takeSlot returns a free slot: a used one before a new one, and a wait only
// when all there may be are in use.
func (w *Writer) takeSlot() *slot {
	select {
	case s := <-w.free:
		return s
	default:
	}
	if w.made == w.opts.slots() {
		return <-w.free
	}
	w.made++
	return newSlot(w.opts.SlotBlocks)
}
