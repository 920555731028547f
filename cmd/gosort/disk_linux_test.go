package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of the given size, or skips the test where
// that is not allowed.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("gosort-test", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size="+size+",mode=0700"); err != nil {
		t.Skip("a full disk needs mount, which root may do:", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Errorf("unmounting %s: %v", dir, err) // something is still open there
		}
	})
	return dir
}

// spillFlags make runs of a few MB that take as much on disk.
var spillFlags = []string{"-memory", leastMemory, "-threads", "2", "-spill-codec", "none", "-level", "1"}

// fileOf writes data to a new file.
func fileOf(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.bam")
	writeFile(t, path, string(data), 0o600)
	return path
}

// TestDiskFull: wherever space runs out it is an error that names the place and
// what is free there, with a hint, and leaves nothing.
func TestDiskFull(t *testing.T) {
	input := fileOf(t, mixedBAM(t, 24<<20))
	for _, test := range []struct {
		name       string
		flags      func(full, other string) []string
		place      string // where the error says it is, in the full directory
		free, hint string
	}{
		{"runs", func(full, other string) []string { return []string{"-tmpdir", full, "-o", other + "/out.bam"} },
			"", `\d+ bytes free`, "-tmpdir"},
		{"runs beside the output", func(full, _ string) []string { return []string{"-o", full + "/out.bam"} },
			"", `\d+ bytes free`, "-tmpdir"},
		{"runs, on several disks", func(full, _ string) []string {
			return []string{"-tmpdir", full, "-tmpdir", full, "-o", full + "/out.bam"}
		}, "", `\d+ bytes free`, "-tmpdir"},
		{"output", func(full, other string) []string {
			return []string{"-tmpdir", other, "-o", full + "/out.bam", "-level", "0"}
		}, "/out.bam", `\(.* free\)`, "-o"},
	} {
		t.Run(test.name, func(t *testing.T) {
			full, other := smallDisk(t, "6m"), t.TempDir()
			flags := test.flags(full, other)
			cmd := command(append(slices.Concat([]string{"-i", input}, spillFlags), flags...)...)
			got := child(t, cmd)
			want := regexp.MustCompile(`(?m)^gosort: error: .*` + regexp.QuoteMeta(full+test.place) + `\b.*` + test.free +
				`.*\ngosort: hint: .*` + test.hint + `\b`)
			if got.code != 1 || !want.MatchString(got.stderr) || strings.Count(got.stderr, "no space left on device") == 0 {
				t.Errorf("status %d, it says\n%swant 1 and a match of %v", got.code, got.stderr, want)
			}
			wantNames(t, full)
			wantNames(t, other)
		})
	}
}

// TestOneDiskFull: the runs go elsewhere when a disk fills up. The two disks
// hold all runs between them with less to spare than one run takes, so that the
// last run finds no disk that holds it.
func TestOneDiskFull(t *testing.T) {
	input := fileOf(t, mixedBAM(t, 24<<20))
	first, second, out := smallDisk(t, "14m"), smallDisk(t, "12m"), filepath.Join(t.TempDir(), "out.bam")
	want := filepath.Join(t.TempDir(), "want.bam")
	mustSortChild(t, append(spillFlags, "-i", input, "-o", want, "-no-pg")...)
	stats := mustSortChild(t, append(spillFlags, "-i", input, "-o", out, "-no-pg", "-tmpdir", first, "-tmpdir", second)...)
	if stats.Runs < 4 {
		t.Errorf("%d runs, want several", stats.Runs)
	}
	if readFile(t, out) != readFile(t, want) {
		t.Error("the output depends on the directories")
	}
	wantNames(t, first)
	wantNames(t, second)
}

// TestFullOrClosedStream: the last write of all may be the one that fails.
func TestFullOrClosedStream(t *testing.T) {
	for _, size := range []int{1, 4 << 20} { // within a buffer, and beyond
		input := fileOf(t, mixedBAM(t, size))
		for _, format := range []string{"bam", "sam"} {
			name := fmt.Sprintf("%d bytes of %s", size, format)
			got := child(t, command("-i", input, "-o", "/dev/full", "-format", format))
			if want := "gosort: error: output /dev/full: write: no space left on device\n"; got.code != 1 || !strings.HasPrefix(complaints(got.stderr), want) {
				t.Errorf("%s to /dev/full: status %d, it says %q, want 1 and %q", name, got.code, got.stderr, want)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			cmd := command("-i", input, "-format", format)
			cmd.Stdout = w
			if got := child(t, cmd); got.code != 141 || complaints(got.stderr) != "" {
				t.Errorf("%s to a closed pipe: status %d, it says %q, want 141 and nothing", name, got.code, got.stderr)
			}
			w.Close()
		}
	}
}

// TestFewOpenFiles sorts more runs than there may be open files, in several
// directories.
func TestFewOpenFiles(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("sorts 100 MB; descriptors are no matter of -race")
	}
	input := fileOf(t, mixedBAM(t, 96<<20))
	stats := mustSortAs(t, exec.Command("sh", "-c", `ulimit -n 32; exec gosort "$@"`, "sh", "-i", input,
		"-o", filepath.Join(t.TempDir(), "out.bam"), "-tmpdir", t.TempDir(), "-tmpdir", t.TempDir(),
		"-memory", "21M", "-threads", "2", "-level", "1"))
	if stats.Runs <= 32 {
		t.Errorf("%d runs, want more than the limit of open files", stats.Runs)
	}
}
