package bam

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
)

// References is a reference dictionary: names and lengths in order. The zero
// value is empty. It may be read from many goroutines at once, but not while
// Add runs.
//
// A million references are three slices without pointers, not a million
// strings, so that they cost the garbage collector nothing.
type References struct {
	names   strings.Builder // all names, end to end
	ends    []uint32        // end of name i in names
	lengths []int32

	once  sync.Once
	seed  maphash.Seed
	table []int32 // open addressing, index + 1, 0 for an empty slot; built by Find
	twice int     // the first reference whose name was there before, 0 for none
}

// newReferences returns an empty dictionary with room for n references but for their names.
func newReferences(n int) *References {
	return &References{ends: make([]uint32, 0, n), lengths: make([]int32, 0, n)}
}

// Add appends a reference. The name may not be empty, the length must lie in
// 0 .. 2^31-1, which is what BAM can hold. The error wraps [ErrCorrupt].
func (d *References) Add(name []byte, length int64) error {
	switch {
	case len(name) == 0:
		return fmt.Errorf("%w: reference %d has an empty name", ErrCorrupt, d.Len()+1)
	case length < 0 || length > math.MaxInt32:
		return fmt.Errorf("%w: reference %q has length %d, and BAM holds at most 2^31-1", ErrCorrupt, name, length)
	case d.Len() == math.MaxInt32 || uint64(d.names.Len())+uint64(len(name)) > math.MaxUint32:
		return fmt.Errorf("%w: more references than BAM can hold", ErrCorrupt)
	}
	d.names.Write(name)
	d.ends = append(d.ends, uint32(d.names.Len()))
	d.lengths = append(d.lengths, int32(length))
	return nil
}

// Len returns the number of references.
func (d *References) Len() int { return len(d.ends) }

// Name returns the name of reference i; it panics if there is none.
func (d *References) Name(i int) string {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.names.String()[start:d.ends[i]]
}

// Length returns the length of reference i in bases; it panics if there is none.
func (d *References) Length(i int) int64 { return int64(d.lengths[i]) }

// Find returns the index of the first reference with the name. The first call
// builds an index of about 10 bytes a reference; no Add may follow it.
func (d *References) Find(name []byte) (int32, bool) {
	d.once.Do(d.buildTable)
	mask := uint64(len(d.table) - 1)
	for slot := maphash.Bytes(d.seed, name) & mask; ; slot = (slot + 1) & mask {
		id := d.table[slot] - 1
		if id < 0 {
			return -1, false
		}
		if d.Name(int(id)) == string(name) {
			return id, true
		}
	}
}

// equal reports whether the two have the same references in the same order.
func (d *References) equal(o *References) bool {
	return d == o || d.names.String() == o.names.String() && slices.Equal(d.ends, o.ends) && slices.Equal(d.lengths, o.lengths)
}

// repeated returns the first reference whose name was there before, 0 for none.
// Like Find it builds the index.
func (d *References) repeated() int {
	d.once.Do(d.buildTable)
	return d.twice
}

// tableSize is a power of two, of which the names take at most two thirds.
func (d *References) tableSize() int {
	size := 2
	for size < d.Len()+d.Len()/2+1 {
		size *= 2
	}
	return size
}

// memory returns the bytes held, with the index even if it is not built yet.
func (d *References) memory() int64 {
	return int64(d.names.Cap()) + 4*int64(cap(d.ends)+cap(d.lengths)+d.tableSize())
}

// buildTable makes the index and finds the first name that is there twice.
func (d *References) buildTable() {
	size := d.tableSize()
	d.seed = maphash.MakeSeed()
	d.table = make([]int32, size)
	mask := uint64(size - 1)
	for i := range d.Len() {
		slot := maphash.String(d.seed, d.Name(i)) & mask
		for d.table[slot] != 0 && d.Name(int(d.table[slot]-1)) != d.Name(i) {
			slot = (slot + 1) & mask
		}
		if d.table[slot] == 0 {
			d.table[slot] = int32(i + 1)
		} else if d.twice == 0 { // of two of a name the first is the one that is found
			d.twice = i
		}
	}
}
