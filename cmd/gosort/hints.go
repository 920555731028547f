package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gosort/gosort/sortcoll"
)

// habitHints reads args as someone who types by another sorter's habit meant
// them, and returns hints: first the whole corrected command line, then what
// became of arguments that mean something else here. The line is left out when
// it could not do what was asked, or would not pass gosort's own checks.
func habitHints(args []string) []string {
	t := translation{args: args, values: map[string][]string{}}
	t.skipProgramNames()
	t.foreign, t.sambamba = samtoolsFlags, speaksSambamba(t.args)
	if t.sambamba {
		t.foreign = sambambaFlags
	}
	for len(t.args) > 0 {
		t.one()
	}
	t.placePositionals()
	t.placeMemory()

	var hints []string
	if line := t.line(); !t.hopeless && len(line) > 0 {
		if _, err := parseOwn(line); err == nil {
			hints = append(hints, "gosort "+quoteAll(line))
		}
	}
	return append(hints, t.notes...)
}

// translation is a foreign command line on its way into gosort's flags.
type translation struct {
	args     []string // not read yet
	foreign  []foreignFlag
	sambamba bool

	values      map[string][]string // by gosort flag; switches hold one empty value
	positionals []string
	perThread   int64 // samtools' -m in bytes; 0: not given
	notes       []string
	hopeless    bool // no command line of gosort does what was asked
}

// programNames may lead a command line that was edited from another one.
var programNames = []string{"samtools", "sambamba", "picard", "sort", "SortSam", "gosort"}

func (t *translation) skipProgramNames() {
	for len(t.args) > 0 && slices.Contains(programNames, t.args[0]) {
		t.args = t.args[1:]
	}
}

// one translates the next argument and what belongs to it.
func (t *translation) one() {
	arg := t.args[0]
	t.args = t.args[1:]
	if key, value, ok := picardArgument(arg); ok {
		t.picard(key, value)
		return
	}
	if len(arg) < 2 || arg[0] != '-' {
		t.positionals = append(t.positionals, arg)
		return
	}
	name, value, attached := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	short := !strings.HasPrefix(arg, "--")
	following := value
	if !attached {
		following = t.peek()
	}
	if f, v, ok := t.findForeign(name, following, short); ok {
		if v != "" {
			value, attached = v, true
		}
		if f.takesValue && !attached {
			value = t.next()
		}
		f.apply(t, value)
		return
	}
	if key := strings.ToUpper(name); isPicardFlag(name, key) {
		if !attached {
			value = t.next()
		}
		t.picard(key, value)
		return
	}
	t.own(name, value, attached)
}

// findForeign looks name up among the foreign flags; samtools' short ones may
// have their value attached (-@4, -m2G), unless the word is a flag of ours.
// following is what would be the flag's value.
func (t *translation) findForeign(name, following string, short bool) (f foreignFlag, value string, ok bool) {
	for _, f := range t.foreign {
		if f.applies(name, following) {
			return f, "", true
		}
	}
	if isOwn := slices.ContainsFunc(flagSpecs, func(s flagSpec) bool { return s.name == name }); isOwn || !short || name == "" {
		return f, "", false
	}
	if !attachedValue.MatchString(name) {
		return f, "", false
	}
	for _, f := range t.foreign {
		if f.takesValue && f.applies(name[:1], name[1:]) {
			return f, name[1:], true
		}
	}
	return f, "", false
}

// attachedValue is a short flag with its value in one word.
var attachedValue = regexp.MustCompile(`^(?:[@lmt][0-9].*|O(?:bam|sam|cram)|T.*/.*)$`)

// own keeps gosort's own flag, or the one a misspelling is close to.
func (t *translation) own(name, value string, attached bool) {
	names := make([]string, len(flagSpecs))
	for i, spec := range flagSpecs {
		names[i] = spec.name
	}
	known := slices.Index(names, name)
	if known < 0 {
		near := nearest(name, names)
		if near == "" {
			// Nobody knows whether the next argument belongs to it.
			t.hopeless = true
			t.note("gosort -h lists the flags")
			return
		}
		t.note("did you mean -" + near + "?")
		known = slices.Index(names, near)
	}
	spec := flagSpecs[known]
	if !spec.boolean && !attached {
		value = t.next()
	}
	t.values[spec.name] = append(t.values[spec.name], value)
}

// peek is the argument after the one being translated, "" at the end.
func (t *translation) peek() string {
	if len(t.args) == 0 {
		return ""
	}
	return t.args[0]
}

// next takes the following argument as a value.
func (t *translation) next() string {
	v := t.peek()
	if len(t.args) > 0 {
		t.args = t.args[1:]
	}
	return v
}

func (t *translation) set(flag, value string) { t.values[flag] = []string{value} }

func (t *translation) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}

// noSuchOrder ends all hope of a corrected line and says which orders there are.
func (t *translation) noSuchOrder(asked string) {
	t.hopeless = true
	t.note(asked + " is not available; the orders are " + strings.Join(sortcoll.Orders(), ", "))
}

// placePositionals makes bare file names the input and the output. A second
// name that exists is more likely a second input, and a hint must not lead
// anyone to overwrite it.
func (t *translation) placePositionals() {
	for _, file := range t.positionals {
		switch {
		case t.values["i"] == nil:
			t.set("i", file)
		case t.values["o"] == nil && !fileExists(file):
			t.set("o", file)
		default:
			t.hopeless = true
			t.note("one input is named with -i, one output with -o; " + quote(file) + " is neither")
		}
	}
}

// placeMemory turns samtools' memory per thread into gosort's total.
func (t *translation) placeMemory() {
	if t.perThread == 0 {
		return
	}
	threads := 1
	if v := t.values["threads"]; v != nil {
		threads, _ = strconv.Atoi(v[0])
	}
	t.set("memory", formatSize(t.perThread*int64(max(1, threads))))
	t.note("-m of samtools is memory per thread, -memory is the total")
}

// line is the corrected command line without the program's name.
func (t *translation) line() []string {
	var line []string
	for _, spec := range flagSpecs {
		given := t.values[spec.name]
		for _, v := range given {
			line = append(line, "-"+spec.name)
			if spec.boolean {
				break
			}
			line = append(line, v)
		}
	}
	return line
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// prefixDir is the directory of a samtools temporary-file prefix, which may
// itself be a directory.
func prefixDir(prefix string) string {
	if info, err := os.Stat(prefix); err == nil && info.IsDir() {
		return filepath.Clean(prefix)
	}
	return filepath.Dir(prefix)
}

// quoteAll writes args so that a shell reads them back.
func quoteAll(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = quote(a)
	}
	return strings.Join(quoted, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quote(arg string) string {
	if plainWord.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// nearest is the word a misspelling most likely meant: the first of words that
// it begins (3 letters or more), else the closest within two edits, if those
// are less than half of what was typed. "" is none.
func nearest(typed string, words []string) string {
	best, bestDistance := "", 3
	for _, w := range words {
		if len(typed) >= 3 && strings.HasPrefix(w, typed) {
			return w
		}
		if d := editDistance(typed, w); d < bestDistance && 2*d < len(typed) {
			best, bestDistance = w, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace between a and b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
