package spill

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
)

// Writer writes one run. It is for one goroutine, which also does the compressing;
// several Writers may be at work at once. The first error is sticky. A Writer must
// be ended with Close or Abort.
type Writer struct {
	s      *Store
	c      *compressor
	file   *tempFile // nil until the first block, and between two directories
	fresh  bool      // the next block begins an extent
	dirs   dirFailures
	run    Run
	frames int // in the block being filled
	err    error
}

// Create returns a Writer for a new run. No file is opened before the first block
// is full. It fails if the Store is closed.
func (s *Store) Create() (*Writer, error) {
	c, err := s.takeCompressor()
	if err != nil {
		return nil, err
	}
	return &Writer{s: s, c: c, run: Run{id: s.lastID.Add(1), direct: s.codec == None}}, nil
}

// Write appends a copy of frame, which may be empty, to the run. When the frame
// does not fit, the block before it is compressed and written first; a frame larger
// than BlockSize gets a block of its own. Errors: a frame longer than MaxFrame,
// *NoSpaceError, errors of the file system.
func (w *Writer) Write(frame []byte) error {
	if w.err != nil {
		return w.err
	}
	if err := checkFrame(len(frame)); err != nil {
		w.err = err
		return err
	}
	if w.frames > 0 && len(w.c.raw)-headerSize+prefixSize+len(frame) > w.s.blockSize {
		if err := w.flush(); err != nil {
			return err
		}
	}
	raw := slices.Grow(w.c.raw, prefixSize+len(frame))
	raw = binary.LittleEndian.AppendUint32(raw, uint32(len(frame)))
	w.c.raw = append(raw, frame...)
	w.frames++
	return nil
}

func checkFrame(n int) error {
	if n > MaxFrame {
		return fmt.Errorf("spill: a frame of %d bytes is longer than %d", n, MaxFrame)
	}
	return nil
}

// flush writes the frames gathered as a block.
func (w *Writer) flush() error {
	rawLen := len(w.c.raw) - headerSize
	block, kind := w.c.compress()
	h := header{raw: uint32(rawLen), frames: uint32(w.frames), kind: kind}
	if err := w.store(block, h); err != nil {
		return err
	}
	frameBytes := int64(rawLen - prefixSize*w.frames)
	w.run.frames += int64(w.frames)
	w.run.raw += frameBytes
	w.run.maxBlock = max(w.run.maxBlock, rawLen)
	w.s.stats.raw.Add(frameBytes)
	w.c.raw = w.c.raw[:headerSize]
	w.frames = 0
	return nil
}

// store seals block with what h lacks, writes it and enters it in the index.
func (w *Writer) store(block []byte, h header) error {
	h.stored = uint32(len(block) - headerSize)
	h.run = w.run.id
	h.seq = uint32(len(w.run.lengths))
	h.seal(block)
	if w.err = w.place(block); w.err != nil {
		return w.err
	}
	w.run.lengths = append(w.run.lengths, uint32(len(block)))
	w.run.stored += int64(len(block))
	w.run.maxStored = max(w.run.maxStored, len(block))
	w.s.stats.stored.Add(int64(len(block)))
	return nil
}

// place writes block at the end of the Writer's file, moving to another file for as
// long as there is one to try.
func (w *Writer) place(block []byte) error {
	for {
		if w.file == nil {
			if err := w.nextFile(len(block)); err != nil {
				return err
			}
		}
		f := w.file
		n, err := f.WriteAt(block, f.size)
		if err == nil && n == len(block) {
			w.extend(len(block))
			return nil
		}
		if err == nil {
			err = io.ErrShortWrite
		}
		// Best effort: the block's beginning takes space another file may need.
		_ = f.Truncate(f.size)
		if !isFull(err) {
			return fmt.Errorf("spill: write %s at offset %d: %w", f.Name(), f.size, err)
		}
		w.leaveFile(err)
	}
}

// extend enters n bytes just written at the end of the file in the extents.
func (w *Writer) extend(n int) {
	if w.fresh {
		w.run.extents = append(w.run.extents, extent{file: w.file, off: w.file.size})
		w.s.addRun(w.file)
		w.fresh = false
	}
	e := &w.run.extents[len(w.run.extents)-1]
	e.n += int64(n)
	e.blocks++
	w.file.size += int64(n)
}

// leaveFile gives up the file that has no room. A file that met the limit on file
// size (4 GiB on FAT, ulimit -f) is replaced by a new one in the same directory; if
// it was empty, or for any other reason, the directory has failed.
func (w *Writer) leaveFile(err error) {
	tooLong := errors.Is(err, syscall.EFBIG) && w.file.size > 0
	if !tooLong {
		w.failDir(w.file.dir, err)
	}
	w.s.giveFile(w.file, tooLong)
	w.file = nil
}

func (w *Writer) failDir(dir int, err error) {
	w.dirs.add(dir, len(w.s.dirs), w.s.dirs[dir], err)
}

// nextFile takes a file in the best directory that has not failed this run. The
// next run tries all of them again: space may have been released by then.
func (w *Writer) nextFile(need int) error {
	for {
		dir, ok := w.s.pickDir(w.dirs.failed)
		if !ok {
			return &NoSpaceError{
				Dir:    w.dirs.dir,
				Needed: int64(need),
				Free:   w.s.freeIn(w.dirs.dir),
				Err:    w.dirs.err,
			}
		}
		f, err := w.s.takeFile(dir)
		if err == nil {
			w.file, w.fresh = f, true
			return nil
		}
		if err == errStoreClosed {
			return err
		}
		w.failDir(dir, err)
	}
}

// Close writes what is left and the trailer, and returns the run. After an error it
// drops what was written, as Abort does, and returns the error.
func (w *Writer) Close() (Run, error) {
	if w.err == nil && w.frames > 0 {
		w.err = w.flush()
	}
	if w.err == nil {
		w.err = w.writeTrailer()
	}
	if w.err != nil {
		err := w.err
		w.end(true)
		return Run{}, err
	}
	run := w.run
	run.life = &runLife{store: w.s}
	w.s.stats.runs.Add(1)
	w.end(false)
	return run, nil
}

func (w *Writer) writeTrailer() error {
	t := trailer{frames: uint64(w.run.frames), bytes: uint64(w.run.raw), blocks: uint64(len(w.run.lengths))}
	block := t.append(w.c.raw[:headerSize])
	return w.store(block, header{raw: trailerSize, kind: kindTrailer})
}

// Abort drops what was written; its space is released best effort. It does nothing
// after Close or Abort, so it can be deferred.
func (w *Writer) Abort() error {
	w.end(true)
	return nil
}

// end gives everything back, once.
func (w *Writer) end(drop bool) {
	if w.c == nil {
		return
	}
	w.s.giveCompressor(w.c)
	if w.file != nil {
		w.s.giveFile(w.file, false)
	}
	if drop {
		w.s.freeExtents(w.run.extents)
	}
	w.c, w.file, w.run = nil, nil, Run{}
	w.err = errWriterClosed
}
