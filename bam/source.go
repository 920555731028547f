package bam

import (
	"bufio"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/gosort/gosort/bam/internal/bgzfin"
)

const (
	fixedSniff   = 18        // a BGZF header as it is written in practice
	streamWindow = 256 << 10 // bytes of a plain or gzip stream read at once
)

// openSource chooses by the first bytes of the input.
func openSource(br *bufio.Reader, head []byte, o ReaderOptions) (source, error) {
	switch {
	case bgzfin.IsBGZF(head):
		return &bgzfSource{r: bgzfin.NewReader(br, bgzfin.Options{Threads: o.Threads, UnitBlocks: o.UnitBlocks})}, nil
	case len(head) == 1 && head[0] == 0x1f:
		return nil, fmt.Errorf("%w: one byte of a gzip header", ErrTruncated)
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		zr, err := gzip.NewReader(br)
		if err != nil {
			return nil, gzipError(err)
		}
		zr.Multistream(false)
		return &streamSource{r: &gzipMembers{br, zr}}, nil
	case len(head) >= 4 && string(head[:4]) == "CRAM":
		return nil, ErrCRAM
	}
	return &streamSource{r: br}, nil
}

// ErrCRAM is returned by NewReader for CRAM, which this package does not read.
var ErrCRAM = errors.New("bam: the input is CRAM")

// bgzfSource inflates BGZF.
type bgzfSource struct {
	r *bgzfin.Reader
	u *bgzfin.Unit
}

func (s *bgzfSource) next() ([]byte, error) {
	u, err := s.r.Next()
	if err != nil {
		return nil, err
	}
	s.u = u
	return u.Bytes(), nil
}

func (s *bgzfSource) offset(i int) int64 {
	if s.u == nil {
		return 0
	}
	return s.u.VirtualOffset(i)
}

func (s *bgzfSource) place(v int64) string {
	return fmt.Sprintf("virtual offset %d, byte %d of the block at %d", v, v&0xffff, v>>16)
}

func (s *bgzfSource) marked() bool { return true } // without the marker the end is an error

func (s *bgzfSource) close() error { return s.r.Close() }

// streamSource reads plain gzip or no compression at all.
type streamSource struct {
	r    io.Reader
	buf  []byte
	n    int64 // bytes before the window
	size int   // of the window
}

func (s *streamSource) next() ([]byte, error) {
	if s.buf == nil {
		s.buf = make([]byte, streamWindow)
	}
	s.n += int64(s.size)
	m, err := io.ReadAtLeast(s.r, s.buf, 1)
	s.size = m
	if m > 0 {
		return s.buf[:m], nil // an error comes again
	}
	return nil, err
}

func (s *streamSource) offset(i int) int64 { return s.n + int64(i) }

func (s *streamSource) place(offset int64) string { return fmt.Sprintf("byte %d", offset) }

func (s *streamSource) marked() bool { return false }

func (s *streamSource) close() error { return nil }

// gzipMembers inflates a gzip file member by member, to tell a cut in the next one from what is none.
type gzipMembers struct {
	src *bufio.Reader
	zr  *gzip.Reader
}

func (g *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := g.zr.Read(p)
		if n > 0 {
			return n, nil // an error comes again
		} else if err != io.EOF {
			return 0, gzipError(err)
		}
		if err := g.nextMember(); err != nil {
			return 0, err
		}
	}
}

func (g *gzipMembers) nextMember() error {
	head, err := g.src.Peek(2)
	switch {
	case len(head) == 0:
		return err
	case head[0] != 0x1f || len(head) > 1 && head[1] != 0x8b:
		return fmt.Errorf("%w: garbage after the gzip data", ErrCorrupt)
	}
	if err := g.zr.Reset(g.src); err != nil {
		return gzipError(err)
	}
	g.zr.Multistream(false)
	return nil
}

// gzipError sorts the gzip reader's errors into cuts and damage.
func gzipError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the gzip stream is cut", ErrTruncated)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), isCorrupt(err):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// isCorrupt reports whether err says that a DEFLATE stream is none. klauspost's gzip has this type of compress/flate's.
func isCorrupt(err error) bool {
	_, ok := errors.AsType[flate.CorruptInputError](err)
	return ok
}
