package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gosort/gosort/sortcoll"
)

// foreignFlag is a flag of another sorter and what it means here.
type foreignFlag struct {
	names      []string // without dashes
	takesValue bool
	when       func(value string) bool // nil: always; else whether the value is this flag's kind
	apply      func(t *translation, value string)
}

// applies reports whether the flag called name, followed by value, is f.
func (f foreignFlag) applies(name, value string) bool {
	return slices.Contains(f.names, name) && (f.when == nil || f.when(value))
}

// samtoolsFlags are those of samtools sort that gosort lacks or that mean
// something else. -n, -N, -o and --threads mean the same in both.
var samtoolsFlags = []foreignFlag{
	{names: []string{"@"}, takesValue: true, apply: setThreads},
	{names: []string{"m"}, takesValue: true, apply: setMemoryPerThread},
	{names: []string{"T"}, takesValue: true, apply: func(t *translation, v string) {
		t.set("tmpdir", prefixDir(v))
	}},
	{names: []string{"O", "output-fmt"}, takesValue: true, when: isFormat, apply: setFormat},
	{names: []string{"l"}, takesValue: true, apply: setLevel},
	{names: []string{"u"}, apply: func(t *translation, _ string) { t.set("level", "0") }},
	{names: []string{"no-PG"}, apply: func(t *translation, _ string) { t.set("no-pg", "") }},
	{names: []string{"write-index"}, apply: setIndex},
	{names: []string{"template-coordinate"}, apply: func(t *translation, _ string) {
		t.set("order", sortcoll.TemplateCoordinate.String())
	}},
	{names: []string{"M"}, apply: func(t *translation, _ string) { t.noSuchOrder("minimiser order (-M)") }},
	{names: []string{"K"}, takesValue: true, apply: func(t *translation, _ string) {
		t.noSuchOrder("minimiser order (-K)")
	}},
	{names: []string{"reference", "input-fmt", "input-fmt-option", "output-fmt-option", "verbosity"}, takesValue: true,
		apply: func(t *translation, _ string) {
			t.note("options of samtools about formats, references and verbosity are left out")
		}},
}

// sambambaFlags are those of sambamba sort. Its -m is a total like ours, and
// its -n and -N are ours the other way round.
var sambambaFlags = []foreignFlag{
	{names: []string{"t", "nthreads"}, takesValue: true, apply: setThreads},
	{names: []string{"m", "memory-limit"}, takesValue: true, apply: func(t *translation, v string) {
		t.set("memory", v)
	}},
	{names: []string{"out"}, takesValue: true, apply: func(t *translation, v string) { t.set("o", v) }},
	{names: []string{"l", "compression-level"}, takesValue: true, apply: setLevel},
	{names: []string{"u", "uncompressed-chunks"}, apply: func(t *translation, _ string) {
		t.set("spill-codec", "none")
	}},
	{names: []string{"n", "sort-by-name"}, apply: func(t *translation, _ string) { t.set("N", "") }},
	{names: []string{"N", "natural-sort"}, apply: func(t *translation, _ string) { t.set("n", "") }},
	{names: []string{"p", "show-progress"}, apply: func(t *translation, _ string) { t.set("v", "") }},
	{names: []string{"M", "match-mates"}, apply: func(t *translation, _ string) {
		t.noSuchOrder("matching mates (-M)")
	}},
	{names: []string{"F", "filter"}, takesValue: true, apply: func(t *translation, _ string) {
		t.hopeless = true
		t.note("gosort does not filter: use sambamba view -F or samtools view -e before it")
	}},
}

// sambambaOnly are the names that tell a sambamba command line from samtools'.
var sambambaOnly = []string{
	"nthreads", "memory-limit", "out", "compression-level", "uncompressed-chunks",
	"sort-by-name", "natural-sort", "show-progress", "match-mates", "filter",
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
		if _, err := strconv.Atoi(value); name == "t" && err == nil || slices.Contains(sambambaOnly, name) {
			return true
		}
		if _, err := strconv.Atoi(strings.TrimPrefix(name, "t")); err == nil && name[0] == 't' {
			return true
		}
	}
	return false
}

func setThreads(t *translation, value string) {
	n, err := strconv.Atoi(value)
	if err != nil {
		t.hopeless = true
		return
	}
	// samtools -@ 0 is one thread.
	t.set("threads", strconv.Itoa(max(1, n)))
}

func setMemoryPerThread(t *translation, value string) {
	bytes, err := parseSize(value)
	if err != nil {
		t.hopeless = true
		t.note(sizeForms)
		return
	}
	t.perThread = bytes
}

func setLevel(t *translation, value string) {
	if value != "-1" { // samtools' default
		t.set("level", value)
	}
}

func isFormat(value string) bool {
	return slices.Contains([]string{"bam", "sam", "cram"}, strings.ToLower(value))
}

func setFormat(t *translation, value string) {
	if strings.EqualFold(value, "cram") {
		t.note("CRAM is not written: convert the BAM with samtools view -C")
		return
	}
	t.set("format", strings.ToLower(value))
}

func setIndex(t *translation, _ string) { t.set("index", indexAuto) }

// picardNames are the arguments of Picard SortSam with a meaning here; others
// are dropped with a note.
var picardNames = map[string]string{
	"I": "i", "INPUT": "i", "O": "o", "OUTPUT": "o", "TMP_DIR": "tmpdir", "COMPRESSION_LEVEL": "level",
}

// picardArgument splits KEY=VALUE in Picard's old style.
func picardArgument(arg string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(arg, "=")
	return key, value, ok && key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// isPicardFlag reports whether -name is Picard's new style: -I, -SO, --TMP_DIR.
func isPicardFlag(name, upper string) bool {
	return name == upper && (picardNames[name] != "" || name == "SO" || len(name) > 2)
}

// picard translates one argument of Picard SortSam.
func (t *translation) picard(key, value string) {
	switch flag := picardNames[key]; {
	case flag == "tmpdir":
		t.values[flag] = append(t.values[flag], value)
	case flag != "":
		t.set(flag, value)
	case key == "SO" || key == "SORT_ORDER":
		t.picardOrder(value)
	case key == "MAX_RECORDS_IN_RAM":
		t.note("memory is limited in bytes with -memory, not in records")
	case key == "CREATE_INDEX":
		if strings.EqualFold(value, "true") {
			setIndex(t, value)
		}
	case key == "CREATE_MD5_FILE":
		if strings.EqualFold(value, "true") {
			t.set("md5", "")
		}
	default:
		t.note("Picard's " + key + " is left out")
	}
}

func (t *translation) picardOrder(value string) {
	switch value {
	case "coordinate", "unsorted":
		t.set("order", value)
	case "queryname":
		t.set("order", sortcoll.QuerynamePicard.String())
	default:
		t.noSuchOrder("SORT_ORDER=" + value)
	}
}
