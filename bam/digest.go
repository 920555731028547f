package bam

import (
	"fmt"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Digest sums up a multiset of records: their number, and the sum modulo 2^128
// of the XXH3 128-bit hashes of their bytes. Two multisets of equal digest are
// the same records, in whatever order, unless by an accident of 1 in 2^128; it
// is no defence against an adversary. The zero value is the empty multiset.
type Digest struct {
	Count  int64
	Hi, Lo uint64 // the sum
}

// Add adds a record.
func (d *Digest) Add(r Record) {
	h := xxh3.Hash128(r.b)
	d.Merge(Digest{1, h.Hi, h.Lo})
}

// Merge adds all that e sums up.
func (d *Digest) Merge(e Digest) {
	var carry uint64
	d.Count += e.Count
	d.Lo, carry = bits.Add64(d.Lo, e.Lo, 0)
	d.Hi, _ = bits.Add64(d.Hi, e.Hi, carry)
}

// String returns the sum as 32 hexadecimal digits.
func (d Digest) String() string { return fmt.Sprintf("%016x%016x", d.Hi, d.Lo) }
