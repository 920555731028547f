package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
)

// profiles are the profiles of -cpuprofile, -memprofile and -trace being taken.
type profiles struct {
	cpu, trace *os.File // nil: not asked for
	memPath    string
}

// startProfiles begins the profiles that cfg asks for. stop must be called on
// the result.
func startProfiles(cfg config) (*profiles, error) {
	p := &profiles{memPath: cfg.memProfile}
	if cfg.cpuProfile != "" {
		file, err := os.Create(cfg.cpuProfile)
		if err != nil {
			return nil, fmt.Errorf("-cpuprofile: %w", err)
		}
		p.cpu = file
		if err := pprof.StartCPUProfile(file); err != nil {
			return nil, errors.Join(fmt.Errorf("-cpuprofile: %w", err), file.Close())
		}
	}
	if cfg.traceFile != "" {
		file, err := os.Create(cfg.traceFile)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("-trace: %w", err), p.stop())
		}
		if err := trace.Start(file); err != nil {
			return nil, errors.Join(fmt.Errorf("-trace: %w", err), file.Close(), p.stop())
		}
		p.trace = file
	}
	return p, nil
}

// stop ends the profiles and writes the heap profile.
func (p *profiles) stop() error {
	var errs []error
	if p.trace != nil {
		trace.Stop()
		errs = append(errs, p.trace.Close())
	}
	if p.cpu != nil {
		pprof.StopCPUProfile()
		errs = append(errs, p.cpu.Close())
	}
	if p.memPath != "" {
		errs = append(errs, writeHeapProfile(p.memPath))
	}
	return errors.Join(errs...)
}

func writeHeapProfile(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("-memprofile: %w", err)
	}
	runtime.GC() // the profile is as old as the last collection
	if err := pprof.Lookup("heap").WriteTo(file, 0); err != nil {
		return errors.Join(fmt.Errorf("-memprofile: %w", err), file.Close())
	}
	return file.Close()
}
