package bam

import "math/bits"

// binning is the scheme of CSIv1, of which SAMv1 section 5.1.1 is the case
// minShift 14, depth 5: eight bins to one of the level above, the smallest
// 2^minShift bases wide, numbered level by level from the root, 0.
type binning struct {
	minShift, depth int
}

var baiBinning = binning{minShift: defaultMinShift, depth: 5}

const (
	defaultMinShift = 14 // of CSI; BAI has no other
	maxMinShift     = 30 // as much as htslib reads
	maxDepth        = 9  // keeps all bin numbers below 2^31, which htslib counts in
)

// size returns the number of bases that the scheme covers.
func (s binning) size() int64 { return 1 << (s.minShift + 3*s.depth) }

// firstBin returns the first bin of a level, and for the level below the
// smallest bins the number of bins.
func firstBin(level int) uint32 { return uint32((int64(1)<<(3*level) - 1) / 7) }

// pseudoBin returns the number that no bin has and under which the places and
// counts of a reference stand.
func (s binning) pseudoBin() uint32 { return firstBin(s.depth+1) + 1 }

// window returns the window of 2^minShift bases that a position lies in.
func (s binning) window(pos int64) int32 { return int32(pos >> s.minShift) }

// bin returns the smallest bin with both windows, and its level.
func (s binning) bin(first, last int32) (bin uint32, level int) {
	up := (bits.Len32(uint32(first^last)) + 2) / 3
	level = s.depth - up
	return firstBin(level) + uint32(first>>(3*up)), level
}

// firstWindow returns the first window of a bin.
func (s binning) firstWindow(bin uint32) int32 {
	level := s.depth
	for bin < firstBin(level) {
		level--
	}
	return int32(bin-firstBin(level)) << (3 * (s.depth - level))
}

// parentBin returns the bin that a bin other than the root is an eighth of.
func parentBin(bin uint32) uint32 { return (bin - 1) >> 3 }
