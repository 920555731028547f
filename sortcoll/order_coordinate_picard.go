package sortcoll

import (
	"bytes"
	"cmp"

	"github.com/gosort/gosort/bam"
)

// compareCoordinatePicard is htsjdk's SAMRecordCoordinateComparator.
func compareCoordinatePicard(a, b []byte) int {
	x, y := bam.Trusted(a), bam.Trusted(b)
	if c := cmp.Compare(uint32(x.RefID()), uint32(y.RefID())); c != 0 {
		return c
	}
	if x.RefID() != -1 {
		if c := cmp.Compare(uint32(x.Pos()+1), uint32(y.Pos()+1)); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(x.Flag()&bam.Reverse, y.Flag()&bam.Reverse); c != 0 {
		return c
	}
	if c := bytes.Compare(x.ReadName(), y.ReadName()); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(x.Flag(), y.Flag()),
		cmp.Compare(x.MapQ(), y.MapQ()),
		cmp.Compare(x.NextRefID(), y.NextRefID()),
		cmp.Compare(x.NextPos(), y.NextPos()),
		cmp.Compare(x.TLen(), y.TLen()),
	)
}

// coordinatePicardKey is RefID, Pos, strand and, in the bits that are left, the name behind what all names share.
func (l layout) coordinatePicardKey(frame []byte, skip int) uint64 {
	r := bam.Trusted(frame)
	p := packer{room: 64}
	ref, pos := placeOf(r)
	if ref == absent {
		pos = 0
	}
	if l.putRef(&p, ref) && l.putPos(&p, pos) && p.put(bit(r.Flag()&bam.Reverse != 0), 1) {
		p.putBytes(r.ReadName()[skip:])
	}
	return p.key
}
