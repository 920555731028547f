package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/sortcoll"
)

// errNotSorted says that the input must be sorted after all.
var errNotSorted = errors.New("the input is not sorted")

// alreadySorted writes an input that is in order already straight to the output, without a collection. It is tried where
// the header says that it is and where it can be taken back: a file that can be read again, and an output that is not
// yet in place. Anything else is errNotSorted, and then nothing has happened.
func (j *job) alreadySorted(in *inputs, header *bam.Header, out *output) (*sink, error) {
	if j.cfg.merge || len(in.files) > 1 || !in.files[0].again || out.pending == nil || !claims(in.header, j.cfg.order) {
		return nil, errNotSorted
	}
	checker := sortcoll.NewChecker(header, j.cfg.order)
	next := func() (bam.Record, error) {
		r, err := in.read()
		if err != nil {
			return r, err
		}
		if ok, err := checker.InOrder(r); err != nil {
			return r, in.files[0].fail(err)
		} else if !ok {
			return r, errNotSorted
		}
		return r, nil
	}
	s, err := j.write(next, 0, header, out)
	if errors.Is(err, errNotSorted) {
		j.report.verbosef("the header says %s, but record %s is out of order: sorting", j.cfg.order, grouped(in.digest.Count))
		if rerr := errors.Join(in.rewind(), out.restart()); rerr != nil {
			return nil, rerr
		}
	}
	return s, err
}

// claims tells whether h says that its records are in the order.
func claims(h *bam.Header, order sortcoll.Order) bool {
	so, group, sub := order.HeaderFields()
	return order != sortcoll.Unsorted && h.SortOrder() == so && h.GroupOrder() == group && h.SubSort() == sub
}

// merge merges inputs that are each in order. What is not is an error that names the file and the record.
func (j *job) merge(in *inputs, header *bam.Header) (recordSource, error) {
	o, err := j.mem.mergeReader(j.cfg, len(in.files))
	if err != nil {
		return recordSource{}, err
	}
	sources := make([]func() (bam.Record, error), len(in.files))
	for i, f := range in.files {
		if err := in.reopen(f, o); err != nil {
			return recordSource{}, err
		}
		checker := sortcoll.NewChecker(header, j.cfg.order)
		sources[i] = func() (bam.Record, error) {
			r, err := f.read()
			if err != nil {
				return r, err
			}
			if ok, err := checker.InOrder(r); err != nil {
				return r, f.fail(err)
			} else if !ok && !f.to.Identity() {
				return r, &hintedError{f.fail(j.outOfOrder(header, checker.Previous(), r, f.count)),
					"what its header names was renamed or moved to merge it; without -merge it is sorted"}
			} else if !ok {
				return r, f.fail(j.outOfOrder(header, checker.Previous(), r, f.count))
			}
			in.count(r)
			return r, nil
		}
	}
	return recordSource{sortcoll.Merge(header, j.cfg.order, sources).Read, func() {}}, nil
}

// orderError says which records are out of order.
type orderError struct{ text string }

func (e *orderError) Error() string { return e.text }

func (j *job) outOfOrder(h *bam.Header, a, b bam.Record, number int64) error {
	return &orderError{fmt.Sprintf("record %d (%s) sorts before record %d (%s) in %s order",
		number, describe(h, b), number-1, describe(h, a), j.cfg.order)}
}

// describe names a record by what most orders look at.
func describe(h *bam.Header, r bam.Record) string {
	reference := "*"
	if id := int(r.RefID()); id >= 0 && id < h.NumRefs() {
		reference = h.RefName(id)
	}
	return fmt.Sprintf("%q, flags %d, %s:%d", r.ReadName(), r.Flag(), reference, r.Pos()+1)
}

// checkFile tells whether the input is whole and in order.
func (j *job) checkFile() error {
	in, err := j.open()
	if err != nil {
		return err
	}
	defer in.close()
	if err := j.mem.charge(j.cfg, in.headers, 0); err != nil {
		return err
	}
	checker := sortcoll.NewChecker(in.header, j.cfg.order)
	p := j.report.startPhase("check", workload{bytes: in.size()})
	err = in.each(p, func(r bam.Record) error {
		ok, err := checker.InOrder(r)
		if err == nil && !ok {
			err = in.files[0].fail(j.outOfOrder(in.header, checker.Previous(), r, in.digest.Count))
		}
		return err
	})
	p.end()
	if err != nil {
		return err
	}
	in.tell(j.report, j.stats)
	whole := ", whole"
	if in.files[0].cut != nil || in.files[0].unended {
		whole = "" // and a warning said why
	}
	_, err = fmt.Fprintf(j.stdout, "%s: %d records, in %s order%s\n", in.files[0].name, in.digest.Count, j.cfg.order, whole)
	return err
}

// rewind makes the first file be read from its start again.
func (ins *inputs) rewind() error {
	ins.turn, ins.digest, ins.raw = 0, bam.Digest{}, 0
	return ins.files[0].close()
}

// restart throws away what was written to a file that is not in place yet.
func (o *output) restart() error {
	if err := o.file.Truncate(0); err != nil {
		return o.fail(err)
	}
	_, err := o.file.Seek(0, io.SeekStart)
	return err
}
