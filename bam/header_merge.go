package bam

import (
	"errors"
	"maps"
	"slices"
)

// MergeHeaders makes one header of those of several inputs, and for each input
// the [Translation] of its records. One header alone, or many equal ones, give
// the same header again, byte for byte, and translations that are identities.
//
//   - The first header's lines are kept as they are. Lines of later headers
//     follow the last line of their kind; a line that an earlier header has,
//     byte for byte, is not repeated. @HD is the first that there is.
//   - References of one name are one, with the @SQ line that comes first; they
//     must have one length. Their order is one that the orders of all headers
//     agree with. Where those leave a choice the earlier header's come first.
//   - @RG and @PG lines whose ID an earlier header uses for a different line get
//     the first of ID.1, ID.2 … that is the ID of no line of the kind anywhere.
//     What refers to them follows: PP of @PG lines, PG of @RG lines, and, by the
//     Translation, RG and PG of records. Lines are compared after that, so that
//     a program is the same only if those before it in its PP chain are.
//
// Lengths that differ and orders that no common one agrees with are errors that
// name the references and the inputs, counted from 1. No headers are an error.
func MergeHeaders(hs []*Header) (*Header, []*Translation, error) {
	if len(hs) == 0 {
		return nil, nil, errors.New("bam: no headers to merge")
	}
	places, ids, err := uniteReferences(hs)
	if err != nil {
		return nil, nil, err
	}
	m := newHeaderMerger(hs)
	translations := make([]*Translation, len(hs))
	for i := range hs {
		translations[i] = m.add(i)
		translations[i].refs = ids[i]
	}
	refs := hs[0].refs
	if len(places) > refs.Len() {
		refs = newReferences(len(places))
		for _, p := range places {
			h := hs[p.header]
			if err := refs.Add([]byte(h.RefName(int(p.id))), h.RefLen(int(p.id))); err != nil {
				return nil, nil, err
			}
		}
	}
	h, err := joinHeader(mergeText(hs, m.hd, places, m.added), refs)
	return h, translations, err
}

// headerMerger collects the lines of later headers for the first.
type headerMerger struct {
	hs       []*Header
	hd       []byte // the first @HD line of any
	groups   lineSet
	programs lineSet
	others   map[string]bool // lines without an ID that are there already
	added    []addedLines
}

// addedLines are lines of one kind, each with its end.
type addedLines struct {
	kind string
	text []byte
}

func newHeaderMerger(hs []*Header) *headerMerger {
	m := &headerMerger{hs: hs, groups: newLineSet("@RG"), programs: newLineSet("@PG"), others: map[string]bool{}}
	m.added = []addedLines{{kind: m.groups.kind}, {kind: m.programs.kind}} // in this order, if the first header has none
	for _, h := range hs {
		for _, line := range headerLines(h.text) {
			if m.hd == nil && isLine(line, "@HD") {
				m.hd = line
			}
			for _, s := range []*lineSet{&m.groups, &m.programs} {
				if l, ok := s.parse(line); ok {
					s.reserved[l.id] = true
				}
			}
		}
	}
	return m
}

// add adds the lines of header i, in turn, and returns the translation of its read groups and programs.
func (m *headerMerger) add(i int) *Translation {
	var groups, programs []idLine
	others := map[string]bool{} // a line that is twice in one header stays twice
	for _, line := range headerLines(m.hs[i].text) {
		if isLine(line, "@HD") || isLine(line, "@SQ") {
			continue
		}
		if l, ok := m.groups.parse(line); ok {
			groups = append(groups, l)
		} else if l, ok := m.programs.parse(line); ok {
			programs = append(programs, l)
		} else if others[string(line)] = true; i > 0 && !m.others[string(line)] {
			m.append(lineKind(line), line)
		}
	}
	maps.Copy(m.others, others)
	t := &Translation{groups: map[string]string{}, progs: map[string]string{}}
	if i == 0 {
		m.groups.keep(groups)
		m.programs.keep(programs)
		return t
	}
	// A program is compared once it is known what its PP is called now; read groups refer to programs.
	m.append(m.programs.kind, m.programs.place(programs, chainOrder(programs), "PP:", t.progs, t.progs)...)
	m.append(m.groups.kind, m.groups.place(groups, fileOrder(groups), "PG:", t.progs, t.groups)...)
	for _, names := range []map[string]string{t.progs, t.groups} {
		maps.DeleteFunc(names, func(was, is string) bool { return was == is })
	}
	return t
}

// append adds lines of a kind.
func (m *headerMerger) append(kind string, lines ...[]byte) {
	k := slices.IndexFunc(m.added, func(a addedLines) bool { return a.kind == kind })
	if k < 0 {
		k = len(m.added)
		m.added = append(m.added, addedLines{kind: kind})
	}
	for _, line := range lines {
		m.added[k].text = append(append(m.added[k].text, line...), '\n')
	}
}
