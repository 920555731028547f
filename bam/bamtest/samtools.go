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
	path, err := exec.LookPath("samtools")
	if err != nil {
		if os.Getenv("GOSORT_REQUIRE_SAMTOOLS") == "1" {
			tb.Fatal(err)
		}
		tb.Skip("compares with samtools, which is not installed:", err)
	}
	return path
}
