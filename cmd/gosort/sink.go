package main

import (
	"bufio"
	"context"
	"crypto/md5"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bgzfout"
)

// sink takes the records that go out.
type sink struct {
	bytes  atomic.Int64 // written, as on disk
	digest bam.Digest
	w      *bam.Writer
	z      *bgzfout.Writer   // nil for plain text
	index  *bam.IndexBuilder // nil without -index
	md5    hash.Hash         // of the bytes written; nil without -md5
	end    func() error      // drains what lies between w and the output
}

// openSink writes the header to out and returns a sink of the records.
func openSink(out io.Writer, h *bam.Header, cfg config, mem memory) (*sink, error) {
	s := &sink{}
	if cfg.md5 {
		s.md5 = md5.New()
		out = io.MultiWriter(out, s.md5)
	}
	dst := &countingWriter{out, &s.bytes}
	if err := s.open(dst, h, cfg, mem); err != nil {
		if s.end != nil {
			_ = s.end() // ends the goroutines; the error that led here is the one to tell
		}
		return nil, err
	}
	return s, nil
}

func (s *sink) open(dst io.Writer, h *bam.Header, cfg config, mem memory) (err error) {
	if cfg.index != "" {
		if s.index, err = bam.NewIndexBuilder(h, cfg.indexOptions()); err != nil {
			return err
		}
	}
	format := bam.BAM
	if cfg.format != formatBAM {
		format = bam.SAM
	}
	if cfg.format == formatSAM {
		var text io.Writer
		text, s.end = textWriter(dst, cfg.threads)
		s.w, err = bam.NewWriter(text, h, format)
		return err
	}
	o := mem.writer
	o.BlockStarts = s.index != nil
	if s.z, err = bgzfout.NewWriter(dst, o); err != nil {
		return err
	}
	s.end = s.z.Close
	if s.w, err = bam.NewWriter(s.z, h, format); err != nil || s.index == nil {
		return err
	}
	return s.w.SetIndex(s.index)
}

// indexOptions says what -index and -csi-min-shift ask for.
func (c *config) indexOptions() bam.IndexOptions {
	format := map[string]bam.IndexFormat{indexAuto: bam.AutoIndex, indexBAI: bam.BAI, indexCSI: bam.CSI}[c.index]
	return bam.IndexOptions{Format: format, MinShift: c.minShift}
}

// write counts, hashes and writes r.
func (s *sink) write(r bam.Record) error {
	s.digest.Add(r)
	return s.w.Write(r)
}

// drain writes next's records until io.EOF and closes the sink.
func (s *sink) drain(next func() (bam.Record, error), p *phase) error {
	for {
		r, err := next()
		if err == io.EOF {
			err = s.end()
			s.progress(p)
			return err
		}
		if err == nil {
			err = s.write(r)
		}
		if err != nil {
			_ = s.end() // ends the goroutines; the error that led here is the one to tell
			return err
		}
		if s.digest.Count%progressStep == 0 {
			s.progress(p)
		}
	}
}

func (s *sink) progress(p *phase) {
	p.records.Store(s.digest.Count)
	p.bytes.Store(s.bytes.Load())
}

// writeCompanions fills the files that appear beside the output, once it is
// there: the index, if there is one, and the MD5 sum.
func (s *sink) writeCompanions(outs []*output) error {
	if s.index != nil {
		if err := s.writeIndex(outs[0]); err != nil {
			return err
		}
		outs = outs[1:]
	}
	if s.md5 == nil {
		return nil
	}
	_, err := io.WriteString(outs[0], md5Line(s.md5.Sum(nil), strings.TrimSuffix(outs[0].path, ".md5")))
	return err
}

// md5Line is a line of md5sum, which escapes names that would break it.
func md5Line(sum []byte, path string) string {
	name := filepath.Base(path)
	escaped := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(name)
	mark := ""
	if escaped != name {
		mark = "\\"
	}
	return fmt.Sprintf("%s%x  %s\n", mark, sum, escaped)
}

// otherIndex returns the path of an index in the format that was not written,
// if there is one: what it says is of what the output replaced. htslib looks
// for a CSI first.
func (s *sink) otherIndex(cfg config) string {
	if s.index == nil {
		return ""
	}
	other := bam.CSI
	if s.index.Format() == bam.CSI {
		other = bam.BAI
	}
	if path := cfg.output + "." + other.String(); fileExists(path) {
		return path
	}
	return ""
}

// writeIndex writes the index, compressed if it is a CSI.
func (s *sink) writeIndex(w io.Writer) error {
	if s.index.Format() == bam.BAI {
		b := bufio.NewWriter(w)
		if err := s.index.Finish(b, s.z); err != nil {
			return err
		}
		return b.Flush()
	}
	z, err := bgzfout.NewWriter(w, bgzfout.Options{})
	if err != nil {
		return err
	}
	err = s.index.Finish(z, s.z)
	if cerr := z.Close(); err == nil {
		err = cerr
	}
	return err
}

// progressStep is how many records pass between two updates of the progress.
const progressStep = 1 << 12

// cancellableWriter refuses to write once ctx has ended.
type cancellableWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancellableWriter) Write(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.w.Write(p)
}

// countingWriter counts what was written to w.
type countingWriter struct {
	w     io.Writer
	count *atomic.Int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.count.Add(int64(n))
	return n, err
}
