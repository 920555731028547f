package sortcoll

import (
	"fmt"
	"strings"

	"github.com/gosort/gosort/bam"
)

// Order is a sort order of alignment records. The zero value is coordinate order.
type Order struct{ kind orderKind }

type orderKind uint8

const (
	kindCoordinate orderKind = iota
	kindNatural
	kindLexicographical
	kindUnsorted
)

// The sort orders. Each is stable: records that compare equal keep their input order.
var (
	// Coordinate orders by (RefID with -1 last, Pos, reverse strand last), as samtools sort does.
	Coordinate = Order{kindCoordinate}
	// QuerynameNatural orders by read name with runs of digits compared as numbers (SAMv1 section 1.3.1), then by the
	// READ1, READ2, supplementary and secondary flags as samtools sort -n (1.20 and later) does.
	QuerynameNatural = Order{kindNatural}
	// QuerynameLexicographical orders by the bytes of the read name, then by flags as QuerynameNatural does.
	QuerynameLexicographical = Order{kindLexicographical}
	// Unsorted keeps the input order.
	Unsorted = Order{kindUnsorted}
)

// orders is indexed by kind.
var orders = [...]struct {
	name           string
	so, group, sub string
	frames         ordering
}{
	kindCoordinate:      {"coordinate", "coordinate", "", "", ordering{key: coordinateKey}},
	kindNatural:         {"queryname:natural", "queryname", "", "queryname:natural", ordering{naturalKey, compareNatural, sharedNatural}},
	kindLexicographical: {"queryname:lexicographical", "queryname", "", "queryname:lexicographical", ordering{lexicalKey, compareLexical, sharedName}},
	kindUnsorted:        {"unsorted", "unsorted", "", "", ordering{key: func([]byte, int) uint64 { return 0 }}},
}

// ordering is how the engine sorts frames.
type ordering struct {
	// key returns a prefix of the order: key(a) < key(b) only if a sorts before b. skip is a count of bytes that all
	// frames share, as shared counted them, and that the key may leave out.
	key func(frame []byte, skip int) uint64
	// compare settles equal keys; nil when the key is the whole order.
	compare func(a, b []byte) int
	// shared returns how much of the first n bytes of a's variable part b shares, at most n; nil when the key skips
	// nothing.
	shared func(a, b []byte, n int) int
}

// Orders returns the names that ParseOrder accepts.
func Orders() []string {
	names := make([]string, 0, len(orders))
	for _, o := range orders {
		names = append(names, o.name)
	}
	return names
}

// ParseOrder returns the order of the given name: one of Orders, or "queryname", which means queryname:natural as it
// does for samtools.
func ParseOrder(s string) (Order, error) {
	if s == "queryname" {
		return QuerynameNatural, nil
	}
	for k, o := range orders {
		if o.name == s {
			return Order{orderKind(k)}, nil
		}
	}
	return Order{}, fmt.Errorf("sortcoll: no sort order %q: there are %s", s, strings.Join(Orders(), ", "))
}

// String returns the order's name, as ParseOrder takes it.
func (o Order) String() string { return orders[o.kind].name }

// HeaderFields returns the values of the SO, GO and SS fields that a header of records in this order has (SAMv1
// section 1.3, @HD); "" means that the field is absent.
func (o Order) HeaderFields() (so, group, sub string) {
	f := orders[o.kind]
	return f.so, f.group, f.sub
}

// Compare is the definition of the order: negative when a sorts before b, 0 when their input order decides.
func (o Order) Compare(a, b bam.Record) int {
	switch o.kind {
	case kindCoordinate:
		return compareCoordinate(a, b)
	case kindNatural:
		return compareNatural(a.Bytes(), b.Bytes())
	case kindLexicographical:
		return compareLexical(a.Bytes(), b.Bytes())
	}
	return 0
}
