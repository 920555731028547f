package spill

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// hintBytes is how far ahead of a Reader the kernel is asked to read: enough to hide
// a seek of a rotating disk, little enough for hundreds of runs at once.
const hintBytes = 512 << 10

// ReadOptions say how a run is read. The zero value works.
type ReadOptions struct {
	// ReadAhead loads and decodes blocks before they are asked for. Nil: Next
	// does it on the caller's goroutine.
	ReadAhead *ReadAhead
}

// Reader reads one run from its first frame to its last. It is for one goroutine;
// any number of Readers may be open, on the same run too. The first error, io.EOF
// included, is sticky.
type Reader struct {
	s    *Store
	run  Run
	rest []byte // unread frames of the current block
	left int    // their number
	err  error

	blocks [2]loadedBlock // the second one is used with read-ahead only
	next   int            // the block the next load fills
	cursor cursor         // belongs to the load in progress, if there is one
	ahead  *ReadAhead
	job    job
}

// loadedBlock is a block that was read, checked and decoded, or why it was not.
type loadedBlock struct {
	buf    []byte // owned
	raw    []byte // frames, within buf
	frames int
	err    error // io.EOF after a trailer that is right
}

// cursor is the place of the next block to load, and what the blocks before it held.
type cursor struct {
	seq     int   // number of the block
	extent  int   // where it lies
	inside  int   // blocks before it in the extent
	off     int64 // its offset in the file
	hinted  int64 // offset up to which the kernel was told to read
	frames  int64
	rawSize int64 // of frames
}

// Open returns a Reader at the first frame of r. It fails if r is not in the Store.
// With read-ahead, loading begins at once.
func (s *Store) Open(r Run, o ReadOptions) (*Reader, error) {
	s.mu.Lock()
	err := s.checkRun(r)
	if err == nil {
		r.life.readers++
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	rd := &Reader{s: s, run: r, ahead: o.ReadAhead}
	rd.cursor.off = r.extents[0].off
	rd.hint() // so that the first blocks of all runs come from the device together
	if rd.ahead != nil {
		rd.job.done = make(chan struct{}, 1)
		rd.ahead.queue(rd)
	}
	return rd, nil
}

// ReaderMemory returns an upper bound, in bytes, of what one Reader of r holds from
// its first Next to its Close. What a load needs for a moment is not in it: see
// LoadMemory.
func (s *Store) ReaderMemory(r Run, readAhead bool) int64 {
	n := int64(r.bufferSize())
	if readAhead {
		return 2 * n
	}
	return n
}

// LoadMemory returns an upper bound, in bytes, of what loading a block of r needs
// beside the Reader's own buffers. It is held once per load in progress, that is per
// goroutine that calls Next and per read-ahead worker, not per Reader.
func (s *Store) LoadMemory(r Run) int64 {
	if r.direct {
		return 0
	}
	m := int64(r.maxStored)
	if s.codec == Zstd {
		m += zstdDecoderTables
	}
	return m
}

// Next returns the next frame. It is lent until the call of Next that moves to
// another block (see Buffered) or Close. At the end, once the trailer's counts have
// been found right, it returns io.EOF. Damage is an error that wraps ErrCorrupt.
func (r *Reader) Next() ([]byte, error) {
	if r.left == 0 {
		if r.err == nil {
			r.err = r.advance()
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	if len(r.rest) < prefixSize {
		return nil, r.badFrames()
	}
	n := binary.LittleEndian.Uint32(r.rest)
	rest := r.rest[prefixSize:]
	if uint64(n) > uint64(len(rest)) {
		return nil, r.badFrames()
	}
	frame := rest[:n:n]
	r.rest = rest[n:]
	r.left--
	if r.left == 0 && len(r.rest) != 0 {
		return nil, r.badFrames()
	}
	return frame, nil
}

// Buffered returns the number of frames still unread in the current block. When it
// is 0 the next call of Next may overwrite the frames handed out before.
func (r *Reader) Buffered() int { return r.left }

// badFrames ends the Reader: the frames do not fill their block.
func (r *Reader) badFrames() error {
	r.rest, r.left = nil, 0
	r.err = fmt.Errorf("%w: %s: frame lengths do not add up to the block", ErrCorrupt, r.run.Name())
	return r.err
}

// advance makes the next block current.
func (r *Reader) advance() error {
	b := &r.blocks[r.next]
	if r.ahead == nil || r.ahead.claim(r) {
		r.load()
	}
	if b.err != nil {
		return b.err
	}
	r.rest, r.left = b.raw, b.frames
	if r.ahead != nil {
		r.next ^= 1
		r.ahead.queue(r)
	}
	return nil
}

// Close ends the Reader, after waiting for a load that a worker has begun, and takes
// its frames back. It does nothing the second time.
func (r *Reader) Close() error {
	if r.err == errReaderClosed {
		return nil
	}
	if r.ahead != nil {
		r.ahead.claim(r)
	}
	r.rest, r.left, r.err = nil, 0, errReaderClosed
	r.blocks = [2]loadedBlock{}
	r.s.doneReading(r.run)
	return nil
}

// load fills the block r.next from the cursor and moves the cursor. It runs on the
// consumer's goroutine or on a worker's, never on both.
func (r *Reader) load() {
	b, c := &r.blocks[r.next], &r.cursor
	if b.buf == nil {
		b.buf = make([]byte, r.run.bufferSize())
	}
	e := r.run.extents[c.extent]
	n := int(r.run.lengths[c.seq])
	into := b.buf[:min(n, len(b.buf))]
	if !r.run.direct {
		scratch := r.s.takeScratch(r.run.maxStored)
		defer r.s.giveScratch(scratch)
		into = scratch[:n]
	}
	if b.err = r.read(e.file, into); b.err != nil {
		return
	}
	if err := r.unpack(b, into); err != nil {
		b.err = err
		if err != io.EOF {
			b.err = r.corrupt(e.file, err)
		}
		return
	}
	c.step(r.run, n)
	r.hint()
}

// read fills p with the block at the cursor.
func (r *Reader) read(f *tempFile, p []byte) error {
	n, err := f.ReadAt(p, r.cursor.off)
	r.s.stats.read.Add(int64(n))
	switch {
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return r.corrupt(f, fmt.Errorf("only %d of %d bytes are there", n, len(p)))
	}
	return fmt.Errorf("spill: read %s at offset %d: %w", f.Name(), r.cursor.off, err)
}

func (r *Reader) corrupt(f *tempFile, why error) error {
	return fmt.Errorf("%w: run %d, block %d at offset %d of %s: %v",
		ErrCorrupt, r.run.id, r.cursor.seq, r.cursor.off, f.Name(), why)
}

// unpack checks block and decodes its frames into b. It returns io.EOF for a trailer
// that tells the truth.
func (r *Reader) unpack(b *loadedBlock, block []byte) error {
	c := &r.cursor
	h, err := parseHeader(block, r.run.id, c.seq, r.run.maxBlock)
	if err != nil {
		return err
	}
	payload := block[headerSize:]
	if last := c.seq == len(r.run.lengths)-1; last != (h.kind == kindTrailer) {
		return errors.New("trailer is missing or not the last block")
	}
	if h.kind == kindTrailer {
		got := parseTrailer(payload)
		want := trailer{frames: uint64(c.frames), bytes: uint64(c.rawSize), blocks: uint64(c.seq)}
		if got != want || c.frames != r.run.frames {
			return fmt.Errorf("trailer says %+v, found %+v, written %d frames", got, want, r.run.frames)
		}
		return io.EOF
	}
	b.frames = int(h.frames)
	if r.run.direct {
		if h.kind != uint8(None) || len(payload) != int(h.raw) {
			return fmt.Errorf("kind %d, %d of %d bytes in a run without compression", h.kind, len(payload), h.raw)
		}
		b.raw = payload
	} else {
		b.raw = b.buf[:h.raw]
		if err := r.s.decoder.decode(h.kind, b.raw, payload); err != nil {
			return fmt.Errorf("payload does not decode: %w", err)
		}
	}
	c.frames += int64(h.frames)
	c.rawSize += int64(h.raw) - prefixSize*int64(h.frames)
	return nil
}

// step moves past a block of n bytes. The trailer is never passed, so there is
// always a block to move to.
func (c *cursor) step(r Run, n int) {
	c.seq++
	c.inside++
	c.off += int64(n)
	if c.inside == r.extents[c.extent].blocks {
		c.extent++
		c.inside, c.hinted = 0, 0
		c.off = r.extents[c.extent].off
	}
}

// hint asks the kernel for the bytes after the cursor, in strides of half of
// hintBytes.
func (r *Reader) hint() {
	c := &r.cursor
	e := r.run.extents[c.extent]
	from, to := max(c.hinted, c.off), min(c.off+hintBytes, e.off+e.n)
	if from-c.off > hintBytes/2 || from >= to {
		return
	}
	e.file.WillNeed(from, to-from)
	c.hinted = to
}
