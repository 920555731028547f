package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/term"
)

var (
	errStdinClosed  = errors.New("standard input is closed")
	errStdoutClosed = errors.New("standard output is closed")
)

// checkFiles refuses, before anything is read or made, what would destroy data
// or could not have been meant. Its errors are *usageError, but for the closed
// streams, which are nothing of the command line.
func checkFiles(cfg config, stdin, stdout *os.File) error {
	if slices.Contains(cfg.inputs, stdio) && wasClosed(stdin) {
		return errStdinClosed
	}
	if cfg.output == stdio && !cfg.check && wasClosed(stdout) {
		return errStdoutClosed
	}
	if slices.Contains(cfg.inputs, stdio) && isTerminal(stdin) {
		return &usageError{
			msg:   "no input: -i is absent and standard input is a terminal",
			hints: []string{"gosort -i in.bam -o out.bam", "gosort -h lists the flags"},
		}
	}
	if cfg.output == stdio && cfg.format == formatBAM && !cfg.check && isTerminal(stdout) {
		return &usageError{
			msg:   "BAM is not written to a terminal",
			hints: []string{"name the output with -o out.bam, or look at it with -format sam"},
		}
	}
	if err := checkSameFile(cfg, stdin, stdout); err != nil {
		return err
	}
	if err := checkReports(cfg, stdin, stdout); err != nil {
		return err
	}
	info, err := os.Stat(cfg.output)
	stream := err == nil && !info.Mode().IsRegular() && !info.IsDir() || descriptor(cfg.output) >= 0
	if stream && (cfg.index != "" || cfg.md5) {
		return usageErrorf("-index and -md5 write beside the output, and %s is no file that they could lie beside", cfg.output)
	}
	for _, dir := range cfg.tmpdirs {
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return usageErrorf("temporary directory %s does not exist", dir)
		case err == nil && !info.IsDir():
			return usageErrorf("temporary directory %s is not a directory", dir)
		}
	}
	return nil
}

// checkSameFile compares inodes, not spellings: links and redirections count.
func checkSameFile(cfg config, stdin, stdout *os.File) error {
	if cfg.check {
		return nil
	}
	out, err := statPath(cfg.output, stdout)
	if err != nil {
		return nil // nothing there to overwrite
	}
	for _, path := range cfg.inputs {
		in, err := statPath(path, stdin)
		if err != nil {
			continue // opening the input says what is wrong with it
		}
		if isShared(in) || !os.SameFile(in, out) {
			continue
		}
		name := cfg.output
		if name == stdio {
			name = "standard output"
		}
		return &usageError{
			msg:   "input and output are the same file: " + name,
			hints: []string{"name another output with -o; it can replace the input once it is complete"},
		}
	}
	return nil
}

// isShared tells whether several may read and write what info describes at once
// without harm: a terminal, /dev/null, a pipe, a socket.
func isShared(info fs.FileInfo) bool {
	return info.Mode()&(os.ModeCharDevice|os.ModeNamedPipe|os.ModeSocket) != 0
}

// place is a file that the run reads or writes.
type place struct {
	what, path string
	stream     *os.File // behind path when that is "-"
}

// checkReports refuses statistics, profiles and what appears beside the output
// where they would overwrite an input, the output or each other.
func checkReports(cfg config, stdin, stdout *os.File) error {
	var taken []place
	for _, path := range cfg.inputs {
		taken = append(taken, place{"the input", path, stdin})
	}
	if !cfg.check {
		taken = append(taken, place{"the output", cfg.output, stdout})
	}
	for _, r := range cfg.reports() {
		for _, other := range taken {
			if samePlace(r.path, other.path, other.stream) {
				return usageErrorf("%s %s is %s too: it would be overwritten", r.what, r.path, other.what)
			}
		}
		taken = append(taken, place{"that of " + r.what, r.path, nil})
	}
	return nil
}

// reports are the files written beside the records.
func (c *config) reports() (all []place) {
	for _, r := range []place{
		{"-stats", c.statsFile, nil}, {"-cpuprofile", c.cpuProfile, nil}, {"-memprofile", c.memProfile, nil}, {"-trace", c.traceFile, nil},
	} {
		if r.path != "" {
			all = append(all, r)
		}
	}
	if c.md5 {
		all = append(all, place{"-md5", c.output + ".md5", nil})
	}
	switch c.index {
	case "":
	case indexAuto:
		all = append(all, place{"-index", c.output + ".bai", nil}, place{"-index", c.output + ".csi", nil})
	default:
		all = append(all, place{"-index", c.output + "." + c.index, nil})
	}
	return all
}

// samePlace tells whether path and other, or the stream that other stands for,
// are one file, there already or still to be made. Records that go to a pipe
// bear no other writer.
func samePlace(path, other string, stream *os.File) bool {
	a, err := os.Stat(path)
	if err != nil {
		x, errX := filepath.Abs(path)
		y, errY := filepath.Abs(other)
		return other != stdio && errX == nil && errY == nil && x == y
	}
	b, err := statPath(other, stream)
	return err == nil && os.SameFile(a, b) && (!isShared(a) || other == stdio && a.Mode()&os.ModeCharDevice == 0)
}

// statPath describes the file at path, or the standard stream that stands for it.
func statPath(path string, stream *os.File) (fs.FileInfo, error) {
	if path == stdio {
		return stream.Stat()
	}
	return os.Stat(path)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
