package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gosort/gosort/sortcoll"
)

// habitHints reads args as someone who types by another sorter's habit meant
// them, and returns hints: first the whole corrected command line, then what
// became of arguments that mean something else here. The line is left out when
// it could not do what was asked, or would not pass gosort's own checks: then
// these say why, unless it was said before.
func habitHints(args []string, said string) []string {
	t := translation{args: args, values: map[string][]string{}}
	t.chooseDialect(t.programNames())
	for len(t.args) > 0 {
		t.one()
	}
	t.placePositionals()
	t.placeMemory()
	t.placeIndex()

	var hints []string
	if !t.hopeless && len(t.values) > 0 {
		if cfg, err := parseOwn(t.line()); err == nil {
			t.raiseMemory(cfg)
			hints = append(hints, "gosort "+quoteAll(t.line()))
		} else if err.Error() != said {
			t.note(err.Error())
		}
	}
	return append(hints, t.notes...)
}

// translation is a foreign command line on its way into gosort's flags.
type translation struct {
	args    []string // not read yet
	foreign []foreignFlag
	merging bool // the output comes first
	force   bool // it may be there already

	values      map[string][]string // by gosort flag; switches hold one empty value
	positionals []string
	perThread   int64 // samtools' -m in bytes; 0: not given
	notes       []string
	hopeless    bool // no command line of gosort does what was asked
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
