package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

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
			err = measured(ctx, cfg, stdin, stdout, report)
		}
	}
	if err != nil {
		report.fail(err)
	}
	return exitCode(ctx, err)
}

// measured sorts under the profiles that cfg asks for and writes the statistics.
func measured(ctx context.Context, cfg config, stdin, stdout *os.File, report *reporter) error {
	// More running threads than processors only take turns, and each costs the collector.
	runtime.GOMAXPROCS(min(cfg.threads, runtime.NumCPU()))
	p, err := startProfiles(cfg)
	if err != nil {
		return err
	}
	stats := newRunStats(cfg)
	err = sortFile(ctx, cfg, stdin, stdout, report, &stats)
	if perr := p.stop(); err == nil {
		err = perr
	}
	if err == nil && cfg.statsFile != "" {
		stats.measureProcess()
		err = stats.write(cfg.statsFile)
	}
	return err
}

// sortFile is the whole program in one line: input, collection, output, and the proof that nothing was lost on the way.
func sortFile(ctx context.Context, cfg config, stdin, stdout *os.File, report *reporter, stats *runStats) error {
	mem, err := divideMemory(cfg)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(mem.heap)
	report.verbosef("memory %s (%s), threads %d", humanSize(cfg.memory), cfg.memoryWhy, cfg.threads)
	in, err := openInput(ctx, cfg, stdin, mem)
	if err != nil {
		return err
	}
	defer in.close()
	header := outputHeader(in.header, cfg)
	mem.charge(header)
	out, err := createOutput(cfg.output, stdout)
	if err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			_ = out.Abort() // the error that led here is the one to tell
		}
	}()

	next := in.read
	if cfg.order != sortcoll.Unsorted {
		coll, err := collect(ctx, cfg, in, header, mem, report, stats)
		if err != nil {
			return err
		}
		defer coll.Close()
		sorted, err := coll.Sort()
		if err != nil {
			return err
		}
		defer sorted.Close()
		noteRuns(coll.Stats(), cfg, report, stats)
		next = sorted.Read
	}
	gone, err := write(ctx, next, in.digest.Count, header, cfg, out, mem, report, stats)
	if err != nil {
		return err
	}
	if gone != in.digest {
		return fmt.Errorf("internal error: %d records (hash %v) came in and %d (hash %v) would go out; there is no output",
			in.digest.Count, in.digest, gone.Count, gone)
	}
	in.tell(report, stats)
	committed = true
	return out.Commit()
}

// outputHeader is the input's header with the order and gosort's own @PG line.
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
	args := []string{"gosort", "-i", cfg.input, "-order", cfg.order.String()}
	if cfg.format == formatSAM {
		args = append(args, "-format", "sam")
	} else {
		args = append(args, "-level", strconv.Itoa(cfg.level))
	}
	if cfg.allowTruncated {
		args = append(args, "-allow-truncated")
	}
	return quoteAll(args)
}

// collect reads the whole input into a collection. The caller closes it.
func collect(ctx context.Context, cfg config, in *input, header *bam.Header, mem memory,
	report *reporter, stats *runStats) (*sortcoll.Collection[bam.Record], error) {
	if need := spillEstimate(in.size, cfg.spillCodec, mem.collection); need > 0 {
		report.verbosef("temporary files will take about %s in %s", humanSize(need), strings.Join(cfg.tmpdirs, ", "))
	}
	coll, err := sortcoll.NewRecords(ctx, header, cfg.order, sortcoll.Options{
		Memory: mem.collection, Threads: cfg.threads, TempDirs: cfg.tmpdirs, SpillCodec: cfg.spillCodec, MaxRuns: cfg.maxRuns,
	})
	if err != nil {
		return nil, err
	}
	p := report.startPhase("read", workload{bytes: in.size})
	err = in.each(p, coll.Add)
	stats.Read = p.end()
	if err == nil {
		err = in.close() // its buffers are the output's now
	}
	if err != nil {
		_ = coll.Close() // the error that led here is the one to tell
		return nil, err
	}
	return coll, nil
}

// noteRuns tells what was spilled.
func noteRuns(s sortcoll.Stats, cfg config, report *reporter, stats *runStats) {
	if warning := tmpfsWarning(cfg.tmpdirs); warning != "" && s.Runs > 0 {
		report.warnf("%s", warning)
	}
	stats.Runs, stats.MergePasses, stats.BytesSpilled = s.Runs, s.MergePasses, s.SpilledStored
	report.verbosef("%d runs spilled, %s in temporary files, %d merge passes before the last",
		s.Runs, humanSize(s.SpilledStored), s.MergePasses)
}

// write writes all records from next, total of them if that is known, to out and returns their digest.
func write(ctx context.Context, next func() (bam.Record, error), total int64, header *bam.Header, cfg config, out *output,
	mem memory, report *reporter, stats *runStats) (bam.Digest, error) {
	s, err := openSink(&cancellableWriter{ctx, out}, header, cfg, mem)
	if err != nil {
		return bam.Digest{}, err
	}
	p := report.startPhase("write", workload{records: total})
	err = s.drain(next, p)
	stats.Merge = p.end()
	stats.BytesWritten = s.bytes.Load()
	return s.digest, err
}
