package bam

import (
	"fmt"
	"math"
)

// IndexFormat is a format of index files.
type IndexFormat uint8

// The formats. The zero value chooses.
const (
	AutoIndex IndexFormat = iota // BAI if every reference fits, else CSI
	BAI                          // SAMv1 section 5.2, references of at most 2^29 bases
	CSI                          // CSIv1, references of any length
)

// String returns "bai" or "csi", which is also how the file's name ends, and
// "auto" for the choice of the two.
func (f IndexFormat) String() string {
	return [...]string{"auto", "bai", "csi"}[f]
}

// IndexOptions configure an IndexBuilder. The zero value is what "samtools
// index" makes, with a CSI where a BAI cannot be.
type IndexOptions struct {
	// Format is BAI, CSI or the choice of the two.
	Format IndexFormat
	// MinShift is the width of the smallest bins of a CSI, as a power of 2 from 1
	// to 30; 0 means 14. Any other makes AutoIndex choose CSI. The smaller, the
	// finer and the larger is the index.
	MinShift int
}

// IndexBuilder makes a BAI or CSI index of records as they are written, for one
// goroutine. It takes each record's place as the number of its BGZF block and
// the offset in the block's payload, since while blocks are being compressed
// nobody knows where in the file they will lie; Finish, which does, translates.
//
// What it makes is equal to what "samtools index" makes of the file, but for the
// order of bins, which has no meaning: the range of a record is [Pos, Pos +
// reference bases of the CIGAR), one base if it is unmapped or consumes none;
// reads with a reference are indexed whether mapped or not; those without are
// counted, and come last.
//
// Add takes some 30 ns and allocates only to grow. Memory follows the index, not
// the records: 24 bytes for each run of blocks with records of one bin, 16 for
// each window of 2^MinShift bases in which a record ends that reaches further
// than all before it, 48 for a reference with records and none for one without.
// Finish takes less than a microsecond for each of those.
type IndexBuilder struct {
	h      *Header
	format IndexFormat
	scheme binning

	refID    int32 // of the last record; beforeFirst at first
	refs     []indexedRef
	spans    []indexSpan // of all references, in the order of refs
	reaches  []indexReach
	unplaced uint64 // records without a reference
	tail     place  // where they begin, if there are any

	// The reference of the last record, while refID >= 0.
	pos              int64 // of the last record
	mapped, unmapped uint64
	top              int32 // the last window that a record reaches, -1 for none
	bin              uint32
	level            int
	begin            place             // of the current run of records with that bin
	latest           [maxDepth + 1]int // the last of spans on each level, -1 for none
}

// beforeFirst is the refID of a builder without records.
const beforeFirst = math.MinInt32

// noBin is the bin of a reference before its first record.
const noBin = math.MaxUint32

// place is a virtual offset (SAMv1 section 4.1.1) with the number of the block
// where its offset in the file will stand: one sorts as the other.
type place uint64

func newPlace(block int64, offset int) place { return place(block)<<16 | place(offset) }

func (p place) block() int64 { return int64(p >> 16) }

// indexSpan is a stretch of the file whose ends are records of the bin: SAMv1
// calls it a chunk.
type indexSpan struct {
	begin, end place
	bin        uint32
}

// indexReach says that the record at begin is the first to reach the window.
// That is all there is to know for the linear index: its entry for a window is
// the first record that reaches that or a later one.
type indexReach struct {
	begin  place
	window int32
}

// indexedRef is a reference with records.
type indexedRef struct {
	begin            place // of its first record; the last one's end is where the next reference begins
	mapped, unmapped uint64
	spans, reaches   int // where its own begin
	id               int32
}

// NewIndexBuilder returns a builder for records with header h. The error says
// which reference a BAI cannot hold, if that is the format asked for, or what is
// wrong with MinShift.
func NewIndexBuilder(h *Header, o IndexOptions) (*IndexBuilder, error) {
	longest := 0
	for i := range h.NumRefs() {
		if h.RefLen(i) > h.RefLen(longest) {
			longest = i
		}
	}
	format, scheme, err := o.choose(h, longest)
	if err != nil {
		return nil, fmt.Errorf("bam: %w", err)
	}
	return &IndexBuilder{h: h, format: format, scheme: scheme, refID: beforeFirst}, nil
}

// choose returns the format and the binning for a header and its longest
// reference.
func (o IndexOptions) choose(h *Header, longest int) (IndexFormat, binning, error) {
	if o.MinShift < 0 || o.MinShift > maxMinShift {
		return 0, binning{}, fmt.Errorf("CSI min_shift %d is not in 1 to %d", o.MinShift, maxMinShift)
	}
	var length int64
	if h.NumRefs() > 0 {
		length = h.RefLen(longest)
	}
	fits := length <= baiBinning.size()
	plain := o.MinShift == 0 || o.MinShift == defaultMinShift
	switch {
	case o.Format == AutoIndex && fits && plain:
		return BAI, baiBinning, nil
	case o.Format == BAI && !plain:
		return 0, binning{}, fmt.Errorf("a BAI index has min_shift %d, not %d: choose CSI", defaultMinShift, o.MinShift)
	case o.Format == BAI && !fits:
		return 0, binning{}, fmt.Errorf("reference %q has %d bases, and a BAI index holds at most 2^29: choose CSI", h.RefName(longest), length)
	case o.Format == BAI:
		return BAI, baiBinning, nil
	}
	s := csiBinning(o.MinShift, length)
	if s.depth > maxDepth {
		return 0, binning{}, fmt.Errorf("reference %q has %d bases, too many for a CSI index with min_shift %d: choose a larger one", h.RefName(longest), length, o.MinShift)
	}
	return CSI, s, nil
}

// Format returns BAI or CSI: what Finish writes.
func (x *IndexBuilder) Format() IndexFormat { return x.format }

// Add takes the next record, and where its block_size begins: the number of the
// BGZF block, counted from 0, and the offset in the block's payload, below
// 65,536. It ends where the next one begins. The error is about a record that is
// not in coordinate order (SAMv1 section 1.3.1), a RefID that the header does not
// have, or a record that reaches further than the index can; the builder is of
// no use after it. Add does not keep r.
func (x *IndexBuilder) Add(r Record, block int64, offset int) error {
	at := newPlace(block, offset)
	if id := max(r.RefID(), -1); id != x.refID {
		if err := x.enter(r, id, at); err != nil {
			return err
		}
	}
	if x.refID < 0 {
		x.unplaced++
		return nil
	}
	// A read without a position lies on the first base, as in htslib.
	pos, length := max(0, int64(r.Pos())), int64(1)
	if r.Flag()&Unmapped == 0 {
		x.mapped++
		length = max(1, r.Cigar().RefLen())
	} else {
		x.unmapped++
	}
	end := max(1, int64(r.Pos())+length)
	if pos < x.pos || end > x.scheme.size() {
		return x.refuse(r, pos, end)
	}
	x.pos = pos
	first, last := x.scheme.window(pos), x.scheme.window(end-1)
	if last > x.top {
		x.top = last
		x.reaches = append(x.reaches, indexReach{at, last})
	}
	if bin, level := x.scheme.bin(first, last); bin != x.bin {
		x.endSpan(at)
		x.bin, x.level, x.begin = bin, level, at
	}
	return nil
}

// enter moves to another reference, -1 for none, whose first record is r.
func (x *IndexBuilder) enter(r Record, id int32, at place) error {
	switch {
	case x.refID == -1:
		return fmt.Errorf("bam: index: read %q on %q comes after reads without a reference: not in coordinate order", r.ReadName(), x.refName(id))
	case int(id) >= x.h.NumRefs():
		return fmt.Errorf("bam: index: read %q has RefID %d, and the header has %d references", r.ReadName(), id, x.h.NumRefs())
	case id >= 0 && id < x.refID:
		return fmt.Errorf("bam: index: read %q on %q comes after reads on %q: not in coordinate order", r.ReadName(), x.refName(id), x.refName(x.refID))
	}
	x.leave(at)
	x.refID = id
	if id < 0 {
		x.tail = at
		return nil
	}
	x.refs = append(x.refs, indexedRef{id: id, begin: at, spans: len(x.spans), reaches: len(x.reaches)})
	x.pos, x.mapped, x.unmapped = 0, 0, 0
	x.top, x.bin = -1, noBin
	for i := range x.latest {
		x.latest[i] = -1
	}
	return nil
}

// leave ends the current reference, if there is one, where another begins.
func (x *IndexBuilder) leave(end place) {
	if x.refID < 0 {
		return
	}
	x.endSpan(end)
	ref := &x.refs[len(x.refs)-1]
	ref.mapped, ref.unmapped = x.mapped, x.unmapped
}

// endSpan ends the run of records in the current bin. On each level, records in
// coordinate order never return to a bin that they left for another: so the run
// either goes on with its level's latest span, if that is of the same bin and
// ends in the block where the run begins, or is a new one. htslib joins such
// spans too, at the end; doing it here bounds their number by that of blocks.
func (x *IndexBuilder) endSpan(end place) {
	if x.bin == noBin {
		return
	}
	if i := x.latest[x.level]; i >= 0 {
		if s := &x.spans[i]; s.bin == x.bin && s.end.block() >= x.begin.block() {
			s.end = end
			return
		}
	}
	x.latest[x.level] = len(x.spans)
	x.spans = append(x.spans, indexSpan{x.begin, end, x.bin})
}

// refuse returns the error for a record on the current reference that is out of
// order or reaches too far.
func (x *IndexBuilder) refuse(r Record, pos, end int64) error {
	name := x.refName(x.refID)
	if pos < x.pos {
		return fmt.Errorf("bam: index: read %q at %s:%d comes after a read at %d: not in coordinate order", r.ReadName(), name, pos+1, x.pos+1)
	}
	hint := ""
	if x.format == BAI {
		hint = ": choose CSI"
	}
	return fmt.Errorf("bam: index: read %q at %s:%d ends at %d, and the %v index ends at %d%s", r.ReadName(), name, pos+1, end, x.format, x.scheme.size(), hint)
}

// refName returns the name of a reference that the header may not have.
func (x *IndexBuilder) refName(id int32) string {
	if int(id) >= x.h.NumRefs() {
		return fmt.Sprintf("reference %d", id)
	}
	return x.h.RefName(int(id))
}
