package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gosort/gosort/bam"
)

// inputs are the files to sort, in the order of the -i flags, under one header.
type inputs struct {
	ctx     context.Context
	cfg     config
	o       bam.ReaderOptions
	files   []*input
	turn    int // of files
	header  *bam.Header
	headers int64      // bytes that the headers take, the output's included
	digest  bam.Digest // of all records read, in terms of header
	raw     int64      // bytes of records, uncompressed
}

// openInputs opens what cfg names, reads the headers and merges them. Of several files those that can be opened again
// are closed until it is their turn, because each open one holds buffers.
func openInputs(ctx context.Context, cfg config, stdin *os.File, o bam.ReaderOptions) (*inputs, error) {
	ins := &inputs{ctx: ctx, cfg: cfg, o: o}
	err := ins.openAll(stdin)
	if err != nil {
		_ = ins.close() // the error that led here is the one to tell
		return nil, err
	}
	return ins, nil
}

func (ins *inputs) openAll(stdin *os.File) error {
	first := ins.o
	if len(ins.cfg.inputs) > 1 {
		first.Threads, first.UnitBlocks = 1, 1
	}
	var headers []*bam.Header
	for _, path := range ins.cfg.inputs {
		in, err := openInput(ins.ctx, ins.cfg, path, stdin, first)
		if err != nil {
			return err
		}
		ins.files = append(ins.files, in)
		headers = append(headers, in.header)
		if in.again && len(ins.cfg.inputs) > 1 {
			if err := in.close(); err != nil {
				return in.fail(err)
			}
		}
	}
	merged, translations, err := bam.MergeHeaders(headers)
	if err != nil {
		return mergeError(err, ins.files)
	}
	ins.header = merged
	ins.headers = merged.Memory() * 5 / 2 // the output's, and as much and some garbage while one is made
	for i, in := range ins.files {
		in.to = translations[i]
		if len(headers) > 1 {
			ins.headers += headers[i].Memory() // what reopening it makes anew
		}
	}
	return nil
}

// size returns the bytes of all files on disk, 0 when one is unknown.
func (ins *inputs) size() int64 {
	var sum int64
	for _, in := range ins.files {
		if in.size == 0 {
			return 0
		}
		sum += in.size
	}
	return sum
}

// bytes returns the bytes read so far, as on disk.
func (ins *inputs) bytes() int64 {
	var sum int64
	for _, in := range ins.files {
		sum += in.bytes.Load()
	}
	return sum
}

// count counts and hashes a record that goes on.
func (ins *inputs) count(r bam.Record) {
	ins.digest.Add(r)
	ins.raw += int64(len(r.Bytes())) + 4
}

// reopen opens in, which was closed until its turn.
func (ins *inputs) reopen(in *input, o bam.ReaderOptions) error {
	if in.file != nil {
		return nil
	}
	if err := in.open(ins.ctx, ins.cfg, o); err != nil {
		return in.fail(err)
	}
	return nil
}

// read returns the next record, of the file whose turn it is, counted and hashed; io.EOF behind the last of the last.
func (ins *inputs) read() (bam.Record, error) {
	for ins.turn < len(ins.files) {
		in := ins.files[ins.turn]
		if err := ins.reopen(in, ins.o); err != nil {
			return bam.Record{}, err
		}
		r, err := in.read()
		if err == nil {
			ins.count(r)
		}
		if err != io.EOF {
			return r, err
		}
		ins.turn++
		if err := in.close(); err != nil { // its buffers are the next one's, or the output's
			return bam.Record{}, in.fail(err)
		}
	}
	return bam.Record{}, io.EOF
}

// each gives every record to do.
func (ins *inputs) each(p *phase, do func(bam.Record) error) error {
	for {
		r, err := ins.read()
		if err == nil {
			if err = do(r); err != nil && ins.cfg.order.Check(r) != nil {
				err = ins.files[ins.turn].fail(err) // the record is at fault
			}
		}
		if err != nil || ins.digest.Count%progressStep == 0 {
			ins.progress(p)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (ins *inputs) progress(p *phase) {
	p.records.Store(ins.digest.Count)
	p.bytes.Store(ins.bytes())
}

// tell reports what was read.
func (ins *inputs) tell(report *reporter, stats *runStats) {
	stats.RecordsIn, stats.RecordsOut, stats.RecordHash = ins.digest.Count, ins.digest.Count, ins.digest.String()
	stats.BytesRead, stats.RawBytes = ins.bytes(), ins.raw
	for _, in := range ins.files {
		if in.cut != nil {
			report.warnf("%s: %v; the %s whole records before the cut are kept", in.name, in.cut, grouped(in.count))
		} else if in.unended {
			report.warnf("%s: the last line has no end: was it cut?", in.name)
		}
	}
	report.verbosef("%s records, hash %v", grouped(ins.digest.Count), ins.digest)
}

// close closes all files. It is idempotent.
func (ins *inputs) close() error {
	var first error
	for _, in := range ins.files {
		if err := in.close(); err != nil && first == nil {
			first = in.fail(err)
		}
	}
	return first
}

// mergeError puts file names to the numbers of inputs in an error of bam.MergeHeaders.
func mergeError(err error, files []*input) error {
	var names []string
	for i, in := range files {
		names = append(names, fmt.Sprintf("input %d is %s", i+1, in.name))
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(names, ", "))
}
