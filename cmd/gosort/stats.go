package main

import (
	"encoding/json"
	"io"
	"runtime"
	"runtime/metrics"
)

// runStats is what -stats writes. Sizes are bytes, times seconds.
type runStats struct {
	Gosort string `json:"gosort_version"`
	Go     string `json:"go_version"`

	Order      string `json:"order"`
	Format     string `json:"format"`
	Level      int    `json:"level"`
	Threads    int    `json:"threads"`
	Memory     int64  `json:"memory_bytes"`
	SpillCodec string `json:"spill_codec"`

	RecordsIn  int64  `json:"records_in"`
	RecordsOut int64  `json:"records_out"`
	RecordHash string `json:"record_hash"` // 128 bits in hex, the same for any order

	Runs        int `json:"runs"`
	MergePasses int `json:"merge_passes"`

	BytesRead    int64 `json:"bytes_read"`    // input, as on disk
	RawBytes     int64 `json:"raw_bytes"`     // records, uncompressed
	BytesSpilled int64 `json:"bytes_spilled"` // temporary files, compressed
	BytesWritten int64 `json:"bytes_written"` // output, as on disk

	Read  phaseStats `json:"read"`
	Merge phaseStats `json:"merge"`

	PeakRSS      int64   `json:"peak_rss_bytes"` // 0 where the system does not tell
	CPUSeconds   float64 `json:"cpu_seconds"`    // user and system, whole process
	GCCPUSeconds float64 `json:"gc_cpu_seconds"` // the garbage collector's part
}

// phaseStats is what one phase took.
type phaseStats struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
}

// newRunStats fills in what the command line and the build say.
func newRunStats(cfg config) runStats {
	return runStats{
		Gosort: version, Go: runtime.Version(),
		Order: cfg.order.String(), Format: cfg.format, Level: cfg.level,
		Threads: cfg.threads, Memory: cfg.memory, SpillCodec: cfg.spillCodec.String(),
	}
}

// measureProcess fills in what the process has used up to now.
func (s *runStats) measureProcess() {
	s.PeakRSS = peakRSS()
	s.CPUSeconds = cpuTime().Seconds()
	sample := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() == metrics.KindFloat64 {
		s.GCCPUSeconds = sample[0].Value.Float64()
	}
}

// write writes the object and a newline.
func (s *runStats) write(w io.Writer) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
