package bam

import "fmt"

// refPlace is a reference of one of the headers that are merged.
type refPlace struct{ header, id int32 }

// dictionaryUnion finds one order for the references of several headers. Each reference has a number: those of the first
// header their own, the others the next ones as they are met.
type dictionaryUnion struct {
	hs    []*Header
	ids   [][]int32        // numbers of each header's references; nil for a dictionary equal to the first
	extra map[string]int32 // numbers of the names that the first header does not have
	met   []refPlace       // where each of them was met first
	name  []byte           // scratch
}

// uniteReferences returns the references of all headers, each as the place where it was met first, in an order that all
// headers' own orders agree with; where they leave a choice the earlier header's references come first. It also returns
// the new RefIDs of each header's references, nil if they are the old ones.
func uniteReferences(hs []*Header) ([]refPlace, [][]int32, error) {
	u := &dictionaryUnion{hs: hs, ids: make([][]int32, len(hs)), extra: map[string]int32{}}
	for i, h := range hs {
		if i == 0 || h.refs.equal(hs[0].refs) {
			continue
		}
		if err := u.add(i); err != nil {
			return nil, nil, err
		}
	}
	sorted, err := u.sort()
	if err != nil {
		return nil, nil, err
	}
	places, rank := make([]refPlace, len(sorted)), make([]int32, len(sorted))
	for i, n := range sorted {
		places[i], rank[n] = u.place(n), int32(i)
	}
	for i, h := range hs {
		u.ids[i] = newIDs(u.ids[i], h.NumRefs(), rank)
	}
	return places, u.ids, nil
}

// add numbers the references of header i.
func (u *dictionaryUnion) add(i int) error {
	for _, k := range []int{0, i} {
		if again := u.hs[k].refs.repeated(); again > 0 {
			return fmt.Errorf("bam: reference %q is twice in the header of input %d, so that others cannot be merged with it",
				u.hs[k].RefName(again), k+1)
		}
	}
	h := u.hs[i]
	u.ids[i] = make([]int32, h.NumRefs())
	for id := range h.NumRefs() {
		name := h.RefName(id)
		n, ok := u.number(name)
		if !ok {
			n = int32(u.len())
			u.extra[name] = n
			u.met = append(u.met, refPlace{int32(i), int32(id)})
		}
		u.ids[i][id] = n
		was := u.place(n)
		if before := u.hs[was.header].RefLen(int(was.id)); before != h.RefLen(id) {
			return fmt.Errorf("bam: reference %q has length %d in the header of input %d and %d in that of input %d",
				name, before, was.header+1, h.RefLen(id), i+1)
		}
	}
	return nil
}

func (u *dictionaryUnion) number(name string) (int32, bool) {
	if id, ok := u.find(u.hs[0], name); ok {
		return id, true
	}
	n, ok := u.extra[name]
	return n, ok
}

func (u *dictionaryUnion) find(h *Header, name string) (int32, bool) {
	u.name = append(u.name[:0], name...)
	return h.RefID(u.name)
}

func (u *dictionaryUnion) len() int { return u.hs[0].NumRefs() + len(u.met) }

func (u *dictionaryUnion) place(n int32) refPlace {
	if first := u.hs[0].NumRefs(); int(n) >= first {
		return u.met[int(n)-first]
	}
	return refPlace{0, n}
}

// newIDs returns where n references with the numbers ids came to lie, nil if none moved. No ids means that the numbers
// are 0, 1, 2 …
func newIDs(ids []int32, n int, rank []int32) []int32 {
	if ids == nil {
		ids = rank[:n]
	} else {
		for i, number := range ids {
			ids[i] = rank[number]
		}
	}
	for i, id := range ids {
		if int(id) != i {
			return ids
		}
	}
	return nil
}

// precedence holds, for each reference, those that come right before it in some header: lists threaded through slices.
type precedence struct {
	head     []int32 // first entry of each reference's list, -1 for none; sort moves it along
	next, of []int32 // next entry, and the reference that precedes
}

func (u *dictionaryUnion) precedence() precedence {
	p := precedence{head: make([]int32, u.len())}
	for n := range p.head {
		p.head[n] = -1
	}
	add := func(before, n int32) {
		p.next = append(p.next, p.head[n])
		p.of = append(p.of, before)
		p.head[n] = int32(len(p.of) - 1)
	}
	// The list is read from its end: the first header comes last here.
	for i := len(u.ids) - 1; i > 0; i-- {
		for k := 1; k < len(u.ids[i]); k++ {
			add(u.ids[i][k-1], u.ids[i][k])
		}
	}
	for n := 1; n < u.hs[0].NumRefs(); n++ {
		add(int32(n-1), int32(n))
	}
	return p
}

// sort returns all numbers in an order that every header agrees with: each in turn, behind those that must precede it.
func (u *dictionaryUnion) sort() ([]int32, error) {
	p := u.precedence()
	const (
		waiting = 1
		placed  = 2
	)
	state := make([]uint8, u.len())
	sorted := make([]int32, 0, u.len())
	var stack []int32
	for n := range state {
		if state[n] == placed {
			continue
		}
		stack = append(stack, int32(n))
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			state[top] = waiting
			entry := p.head[top]
			if entry < 0 {
				state[top] = placed
				sorted = append(sorted, top)
				stack = stack[:len(stack)-1]
				continue
			}
			p.head[top] = p.next[entry]
			switch before := p.of[entry]; state[before] {
			case waiting:
				return nil, u.conflict(before, top)
			case placed:
			default:
				stack = append(stack, before)
			}
		}
	}
	return sorted, nil
}

// conflict names two references that have no common order. Nearly always two headers have them in opposite orders; if
// none do it takes three headers or more, and before, which is right before after somewhere, is one of such a pair.
func (u *dictionaryUnion) conflict(before, after int32) error {
	for j, b := range u.hs {
		for i, a := range u.hs[:j] {
			last, lastID := "", int32(-1)
			for id := range b.NumRefs() {
				name := b.RefName(id)
				switch at, ok := u.find(a, name); {
				case ok && at < lastID:
					return fmt.Errorf("bam: the references have no common order: %q is before %q in the header of input %d and behind it in that of input %d",
						name, last, i+1, j+1)
				case ok:
					last, lastID = name, at
				}
			}
		}
	}
	a, b := u.place(before), u.place(after)
	return fmt.Errorf("bam: the references have no common order: %q is before %q in one header and behind it by way of others",
		u.hs[a.header].RefName(int(a.id)), u.hs[b.header].RefName(int(b.id)))
}
