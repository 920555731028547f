package bam

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// samReader turns lines of text into records (SAMv1 section 1), unit by unit.
type samReader struct {
	h    *Header
	in   lineSource
	line int64     // the last line that was read, from 1; behind an error the line at fault
	cur  *textUnit // where records come from, nil before the first
	rest []byte    // of its records

	// With one thread there is one unit, and none of these.
	threads           int
	free, work, order chan *textUnit
	stop              chan struct{}
	group             sync.WaitGroup
}

func newSAMReader(w *window, o ReaderOptions) *samReader {
	return &samReader{in: lineSource{w: w, size: o.textUnit()}, threads: o.Threads}
}

// header reads the lines that begin with '@', and starts the goroutines.
func (d *samReader) header() (*Header, error) {
	text, lines, err := d.in.header()
	if err != nil {
		return nil, err
	}
	d.line = lines
	if d.h, err = parseHeader(text); err != nil {
		return nil, err
	}
	if d.threads > 1 {
		d.start()
	}
	return d.h, nil
}

// start starts the goroutines that close ends.
func (d *samReader) start() {
	n := textUnits(d.threads)
	d.free, d.work, d.order = make(chan *textUnit, n), make(chan *textUnit, n), make(chan *textUnit, n)
	d.stop = make(chan struct{})
	for range n {
		d.free <- newTextUnit()
	}
	d.group.Go(d.readLines)
	for range d.threads {
		d.group.Go(func() {
			for u := range d.work {
				u.parse(d.h, d.in.size)
				u.done <- struct{}{}
			}
		})
	}
}

// readLines is the goroutine that cuts the text into units.
func (d *samReader) readLines() {
	defer close(d.order)
	defer close(d.work)
	t := traffic{d: d, most: textUnits(d.threads) * d.in.size}
	for !d.in.finished {
		if !t.await(1, 0) {
			return
		}
		u := t.idle[len(t.idle)-1]
		t.idle = t.idle[:len(t.idle)-1]
		d.in.fill(u)
		if !t.await(0, len(u.text)) {
			return
		}
		t.under += len(u.text)
		d.order <- u
		d.work <- u
	}
}

// traffic bounds the text under way as well as the units: where lines are longer than units fewer of them travel, and
// one that is longer than all units together travels alone.
type traffic struct {
	d     *samReader
	most  int // bytes
	under int // bytes under way
	idle  []*textUnit
}

// await waits until there are as many idle units, and until that many bytes more may be under way. It reports false when
// the reader is closed.
func (t *traffic) await(units, bytes int) bool {
	for len(t.idle) < units || t.under > 0 && t.under+bytes > t.most {
		select {
		case u := <-t.d.free:
			t.under -= len(u.text)
			u.trim(t.d.in.size)
			t.idle = append(t.idle, u)
		case <-t.d.stop:
			return false
		}
	}
	return true
}

func (d *samReader) read() (Record, error) {
	for len(d.rest) == 0 {
		if err := d.advance(); err != nil {
			return Record{}, err
		}
	}
	end := 4 + binary.LittleEndian.Uint32(d.rest)
	r := Record{d.rest[4:end]} // made by ParseSAMLine, so sound
	d.rest = d.rest[end:]
	return r, nil
}

// advance moves to the next unit once the current one has no more records.
func (d *samReader) advance() error {
	if d.cur != nil {
		d.line += d.cur.lines
		if d.cur.err != nil {
			return d.cur.err
		}
	}
	if d.threads <= 1 {
		if d.cur == nil {
			d.cur = newTextUnit()
		}
		d.cur.trim(d.in.size)
		d.in.fill(d.cur)
		d.cur.parse(d.h, d.in.size)
	} else {
		if d.cur != nil {
			d.free <- d.cur
		}
		// There is always one: the last unit has an error, if only io.EOF.
		d.cur = <-d.order
		<-d.cur.done
	}
	d.rest = d.cur.raw
	return nil
}

// unended reports whether a last line without an end was read.
func (d *samReader) unended() bool {
	return d.cur != nil && d.cur.err == io.EOF && d.cur.open && !bytes.HasSuffix(d.cur.text, []byte{'\n'}) && len(d.cur.text) > 0
}

func (d *samReader) where() string { return fmt.Sprintf("line %d", d.line) }

func (d *samReader) close() error {
	if d.stop != nil {
		close(d.stop)
		d.group.Wait() // the source is the reading goroutine's until then
		d.stop = nil
	}
	return d.in.w.src.close()
}
