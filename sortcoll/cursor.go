package sortcoll

// smallGroup is the most entries of one key that a cursor settles.
const smallGroup = 8

// cursor reads a sorted fill. It settles small groups of equal keys, the reads of a template as a rule, when it comes to
// them: in key order frames lie all over the memory, and so each is waited for once and not once more in sorting. What it
// settles stays so for the next cursor.
type cursor struct {
	fill          *fill
	compare       func(a, b []byte) int // nil when the keys are the whole order
	next, settled int                   // entries
}

// read returns the next frame, nil behind the last.
func (c *cursor) read() []byte {
	if c.next == c.fill.n {
		return nil
	}
	if c.next == c.settled && c.compare != nil {
		c.settled = c.fill.group(c.next)
		if c.settled-c.next <= smallGroup {
			c.fill.insertionSort(c.next, c.settled, c.compare)
		}
	}
	c.next++
	return c.fill.frame(c.fill.entries.at(c.next - 1).pos)
}

// group returns the end of the entries that have the key of entry lo.
func (f *fill) group(lo int) int {
	hi, key := lo+1, f.entries.at(lo).key
	for hi < f.n && f.entries.at(hi).key == key {
		hi++
	}
	return hi
}

// insertionSort sorts entries lo to hi by compare, keeping the order of equals.
func (f *fill) insertionSort(lo, hi int, compare func(a, b []byte) int) {
	for i := lo + 1; i < hi; i++ {
		e := *f.entries.at(i)
		frame := f.frame(e.pos)
		j := i
		for ; j > lo && compare(f.frame(f.entries.at(j-1).pos), frame) > 0; j-- {
			*f.entries.at(j) = *f.entries.at(j - 1)
		}
		*f.entries.at(j) = e
	}
}
