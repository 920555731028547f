package main

import (
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
)

// readers are programs that read BAM with codecs of their own: htslib's (libdeflate or zlib), sambamba's, htsjdk's, zlib's.
// The answer of each about a file is that about the same records stored without compression.
var readers = map[string][]string{
	"samtools":          {"view", "--no-PG"},
	"sambamba":          {"view"},
	"PicardCommandLine": {"ViewSam", "--QUIET", "true", "--VERBOSITY", "ERROR", "--VALIDATION_STRINGENCY", "SILENT", "--ALIGNMENT_STATUS", "All", "--PF_STATUS", "All", "-I"},
	"python3":           {"-c", "import gzip, hashlib, sys; print(hashlib.md5(gzip.open(sys.argv[1]).read()).hexdigest())"},
}

// TestOthersRead: what our encoder writes is read by others as by Go's own decoder.
func TestOthersRead(t *testing.T) {
	for program, args := range readers {
		t.Run(program, func(t *testing.T) {
			path, read := bamtest.Tool(t, program), 0
			for _, in := range realFiles(t) {
				dir := t.TempDir()
				answer := func(level string) string {
					out := filepath.Join(dir, "out.bam") // one name: some print it
					mustSort(t, "-i", in, "-o", out, "-level", level, "-no-pg")
					text, err := exec.Command(path, append(args[:len(args):len(args)], out)...).Output()
					if err != nil && level == "0" {
						return "" // no codec is at fault
					} else if err != nil {
						t.Fatalf("%s, level %s: %v", in, level, err)
					}
					if program == "python3" {
						text = fmt.Appendf(text, "%x\n", inflatedMD5(t, out))
					}
					return string(text)
				}
				want := answer("0")
				if strings.Count(want, "\n") < 2 {
					t.Logf("%s: %s does not read it", in, program)
					continue
				}
				read++
				for _, level := range []string{"1", "4", "6", "9"} {
					if got := answer(level); got != want {
						t.Errorf("%s, level %s: %s", in, level, firstDifference(got, want))
					}
				}
			}
			if read == 0 {
				t.Error("no file could be compared")
			}
		})
	}
}

// inflatedMD5 is the sum of a BGZF file's contents as Go's decoder makes them.
func inflatedMD5(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := md5.New()
	if _, err := io.Copy(sum, z); err != nil {
		t.Fatal(err)
	}
	return sum.Sum(nil)
}
