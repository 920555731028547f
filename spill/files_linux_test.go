package spill_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/gosort/gosort/spill"
)

// diskBytes returns the bytes of disk the file takes.
func diskBytes(t *testing.T, f spill.File) int64 {
	t.Helper()
	fi, err := f.(interface{ Stat() (os.FileInfo, error) }).Stat()
	if err != nil {
		t.Fatal(err)
	}
	return fi.Sys().(*syscall.Stat_t).Blocks * 512
}

func TestFree(t *testing.T) {
	dir := t.TempDir()
	if got, err := (spill.OS{}).Free(dir); err != nil || got <= 0 {
		t.Errorf("Free(%q) = %d, %v", dir, got, err)
	}
	if got, err := (spill.OS{}).Free(dir + "/missing"); err == nil {
		t.Errorf("Free of a missing directory = %d", got)
	}
}

const limitEnv = "SPILL_TEST_UNDER_LIMIT"

// 500 runs are open at once in a process that may have 32 descriptors.
func TestDescriptorLimit(t *testing.T) {
	if dir := os.Getenv(limitEnv); dir != "" {
		if err := mergeUnderLimit(dir); err != nil {
			t.Fatal(err)
		}
		return
	}
	cmd := exec.Command("/bin/sh", "-c", `ulimit -n 32 && exec "$0" "$@"`,
		os.Args[0], "-test.run=^TestDescriptorLimit$", "-test.v")
	cmd.Env = append(os.Environ(), limitEnv+"="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestDescriptorLimit") {
		t.Errorf("%v\n%s", err, out)
	}
}

func mergeUnderLimit(dir string) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Max != 32 {
		return fmt.Errorf("limit is %+v, %v", limit, err)
	}
	s, err := spill.NewStore(spill.Options{Dirs: []string{dir}})
	if err != nil {
		return err
	}
	defer s.Close()
	var readers []*spill.Reader
	for i := range 500 {
		r, err := writeRun(s, [][]byte{fmt.Appendf(nil, "run %d", i)})
		if err != nil {
			return err
		}
		rd, err := s.Open(r, spill.ReadOptions{})
		if err != nil {
			return err
		}
		defer rd.Close()
		readers = append(readers, rd)
	}
	for i, rd := range readers {
		if f, err := rd.Next(); err != nil || !bytes.Equal(f, fmt.Appendf(nil, "run %d", i)) {
			return fmt.Errorf("run %d: got %q, %v", i, f, err)
		}
		if _, err := rd.Next(); err != io.EOF {
			return fmt.Errorf("run %d: got %v, want io.EOF", i, err)
		}
	}
	return nil
}
