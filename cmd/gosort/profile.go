package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
)

// runReports are the files of -stats, -cpuprofile, -memprofile and -trace. They are made before the work begins, so that
// one that cannot be made is known then and not hours later, and each appears whole or not at all.
type runReports struct {
	stats, cpu, mem, trace *output // nil: not asked for
}

// openReports makes the files that cfg asks for, or none of them.
func openReports(ctx context.Context, cfg config, stdout *os.File) (*runReports, error) {
	r := &runReports{}
	for _, f := range []struct {
		flag, path string
		out        **output
	}{
		{"-stats", cfg.statsFile, &r.stats}, {"-cpuprofile", cfg.cpuProfile, &r.cpu},
		{"-memprofile", cfg.memProfile, &r.mem}, {"-trace", cfg.traceFile, &r.trace},
	} {
		if f.path == "" {
			continue
		}
		out, err := createOutput(ctx, f.path, stdout)
		if err != nil {
			r.abort()
			return nil, fmt.Errorf("%s: %w", f.flag, err)
		}
		*f.out = out
	}
	return r, nil
}

// abort leaves nothing of the files behind. The error that led here is the one to tell.
func (r *runReports) abort() {
	for _, out := range []*output{r.stats, r.cpu, r.mem, r.trace} {
		if out != nil {
			_ = out.Abort()
		}
	}
}

// startProfiles begins to take the CPU profile and the trace, or neither. finish must be called then.
func (r *runReports) startProfiles() error {
	if r.cpu != nil {
		if err := pprof.StartCPUProfile(r.cpu); err != nil {
			return fmt.Errorf("-cpuprofile: %w", err)
		}
	}
	if r.trace != nil {
		if err := trace.Start(r.trace); err != nil {
			if r.cpu != nil {
				pprof.StopCPUProfile()
			}
			return fmt.Errorf("-trace: %w", err)
		}
	}
	return nil
}

// finish ends the profiles and puts all files in place, but for the statistics of work that failed: these tell of a
// whole, a profile of a failure is worth as much as any.
func (r *runReports) finish(s *runStats, worked bool) error {
	var errs []error
	end := func(flag string, out *output, write func() error) {
		if out == nil {
			return
		}
		err := write()
		if err == nil {
			err = out.Commit()
		} else {
			_ = out.Abort() // the write error is the one to tell
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", flag, err))
		}
	}
	end("-trace", r.trace, func() error { trace.Stop(); return nil })
	end("-cpuprofile", r.cpu, func() error { pprof.StopCPUProfile(); return nil })
	end("-memprofile", r.mem, func() error {
		runtime.GC() // the profile is as old as the last collection
		return pprof.Lookup("heap").WriteTo(r.mem, 0)
	})
	if !worked && r.stats != nil {
		_ = r.stats.Abort() // the work's error is the one to tell
		return errors.Join(errs...)
	}
	end("-stats", r.stats, func() error {
		s.measureProcess()
		return s.write(r.stats)
	})
	return errors.Join(errs...)
}
