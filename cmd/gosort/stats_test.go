package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

func TestStatsText(t *testing.T) {
	cfg := config{order: sortcoll.QuerynameNatural, format: "bam", level: 5, threads: 3, memory: 7 << 20, spillCodec: spill.Zstd}
	s := newRunStats(cfg)
	s.RecordsIn, s.RecordHash, s.Merge = 12, "00ff", phaseStats{Seconds: 1.5, CPUSeconds: 2.5}
	s.measureProcess()
	var out bytes.Buffer
	if err := s.write(&out); err != nil {
		t.Fatal(err)
	}
	text := out.Bytes()
	if !strings.HasSuffix(string(text), "}\n") {
		t.Errorf("the file ends with %q, want a whole object and a newline", text[max(0, len(text)-5):])
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"gosort_version": version, "go_version": runtime.Version(), "order": "queryname:natural", "format": "bam",
		"level": 5.0, "threads": 3.0, "memory_bytes": 7340032.0, "spill_codec": "zstd",
		"records_in": 12.0, "records_out": 0.0, "record_hash": "00ff", "runs": 0.0, "merge_passes": 0.0,
		"bytes_read": 0.0, "bytes_spilled": 0.0, "bytes_written": 0.0, "raw_bytes": 0.0,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	merge, ok := got["merge"].(map[string]any)
	if !ok || merge["seconds"] != 1.5 || merge["cpu_seconds"] != 2.5 {
		t.Errorf("merge is %v, want 1.5 s and 2.5 s of CPU", got["merge"])
	}
	for _, key := range []string{"read", "peak_rss_bytes", "cpu_seconds", "gc_cpu_seconds"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
}

func TestProcessUsage(t *testing.T) {
	before := cpuTime()
	sum := 0
	for i := range 1 << 27 { // some tens of milliseconds
		sum += i & 3
	}
	if unixLike := runtime.GOOS != "windows"; unixLike && cpuTime() <= before {
		t.Errorf("no CPU time passed while counting to %d: %v, then %v", sum, before, cpuTime())
	}
	if runtime.GOOS != "linux" {
		return
	}
	first := peakRSS()
	if first < 1<<20 || first > 1<<40 {
		t.Errorf("peakRSS() = %d bytes, which no test process has", first)
	}
	const grown = 64 << 20
	memory := slices.Repeat([]byte{1}, grown)
	if after := peakRSS(); after < grown {
		t.Errorf("peakRSS() = %d with %d bytes in use, want at least that", after, len(memory))
	}
	runtime.KeepAlive(memory)
}
