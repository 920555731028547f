//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// wasClosed tells whether a standard stream was closed when the process began (`>&-`). Go's runtime opens /dev/null in
// the place of one, for reading and writing, where what was written would be lost with exit status 0; a shell's
// `>/dev/null` and `</dev/null` are open for one of the two. Whoever hands over /dev/null for both (Python's
// subprocess.DEVNULL as standard output) cannot be told from that.
func wasClosed(stream *os.File) bool {
	info, err := stream.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(stream.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
