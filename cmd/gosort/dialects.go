package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gosort/gosort/sortcoll"
)

// programWords may lead a command line that was edited from another one.
var programWords = []string{
	"gosort", "samtools", "sambamba", "picard", "gatk", "fgbio", "java", "sort", "merge", "SortSam", "MergeSamFiles", "SortBam",
}

// programNames takes the words that lead the line and returns them. What Java is told is skipped.
func (t *translation) programNames() (names []string) {
	for len(t.args) > 0 {
		switch arg := t.args[0]; {
		case slices.Contains(programWords, arg):
			names = append(names, arg)
		case arg == "-jar" || arg == "--java-options":
			t.args = t.args[1:]
			t.next()
			continue
		case !strings.HasPrefix(arg, "-Xm"):
			return names
		}
		t.args = t.args[1:]
	}
	return names
}

// chooseDialect settles whose flags these are, by the program's names or by flags that only one has.
func (t *translation) chooseDialect(programs []string) {
	named := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(programs, n) })
	}
	if t.merging = named("merge"); t.merging {
		t.set("merge", "")
	}
	switch {
	case named("sambamba"):
		t.foreign = sambambaFlags
	case named("fgbio", "SortBam"):
		t.foreign = fgbioFlags
		t.args = slices.DeleteFunc(slices.Clone(t.args), func(arg string) bool { return arg == "SortBam" }) // fgbio's own flags lead
	case !named("samtools", "merge") && speaksSambamba(t.args):
		t.foreign = sambambaFlags
		if slices.Contains(t.args, "-i") {
			// That is gosort's, and so are -n and -N beside it.
			t.foreign = slices.DeleteFunc(slices.Clone(t.foreign), func(f foreignFlag) bool {
				return slices.Contains(f.names, "n") || slices.Contains(f.names, "N")
			})
		}
	case t.merging:
		t.foreign = slices.Concat(samtoolsMergeFlags, samtoolsFlags)
	default:
		t.foreign = slices.Concat(samtoolsFlags, fgbioOrder)
	}
}

// sambambaFlags are those of sambamba sort and merge. Its -m is a total like ours, and its -n and -N are ours the other
// way round.
var sambambaFlags = []foreignFlag{
	{names: []string{"t", "nthreads"}, takesValue: true, apply: setThreads},
	{names: []string{"m", "memory-limit"}, takesValue: true, apply: setMemory},
	{names: []string{"out"}, takesValue: true, apply: setOutput},
	{names: []string{"l", "compression-level"}, takesValue: true, apply: setLevel},
	{names: []string{"u", "uncompressed-chunks"}, apply: func(t *translation, _ string) {
		t.set("spill-codec", "none")
	}},
	{names: []string{"n"}, apply: setLexicographical},
	{names: []string{"N"}, apply: setNatural},
	{names: []string{"sort-by-name"}, apply: setLexicographical},
	{names: []string{"natural-sort"}, apply: setNatural},
	{names: []string{"sort-picard"}, apply: setOrder(sortcoll.QuerynamePicard)},
	{names: []string{"p", "show-progress"}, apply: func(t *translation, _ string) { t.set("v", "") }},
	{names: []string{"q", "quiet"}, apply: drop("")},
	{names: []string{"M", "match-mates"}, apply: func(t *translation, _ string) {
		t.noSuchOrder("matching mates (-M)")
	}},
	{names: []string{"F", "filter"}, takesValue: true,
		apply: refuse("gosort does not filter: use sambamba view -F or samtools view -e before it")},
}

func setLexicographical(t *translation, _ string) { t.set("N", "") }

func setNatural(t *translation, _ string) { t.set("n", "") }

// sambambaOnly are the names that tell a sambamba command line from samtools'.
var sambambaOnly = []string{
	"nthreads", "memory-limit", "out", "compression-level", "uncompressed-chunks",
	"sort-by-name", "natural-sort", "sort-picard", "show-progress", "match-mates", "filter",
}

// speaksSambamba reports whether args are sambamba's: by a long name only it
// has, or by -t with a number, which is a tag in samtools.
func speaksSambamba(args []string) bool {
	for i, arg := range args {
		name, value, attached := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name == arg {
			continue
		}
		if !attached && i+1 < len(args) {
			value = args[i+1]
		}
		if name == "t" && isNumber(value) || slices.Contains(sambambaOnly, name) {
			return true
		}
		if _, err := strconv.Atoi(strings.TrimPrefix(name, "t")); err == nil && name[0] == 't' {
			return true
		}
	}
	return false
}

// fgbioOrders are the sort orders of fgbio SortBam that exist here. Its Queryname is by the name's bytes.
var fgbioOrders = map[string]sortcoll.Order{
	"coordinate": sortcoll.Coordinate, "queryname": sortcoll.QuerynameLexicographical,
	"templatecoordinate": sortcoll.TemplateCoordinate, "unsorted": sortcoll.Unsorted,
}

// fgbioOrder is how fgbio names an order, which nobody else does.
var fgbioOrder = []foreignFlag{{names: []string{"s", "sort-order"}, takesValue: true, apply: func(t *translation, v string) {
	order, ok := fgbioOrders[strings.ToLower(v)]
	if !ok {
		t.noSuchOrder("fgbio's " + v)
		return
	}
	t.set("order", order.String())
}}}

// fgbioFlags are those of fgbio SortBam and of fgbio itself.
var fgbioFlags = slices.Concat(fgbioOrder, []foreignFlag{
	{names: []string{"input"}, takesValue: true, apply: addInput},
	{names: []string{"output"}, takesValue: true, apply: setOutput},
	{names: []string{"m", "max-records-in-ram"}, takesValue: true, apply: drop(memoryInBytes)},
	{names: []string{"tmp-dir"}, takesValue: true, apply: func(t *translation, v string) { t.set("tmpdir", v) }},
	{names: []string{"compression"}, takesValue: true, apply: setLevel},
	{names: []string{"async-io"}, takesValue: true, apply: drop("")},
})
