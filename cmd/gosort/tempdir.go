package main

import (
	"os"
	"path/filepath"
)

// defaultTempDir is where runs go when -tmpdir does not say: beside the
// output, which is the disk that must hold as much anyway. A stream has no
// beside (/dev is no place for runs): there it is $TMPDIR or the system's.
func defaultTempDir(outputPath string) string {
	if outputPath == stdio {
		return os.TempDir()
	}
	if info, err := os.Stat(outputPath); err == nil && !info.Mode().IsRegular() {
		return os.TempDir()
	}
	target, err := resolveTarget(outputPath)
	if err != nil {
		return os.TempDir() // createOutput reports it, before anything is read
	}
	dir := filepath.Dir(target)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return os.TempDir() // likewise
	}
	return dir
}

// tmpfsWarning is a sentence for the directories whose files are memory, ""
// when there are none: runs there count twice against the machine's memory.
func tmpfsWarning(dirs []string) string {
	for _, dir := range dirs {
		if inMemory(dir) {
			return "temporary files in " + dir + " take memory (tmpfs); -tmpdir names a directory on disk"
		}
	}
	return ""
}
