package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"
)

// checkFiles refuses, before anything is read or made, what would destroy data
// or could not have been meant. Its errors are *usageError.
func checkFiles(cfg config, stdin, stdout *os.File) error {
	if cfg.input == stdio && isTerminal(stdin) {
		return &usageError{
			msg:   "no input: -i is absent and standard input is a terminal",
			hints: []string{"gosort -i in.bam -o out.bam", "gosort -h lists the flags"},
		}
	}
	if cfg.output == stdio && cfg.format == formatBAM && isTerminal(stdout) {
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
	in, err := statPath(cfg.input, stdin)
	if err != nil {
		return nil // opening the input says what is wrong with it
	}
	out, err := statPath(cfg.output, stdout)
	if err != nil {
		return nil // nothing there to overwrite
	}
	if isShared(in) || !os.SameFile(in, out) {
		return nil
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

// isShared tells whether several may read and write what info describes at once
// without harm: a terminal, /dev/null, a pipe, a socket.
func isShared(info fs.FileInfo) bool {
	return info.Mode()&(os.ModeCharDevice|os.ModeNamedPipe|os.ModeSocket) != 0
}

// checkReports refuses statistics and profiles that would overwrite the input,
// the output or each other.
func checkReports(cfg config, stdin, stdout *os.File) error {
	taken := []struct {
		what, path string
		stream     *os.File
	}{{"the input", cfg.input, stdin}, {"the output", cfg.output, stdout}}
	for _, r := range []struct{ flag, path string }{
		{"-stats", cfg.statsFile}, {"-cpuprofile", cfg.cpuProfile}, {"-memprofile", cfg.memProfile}, {"-trace", cfg.traceFile},
	} {
		if r.path == "" {
			continue
		}
		for _, other := range taken {
			if samePlace(r.path, other.path, other.stream) {
				return usageErrorf("%s %s is %s too: it would be overwritten", r.flag, r.path, other.what)
			}
		}
		taken = append(taken, struct {
			what, path string
			stream     *os.File
		}{"that of " + r.flag, r.path, nil})
	}
	return nil
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
