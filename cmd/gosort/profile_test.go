package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	cfg := config{
		cpuProfile: filepath.Join(dir, "cpu"), memProfile: filepath.Join(dir, "mem"), traceFile: filepath.Join(dir, "trace"),
	}
	p, err := startProfiles(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	for _, path := range []string{cfg.cpuProfile, cfg.memProfile, cfg.traceFile} {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty or missing: %v", path, err)
		}
	}
}

func TestProfilesFail(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing", "file")
	for name, cfg := range map[string]config{
		"-cpuprofile": {cpuProfile: missing},
		"-trace":      {traceFile: missing, cpuProfile: filepath.Join(t.TempDir(), "cpu")},
	} {
		if _, err := startProfiles(cfg); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s in a missing directory: got %v", name, err)
		}
	}
	p, err := startProfiles(config{memProfile: missing})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err == nil || !strings.HasPrefix(err.Error(), "-memprofile") {
		t.Errorf("-memprofile in a missing directory: got %v", err)
	}
	// The failures above must have ended what they began.
	p, err = startProfiles(config{cpuProfile: filepath.Join(t.TempDir(), "cpu")})
	if err != nil {
		t.Fatalf("a CPU profile after a failed start: %v", err)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

func TestNoProfiles(t *testing.T) {
	p, err := startProfiles(config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}
