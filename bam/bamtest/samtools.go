package bamtest

import (
	"os"
	"os/exec"
	"testing"
)

// Samtools returns the path of samtools. Where it is not installed the test is
// skipped, or fails if GOSORT_REQUIRE_SAMTOOLS=1 says that it should be.
func Samtools(tb testing.TB) string {
	tb.Helper()
	if _, err := exec.LookPath("samtools"); err != nil && os.Getenv("GOSORT_REQUIRE_SAMTOOLS") == "1" {
		tb.Fatal(err)
	}
	return Tool(tb, "samtools")
}

// Tool returns the path of a program to compare with. Where it is not installed
// the test is skipped.
func Tool(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Skipf("compares with %s, which is not installed: %v", name, err)
	}
	return path
}
