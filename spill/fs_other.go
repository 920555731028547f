//go:build !linux

package spill

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
)

func openUnnamed(string) (File, error) { return nil, errors.ErrUnsupported }

func freeBytes(dir string) (int64, error) {
	return 0, fmt.Errorf("spill: free space of %s: %w", dir, errors.ErrUnsupported)
}

// Release cannot free a part of a file here; the Store truncates the file when the
// last of its runs is removed.
func (f *osFile) Release(int64, int64) error { return errors.ErrUnsupported }

// WillNeed has no portable form.
func (f *osFile) WillNeed(int64, int64) {}

// isSystemFull knows ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL, which the syscall
// package does not map to ENOSPC.
func isSystemFull(err error) bool {
	return runtime.GOOS == "windows" && (errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112)))
}
