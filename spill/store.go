package spill

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
)

const (
	// defaultBlockSize keeps a merge of 500 runs at 128 MiB of buffers, while a
	// block is still large enough for one read to outweigh a seek on flash.
	defaultBlockSize = 256 << 10
	// maxBlockSize leaves room for the largest frame's arithmetic.
	maxBlockSize = 1 << 30
	// MaxFrame is the length in bytes of the longest frame: a block of one frame,
	// with header and prefix, must fit in 31 bits.
	MaxFrame = math.MaxInt32 - 64
	// maxIdle bounds the buffers kept for later Writers and loads: as many as are
	// likely to be at work at once; more would only be memory held for nothing.
	maxIdle = 4
)

// Options say where and how runs are stored. The zero value works.
type Options struct {
	Dirs      []string // directories for temporary files; empty: os.TempDir()
	Codec     Codec    // compression of blocks; the zero value is S2
	BlockSize int      // target bytes of a block before compression; 0: 256 KiB
	FS        FS       // nil: OS{}
}

func (o Options) blockSize() int {
	if o.BlockSize == 0 {
		return defaultBlockSize
	}
	return o.BlockSize
}

// WriterMemory returns an upper bound, in bytes, of what one Writer holds,
// compression tables included, as long as no frame is larger than BlockSize. A
// larger frame adds up to three times its length until its run is closed.
func (o Options) WriterMemory() int64 {
	n := o.blockSize()
	m := 2*headerSize + int64(n) + int64(maxEncoded(o.Codec, n))
	switch o.Codec {
	case S2:
		m += s2Tables
	case Zstd:
		m += zstdEncoderTables + int64(zstdWindow(n))
	}
	return m
}

// Store holds runs. Its methods may be called from several goroutines.
type Store struct {
	dirs      []string
	codec     Codec
	blockSize int
	fs        FS
	decoder   decompressor

	lastID atomic.Uint64
	turn   atomic.Uint32 // where the search for a directory begins
	stats  counters

	mu          sync.Mutex // guards what follows, held for bookkeeping only, never for I/O
	closed      bool
	files       []*tempFile
	compressors []*compressor // idle, at most maxIdle
	scratch     [][]byte      // idle, at most maxIdle
}

// Stats counts what a Store did since it was made.
type Stats struct {
	Runs        int64 // runs written and closed
	RawBytes    int64 // bytes of frames in blocks written, aborted runs included
	StoredBytes int64 // bytes of blocks written, aborted runs included
	ReadBytes   int64 // bytes of blocks read
}

type counters struct {
	runs, raw, stored, read atomic.Int64
}

// NewStore returns a Store. It touches no disk: a directory that does not exist
// shows when the first block is written. It fails on a Codec or BlockSize (0 to
// 1 GiB) that makes no sense.
func NewStore(o Options) (*Store, error) {
	if int(o.Codec) >= len(codecNames) {
		return nil, fmt.Errorf("spill: unknown codec %v", o.Codec)
	}
	if o.BlockSize < 0 || o.BlockSize > maxBlockSize {
		return nil, fmt.Errorf("spill: block size %d is not within 0 and %d", o.BlockSize, maxBlockSize)
	}
	s := &Store{
		dirs:      append([]string(nil), o.Dirs...),
		codec:     o.Codec,
		blockSize: o.blockSize(),
		fs:        o.FS,
		decoder:   newDecompressor(),
	}
	if len(s.dirs) == 0 {
		s.dirs = []string{os.TempDir()}
	}
	if s.fs == nil {
		s.fs = OS{}
	}
	return s, nil
}

// Stats returns the counts up to now.
func (s *Store) Stats() Stats {
	return Stats{
		Runs:        s.stats.runs.Load(),
		RawBytes:    s.stats.raw.Load(),
		StoredBytes: s.stats.stored.Load(),
		ReadBytes:   s.stats.read.Load(),
	}
}

// Remove releases the run's space. While Readers are open on it they read on, and
// the space is released by the Close of the last one. It fails if the run is not in
// this Store, which includes having been removed before; that the system could not
// free the space is not an error.
func (s *Store) Remove(r Run) error {
	s.mu.Lock()
	if err := s.checkRun(r); err != nil {
		s.mu.Unlock()
		return err
	}
	r.life.removed = true
	unread := r.life.readers == 0
	s.mu.Unlock()
	if unread {
		s.freeExtents(r.extents)
	}
	return nil
}

// checkRun reports whether r can be opened or removed. s.mu is held.
func (s *Store) checkRun(r Run) error {
	switch {
	case s.closed:
		return errStoreClosed
	case r.life == nil || r.life.store != s:
		return fmt.Errorf("spill: run %d is not in this store", r.id)
	case r.life.removed:
		return fmt.Errorf("spill: run %d was removed", r.id)
	}
	return nil
}

// doneReading ends one Reader's claim on r.
func (s *Store) doneReading(r Run) {
	s.mu.Lock()
	r.life.readers--
	unused := r.life.removed && r.life.readers == 0
	s.mu.Unlock()
	if unused {
		s.freeExtents(r.extents)
	}
}

// Close closes and removes all files. Readers and Writers still open fail from then
// on. It returns the errors of closing the files, joined; a second call does
// nothing and returns nil.
func (s *Store) Close() error {
	s.mu.Lock()
	files := s.files
	s.closed = true
	s.files, s.compressors, s.scratch = nil, nil, nil
	s.mu.Unlock()
	var errs []error
	for _, f := range files {
		if err := f.Close(); err != nil {
			errs = append(errs, fmt.Errorf("spill: close %s: %w", f.Name(), err))
		}
	}
	return errors.Join(errs...)
}

// takeCompressor returns an idle compressor or a new one.
func (s *Store) takeCompressor() (*compressor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errStoreClosed
	}
	if n := len(s.compressors); n > 0 {
		c := s.compressors[n-1]
		s.compressors[n-1] = nil // or the array would keep it alive
		s.compressors = s.compressors[:n-1]
		return c, nil
	}
	return newCompressor(s.codec, s.blockSize)
}

// giveCompressor keeps c for the next Writer, unless a large frame has bloated it.
func (s *Store) giveCompressor(c *compressor) {
	c.raw = c.raw[:headerSize]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && len(s.compressors) < maxIdle && cap(c.raw) <= 2*headerSize+s.blockSize {
		s.compressors = append(s.compressors, c)
	}
}

// takeScratch returns a buffer of size bytes for one load, and giveScratch takes it
// back. A load holds it for a moment only, so a few serve any number of Readers. An
// idle buffer that is too small is dropped for the new one: runs differ in their
// largest block, and the small buffers would pile up.
func (s *Store) takeScratch(size int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.scratch); n > 0 {
		b := s.scratch[n-1]
		s.scratch[n-1] = nil
		s.scratch = s.scratch[:n-1]
		if cap(b) >= size {
			return b[:size]
		}
	}
	return make([]byte, size)
}

func (s *Store) giveScratch(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && len(s.scratch) < maxIdle {
		s.scratch = append(s.scratch, b)
	}
}
