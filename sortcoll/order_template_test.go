package sortcoll

import (
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestTemplateEnds: the ends of a template are the same seen from either read, and one of the two is the upper.
func TestTemplateEnds(t *testing.T) {
	const fwd, rev = false, true
	type read struct {
		ref, pos int32
		reverse  bool
		cigar    string
	}
	for _, c := range []struct {
		name          string
		a, b          read
		first, second end
		upper         bool // a is
	}{
		{"apart", read{0, 100, fwd, "10M"}, read{0, 300, rev, "10M"}, end{0, 100, fwd}, end{0, 309, rev}, false},
		{"on two references", read{1, 100, fwd, "10M"}, read{0, 300, rev, "10M"}, end{0, 309, rev}, end{1, 100, fwd}, true},
		{"soft clips count", read{0, 105, fwd, "5S5M7S"}, read{0, 300, rev, "5S8M2S"}, end{0, 100, fwd}, end{0, 309, rev}, false},
		{"hard clips do not", read{0, 105, fwd, "3H5S5M"}, read{0, 300, rev, "8M2S4H"}, end{0, 100, fwd}, end{0, 309, rev}, false},
		{"introns, deletions, insertions", read{0, 100, rev, "2M100N3M"}, read{0, 300, rev, "4=3D2X5I1M6P"}, end{0, 204, rev}, end{0, 309, rev}, false},
		{"before the reference", read{0, 3, fwd, "9S1M"}, read{0, 3, rev, "1M"}, end{0, -6, fwd}, end{0, 3, rev}, false},
		{"long reads", read{0, 1 << 30, rev, "268435455N268435455N268435455N1M"}, read{0, 0, fwd, "1M"}, end{0, 0, fwd}, end{0, 1<<30 + 3*268435455, rev}, true},
		{"no base aligned", read{0, 100, rev, "10S"}, read{0, 200, rev, "*"}, end{0, 110, rev}, end{0, 200, rev}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fields := func(this, mate read) bam.Record {
				f := bamtest.Fields{Name: "r", Flag: bam.Paired, RefID: this.ref, Pos: this.pos, Cigar: this.cigar, NextRefID: mate.ref, NextPos: mate.pos}
				if this.reverse {
					f.Flag |= bam.Reverse
				}
				if mate.reverse {
					f.Flag |= bam.MateReverse
				}
				f.Aux = bamtest.AppendAux(nil, "MC", mate.cigar)
				return f.Record(t)
			}
			var x, y template
			templates := newTemplates(header(t), false)
			if err := templates.read(&x, fields(c.a, c.b)); err != nil {
				t.Fatal(err)
			}
			if err := templates.read(&y, fields(c.b, c.a)); err != nil {
				t.Fatal(err)
			}
			if x.first != c.first || x.second != c.second || x.upper != c.upper {
				t.Errorf("got %v, %v, upper %v; want %v, %v, upper %v", x.first, x.second, x.upper, c.first, c.second, c.upper)
			}
			if y.first != x.first || y.second != x.second || y.upper == x.upper {
				t.Errorf("the mate has %v, %v, upper %v; want the same, and the other place", y.first, y.second, y.upper)
			}
		})
	}
}

// TestTemplateOrder has records in order, one reason each.
func TestTemplateOrder(t *testing.T) {
	type tags map[string]any
	read := func(name string, flag bam.Flag, ref, pos, nextRef, nextPos int32, values tags) bam.Record {
		f := bamtest.Fields{Name: name, Flag: flag, RefID: ref, Pos: pos, NextRefID: nextRef, NextPos: nextPos, Cigar: "10M"}
		f.Aux = bamtest.AppendAux(nil, "MC", "10M")
		for _, tag := range []string{"RG", "CB", "MI"} {
			if v, ok := values[tag]; ok {
				f.Aux = bamtest.AppendAux(f.Aux, tag, v)
			}
		}
		return f.Record(t)
	}
	const p, r, mr, u, mu = bam.Paired, bam.Reverse, bam.MateReverse, bam.Unmapped, bam.MateUnmapped
	in := []bam.Record{
		read("both reverse", p|r|mr, 0, 90, 0, 90, nil),
		read("first reverse", p|r, 0, 90, 0, 99, nil), // seen from the upper read: reverse at 99, forward at 99
		read("no library 1, group 3 has none", p, 0, 99, 0, 99, tags{"RG": "3"}),
		read("no library 2, no such group", p, 0, 99, 0, 99, tags{"RG": "4"}),
		read("no library 3, group is no text", p, 0, 99, 0, 99, tags{"RG": int8(1)}),
		read("library y, no CB", p, 0, 99, 0, 99, tags{"RG": "2"}),
		read("library y, MI A", p, 0, 99, 0, 99, tags{"RG": "2", "MI": "A/2"}),
		read("library y, MI A, later name", p, 0, 99, 0, 99, tags{"RG": "2", "MI": "A/1"}),
		read("library y, MI A/", p, 0, 99, 0, 99, tags{"RG": "2", "MI": "A//"}),
		read("library y, MI A11", p, 0, 99, 0, 99, tags{"RG": "2", "MI": "A11"}),
		read("library y, CB A", p, 0, 99, 0, 99, tags{"RG": "2", "CB": "A"}),
		read("library y, CB AA, MI", p, 0, 99, 0, 99, tags{"RG": "2", "CB": "AA", "MI": "1"}),
		read("library z", p, 0, 99, 0, 99, tags{"RG": "1"}),
		read("second end behind", p, 0, 99, 0, 100, nil),
		read("first end behind", p, 0, 100, 0, 100, nil),
		read("mate on the next reference", p, 0, 0, 1, 0, nil),
		read("mate unmapped", p|mu, 0, 7, 0, 7, nil),
		read("mate unmapped, seen from it", p|u, 0, 8, 0, 8, nil),
		read("single, reverse", r, 0, 90, -1, -1, nil),
		read("single, forward", 0, 0, 99, -1, -1, nil),
		read("next reference", p, 1, 0, 1, 0, nil),
		read("unmapped", p|u|mu, 0, 0, 0, 0, nil),
		read("unmapped, though reverse", p|u|r|mu, 0, 0, 0, 0, nil),
	}
	ascending(t, TemplateCoordinate, in)
	if got := TemplateCoordinate.Compare(in[10], in[12]); got != 1 { // by CB, with the libraries unknown
		t.Errorf("without a header: got %d, want 1", got)
	}
}
