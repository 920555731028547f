package bamtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

// Header returns a header with refs references chr1, chr2 …, each a million
// bases long, and two read groups, a and b, of the libraries libA and libB.
func Header(tb testing.TB, refs int) *bam.Header {
	tb.Helper()
	var text strings.Builder
	text.WriteString("@HD\tVN:1.6\tSO:unsorted\n")
	for i := range refs {
		fmt.Fprintf(&text, "@SQ\tSN:chr%d\tLN:%d\n", i+1, refLen)
	}
	text.WriteString("@RG\tID:a\tLB:libA\tSM:s\n@RG\tID:b\tLB:libB\tSM:s\n@CO\tmade by bamtest\n")
	h, err := bam.ParseHeader([]byte(text.String()))
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

const refLen = 1_000_000

// Generator makes records at random. The same options give the same records.
// The zero value makes mapped and unmapped pairs of 150 bases, without
// references.
type Generator struct {
	Seed   uint64
	Refs   int // references to place reads on; the header must have them
	Length int // bases of a read; 0 means 150
	// Odd mixes in what is legal and rare: fields of every type, names of every
	// shape, reads without bases, wrong bins, reads with RefID but no Pos,
	// secondary and supplementary records, many ties.
	Odd bool
}

// Records returns n records in the order of a sequencer: template by template.
func (g Generator) Records(tb testing.TB, n int) []bam.Record {
	tb.Helper()
	m := maker{Generator: g, rng: rand.New(rand.NewPCG(g.Seed, 0))}
	if m.Length == 0 {
		m.Length = 150
	}
	records := make([]bam.Record, 0, n)
	for len(records) < n {
		for _, f := range m.template() {
			if len(records) < n {
				records = append(records, f.Record(tb))
			}
		}
	}
	return records
}

type maker struct {
	Generator
	rng  *rand.Rand
	made int // templates
}

// template returns the reads of one template: a pair, and perhaps more.
func (m *maker) template() []Fields {
	name := m.name()
	a := m.read(name, bam.Paired|bam.Read1)
	b := m.read(name, bam.Paired|bam.Read2)
	if m.rng.IntN(10) > 0 && a.Flag&bam.Unmapped == 0 { // most pairs lie close together
		b.RefID, b.Pos = a.RefID, min(a.Pos+int32(m.rng.IntN(500)), refLen-1)
	}
	pair(&a, &b)
	pair(&b, &a)
	reads := []Fields{a, b}
	if m.Odd && m.rng.IntN(4) == 0 {
		more := a
		more.Flag |= []bam.Flag{bam.Secondary, bam.Supplementary, bam.Secondary | bam.Supplementary}[m.rng.IntN(3)]
		reads = append(reads, more)
		if m.rng.IntN(2) == 0 {
			reads = append(reads, more) // the same record twice
		}
	}
	if m.Odd && m.rng.IntN(4) == 0 {
		reads[0].Flag &^= bam.Paired | bam.Read1
		reads = reads[:1]
	}
	return reads
}

// pair makes mate the next read of r.
func pair(r, mate *Fields) {
	r.NextRefID, r.NextPos = mate.RefID, mate.Pos
	if r.RefID == mate.RefID && r.RefID >= 0 {
		r.TLen = mate.Pos - r.Pos
	}
	if mate.Flag&bam.Unmapped != 0 {
		r.Flag |= bam.MateUnmapped
	}
	if mate.Flag&bam.Reverse != 0 {
		r.Flag |= bam.MateReverse
	}
	if mate.Cigar != "" {
		r.Aux = AppendAux(r.Aux, "MC", mate.Cigar)
	}
}

// read returns a read without its mate.
func (m *maker) read(name string, flag bam.Flag) Fields {
	f := Fields{Name: name, Flag: flag, RefID: -1, Pos: -1, Bin: 4680, NextRefID: -1, NextPos: -1}
	f.Seq, f.Qual = m.bases()
	if m.rng.IntN(2) == 0 {
		f.Flag |= bam.Reverse
	}
	placed := m.Refs > 0 && m.rng.IntN(20) > 0
	if placed {
		f.RefID, f.Pos, f.MapQ = int32(m.rng.IntN(m.Refs)), int32(m.rng.IntN(refLen)), uint8(m.rng.IntN(61))
		if m.Odd {
			f.Pos %= 50
		}
		f.Bin = uint16(4681 + f.Pos>>14)
		f.Cigar = m.cigar(len(f.Seq))
	}
	if !placed || m.rng.IntN(20) == 0 {
		f.Flag |= bam.Unmapped
		f.Cigar, f.MapQ = "", 0
	}
	f.Aux = m.aux()
	if m.Odd {
		m.distort(&f)
	}
	return f
}

// distort makes what no aligner would write, but files hold.
func (m *maker) distort(f *Fields) {
	switch m.rng.IntN(10) {
	case 0:
		f.Seq, f.Qual = "", ""
	case 1:
		f.Qual = ""
	case 2:
		f.Bin = uint16(m.rng.Uint32())
	case 3:
		f.Pos = -1
	case 4:
		f.Flag |= bam.Duplicate | bam.QCFail
	}
}

func (m *maker) bases() (seq, qual string) {
	s, q := make([]byte, m.Length), make([]byte, m.Length)
	for i := range s {
		s[i] = "ACGTACGTACGTACGTACGTACGTACGTACGN"[m.rng.IntN(32)]
		q[i] = byte('!' + m.rng.IntN(41))
	}
	return string(s), string(q)
}

// cigar returns operations for n bases.
func (m *maker) cigar(n int) string {
	clip := m.rng.IntN(n/2 + 1)
	switch m.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("%dS%dM", clip, n-clip)
	case 1:
		return fmt.Sprintf("%dM%dS", n-clip, clip)
	case 2:
		return fmt.Sprintf("%dH%dM5H", clip+1, n)
	case 3:
		return fmt.Sprintf("%dM10D%dM", clip, n-clip)
	case 4:
		return fmt.Sprintf("%dM%dI%dX100N1=", n-clip-1, clip, 0)
	}
	return fmt.Sprintf("%dM", n)
}
