package spill

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// openUnnamed opens a file that never had a name. With O_EXCL nobody, not even
// through /proc, can give it one later.
func openUnnamed(dir string) (File, error) {
	f, err := os.OpenFile(dir, os.O_RDWR|os.O_EXCL|unix.O_TMPFILE, 0o600)
	if err != nil {
		return nil, err
	}
	name := "#unknown"
	if fi, err := f.Stat(); err == nil {
		if st, ok := fi.Sys().(*syscall.Stat_t); ok {
			name = "#" + strconv.FormatUint(st.Ino, 10)
		}
	}
	return &osFile{File: f, name: filepath.Join(dir, name)}, nil
}

func freeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// Release punches a hole. It goes through SyscallConn, which keeps the descriptor
// from being closed and reused in the middle: a hole in a stranger's file would be
// a disaster.
func (f *osFile) Release(off, n int64) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var punch error
	err = c.Control(func(fd uintptr) {
		punch = unix.Fallocate(int(fd), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n)
	})
	if err != nil {
		return err
	}
	return punch
}

// WillNeed starts the kernel's read-ahead. Many Readers share a descriptor, so the
// kernel's own guess at sequential reading sees only noise. Fd rather than
// SyscallConn, for it allocates nothing, and a hint to a wrong file does no harm.
func (f *osFile) WillNeed(off, n int64) {
	_ = unix.Fadvise(int(f.Fd()), off, n, unix.FADV_WILLNEED)
}

// isSystemFull knows no errors beyond the ones every Unix has.
func isSystemFull(error) bool { return false }
