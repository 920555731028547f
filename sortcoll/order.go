package sortcoll

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gosort/gosort/bam"
)

// Order is a sort order of alignment records, a small comparable value. The zero value is coordinate order.
type Order struct {
	kind    orderKind
	ties    orderKind // of kindTag: kindCoordinate, kindNatural or kindLexicographical
	tag     [2]byte   // of kindTag
	nextPos bool      // of kindTemplate: a missing MC tag is no error
}

type orderKind uint8

const (
	kindCoordinate orderKind = iota
	kindCoordinatePicard
	kindNatural
	kindLexicographical
	kindQuerynamePicard
	kindTag
	kindTemplate
	kindUnsorted
)

// The sort orders; [Tag] makes more. Each is stable: records that compare equal keep their input order.
var (
	// Coordinate orders by (RefID with -1 last, Pos, reverse strand last), as samtools sort does.
	Coordinate = Order{kind: kindCoordinate}
	// CoordinatePicard is what Picard SortSam calls coordinate: RefID with -1 last, Pos unless RefID is -1, forward
	// strand first, then the bytes of the name, FLAG, MAPQ, RNEXT, PNEXT and TLEN as numbers.
	CoordinatePicard = Order{kind: kindCoordinatePicard}
	// QuerynameNatural orders by read name with runs of digits compared as numbers (SAMv1 section 1.3.1), then by the
	// READ1, READ2, supplementary and secondary flags as samtools sort -n (1.20 and later) does.
	QuerynameNatural = Order{kind: kindNatural}
	// QuerynameLexicographical orders by the bytes of the read name, then by flags as QuerynameNatural does.
	QuerynameLexicographical = Order{kind: kindLexicographical}
	// QuerynamePicard is what Picard SortSam calls queryname: the bytes of the name, paired first, first of pair before
	// second, forward strand, primary, not supplementary first, then the HI tag, missing first. Where Picard's rule
	// contradicts itself, for paired reads that are neither first nor second or both, they lie between the two.
	QuerynamePicard = Order{kind: kindQuerynamePicard}
	// TemplateCoordinate orders by the unclipped 5' ends of both reads of a template, then by library, CB tag, MI tag and
	// name, as samtools sort --template-coordinate and fgbio do: soft clips are counted, hard clips are not. A paired
	// read with a mapped mate needs an MC tag; without one Add fails with a *MissingMCError.
	TemplateCoordinate = Order{kind: kindTemplate}
	// TemplateCoordinateNextPos is TemplateCoordinate, but for a read without an MC tag it takes NextPos for the mate's
	// unclipped 5' end. The reads of such a template may end up apart.
	TemplateCoordinateNextPos = Order{kind: kindTemplate, nextPos: true}
	// Unsorted keeps the input order.
	Unsorted = Order{kind: kindUnsorted}
)

// Tag returns the order by the value of an auxiliary field, as samtools sort -t: records without the tag first, then by
// type: A, B, Z and H, numbers. Characters and text compare as bytes, numbers as numbers with NaN last, arrays are all
// equal. Ties are settled by ties: Coordinate, QuerynameNatural or QuerynameLexicographical (samtools sort -t XX alone,
// with -n, with -N). A tag is a letter and a letter or digit (SAMv1 section 1.5); any other, or any other ties, is an
// error.
func Tag(tag string, ties Order) (Order, error) {
	if len(tag) != 2 || !isLetter(tag[0]) || !isLetter(tag[1]) && !isDigit(tag[1]) {
		return Order{}, fmt.Errorf("sortcoll: no tag %q: a tag is a letter and a letter or digit, as in RG or X0", tag)
	}
	switch ties {
	case Coordinate, QuerynameNatural, QuerynameLexicographical:
		return Order{kind: kindTag, ties: ties.kind, tag: [2]byte{tag[0], tag[1]}}, nil
	}
	return Order{}, fmt.Errorf("sortcoll: ties of a tag order cannot be settled by %v", ties)
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// tagPrefix starts the name of an order by tag; the tag follows, and ":" with the order of ties if that is no coordinate.
const tagPrefix = "tag:"

// orders is indexed by kind. Of kindTag it has what all tags share.
var orders = [...]struct {
	name           string
	so, group, sub string
}{
	kindCoordinate:       {"coordinate", "coordinate", "", ""},
	kindCoordinatePicard: {"coordinate:picard", "coordinate", "", ""},
	kindNatural:          {"queryname:natural", "queryname", "", "queryname:natural"},
	kindLexicographical:  {"queryname:lexicographical", "queryname", "", "queryname:lexicographical"},
	kindQuerynamePicard:  {"queryname:picard", "queryname", "", ""},
	kindTag:              {tagPrefix, "unsorted", "", "unsorted:"},
	kindTemplate:         {"template-coordinate", "unsorted", "query", "unsorted:template-coordinate"},
	kindUnsorted:         {"unsorted", "unsorted", "", ""},
}

// Orders returns the names that ParseOrder accepts; XX stands for any tag.
func Orders() []string {
	var names []string
	for k, o := range orders {
		if orderKind(k) != kindTag {
			names = append(names, o.name)
			continue
		}
		for _, ties := range []orderKind{kindCoordinate, kindNatural, kindLexicographical} {
			names = append(names, Order{kind: kindTag, ties: ties, tag: [2]byte{'X', 'X'}}.String())
		}
	}
	return names
}

// ParseOrder returns the order of the given name: one of Orders, with any tag for XX, or "queryname", which means
// queryname:natural as it does for samtools.
func ParseOrder(s string) (Order, error) {
	if s == "queryname" {
		return QuerynameNatural, nil
	}
	if tag, ok := strings.CutPrefix(s, tagPrefix); ok {
		return parseTagOrder(tag)
	}
	for k, o := range orders {
		if o.name == s {
			return Order{kind: orderKind(k)}, nil
		}
	}
	return Order{}, fmt.Errorf("sortcoll: no sort order %q: there are %s", s, strings.Join(Orders(), ", "))
}

// parseTagOrder parses what follows "tag:".
func parseTagOrder(s string) (Order, error) {
	tag, name, more := strings.Cut(s, ":")
	ties := Coordinate
	if more {
		switch name {
		case orders[kindNatural].name:
			ties = QuerynameNatural
		case orders[kindLexicographical].name:
			ties = QuerynameLexicographical
		default:
			return Order{}, fmt.Errorf("sortcoll: no sort order %q: behind the tag may come %s or %s",
				tagPrefix+s, QuerynameNatural, QuerynameLexicographical)
		}
	}
	return Tag(tag, ties)
}

// String returns the order's name, as ParseOrder takes it; TemplateCoordinateNextPos has that of TemplateCoordinate.
func (o Order) String() string {
	name := orders[o.kind].name
	if o.kind == kindTag {
		name += string(o.tag[:])
		if o.ties != kindCoordinate {
			name += ":" + orders[o.ties].name
		}
	}
	return name
}

// HeaderFields returns the values of the SO, GO and SS fields that a header of records in this order has (SAMv1
// section 1.3, @HD); "" means that the field is absent.
func (o Order) HeaderFields() (so, group, sub string) {
	f := orders[o.kind]
	if o.kind == kindTag {
		f.sub += string(o.tag[:]) + ":" + orders[o.ties].name
	}
	return f.so, f.group, f.sub
}

// Comparer returns the definition of the order for records of a file with header h: negative when a sorts before b, 0
// when their input order decides. It may be called from many goroutines at once. Records that Check refuses have some
// place, so that it is an order of all records, but none to rely on.
func (o Order) Comparer(h *bam.Header) func(a, b bam.Record) int {
	if o.kind == kindTemplate {
		t := newTemplates(h, o.nextPos)
		return t.compareRecords
	}
	return o.Compare
}

// Compare is Comparer's function for a header without read groups. Only TemplateCoordinate looks at those: it takes all
// records for one library here.
func (o Order) Compare(a, b bam.Record) int {
	switch o.kind {
	case kindCoordinate:
		return compareCoordinate(a, b)
	case kindCoordinatePicard:
		return compareCoordinatePicard(a.Bytes(), b.Bytes())
	case kindNatural:
		return compareNatural(a.Bytes(), b.Bytes())
	case kindLexicographical:
		return compareLexical(a.Bytes(), b.Bytes())
	case kindQuerynamePicard:
		return compareQuerynamePicard(a.Bytes(), b.Bytes())
	case kindTag:
		return o.compareTag(a, b)
	case kindTemplate:
		t := templates{nextPos: o.nextPos}
		return t.compareRecords(a, b)
	}
	return 0
}

// Check returns the error that Add gives for a record that has no place in the order: a malformed auxiliary field where
// the order looks at those, a tag of the wrong type, a missing MC tag. The error names the read.
func (o Order) Check(r bam.Record) error {
	var err error
	switch o.kind {
	case kindQuerynamePicard:
		_, err = hitIndex(r)
	case kindTag:
		_, err = findTag(r, o.tag)
	case kindTemplate:
		err = (&templates{nextPos: o.nextPos}).read(&template{}, r)
	}
	return o.refusal(r, err)
}

// refusal says which read cannot be sorted.
func (o Order) refusal(r bam.Record, err error) error {
	var missing *MissingMCError
	if err == nil || errors.As(err, &missing) {
		return err
	}
	return fmt.Errorf("sortcoll: read %q cannot be sorted by %v: %w; mend the record or choose an order without tags, such as %v",
		r.ReadName(), o, err, Coordinate)
}
