//go:build unix

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the user and system time of all threads of the process.
func cpuTime() time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
