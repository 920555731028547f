package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reportsIn names all four files in dir.
func reportsIn(dir string) config {
	return config{
		statsFile: filepath.Join(dir, "stats"), cpuProfile: filepath.Join(dir, "cpu"),
		memProfile: filepath.Join(dir, "mem"), traceFile: filepath.Join(dir, "trace"),
	}
}

func TestReports(t *testing.T) {
	for _, worked := range []bool{true, false} {
		dir := t.TempDir()
		cfg := reportsIn(dir)
		writeFile(t, cfg.statsFile, "old", 0o644)
		writeFile(t, cfg.memProfile, "old", 0o644)
		r, err := openReports(t.Context(), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.startProfiles(); err != nil {
			t.Fatal(err)
		}
		if err := r.finish(&runStats{}, worked); err != nil {
			t.Errorf("finish: %v", err)
		}
		wantNames(t, dir, "cpu", "mem", "stats", "trace")
		for _, path := range []string{cfg.statsFile, cfg.cpuProfile, cfg.memProfile, cfg.traceFile} {
			kept := !worked && path == cfg.statsFile
			if text := readFile(t, path); text == "" || (text == "old") != kept {
				t.Errorf("worked %v: %s begins with %.20q, want it old: %v", worked, path, text, kept)
			}
		}
	}
}

// TestReportsFail: a file that cannot be made is known before the work, and then none of the others is made.
func TestReportsFail(t *testing.T) {
	for name, spoil := range map[string]func(*config, string){
		"-stats":      func(c *config, path string) { c.statsFile = path },
		"-cpuprofile": func(c *config, path string) { c.cpuProfile = path },
		"-memprofile": func(c *config, path string) { c.memProfile = path },
		"-trace":      func(c *config, path string) { c.traceFile = path },
	} {
		dir := t.TempDir()
		cfg := reportsIn(dir)
		writeFile(t, cfg.statsFile, "old", 0o644)
		spoil(&cfg, filepath.Join(dir, "missing", "file"))
		err := measured(t.Context(), cfg, nil, func(*runStats) error {
			t.Errorf("%s in a missing directory: the work begins", name)
			return nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s in a missing directory: got %v", name, err)
		}
		wantNames(t, dir, "stats")
		wantFile(t, filepath.Join(dir, "stats"), "old", 0o644)
	}
}

// TestReportsAreFull: what cannot be written to the end is an error of its flag.
func TestReportsAreFull(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	for name, cfg := range map[string]config{"-stats": {statsFile: full}, "-memprofile": {memProfile: full}} {
		r, err := openReports(t.Context(), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.finish(&runStats{}, true); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s %s: got %v", name, full, err)
		}
	}
}

func TestNoReports(t *testing.T) {
	r, err := openReports(t.Context(), config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.startProfiles(); err != nil {
		t.Fatal(err)
	}
	if err := r.finish(nil, true); err != nil {
		t.Error(err)
	}
}
