package main

import (
	"math"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// defaultMemory is what gosort takes when nobody says otherwise and no limit
// is smaller.
const defaultMemory = 2 << 30

// limitSource says how much memory there is. The fields are functions so that
// tests need no cgroup.
type limitSource struct {
	cgroup func() (uint64, error) // the container's or batch job's limit, v1 or v2
	system func() (uint64, error) // the machine's memory
}

// machineLimits reads the limits this process runs under.
var machineLimits = limitSource{cgroup: memlimit.FromCgroup, system: memlimit.FromSystem}

// memoryBudget turns the value of -memory ("" when absent) into bytes for the
// whole process and a phrase for -v saying where the number comes from.
func memoryBudget(value string, limits limitSource) (bytes int64, why string, err error) {
	switch value {
	case "":
		bytes, why = limits.byDefault()
		return bytes, why, nil
	case "auto":
		bytes, why = limits.auto()
		return bytes, why, nil
	}
	bytes, err = parseSize(value)
	return bytes, "as -memory says", err
}

// byDefault is 2G, or less where a container or batch job allows less: going
// by the job's limit alone would take a whole node's memory from its
// neighbours, going by 2G alone would be killed in a small job.
func (l limitSource) byDefault() (int64, string) {
	if limit, ok := readLimit(l.cgroup); ok && share(limit) < defaultMemory {
		return share(limit), "80% of the cgroup's limit of " + humanSize(limit)
	}
	return defaultMemory, "the default"
}

// auto is 80 % of what this process may use. A cgroup limit above the
// machine's memory is no limit.
func (l limitSource) auto() (int64, string) {
	cgroup, limited := readLimit(l.cgroup)
	system, known := readLimit(l.system)
	switch {
	case limited && (!known || cgroup <= system):
		return share(cgroup), "80% of the cgroup's limit of " + humanSize(cgroup)
	case known:
		return share(system), "80% of the machine's " + humanSize(system)
	}
	return defaultMemory, "the default: neither the cgroup nor the system tells a limit"
}

// share is the part of a limit gosort takes: the rest is for the page cache
// and for the other processes of the same job.
func share(limit int64) int64 { return limit / 10 * 8 }

// readLimit drops what is no limit: an error (no cgroup, no such system) or a
// number no machine has.
func readLimit(read func() (uint64, error)) (int64, bool) {
	limit, err := read()
	if err != nil || limit == 0 || limit > math.MaxInt64 {
		return 0, false
	}
	return int64(limit), true
}
