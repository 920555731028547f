package bam

import (
	"bytes"
	"slices"
	"strconv"
)

// mergedText puts the text of a merged header together.
type mergedText struct {
	hs     []*Header
	places []refPlace    // of the references that have no line yet
	lines  []refLineWalk // of each header
	text   []byte
}

// mergeText returns the first header's text, with hd if it has no @HD line, the @SQ lines of the references that are not
// its own, and behind the last line of each kind those that were added.
func mergeText(hs []*Header, hd []byte, places []refPlace, added []addedLines) []byte {
	w := &mergedText{hs: hs, lines: make([]refLineWalk, len(hs))}
	size := 0
	for i, h := range hs {
		w.lines[i].text = h.text
		size = max(size, len(h.text))
	}
	w.text = make([]byte, 0, size+editRoom)
	if slices.ContainsFunc(hs, (*Header).hasRefLines) {
		w.places = places // else the dictionary alone will do
	}
	first := hs[0]
	if _, line := first.hdLine(); line == nil && hd != nil {
		w.put(append(bytes.Clone(hd), '\n'))
	}
	last := lastLines(first.text)
	refsBehind := first.refsBehind(last)
	if refsBehind < 0 {
		w.putRefs(-1)
	}
	id := int32(0)
	for at, line := range headerLines(first.text) {
		kind := lineKind(line)
		if kind == "@SQ" {
			w.putRefs(id)
			id++
		}
		w.put(wholeLine(first.text, at))
		if at == refsBehind {
			w.putRefs(-1)
		}
		if k := slices.IndexFunc(added, func(a addedLines) bool { return a.kind == kind }); k >= 0 && at == last[kind] {
			w.put(added[k].text)
		}
	}
	for _, a := range added {
		if _, ok := last[a.kind]; !ok {
			w.put(a.text)
		}
	}
	return w.text
}

// lastLines returns where the last line of each kind is.
func lastLines(text []byte) map[string]int {
	last := map[string]int{}
	for at, line := range headerLines(text) {
		last[lineKind(line)] = at
	}
	return last
}

// refsBehind returns which line more @SQ lines follow: the last of its own, or else @HD, or else none, which is -1.
func (h *Header) refsBehind(last map[string]int) int {
	if at, ok := last["@SQ"]; ok {
		return at
	}
	if at, line := h.hdLine(); line != nil {
		return at
	}
	return -1
}

// wholeLine returns the line at the offset with its end.
func wholeLine(text []byte, at int) []byte {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return text[at : at+n+1]
	}
	return text[at:]
}

// put appends lines, and before them the end that the last line may lack.
func (w *mergedText) put(lines []byte) {
	if n := len(w.text); n > 0 && w.text[n-1] != '\n' && len(lines) > 0 {
		w.text = append(w.text, '\n')
	}
	w.text = append(w.text, lines...)
}

// putRefs puts the lines of the references up to the first header's reference id, which puts its own, or all if id is -1.
func (w *mergedText) putRefs(id int32) {
	for len(w.places) > 0 {
		p := w.places[0]
		w.places = w.places[1:]
		if p == (refPlace{0, id}) {
			return
		}
		line := w.lines[p.header].line(p.id)
		if line == nil {
			h := w.hs[p.header]
			line = append([]byte("@SQ\tSN:"), h.RefName(int(p.id))...)
			line = strconv.AppendInt(append(line, "\tLN:"...), h.RefLen(int(p.id)), 10)
		}
		w.put(line)
		w.text = append(w.text, '\n')
	}
}

// refLineWalk finds @SQ lines by their number. Numbers may only grow from call to call, as they do in a merged order.
type refLineWalk struct {
	text []byte // behind the last line that was looked at
	id   int32  // of the next @SQ line
}

// line returns @SQ line id, nil if the header has only a dictionary.
func (l *refLineWalk) line(id int32) []byte {
	for len(l.text) > 0 {
		var line []byte
		line, l.text, _ = bytes.Cut(l.text, []byte{'\n'})
		if !isLine(line, "@SQ") {
			continue
		}
		if l.id++; l.id-1 == id {
			return bytes.TrimSuffix(line, []byte{'\r'})
		}
	}
	return nil
}
