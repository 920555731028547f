//go:build !linux && !windows

package main

import (
	"io/fs"
	"os"
)

// createPending makes a file that publish renames to target.
func createPending(target string, existing fs.FileInfo) (*os.File, pending, error) {
	return createRenamed(target, existing)
}
