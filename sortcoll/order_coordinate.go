package sortcoll

import (
	"cmp"

	"github.com/gosort/gosort/bam"
)

// maxRefID is the largest RefID that the coordinate key has room for; RefID -1 sorts as one more.
const maxRefID = 1<<30 - 2

// coordinateKey is the whole coordinate order in one word: 30 bits of RefID with -1 as the largest, 33 bits of Pos+1,
// and the reverse-strand bit.
func coordinateKey(frame []byte, _ int) uint64 {
	r := bam.Trusted(frame)
	ref := uint64(uint32(r.RefID())) & (1<<30 - 1)
	pos := uint64(uint32(r.Pos() + 1))
	return ref<<34 | pos<<1 | uint64(r.Flag()&bam.Reverse)>>4
}

// compareCoordinate says the same in words. Unsigned, RefID -1 comes last and Pos -1, being Pos+1 = 0, first.
func compareCoordinate(a, b bam.Record) int {
	return cmp.Or(
		cmp.Compare(uint32(a.RefID()), uint32(b.RefID())),
		cmp.Compare(uint32(a.Pos()+1), uint32(b.Pos()+1)),
		cmp.Compare(a.Flag()&bam.Reverse, b.Flag()&bam.Reverse),
	)
}
