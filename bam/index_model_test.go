package bam_test

import (
	"slices"

	"github.com/gosort/gosort/bam"
)

// modelIndex makes an index the plain way: every run of records in a map, every
// window in a list, then level after level of bins merged, as the specifications
// and htslib describe it, with offsets in the file from the start. begins are
// the virtual offsets of the records, end is where the last one ends.
func modelIndex(refs int, csi bool, minShift, depth int, records []bam.Record, begins []uint64, end uint64) index {
	x := index{csi: csi, minShift: minShift, depth: depth, refs: make([]indexRef, refs)}
	for i := range x.refs {
		x.refs[i].bins = map[uint32]indexBin{}
	}
	begins = append(slices.Clone(begins), end)
	for i := 0; i < len(records); {
		id, j := records[i].RefID(), i
		for j < len(records) && records[j].RefID() == id {
			j++
		}
		if id < 0 {
			x.unplaced += uint64(j - i)
		} else {
			x.modelReference(int(id), records[i:j], begins[i:j+1])
		}
		i = j
	}
	return x
}

// refRange returns the bases that a record is indexed under.
func refRange(r bam.Record) (beg, end int64) {
	beg = int64(r.Pos())
	end = beg + 1
	if n := r.Cigar().RefLen(); n > 0 && r.Flag()&bam.Unmapped == 0 {
		end = beg + n
	}
	return max(beg, 0), max(end, 1)
}

func (x *index) modelReference(id int, records []bam.Record, begins []uint64) {
	ref := &x.refs[id]
	var counts [2]uint64 // mapped, unmapped
	set := map[int64]uint64{}
	top := int64(-1)
	for i, r := range records {
		counts[r.Flag()>>2&1]++
		beg, end := refRange(r)
		for w := beg >> x.minShift; w <= (end-1)>>x.minShift; w++ {
			if _, ok := set[w]; !ok {
				set[w] = begins[i]
			}
			top = max(top, w)
		}
		number := x.smallestBin(beg, end)
		if i > 0 {
			if b, e := refRange(records[i-1]); x.smallestBin(b, e) == number { // the run goes on
				spans := ref.bins[number].spans
				spans[len(spans)-1][1] = begins[i+1]
				continue
			}
		}
		b := ref.bins[number]
		b.spans = append(b.spans, [2]uint64{begins[i], begins[i+1]})
		ref.bins[number] = b
	}
	linear := make([]uint64, top+1)
	for w := top; w >= 0; w-- {
		if offset, ok := set[w]; ok {
			linear[w] = offset
		} else {
			linear[w] = linear[w+1]
		}
	}
	x.mergeModelBins(ref)
	if x.csi {
		for number, b := range ref.bins {
			b.loffset = linear[x.firstBase(number)>>x.minShift]
			ref.bins[number] = b
		}
	} else {
		ref.linear = linear
	}
	ref.bins[x.levelStart(x.depth+1)+1] = indexBin{spans: [][2]uint64{{begins[0], begins[len(records)]}, counts}}
}

// levelStart returns the number of bins above a level.
func (x *index) levelStart(level int) uint32 {
	n, width := uint32(0), uint32(1)
	for range level {
		n, width = n+width, width*8
	}
	return n
}

// smallestBin is CSIv1's reg2bin.
func (x *index) smallestBin(beg, end int64) uint32 {
	for level := x.depth; level > 0; level-- {
		if shift := x.minShift + 3*(x.depth-level); beg>>shift == (end-1)>>shift {
			return x.levelStart(level) + uint32(beg>>shift)
		}
	}
	return 0
}

func (x *index) firstBase(bin uint32) int64 {
	level := 0
	for level < x.depth && bin >= x.levelStart(level+1) {
		level++
	}
	return int64(bin-x.levelStart(level)) << (x.minShift + 3*(x.depth-level))
}

func (x *index) mergeModelBins(ref *indexRef) {
	byBegin := func(a, b [2]uint64) int {
		if a[0] < b[0] {
			return -1
		}
		return 1
	}
	for level := x.depth; level > 0; level-- {
		for number, b := range ref.bins {
			if number < x.levelStart(level) || number >= x.levelStart(level+1) {
				continue
			}
			slices.SortFunc(b.spans, byBegin)
			parent, ok := ref.bins[(number-1)/8]
			if extent := b.spans[len(b.spans)-1][1]>>16 - b.spans[0][0]>>16; ok && extent < 65536 {
				parent.spans = append(parent.spans, b.spans...)
				ref.bins[(number-1)/8] = parent
				delete(ref.bins, number)
			}
		}
	}
	for number, b := range ref.bins {
		slices.SortFunc(b.spans, byBegin)
		var joined [][2]uint64
		for _, s := range b.spans {
			if n := len(joined); n > 0 && joined[n-1][1]>>16 >= s[0]>>16 {
				joined[n-1][1] = max(joined[n-1][1], s[1])
			} else {
				joined = append(joined, s)
			}
		}
		ref.bins[number] = indexBin{spans: joined}
	}
}
