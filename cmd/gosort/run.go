package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/sortcoll"
)

// run is everything gosort does but signals: it returns the exit status.
func run(ctx context.Context, args []string, stdin, stdout, stderr *os.File) int {
	cfg, err := parseArgs(args)
	report := newReporter(stderr, cfg.verbose)
	switch {
	case err != nil:
	case cfg.help:
		_, err = fmt.Fprint(stdout, usageText)
	case cfg.version:
		_, err = fmt.Fprintln(stdout, versionText())
	default:
		if err = checkFiles(cfg, stdin, stdout); err == nil {
			err = measured(ctx, cfg, stdout, func(stats *runStats) error {
				job := &job{ctx: ctx, cfg: cfg, stdin: stdin, stdout: stdout, report: report, stats: stats}
				if cfg.check {
					return job.checkFile()
				}
				return job.sortFile()
			})
		}
	}
	if err != nil {
		report.fail(withCRAM(err, cfg, args), cfg)
	}
	return exitCode(ctx, err)
}

// measured works under the profiles that cfg asks for and writes the statistics.
func measured(ctx context.Context, cfg config, stdout *os.File, work func(*runStats) error) error {
	// More running threads than processors only take turns, and each costs the collector.
	runtime.GOMAXPROCS(min(cfg.threads, runtime.NumCPU()))
	reports, err := openReports(ctx, cfg, stdout)
	if err != nil {
		return err
	}
	if err := reports.startProfiles(); err != nil {
		reports.abort()
		return err
	}
	stats := newRunStats(cfg)
	err = work(&stats)
	if rerr := reports.finish(&stats, err == nil); err == nil {
		err = rerr
	}
	return err
}

// job is one run of the program and what all its stages need.
type job struct {
	ctx           context.Context
	cfg           config
	mem           memory
	stdin, stdout *os.File
	report        *reporter
	stats         *runStats
}

// open settles the memory and opens the inputs. The caller closes them.
func (j *job) open() (*inputs, error) {
	var err error
	if j.mem, err = divideMemory(j.cfg); err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(j.mem.heap)
	j.report.verbosef("memory %s (%s), threads %d", humanSize(j.cfg.memory), j.cfg.memoryWhy, j.cfg.threads)
	return openInputs(j.ctx, j.cfg, j.stdin, j.mem.reader)
}

// sortFile is the whole program in one line: inputs, collection, output, and the proof that nothing was lost on the way.
func (j *job) sortFile() error {
	in, err := j.open()
	if err != nil {
		return err
	}
	defer in.close()
	header := outputHeader(in.header, j.cfg)
	index := int64(0)
	if j.cfg.index != "" {
		index = j.cfg.indexOptions().Memory(header, in.size())
	}
	if err := j.mem.charge(j.cfg, in.headers, index); err != nil {
		return err
	}
	outs, err := j.createOutputs(header)
	if err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			abortAll(outs)
		}
	}()
	out := outs[0]

	gone, err := j.alreadySorted(in, header, out)
	if errors.Is(err, errNotSorted) {
		var next recordSource
		if next, err = j.inOrder(in, header); err != nil {
			return err
		}
		defer next.close()
		gone, err = j.write(next.read, in.digest.Count, header, out)
	}
	if err != nil {
		return err
	}
	if gone.digest != in.digest {
		return fmt.Errorf("internal error: %d records (hash %v) came in and %d (hash %v) would go out; there is no output",
			in.digest.Count, in.digest, gone.digest.Count, gone.digest)
	}
	in.tell(j.report, j.stats)
	if err := gone.writeCompanions(outs[1:]); err != nil {
		return err
	}
	committed = true
	err = commitAll(outs)
	if other := gone.otherIndex(j.cfg); err == nil && other != "" {
		j.report.warnf("%s is of an older %s, and programs may prefer it to the new index: remove it", other, j.cfg.output)
	}
	return err
}

// createOutputs opens the output and what appears beside it, so that nothing but a full disk can hinder that at the end.
func (j *job) createOutputs(header *bam.Header) (outs []*output, err error) {
	paths := []string{j.cfg.output}
	if j.cfg.index != "" {
		x, err := bam.NewIndexBuilder(header, j.cfg.indexOptions())
		if err != nil {
			return nil, &usageError{msg: err.Error()}
		}
		paths = append(paths, j.cfg.output+"."+x.Format().String())
	}
	if j.cfg.md5 {
		paths = append(paths, j.cfg.output+".md5")
	}
	for _, path := range paths {
		out, err := createOutput(j.ctx, path, j.stdout)
		if err != nil {
			abortAll(outs)
			return nil, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

func abortAll(outs []*output) {
	for _, out := range outs {
		_ = out.Abort() // the error that led here is the one to tell
	}
}

// commitAll puts outputs in place, in their order; those behind one that fails are thrown away.
func commitAll(outs []*output) error {
	var first error
	for _, out := range outs {
		if first != nil {
			abortAll([]*output{out})
		} else {
			first = out.Commit()
		}
	}
	return first
}

// recordSource is where the records that go out come from.
type recordSource struct {
	read  func() (bam.Record, error)
	close func()
}

// inOrder returns the records in order: through a collection, merged, or as they come.
func (j *job) inOrder(in *inputs, header *bam.Header) (recordSource, error) {
	switch {
	case j.cfg.order == sortcoll.Unsorted:
		return recordSource{in.read, func() {}}, nil
	case j.cfg.merge:
		return j.merge(in, header)
	}
	coll, err := j.collect(in, header)
	if err != nil {
		return recordSource{}, err
	}
	sorted, err := coll.Sort()
	if err != nil {
		j.report.cleanedUp(coll.Close())
		return recordSource{}, err
	}
	s := coll.Stats()
	if warning := tmpfsWarning(j.cfg.tmpdirs); warning != "" && s.Runs > 0 {
		j.report.warnf("%s", warning)
	}
	j.stats.Runs, j.stats.MergePasses, j.stats.BytesSpilled = s.Runs, s.MergePasses, s.SpilledStored
	j.report.verbosef("%d runs spilled, %s in temporary files, %d merge passes before the last",
		s.Runs, humanSize(s.SpilledStored), s.MergePasses)
	return recordSource{sorted.Read, func() {
		_ = sorted.Close() // all its records were read, or another error told
		j.report.cleanedUp(coll.Close())
	}}, nil
}

// outputHeader is the inputs' header with the order and gosort's own @PG line.
func outputHeader(in *bam.Header, cfg config) *bam.Header {
	h := in.Clone()
	h.SetSortOrder(cfg.order.HeaderFields())
	if !cfg.noPG {
		h.AddProgram(bam.Program{ID: "gosort", PN: "gosort", VN: version, CL: commandLine(cfg)})
	}
	return h
}

// commandLine is what the @PG line records: the flags that decide the output's bytes and no others, so that the same
// input, order, level and format give the same file whatever the threads, memory or temporary directory.
func commandLine(cfg config) string {
	args := []string{"gosort"}
	for _, path := range cfg.inputs {
		args = append(args, "-i", path)
	}
	args = append(args, "-order", cfg.order.String())
	if cfg.order == sortcoll.TemplateCoordinateNextPos {
		args = append(args, "-mc-missing", "nextpos")
	}
	if cfg.format != formatBAM {
		args = append(args, "-format", cfg.format)
	}
	if cfg.format != formatSAM {
		args = append(args, "-level", strconv.Itoa(cfg.level))
	}
	if cfg.allowTruncated {
		args = append(args, "-allow-truncated")
	}
	// What may stand in a file's name and not in a header, which is UTF-8: a header that others cannot read is worse than
	// a line that cannot be typed again.
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(quoteAll(args), "?"))
}

// collect reads all inputs into a collection. The caller closes it.
func (j *job) collect(in *inputs, header *bam.Header) (*sortcoll.Collection[bam.Record], error) {
	if need := spillEstimate(in.size(), j.cfg.spillCodec, j.mem.collection); need > 0 {
		j.report.verbosef("temporary files will take about %s in %s", humanSize(need), strings.Join(j.cfg.tmpdirs, ", "))
	}
	coll, err := sortcoll.NewRecords(j.ctx, header, j.cfg.order, sortcoll.Options{
		Memory: j.mem.collection, Threads: j.cfg.threads, TempDirs: j.cfg.tmpdirs,
		SpillCodec: j.cfg.spillCodec, MaxRuns: j.cfg.maxRuns,
	})
	if err != nil {
		return nil, err
	}
	p := j.report.startPhase("read", workload{bytes: in.size()})
	err = in.each(p, coll.Add)
	j.stats.Read = p.end()
	if err != nil {
		j.report.cleanedUp(coll.Close())
		return nil, err
	}
	return coll, nil
}

// write writes all records from next, total of them if that is known, to out and returns the sink they went to.
func (j *job) write(next func() (bam.Record, error), total int64, header *bam.Header, out *output) (*sink, error) {
	s, err := openSink(&cancellableWriter{j.ctx, out}, header, j.cfg, j.mem)
	if err != nil {
		return nil, err
	}
	p := j.report.startPhase("write", workload{records: total})
	err = s.drain(next, p)
	j.stats.Merge = p.end()
	j.stats.BytesWritten = s.bytes.Load()
	return s, err
}
