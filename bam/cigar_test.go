package bam_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

func TestCigar(t *testing.T) {
	const pos = 100
	for _, c := range []struct {
		text                                             string
		refLen, queryLen, start, end, softStart, softEnd int64
	}{
		{"*", 0, 0, 100, 100, 100, 100},
		{"10M", 10, 10, 100, 110, 100, 110},
		{"3S10M2S", 10, 15, 97, 112, 97, 112},
		{"5H3S10M2S1H", 10, 15, 92, 113, 97, 112},
		{"5H10M", 10, 10, 95, 110, 100, 110},
		{"1M2I3D4N5P6=7X", 21, 16, 100, 121, 100, 121},
		{"2M3S2M", 4, 7, 100, 104, 100, 104},
		{"4S", 0, 4, 96, 104, 96, 104},
		{"150S2M", 2, 152, -50, 102, -50, 102},
		{"268435455M268435455D", 536870910, 268435455, 100, 536871010, 100, 536871010},
	} {
		cigar, err := bam.AppendCigar(nil, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := cigar.String(); got != c.text {
			t.Errorf("%s prints as %s", c.text, got)
		}
		got := [...]int64{cigar.RefLen(), cigar.QueryLen(), cigar.UnclippedStart(pos), cigar.UnclippedEnd(pos), cigar.SoftUnclippedStart(pos), cigar.SoftUnclippedEnd(pos)}
		want := [...]int64{c.refLen, c.queryLen, c.start, c.end, c.softStart, c.softEnd}
		if got != want {
			t.Errorf("%s at %d: RefLen, QueryLen, starts and ends %v, want %v", c.text, pos, got, want)
		}
	}
}

func TestCigarOp(t *testing.T) {
	for i, letter := range "MIDNSHP=X" {
		c, err := bam.AppendCigar(nil, []byte("1234567"+string(letter)))
		if err != nil {
			t.Fatal(err)
		}
		if op := c.At(0); c.Len() != 1 || op.Len() != 1234567 || op.Type() != bam.CigarType(i) {
			t.Errorf("%c: %d operations, the first %d long of type %d", letter, c.Len(), op.Len(), op.Type())
		}
	}
	unknown := bam.Cigar{0x1f, 0, 0, 0} // a type that SAMv1 does not have
	if got := unknown.String(); got != "1?" || unknown.RefLen() != 0 {
		t.Errorf("unknown type prints as %q, covers %d", got, unknown.RefLen())
	}
}

func TestAppendCigarErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty", "M": "no length", "10": "no operation", "10M5": "no operation", "1MM": "no length", "5m": "none of",
		"268435456M": "longer", "99999999999999999999M": "longer", "**": "no length", "-1M": "no length",
	} {
		got, err := bam.AppendCigar(bam.Cigar{1, 2, 3, 4}, []byte(text))
		if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) || len(got) != 4 {
			t.Errorf("%q: %d bytes, error %v, want ErrCorrupt with %q", text, len(got), err, want)
		}
	}
}
