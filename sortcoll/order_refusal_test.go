package sortcoll

import (
	"errors"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestRefusals: what has no place in an order is refused by name and reason, by Add as by Check, and compares without
// a panic all the same.
func TestRefusals(t *testing.T) {
	aux := func(tag string, value any) []byte { return bamtest.AppendAux(nil, tag, value) }
	broken := []byte("XBZno NUL")
	mated := bam.Paired // with a mapped mate
	for _, c := range []struct {
		name string
		ord  Order
		flag bam.Flag
		aux  []byte
		want string // "" is no error
	}{
		{"broken", Coordinate, 0, broken, ""},
		{"broken", CoordinatePicard, 0, broken, ""},
		{"broken", QuerynameNatural, 0, broken, ""},
		{"broken", QuerynamePicard, 0, broken, `"XB" of type Z has no NUL`},
		{"found before", QuerynamePicard, 0, append(aux("HI", uint8(1)), broken...), ""},
		{"text", QuerynamePicard, 0, aux("HI", "1"), "tag HI is no integer"},
		{"broken", mustTag(t, "XX", Coordinate), 0, broken, `"XB" of type Z has no NUL`},
		{"found before", mustTag(t, "XX", Coordinate), 0, append(aux("XX", 1.5), broken...), ""},
		{"broken", TemplateCoordinate, 0, broken, `"XB" of type Z has no NUL`},
		{"single", TemplateCoordinate, 0, nil, ""},
		{"no mate", TemplateCoordinate, bam.Paired | bam.MateUnmapped, nil, ""},
		{"no MC", TemplateCoordinate, mated, nil, "no MC tag"},
		{"no MC", TemplateCoordinate, mated | bam.Unmapped, nil, "no MC tag"},
		{"no MC", TemplateCoordinateNextPos, mated, nil, ""},
		{"MC", TemplateCoordinate, mated, aux("MC", "3M*"), "tag MC: bam: corrupt input: CIGAR"},
		{"MC", TemplateCoordinate, mated, aux("MC", ""), "tag MC: bam: corrupt input: CIGAR"},
		{"MC", TemplateCoordinateNextPos, mated, aux("MC", "9999999999M"), "tag MC: bam: corrupt input: CIGAR"},
		{"absent CIGAR", TemplateCoordinate, mated, aux("MC", "*"), ""},
		{"MC is a number", TemplateCoordinate, mated, aux("MC", int8(1)), "tag MC is of type c"},
		{"CB is a character", TemplateCoordinate, 0, aux("CB", bamtest.Char('A')), "tag CB is of type A"},
		{"MI is a number", TemplateCoordinate, 0, aux("MI", int32(7)), "tag MI is of type i"},
		{"RG is a number", TemplateCoordinate, 0, aux("RG", int32(7)), ""},
	} {
		t.Run(c.ord.String()+"/"+c.name, func(t *testing.T) {
			r := bamtest.Fields{Name: "the read", Flag: c.flag, Cigar: "4M", Aux: c.aux}.Record(t)
			coll, err := NewRecords(t.Context(), header(t), c.ord, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer coll.Close()
			for what, err := range map[string]error{"Add": coll.Add(r), "Check": c.ord.Check(r)} {
				if c.want == "" && err != nil {
					t.Errorf("%s: got %v, want no error", what, err)
				}
				if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"the read"`)) {
					t.Errorf("%s: got %v, want an error with %q and the name", what, err, c.want)
				}
				var missing *MissingMCError
				if remedy := "choose an order without tags"; c.want != "" && !errors.As(err, &missing) && !strings.Contains(err.Error(), remedy) {
					t.Errorf("%s: %v does not say %q", what, err, remedy)
				}
			}
			if got := c.ord.Compare(r, r); got != 0 {
				t.Errorf("got %d for a record and itself", got)
			}
		})
	}
}

// FuzzOrders makes two records of anything: in every order they are refused or have keys that agree with the definition.
func FuzzOrders(f *testing.F) {
	for _, aux := range []string{"", "MCZ10M\x00", "MCZ5S5M\x00RGZ1\x00CBZA\x00MIZ1/A\x00", "XXi\x01\x00\x00\x00", "XXf\x00\x00\xc0\x7f", "XXZab\x00HIc\x01", "XXBc\xff\xff\xff\xff", "MCA1"} {
		f.Add([]byte(aux), []byte("MCZ3M2D5M4S\x00XXZabc\x00"), uint16(0x33), uint16(0x21), int32(5), int32(1<<31-1), int32(0), int32(-1))
		f.Add([]byte(aux), []byte("MCZ9H\x00XXd\x00\x00\x00\x00\x00\x00\xf8\x7f"), uint16(0x13), uint16(4), int32(-1), int32(0), int32(3), int32(2))
	}
	h := header(f)
	f.Fuzz(func(t *testing.T, aux1, aux2 []byte, flag1, flag2 uint16, pos1, pos2, ref1, ref2 int32) {
		a := bamtest.Fields{Name: "r1", Flag: bam.Flag(flag1), RefID: ref1, Pos: pos1, NextRefID: ref2, NextPos: pos2, Cigar: "2S3M1H", Aux: aux1}.Record(t)
		b := bamtest.Fields{Name: "r1", Flag: bam.Flag(flag2), RefID: ref2, Pos: pos2, NextRefID: ref1, NextPos: pos1, Cigar: "4M", Aux: aux2}.Record(t)
		for _, ord := range allOrders() {
			if got := ord.Compare(a, b); got != -ord.Compare(b, a) {
				t.Errorf("%v: got %d, the other way round %d", ord, got, ord.Compare(b, a))
			}
			if ord.Check(a) != nil || ord.Check(b) != nil || ord == Coordinate && max(uint32(ref1+1), uint32(ref2+1)) > maxRefID+1 {
				continue
			}
			fr := newFrames(t, h, ord, []bam.Record{a, b})
			fr.check(t, 0, 1, 0)
			fr.check(t, 1, 0, fr.skip)
		}
	})
}
