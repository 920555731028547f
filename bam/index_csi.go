package bam

import (
	"cmp"
	"slices"
)

// csiSlack is what htslib leaves beyond the longest reference, so that a read may
// hang over its end.
const csiSlack = 256

// csiBinning returns the scheme with the least depth that holds a reference of the
// length. A minShift of 0 is the default.
func csiBinning(minShift int, length int64) binning {
	s := binning{minShift: minShift}
	if minShift == 0 {
		s.minShift = defaultMinShift
	}
	for s.size() < length+csiSlack {
		s.depth++
	}
	return s
}

// csiHead writes what a CSI begins with (CSIv1), but for n_ref.
func (f *indexFile) csiHead() {
	_, _ = f.w.WriteString("CSI\x01") // Flush tells the error
	f.uint32(uint32(f.scheme.minShift))
	f.uint32(uint32(f.scheme.depth))
	f.uint32(0) // l_aux
}

// loffset writes a bin's share of the linear index: the first record that reaches
// the bin's first window or, if none does, a later one. It is 0 for the pseudo-bin.
func (f *indexFile) loffset(bin uint32, reaches []indexReach) {
	if bin == f.scheme.pseudoBin() {
		f.uint64(0)
		return
	}
	first := f.scheme.firstWindow(bin)
	i, _ := slices.BinarySearchFunc(reaches, first, func(r indexReach, window int32) int { return cmp.Compare(r.window, window) })
	f.uint64(f.virtual(reaches[i].begin))
}
