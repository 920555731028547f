package bam_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// samtoolsDiffers lists the files of which samtools makes something else than the bytes here, and why.
var samtoolsDiffers = map[string]string{
	"g04_unknown_lines/input.sam": "refuses a header line of unknown type",
	"failed/aux.fail-H1.sam":      "refuses an odd number of hex digits",
	"failed/rnext.fail3.sam":      "refuses a blank last line",
	"failed/rnext.fail5.sam":      "refuses a blank last line",
}

// oracleFiles lists all files of records in this repository that are whole.
func oracleFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for pattern, least := range map[string]int{
		"testdata/sam/*.sam": 80, "testdata/sam/*.sam.gz": 1, "testdata/failed/*.sam": 100, "../testdata/golden/*/*.sam": 40,
		"../sortcoll/testdata/orders/*.sam": 30, "../testdata/golden/real/*.bam": 3, "../testdata/golden/samtools_sort/*.bam": 2,
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < least {
			t.Fatalf("%s: %d files, want at least %d; error %v", pattern, len(files), least, err)
		}
		all = append(all, files...)
	}
	return all
}

// TestFilesEqualSamtools: our BAM of each file is samtools' to the byte, record by record, and our SAM text of that BAM
// is samtools'. What either refuses is on a list: samtoolsDiffers, failedFiles.
func TestFilesEqualSamtools(t *testing.T) {
	path := bamtest.Samtools(t)
	for _, file := range oracleFiles(t) {
		dir, base := filepath.Split(file)
		name := filepath.Join(filepath.Base(dir), base)
		t.Run(name, func(t *testing.T) {
			contents := []byte(readFile(t, file))
			h, got, err := readAll(bytes.NewReader(contents), bam.ReaderOptions{})
			if err != nil && strings.HasPrefix(name, "failed/") && errors.Is(err, bam.ErrCorrupt) {
				return // TestFailedFiles knows why
			} else if err != nil {
				t.Fatal(err)
			}
			theirs, err := exec.Command(path, "view", "-u", "--no-PG", file).Output()
			if why := samtoolsDiffers[name]; why != "" {
				if err == nil {
					t.Errorf("samtools accepts it, listed as: %s", why)
				}
				return
			} else if err != nil {
				t.Fatal(err)
			}
			zr, err := gzip.NewReader(bytes.NewReader(theirs))
			if err != nil {
				t.Fatal(err)
			}
			stream, err := io.ReadAll(zr)
			if err != nil {
				t.Fatal(err)
			}
			bamtest.SameSequence(t, got, splitBAM(t, stream))

			if text, want := plain(t, h, got, bam.SAM), samtools(t, theirs, "view", "-h", "--no-PG"); !bytes.Equal(text, want) {
				t.Errorf("text\n got %q\nwant %q", text, want)
			}
		})
	}
}
