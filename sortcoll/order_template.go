package sortcoll

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gosort/gosort/bam"
)

// MissingMCError says that TemplateCoordinate cannot place a read: its mate is mapped, and without the mate's CIGAR in
// an MC tag (SAMtags) the mate's unclipped end is not known.
type MissingMCError struct{ ReadName string }

func (e *MissingMCError) Error() string {
	return fmt.Sprintf("sortcoll: read %q has a mapped mate and no MC tag: add it with samtools fixmate, or let NextPos stand for the mate's end",
		e.ReadName)
}

// end is one end of a template: the 5' base of a read, 0-based, as if its soft-clipped bases were aligned.
type end struct {
	ref     int64
	pos     int64
	reverse bool
}

// noEnd is that of a read that is not mapped.
var noEnd = end{ref: absent, pos: math.MaxInt64}

// template is what template-coordinate order looks at.
type template struct {
	first, second end  // in order of reference and position
	upper         bool // the record is the second
	library       uint32
	tags          [len(templateTags)]bam.FoundAux
	name          []byte
}

// templates makes templates of the records of a file.
type templates struct {
	libraries map[string]uint32 // by read group, the rank of its library among all; the empty one's is 0
	nextPos   bool
	layout    layout
}

func newTemplates(h *bam.Header, nextPos bool) *templates {
	groups := h.Libraries()
	names := []string{""}
	for _, name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	t := &templates{libraries: map[string]uint32{}, nextPos: nextPos, layout: newLayout(h)}
	for id, name := range groups {
		rank, _ := slices.BinarySearch(names, name)
		t.libraries[id] = uint32(rank)
	}
	return t
}

var templateTags = [...][2]byte{group: {'R', 'G'}, mateCigar: {'M', 'C'}, cell: {'C', 'B'}, molecule: {'M', 'I'}}

// The tags' indexes.
const (
	group = iota
	mateCigar
	cell
	molecule
)

// read makes x the record's template.
func (t *templates) read(x *template, r bam.Record) error {
	if err := r.FindAux(templateTags[:], x.tags[:]); err != nil {
		return err
	}
	for i := mateCigar; i <= molecule; i++ {
		if f := &x.tags[i]; f.Offset != 0 && f.Type != 'Z' && f.Type != 'H' {
			return fmt.Errorf("tag %s is of type %c, not text", f.Tag, f.Type)
		}
	}
	this, mate := noEnd, noEnd
	flag := r.Flag()
	if flag&bam.Unmapped == 0 {
		this = endOf(r.RefID(), r.Pos(), r.Cigar(), flag&bam.Reverse != 0)
	}
	if flag&(bam.Paired|bam.MateUnmapped) == bam.Paired {
		var err error
		if mate, err = t.mate(r, &x.tags[mateCigar]); err != nil {
			return err
		}
	}
	x.first, x.second, x.upper = this, mate, false
	if this.ref > mate.ref || this.ref == mate.ref && (this.pos > mate.pos || this.pos == mate.pos && this.reverse) {
		x.first, x.second, x.upper = mate, this, true
	}
	x.library = 0
	if rg := &x.tags[group]; rg.Type == 'Z' {
		x.library = t.libraries[string(rg.Bytes())]
	}
	x.name = r.ReadName()
	return nil
}

// mate returns the end of the mate, whose CIGAR is mc.
func (t *templates) mate(r bam.Record, mc *bam.FoundAux) (end, error) {
	reverse := r.Flag()&bam.MateReverse != 0
	if mc.Offset == 0 {
		if t.nextPos {
			return end{int64(r.NextRefID()), int64(r.NextPos()), reverse}, nil
		}
		return end{}, &MissingMCError{string(r.ReadName())}
	}
	var ops [64]byte // of most mates all, so that none is allocated
	cigar, err := bam.AppendCigar(ops[:0], mc.Bytes())
	if err != nil {
		return end{}, fmt.Errorf("tag MC: %w", err)
	}
	return endOf(r.NextRefID(), r.NextPos(), cigar, reverse), nil
}

// endOf returns the end of a mapped read. One that covers no base of the reference counts as one base long, as in
// htslib.
func endOf(ref, pos int32, cigar bam.Cigar, reverse bool) end {
	if !reverse {
		return end{int64(ref), cigar.SoftUnclippedStart(int64(pos)), false}
	}
	soft, _ := cigar.TrailingClips()
	return end{int64(ref), int64(pos) + max(cigar.RefLen(), 1) + soft - 1, true}
}

// compareRecords is the definition of the order.
func (t *templates) compareRecords(a, b bam.Record) int {
	x, y := new(template), new(template)
	if t.read(x, a) != nil {
		x = new(template)
	}
	if t.read(y, b) != nil {
		y = new(template)
	}
	return x.compare(y)
}

func (x *template) compare(y *template) int {
	return cmp.Or(
		cmp.Compare(x.first.ref, y.first.ref),
		cmp.Compare(x.second.ref, y.second.ref),
		cmp.Compare(x.first.pos, y.first.pos),
		cmp.Compare(x.second.pos, y.second.pos),
		cmp.Compare(bit(y.first.reverse), bit(x.first.reverse)), // reverse comes first
		cmp.Compare(bit(y.second.reverse), bit(x.second.reverse)),
		cmp.Compare(x.library, y.library),
		bytes.Compare(x.tags[cell].Bytes(), y.tags[cell].Bytes()),
		bytes.Compare(moleculeOf(x.tags[molecule].Bytes()), moleculeOf(y.tags[molecule].Bytes())),
		bytes.Compare(x.name, y.name),
		cmp.Compare(bit(x.upper), bit(y.upper)),
	)
}

// moleculeOf cuts the strand, "/A" or "/B", off an MI tag.
func moleculeOf(id []byte) []byte {
	if n := len(id); n >= 2 && id[n-2] == '/' {
		return id[:n-2]
	}
	return id
}
