package sortcoll

// sorter sorts fills. Its scratch is as large as the largest fill's entries and is kept.
type sorter struct {
	ord     ordering
	scratch pages
}

// sort puts f's entries in the order in which a cursor reads them; equal frames keep the order in which they were added.
func (s *sorter) sort(f *fill) {
	if f.n < 2 || sorted(f, s.ord.compare) {
		return
	}
	s.scratch = s.scratch.grow(f.n)
	need := (f.n + pageLen - 1) >> pageBits
	clear(s.scratch[need:]) // left by a fill of smaller records
	s.scratch = s.scratch[:need]
	s.radix(f)
	if s.ord.compare != nil {
		s.settle(f)
	}
}

// sorted tells whether f is in order as it stands, which input that is sorted already deserves to gain from.
func sorted(f *fill, compare func(a, b []byte) int) bool {
	prev := *f.entries.at(0)
	for i := 1; i < f.n; i++ {
		e := *f.entries.at(i)
		if e.key < prev.key || e.key == prev.key && compare != nil && compare(f.frame(prev.pos), f.frame(e.pos)) > 0 {
			return false
		}
		prev = e
	}
	return true
}

// radix sorts by key: least significant digit first, which is stable, with all digits counted in one pass and only
// those passes made whose digit varies.
func (s *sorter) radix(f *fill) {
	var count [8][256]int
	for i := range f.n {
		k := f.entries.at(i).key
		for d := range 8 {
			count[d][byte(k>>(8*d))]++
		}
	}
	first := f.entries.at(0).key
	for d := range 8 {
		c := &count[d]
		if c[byte(first>>(8*d))] == f.n {
			continue
		}
		sum := 0
		for b := range c {
			c[b], sum = sum, sum+c[b]
		}
		src, dst, shift := f.entries, s.scratch, 8*d
		for i, left := 0, f.n; left > 0; i, left = i+1, left-pageLen {
			for _, e := range src[i][:min(left, pageLen)] {
				b := byte(e.key >> shift)
				*dst.at(c[b]) = e
				c[b]++
			}
		}
		f.entries, s.scratch = s.scratch, f.entries
	}
}

// settle sorts the groups of equal keys that are too large for a cursor.
func (s *sorter) settle(f *fill) {
	for lo := 0; lo < f.n; {
		hi := f.group(lo)
		if hi-lo > smallGroup {
			s.mergeSort(f, lo, hi)
		}
		lo = hi
	}
}

// mergeSort sorts entries lo to hi by compare, keeping the order of equals: insertion into runs of eight, then merges
// of neighbours through the scratch.
func (s *sorter) mergeSort(f *fill, lo, hi int) {
	const runLen = 8
	for a := lo; a < hi; a += runLen {
		f.insertionSort(a, min(a+runLen, hi), s.ord.compare)
	}
	src, dst := f.entries, s.scratch
	for width := runLen; width < hi-lo; width *= 2 {
		for a := lo; a < hi; a += 2 * width {
			s.merge(f, src, dst, a, min(a+width, hi), min(a+2*width, hi))
		}
		src, dst = dst, src
	}
	if hi-lo > runLen && &src[0] != &f.entries[0] {
		for i := lo; i < hi; i++ {
			*f.entries.at(i) = *src.at(i)
		}
	}
}

// merge merges src[a:m] and src[m:b] into dst[a:b].
func (s *sorter) merge(f *fill, src, dst pages, a, m, b int) {
	i, j := a, m
	for k := a; k < b; k++ {
		if j >= b || i < m && s.ord.compare(f.frame(src.at(i).pos), f.frame(src.at(j).pos)) <= 0 {
			*dst.at(k) = *src.at(i)
			i++
		} else {
			*dst.at(k) = *src.at(j)
			j++
		}
	}
}
