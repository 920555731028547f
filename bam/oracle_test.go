package bam_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
)

// samtools runs samtools on a file with the contents, or skips the test where
// there is none.
func samtools(t *testing.T, contents []byte, args ...string) []byte {
	t.Helper()
	path := bamtest.Samtools(t)
	file := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(file, contents, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append(args, file)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("samtools %v: %v\n%s", args, err, stderr.Bytes())
	}
	return out
}
