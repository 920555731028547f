package main

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestMemoryBudget(t *testing.T) {
	const gib = 1 << 30
	is := func(n uint64) func() (uint64, error) { return func() (uint64, error) { return n, nil } }
	none := func() (uint64, error) { return 0, errors.New("not limited") }
	for _, test := range []struct {
		name           string
		value          string
		cgroup, system func() (uint64, error)
		want           int64
		why            string
	}{
		{"no limit", "", none, is(64 * gib), 2 * gib, "the default"},
		{"small machine without a limit", "", none, is(gib), 2 * gib, "the default"},
		{"large job", "", is(10 * gib), is(64 * gib), 2 * gib, "the default"},
		{"small job", "", is(gib), is(64 * gib), gib / 10 * 8, "80% of the cgroup's limit of 1G"},
		{"job of 2G", "", is(2 * gib), is(64 * gib), 2 * gib / 10 * 8, "80% of the cgroup's limit of 2G"},
		{"cgroup says 0", "", is(0), is(64 * gib), 2 * gib, "the default"},
		{"cgroup says no number", "", is(math.MaxUint64), none, 2 * gib, "the default"},
		{"auto in a job", "auto", is(10 * gib), is(64 * gib), 8 * gib, "80% of the cgroup's limit of 10G"},
		{"auto without a limit", "auto", none, is(40 * gib), 32 * gib, "80% of the machine's 40G"},
		{"auto, limit above the machine", "auto", is(100 * gib), is(40 * gib), 32 * gib, "80% of the machine's 40G"},
		{"auto, machine unknown", "auto", is(10 * gib), none, 8 * gib, "80% of the cgroup's limit of 10G"},
		{"auto, nothing known", "auto", none, none, 2 * gib, "the default: neither"},
		{"as asked, above the limit", "5G", is(gib), is(gib), 5 * gib, "as -memory says"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, why, err := memoryBudget(test.value, limitSource{cgroup: test.cgroup, system: test.system})
			// Shares are whole tens of bytes: compare to within one of them.
			if err != nil || got > test.want+8 || got < test.want-8 || !strings.HasPrefix(why, test.why) {
				t.Errorf("got %d, %q, %v, want %d, %q", got, why, err, test.want, test.why)
			}
		})
	}
	if _, _, err := memoryBudget("G", machineLimits); err == nil {
		t.Error("memoryBudget took the size G")
	}
}

func TestMachineLimits(t *testing.T) {
	n, why, err := memoryBudget("", machineLimits)
	if err != nil || n <= 0 || n > defaultMemory || why == "" {
		t.Errorf("the default here is %d, %q, %v, want at most %d and a reason", n, why, err, defaultMemory)
	}
}
