package main

import "golang.org/x/sys/unix"

// inMemory reports whether files in dir live in memory.
func inMemory(dir string) bool {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return false // the spill store reports a directory it cannot use
	}
	// Type is an int32 on some platforms: compare as the kernel's 32 bits.
	kind := uint32(fs.Type)
	return kind == unix.TMPFS_MAGIC || kind == unix.RAMFS_MAGIC
}

// freeSpace is how many bytes an unprivileged user can still write in dir.
func freeSpace(dir string) (bytes int64, ok bool) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true
}
