package main

import (
	"bytes"
	"os"
	"strconv"
)

// peakRSS is the most memory the process has had resident, in bytes; 0 when
// the system does not tell. getrusage is no use: its number outlives exec, so
// it may be the shell's.
func peakRSS() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		value, ok := bytes.CutPrefix(line, []byte("VmHWM:"))
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(value), []byte("kB")))), 10, 64)
		if err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}
