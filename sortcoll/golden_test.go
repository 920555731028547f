package sortcoll

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

func readGolden(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/orders/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sortGolden sorts a file's records in memory.
func sortGolden(t *testing.T, name string, ord Order) []bam.Record {
	t.Helper()
	h, records := bamtest.FromSAM(t, readGolden(t, name))
	sorted, _ := sortFile(t, h, ord, Options{}, records)
	return sorted
}

// TestGolden compares with the outputs of other sorters, record by record, and with what they say in @HD.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ord      Order
	}{
		{"c02_coord_strand_ties", "picard.coordinate", CoordinatePicard},
		{"c04_coord_unplaced_order", "picard.coordinate", CoordinatePicard},
		{"c08_coord_flags_same_name", "picard.coordinate", CoordinatePicard},
		{"n07_flags_same_name", "picard.queryname", QuerynamePicard},
		{"n09_hi_tags", "picard.queryname", QuerynamePicard},
		{"t01_int", "stdev.tXX", mustTag(t, "XX", Coordinate)},
		{"t01_int", "stdev.tXXn", mustTag(t, "XX", QuerynameNatural)},
		{"t02_int_float_mix", "stdev.tXX", mustTag(t, "XX", Coordinate)},
		{"t04_mixed_types", "stdev.tXX", mustTag(t, "XX", Coordinate)},
		{"x01_tc_pairs", "stdev.tc", TemplateCoordinate},
		{"x02_tc_soft_hard_clip", "stdev.tc", TemplateCoordinate},
		{"x05_tc_library_cb", "stdev.tc", TemplateCoordinate},
		{"x06_tc_same_pos_strands", "stdev.tc", TemplateCoordinate},
		{"x06_tc_same_pos_strands", "stdev.tc", TemplateCoordinateNextPos},
	} {
		t.Run(c.in+"/"+c.want, func(t *testing.T) {
			h, want := bamtest.FromSAM(t, readGolden(t, c.in+"."+c.want+".sam"))
			bamtest.SameSequence(t, sortGolden(t, c.in+".sam", c.ord), want)
			so, group, sub := c.ord.HeaderFields()
			if got, said := []string{so, group, sub}, []string{h.SortOrder(), h.GroupOrder(), h.SubSort()}; fmt.Sprint(got) != fmt.Sprint(said) {
				t.Errorf("got header fields %q, want %q", got, said)
			}
		})
	}
}

// TestSamtoolsCases are samtools' own; their headers are of older versions.
func TestSamtoolsCases(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ord      Order
	}{
		{"input_d", "tag.as", mustTag(t, "AS", Coordinate)},
		{"input_d", "tag.fi", mustTag(t, "FI", Coordinate)},
		{"input_a", "tag.rg", mustTag(t, "RG", Coordinate)},
		{"input_a", "tag.rg.n", mustTag(t, "RG", QuerynameNatural)},
		{"template", "template.tc", TemplateCoordinate},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, want := bamtest.FromSAM(t, readGolden(t, "samtools_"+c.want+".sam"))
			bamtest.SameSequence(t, sortGolden(t, "samtools_"+c.in+".sam", c.ord), want)
		})
	}
}

// TestRandomAgainstOthers compares the order of 300 odd records with Picard's and samtools'.
func TestRandomAgainstOthers(t *testing.T) {
	for want, ord := range map[string]Order{
		"picard.coordinate": CoordinatePicard,
		"picard.queryname":  QuerynamePicard,
		"samtools116.tZZ":   mustTag(t, "ZZ", Coordinate),
		"samtools116.tc":    TemplateCoordinate,
	} {
		t.Run(want, func(t *testing.T) {
			numbers := strings.Fields(readGolden(t, "random."+want+".txt"))
			for i, r := range sortGolden(t, "random.sam", ord) {
				a, _ := r.Aux([2]byte{'Y', 'I'})
				if n, _ := a.Int(); fmt.Sprint(n) != numbers[i] {
					t.Fatalf("record %d: got number %d, want %s", i, n, numbers[i])
				}
			}
		})
	}
}

// TestMissingMC: the read is named, and with NextPos for the mate's end the template is sorted.
func TestMissingMC(t *testing.T) {
	h, records := bamtest.FromSAM(t, readGolden(t, "x08_tc_missing_mc.sam"))
	c, err := NewRecords(t.Context(), h, TemplateCoordinate, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Add(records[1])
	var missing *MissingMCError
	if !errors.As(err, &missing) || missing.ReadName != "a" || !strings.Contains(err.Error(), "samtools fixmate") {
		t.Errorf("got %v, want a MissingMCError for read a that tells of samtools fixmate", err)
	}
	if again := c.Add(records[0]); again != err {
		t.Errorf("the next Add: got %v, want the same error", again)
	}
	if _, again := c.Sort(); again != err {
		t.Errorf("Sort: got %v, want the same error", again)
	}
	bamtest.SameSequence(t, sortGolden(t, "x08_tc_missing_mc.sam", TemplateCoordinateNextPos), records)
}
