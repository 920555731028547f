package bam

import (
	"slices"
	"strconv"
)

// Program is what an @PG line says of a program; empty fields but ID are left out.
type Program struct {
	ID string // made unique by a suffix: ID, ID.1, ID.2 …
	PN string // program name
	VN string // version
	CL string // command line; tabs and line ends become spaces
}

// SortOrder returns the SO of @HD, "" if there is none.
func (h *Header) SortOrder() string { return h.hdField("SO:") }

// GroupOrder returns the GO of @HD, "" if there is none.
func (h *Header) GroupOrder() string { return h.hdField("GO:") }

// SubSort returns the SS of @HD, "" if there is none.
func (h *Header) SubSort() string { return h.hdField("SS:") }

func (h *Header) hdField(tag string) string {
	_, line := h.hdLine()
	v, _ := fieldOf(line, tag)
	return string(v)
}

// hdLine returns the first @HD line and its offset, nil if there is none. It
// need not be the first line: it should, but a sorter can live without.
func (h *Header) hdLine() (int, []byte) {
	for at, line := range headerLines(h.text) {
		if isLine(line, "@HD") {
			return at, line
		}
	}
	return 0, nil
}

// SetSortOrder states the order of the records in @HD: SO where it is or else
// behind VN, then GO and SS, which come behind VN too when SO is removed. An empty
// string removes the field. All other
// fields stay; a missing @HD becomes the first line, with VN:1.6.
func (h *Header) SetSortOrder(so, group, sub string) {
	at, line := h.hdLine()
	var edited []byte
	if line == nil {
		edited = appendSortFields([]byte("@HD\tVN:1.6"), so, group, sub)
		edited = append(edited, '\n')
	} else {
		edited = editHD(line, so, group, sub)
	}
	h.text = slices.Replace(h.text, at, at+len(line), edited...)
}

// editHD returns the @HD line with its SO, GO and SS replaced.
func editHD(line []byte, so, group, sub string) []byte {
	_, hasSO := fieldOf(line, "SO:")
	_, hasVN := fieldOf(line, "VN:")
	anchor := ""           // the field that the new ones stand for or follow; none: the line's kind
	if hasSO && so != "" { // an SO that goes leaves no place to find again
		anchor = "SO:"
	} else if hasVN {
		anchor = "VN:"
	}
	edited := []byte("@HD")
	if anchor == "" {
		edited = appendSortFields(edited, so, group, sub)
	}
	for f := range fieldsOf(line) {
		if !isField(f, "SO:") && !isField(f, "GO:") && !isField(f, "SS:") {
			edited = append(append(edited, '\t'), f...)
		}
		if anchor != "" && isField(f, anchor) {
			edited = appendSortFields(edited, so, group, sub)
			anchor = "" // once is enough, though the field be there twice
		}
	}
	return edited
}

func appendSortFields(dst []byte, so, group, sub string) []byte {
	dst = appendField(dst, "SO:", so)
	dst = appendField(dst, "GO:", group)
	return appendField(dst, "SS:", sub)
}

// appendField appends a field unless it is empty. What would end the field or
// the line becomes a space.
func appendField(dst []byte, tag, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(dst, '\t'), tag...)
	for _, c := range []byte(value) {
		if c == '\t' || c == '\n' || c == '\r' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// AddProgram adds @PG lines for p behind the last @PG line, or at the end if
// there is none: one for each end of a chain of PP links, as samtools does. A
// line that no PP leads to or from is no chain when there is one elsewhere; with
// no chain at all the last @PG line is the PP; the first @PG line of a header
// has none.
func (h *Header) AddProgram(p Program) {
	ids, ends, at := h.programs()
	if len(ends) == 0 {
		ends = []string{""}
	}
	var added []byte
	if at > 0 && h.text[at-1] != '\n' {
		added = append(added, '\n')
	}
	suffix := 0
	for _, previous := range ends {
		id := p.ID
		for ids[id] {
			suffix++
			id = p.ID + "." + strconv.Itoa(suffix)
		}
		ids[id] = true
		added = append(added, "@PG"...)
		added = appendField(added, "ID:", id)
		added = appendField(added, "PN:", p.PN)
		added = appendField(added, "PP:", previous)
		added = appendField(added, "VN:", p.VN)
		added = appendField(added, "CL:", p.CL)
		added = append(added, '\n')
	}
	h.text = slices.Insert(h.text, at, added...)
}

// programs returns the IDs of all @PG lines, those that new lines follow, and
// the offset in the text where new lines go.
func (h *Header) programs() (ids map[string]bool, ends []string, at int) {
	type program struct{ id, previous string }
	var all []program
	ids = map[string]bool{}
	inserting := false
	at = len(h.text)
	for start, line := range headerLines(h.text) {
		if inserting {
			at, inserting = start, false
		}
		if isLine(line, "@PG") {
			id, _ := fieldOf(line, "ID:")
			previous, _ := fieldOf(line, "PP:")
			all = append(all, program{string(id), string(previous)})
			ids[string(id)] = true
			at, inserting = len(h.text), true
		}
	}
	followed := map[string]bool{}
	for _, p := range all {
		followed[p.previous] = true
	}
	last := ""
	for _, p := range all {
		if followed[p.id] {
			continue
		}
		last = p.id
		if p.previous != "" && ids[p.previous] {
			ends = append(ends, p.id)
		}
	}
	if len(ends) == 0 && last != "" {
		ends = []string{last}
	}
	return ids, ends, at
}
