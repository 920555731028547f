package bam

import (
	"bytes"
	"slices"
	"strconv"
)

// idLine is an @RG or @PG line.
type idLine struct {
	id   string
	line []byte
}

// lineSet are the lines of one kind, @RG or @PG, of a merged header.
type lineSet struct {
	kind     string
	reserved map[string]bool   // IDs that some input has or that were made
	given    map[string]bool   // IDs of the merged header
	ids      map[string]string // the ID that each line got, as the line was before
}

func newLineSet(kind string) lineSet {
	return lineSet{kind, map[string]bool{}, map[string]bool{}, map[string]string{}}
}

// parse returns the line with its ID, if it is of the kind.
func (s *lineSet) parse(line []byte) (idLine, bool) {
	if !isLine(line, s.kind) {
		return idLine{}, false
	}
	id, ok := fieldOf(line, "ID:")
	return idLine{string(id), line}, ok
}

// keep takes the first header's lines, which stay as they are.
func (s *lineSet) keep(lines []idLine) {
	for _, l := range lines {
		s.given[l.id] = true
		s.ids[string(l.line)] = l.id
	}
}

// place takes the lines of a later header. The value of their tag, as in "PP:", is replaced by its name in refs, and
// their IDs by those they get, which names tells behind. It returns what must be added, in the order of lines; order is
// that in which they are looked at.
func (s *lineSet) place(lines []idLine, order []int, tag string, refs, names map[string]string) [][]byte {
	added := make([][]byte, len(lines))
	for _, k := range order {
		id, line := lines[k].id, lines[k].line
		if ref, ok := fieldOf(line, tag); ok {
			if name, ok := refs[string(ref)]; ok {
				line = withField(line, tag, name)
			}
		}
		known, there := s.ids[string(line)]
		name, again := names[id]
		switch {
		case there && (!again || name == known):
			names[id] = known
			continue
		case !again:
			name = s.newID(id)
			names[id] = name
		}
		s.ids[string(line)] = name
		added[k] = withField(line, "ID:", name)
	}
	return slices.DeleteFunc(added, func(line []byte) bool { return line == nil })
}

// newID returns id if the merged header has none of that name, else id with the first suffix that makes it new.
func (s *lineSet) newID(id string) string {
	name := id
	for n := 1; s.given[id] && s.reserved[name]; n++ {
		name = id + "." + strconv.Itoa(n)
	}
	s.reserved[name], s.given[name] = true, true
	return name
}

// withField returns line with another value of the first field with the tag.
func withField(line []byte, tag, value string) []byte {
	kind, _, _ := bytes.Cut(line, []byte{'\t'})
	edited := bytes.Clone(kind)
	for f := range fieldsOf(line) {
		edited = append(edited, '\t')
		if tag != "" && isField(f, tag) {
			edited = append(append(edited, tag...), value...)
			tag = "" // once
		} else {
			edited = append(edited, f...)
		}
	}
	return edited
}

// fileOrder returns the order in which the lines are.
func fileOrder(lines []idLine) []int {
	order := make([]int, len(lines))
	for k := range order {
		order[k] = k
	}
	return order
}

// chainOrder returns an order in which each @PG line comes behind the one its PP names, unless they go round in circles.
func chainOrder(programs []idLine) []int {
	index := map[string]int{}
	for k, p := range slices.Backward(programs) {
		index[p.id] = k // of two with one ID the first
	}
	order := make([]int, 0, len(programs))
	seen := make([]bool, len(programs))
	for k := range programs {
		first := len(order)
		for ok := true; ok && !seen[k]; {
			seen[k] = true
			order = append(order, k)
			previous, _ := fieldOf(programs[k].line, "PP:")
			k, ok = index[string(previous)]
		}
		slices.Reverse(order[first:])
	}
	return order
}

// lineKind returns what a line starts with, as in "@CO", and "" if it is no header line.
func lineKind(line []byte) string {
	if isLine(line, "@SQ") {
		return "@SQ" // a constant, for there may be millions
	}
	kind, _, _ := bytes.Cut(line, []byte{'\t'})
	if len(kind) == 0 || kind[0] != '@' {
		return ""
	}
	return string(kind)
}
