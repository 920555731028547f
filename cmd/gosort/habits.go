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
	{names: []string{"t"}, takesValue: true, when: isNumber, apply: setThreads}, // no tag, whoever's flag it was meant to be
	{names: []string{"m"}, takesValue: true, apply: setMemoryPerThread},
	{names: []string{"T"}, takesValue: true, apply: func(t *translation, v string) {
		t.set("tmpdir", prefixDir(v))
	}},
	{names: []string{"O", "output-fmt"}, takesValue: true, when: isFormat, apply: setFormat},
	{names: []string{"l"}, takesValue: true, apply: setLevel},
	{names: []string{"u"}, apply: setUncompressed},
	{names: []string{"no-PG"}, apply: func(t *translation, _ string) { t.set("no-pg", "") }},
	{names: []string{"write-index"}, apply: setIndex},
	{names: []string{"template-coordinate"}, apply: setOrder(sortcoll.TemplateCoordinate)},
	{names: []string{"M"}, apply: func(t *translation, _ string) { t.noSuchOrder("minimiser order (-M)") }},
	{names: []string{"K"}, takesValue: true, apply: drop("")}, // goes with -M
	{names: []string{"reference", "input-fmt", "input-fmt-option", "output-fmt-option", "verbosity"}, takesValue: true,
		apply: drop("options of samtools about formats, references and verbosity are left out")},
}

// samtoolsMergeFlags are those that samtools merge has besides.
var samtoolsMergeFlags = []foreignFlag{
	{names: []string{"f"}, apply: func(t *translation, _ string) { t.force = true }},
	{names: []string{"1"}, apply: func(t *translation, _ string) { t.set("level", "1") }},
	{names: []string{"c", "p"}, apply: drop("@RG and @PG lines of the same ID and content are always kept once")},
	{names: []string{"s"}, takesValue: true, apply: drop("")}, // the seed of its new IDs
	{names: []string{"b"}, takesValue: true, apply: refuse("-i names every input: there is no list of files")},
	{names: []string{"h"}, takesValue: true, apply: refuse("the header is the inputs': samtools reheader gives another")},
	{names: []string{"r"}, apply: refuse("RG tags are not made from file names: see samtools addreplacerg")},
	{names: []string{"R", "L"}, takesValue: true, apply: refuse("there are no regions: use samtools view before")},
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

func setUncompressed(t *translation, _ string) { t.set("level", "0") }

func setIndex(t *translation, _ string) { t.set("index", indexAuto) }

func setMemory(t *translation, value string) { t.set("memory", value) }

func setOutput(t *translation, value string) { t.set("o", value) }

func addInput(t *translation, value string) { t.values["i"] = append(t.values["i"], value) }

// setOrder returns what makes order the one asked for.
func setOrder(order sortcoll.Order) func(*translation, string) {
	return func(t *translation, _ string) { t.set("order", order.String()) }
}

// drop returns what leaves a flag out and says why, if that is worth words.
func drop(why string) func(*translation, string) {
	return func(t *translation, _ string) {
		if why != "" {
			t.note(why)
		}
	}
}

// refuse returns what ends all hope of a corrected line and says why.
func refuse(why string) func(*translation, string) {
	return func(t *translation, _ string) {
		t.hopeless = true
		t.note(why)
	}
}

func isNumber(value string) bool {
	_, err := strconv.Atoi(value)
	return err == nil
}

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
	case flag == "tmpdir" || flag == "i":
		t.values[flag] = append(t.values[flag], value)
	case flag != "":
		t.set(flag, value)
	case key == "SO" || key == "SORT_ORDER":
		t.picardOrder(value)
	case key == "MAX_RECORDS_IN_RAM":
		t.note(memoryInBytes)
	case key == "CREATE_INDEX":
		if strings.EqualFold(value, "true") {
			t.set("index", indexBAI)
		}
	case key == "CREATE_MD5_FILE":
		if strings.EqualFold(value, "true") {
			t.set("md5", "")
		}
	default:
		t.note("Picard's " + key + " is left out")
	}
}

const memoryInBytes = "memory is limited in bytes with -memory, not in records"

func (t *translation) picardOrder(value string) {
	switch value {
	case "unsorted":
		t.set("order", value)
	case "coordinate":
		t.set("order", sortcoll.CoordinatePicard.String())
	case "queryname":
		t.set("order", sortcoll.QuerynamePicard.String())
	default:
		t.noSuchOrder("SORT_ORDER=" + value)
	}
}
