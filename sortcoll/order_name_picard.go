package sortcoll

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/gosort/gosort/bam"
)

// compareQuerynamePicard is htsjdk's SAMRecordQueryNameComparator.
func compareQuerynamePicard(a, b []byte) int {
	x, y := bam.Trusted(a), bam.Trusted(b)
	if c := bytes.Compare(x.ReadName(), y.ReadName()); c != 0 {
		return c
	}
	if c := cmp.Compare(picardRank(x.Flag()), picardRank(y.Flag())); c != 0 {
		return c
	}
	i, _ := hitIndex(x)
	j, _ := hitIndex(y)
	return cmp.Compare(i, j)
}

// picardRank orders the records of one template, but for their hit index. The ends of a pair are told apart by a number
// of their own, 0 to 2: htsjdk compares them only when one is first and the other second, which with reads that are
// neither or both is no order (a before b before c before a). In the middle these break no rule between first and second.
func picardRank(f bam.Flag) int {
	if f&bam.Paired == 0 {
		return 1<<5 | picardPart(f)
	}
	pairEnd := 1
	switch f & (bam.Read1 | bam.Read2) {
	case bam.Read1:
		pairEnd = 0
	case bam.Read2:
		pairEnd = 2
	}
	return pairEnd<<3 | picardPart(f)
}

// picardPart orders by strand, then by kind of alignment.
func picardPart(f bam.Flag) int {
	part := 0
	for i, flag := range []bam.Flag{bam.Supplementary, bam.Secondary, bam.Reverse} {
		if f&flag != 0 {
			part |= 1 << i
		}
	}
	return part
}

var hitIndexTag = [...][2]byte{{'H', 'I'}}

// noHit is the index of a record without an HI tag, below that of all others.
const noHit = -1 << 63

// hitIndex returns the HI tag (SAMtags).
func hitIndex(r bam.Record) (int64, error) {
	var found [1]bam.FoundAux
	if err := r.FindAux(hitIndexTag[:], found[:]); err != nil || found[0].Offset == 0 {
		return noHit, err
	}
	hit, ok := found[0].Int()
	if !ok {
		return noHit, errors.New("tag HI is no integer")
	}
	return hit, nil
}

// checkHitIndex is a digest of no bytes: names settle nearly all, and what they leave may look for the tag itself.
func checkHitIndex(dst []byte, r bam.Record) ([]byte, error) {
	_, err := hitIndex(r)
	return dst, err
}
