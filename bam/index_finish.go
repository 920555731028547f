package bam

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// BlockStarts tells where the BGZF blocks of a file lie. A bgzfout.Writer with
// the option of that name does, once it is closed.
type BlockStarts interface {
	// Position returns the number of blocks, the EOF marker not counted.
	Position() (block int64, offset int)
	// BlockStart returns the offset in the file of a block, and for the number
	// after the last of the EOF marker.
	BlockStart(block int64) int64
}

// Finish writes the index of the records that were added. A BAI is written as it
// is; a CSI belongs into BGZF, so w is the compressor then (see Format), which the
// caller closes. Finish is called once, after all of the file is written; its
// only errors are those of w.
func (x *IndexBuilder) Finish(w io.Writer, starts BlockStarts) error {
	blocks, _ := starts.Position()
	end := newPlace(blocks, 0)
	x.leave(end)
	if x.refID == -1 {
		end = x.tail
	}
	f := indexFile{
		w:      bufio.NewWriterSize(w, indexBuffer),
		scheme: x.scheme,
		starts: starts,
		format: x.format,
	}
	f.head(x.h.NumRefs())
	next := 0 // the first reference not written
	for i, ref := range x.refs {
		data := refData{indexedRef: ref, spans: x.spans[ref.spans:], reaches: x.reaches[ref.reaches:], end: end}
		if i+1 < len(x.refs) {
			after := x.refs[i+1]
			data.spans, data.reaches = x.spans[ref.spans:after.spans], x.reaches[ref.reaches:after.reaches]
			data.end = after.begin
		}
		f.emptyReferences(int(ref.id) - next)
		f.reference(&data)
		next = int(ref.id) + 1
	}
	f.emptyReferences(x.h.NumRefs() - next)
	f.uint64(x.unplaced)
	if err := f.w.Flush(); err != nil {
		return fmt.Errorf("bam: writing the %v index: %w", x.format, err)
	}
	return nil
}

// indexBuffer is the size of a write.
const indexBuffer = 64 << 10

// refData is what there is of one reference.
type refData struct {
	indexedRef
	spans   []indexSpan
	reaches []indexReach
	end     place
}

// indexFile writes an index. Errors wait in w until Flush.
type indexFile struct {
	w      *bufio.Writer
	scheme binning
	starts BlockStarts
	format IndexFormat
	bins   []indexBin // reused
}

// indexBin is a bin while bins are merged: its extent in the file as virtual
// offsets, and the bin that it goes into, as an index into the list: itself or
// one before it.
type indexBin struct {
	begin, end uint64
	number     uint32
	into       int
}

func (f *indexFile) uint32(v uint32) {
	_, _ = f.w.Write(binary.LittleEndian.AppendUint32(f.w.AvailableBuffer(), v)) // Flush tells the error
}

func (f *indexFile) uint64(v uint64) {
	_, _ = f.w.Write(binary.LittleEndian.AppendUint64(f.w.AvailableBuffer(), v)) // Flush tells the error
}

// virtual returns the virtual offset of a place.
func (f *indexFile) virtual(p place) uint64 {
	return uint64(f.starts.BlockStart(p.block()))<<16 | uint64(p)&0xffff
}

func (f *indexFile) head(refs int) {
	if f.format == CSI {
		f.csiHead()
	} else {
		f.baiHead()
	}
	f.uint32(uint32(refs))
}

// emptyReferences writes references without records: no bins and, in a BAI, no
// linear index.
func (f *indexFile) emptyReferences(n int) {
	for range n {
		f.uint32(0)
		if f.format == BAI {
			f.uint32(0)
		}
	}
}

func (f *indexFile) reference(d *refData) {
	f.merge(d)
	bins := 1 // the pseudo-bin
	for rest := d.spans; len(rest) > 0; rest = rest[binSpans(rest):] {
		bins++
	}
	f.uint32(uint32(bins))
	for rest := d.spans; len(rest) > 0; {
		n := binSpans(rest)
		f.binHead(rest[0].bin, d.reaches, n)
		for _, s := range rest[:n] {
			f.uint64(f.virtual(s.begin))
			f.uint64(f.virtual(s.end))
		}
		rest = rest[n:]
	}
	f.binHead(f.scheme.pseudoBin(), nil, 2)
	f.uint64(f.virtual(d.begin))
	f.uint64(f.virtual(d.end))
	f.uint64(d.mapped)
	f.uint64(d.unmapped)
	if f.format == BAI {
		f.linear(d.reaches)
	}
}

// binHead writes what stands before the spans of a bin.
func (f *indexFile) binHead(bin uint32, reaches []indexReach, spans int) {
	f.uint32(bin)
	if f.format == CSI {
		f.loffset(bin, reaches)
	}
	f.uint32(uint32(spans))
}

// binSpans returns how many spans the first bin of the list has.
func binSpans(spans []indexSpan) int {
	n := 1
	for n < len(spans) && spans[n].bin == spans[0].bin {
		n++
	}
	return n
}

// minExtent is the least a bin must span of the file, in compressed bytes, to
// stand alone: below it, a reader that seeks to the bin saves nothing over one
// that reads its parent too.
const minExtent = 64 << 10

// merge sorts the spans by bin and place, moves small bins into their parents and
// joins what then touches.
func (f *indexFile) merge(d *refData) {
	byBinAndPlace := func(a, b indexSpan) int {
		return cmp.Or(cmp.Compare(a.bin, b.bin), cmp.Compare(a.begin, b.begin))
	}
	slices.SortFunc(d.spans, byBinAndPlace)
	f.listBins(d.spans)
	if f.mergeBins() {
		i := -1
		last := uint32(math.MaxUint32)
		for j := range d.spans {
			s := &d.spans[j]
			if s.bin != last {
				i, last = i+1, s.bin
			}
			s.bin = f.bins[f.bins[i].into].number
		}
		slices.SortFunc(d.spans, byBinAndPlace)
	}
	d.spans = joinSpans(d.spans)
}

// listBins makes the list of bins, by number.
func (f *indexFile) listBins(spans []indexSpan) {
	f.bins = f.bins[:0]
	for rest := spans; len(rest) > 0; {
		n := binSpans(rest)
		f.bins = append(f.bins, indexBin{
			begin:  f.virtual(rest[0].begin),
			end:    f.virtual(rest[n-1].end),
			number: rest[0].bin,
			into:   len(f.bins),
		})
		rest = rest[n:]
	}
}

// mergeBins sends every bin of small extent into its parent, if there are records
// of that, and reports whether any went. Numbers grow downwards, so from the last
// to the first every bin has what its children bring before it is judged, and a
// parent only ever moves up the list.
func (f *indexFile) mergeBins() (merged bool) {
	bins := f.bins
	parent := len(bins) - 1
	for i := len(bins) - 1; i > 0; i-- {
		b := &bins[i]
		if b.end>>16-b.begin>>16 >= minExtent {
			continue
		}
		want := parentBin(b.number)
		for parent > 0 && bins[parent].number > want {
			parent--
		}
		if p := &bins[parent]; p.number == want {
			p.begin, p.end = min(p.begin, b.begin), max(p.end, b.end)
			b.into, merged = parent, true
		}
	}
	for i := range bins { // a parent comes first, and knows by now where it goes
		bins[i].into = bins[bins[i].into].into
	}
	return merged
}

// joinSpans joins spans of one bin when the first ends in the block where the
// second begins, or later: the block would be read for both.
func joinSpans(spans []indexSpan) []indexSpan {
	n := 0
	for _, s := range spans[1:] {
		if last := &spans[n]; s.bin == last.bin && last.end.block() >= s.begin.block() {
			last.end = max(last.end, s.end)
			continue
		}
		n++
		spans[n] = s
	}
	return spans[:n+1]
}
