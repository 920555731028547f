package bam_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

func withAux(t testing.TB, aux []byte) bam.Record {
	return bamtest.Fields{RefID: -1, Pos: -1, NextRefID: -1, NextPos: -1, Aux: aux}.Record(t)
}

func TestAuxValues(t *testing.T) {
	for _, c := range []struct {
		value any
		typ   byte
		want  any // int64, float64 or string
	}{
		{int8(-5), 'c', int64(-5)}, {uint8(250), 'C', int64(250)}, {int16(-500), 's', int64(-500)}, {uint16(65000), 'S', int64(65000)},
		{int32(math.MinInt32), 'i', int64(math.MinInt32)}, {uint32(math.MaxUint32), 'I', int64(math.MaxUint32)},
		{float32(0.25), 'f', 0.25}, {math.Pi, 'd', math.Pi}, {"text", 'Z', "text"}, {"", 'Z', ""},
		{bamtest.Hex("1A"), 'H', "1A"}, {bamtest.Char('x'), 'A', "x"},
	} {
		// Fields before and behind must not matter.
		b := bamtest.AppendAux(nil, "BB", []uint16{1, 2, 3})
		b = bamtest.AppendAux(b, "XX", c.value)
		b = bamtest.AppendAux(b, "XX", "second")
		a, ok := withAux(t, b).Aux([2]byte{'X', 'X'})
		if !ok || a.Type != c.typ || a.Tag != [2]byte{'X', 'X'} {
			t.Fatalf("%v: found %v as type %c, want %c", c.value, ok, a.Type, c.typ)
		}
		n, isInt := a.Int()
		f, isFloat := a.Float()
		switch want := c.want.(type) {
		case int64:
			if !isInt || isFloat || n != want {
				t.Errorf("%T: Int is %d, %v, want %d", c.value, n, isInt, want)
			}
		case float64:
			if isInt || !isFloat || f != want {
				t.Errorf("%T: Float is %g, %v, want %g", c.value, f, isFloat, want)
			}
		case string:
			if isInt || isFloat || string(a.Bytes()) != want {
				t.Errorf("%T: Bytes is %q, want %q", c.value, a.Bytes(), want)
			}
		}
		if a.ArrayType() != 0 || a.ArrayLen() != 0 {
			t.Errorf("%T: is an array of %d %c", c.value, a.ArrayLen(), a.ArrayType())
		}
	}
}

func TestAuxArrays(t *testing.T) {
	for typ, c := range map[byte]struct {
		value any
		want  []float64
	}{
		'c': {[]int8{-128, 127}, []float64{-128, 127}}, 'C': {[]uint8{0, 255}, []float64{0, 255}},
		's': {[]int16{-1}, []float64{-1}}, 'S': {[]uint16{65535, 1}, []float64{65535, 1}},
		'i': {[]int32{math.MinInt32, 5}, []float64{math.MinInt32, 5}}, 'I': {[]uint32{}, nil},
		'f': {[]float32{-0.5, 1e30, 3}, []float64{-0.5, float64(float32(1e30)), 3}},
	} {
		a, ok := withAux(t, bamtest.AppendAux(nil, "XX", c.value)).Aux([2]byte{'X', 'X'})
		if !ok || a.Type != 'B' || a.ArrayType() != typ || a.ArrayLen() != len(c.want) {
			t.Fatalf("%T: found %v, type %c of %d %c", c.value, ok, a.Type, a.ArrayLen(), a.ArrayType())
		}
		for i, want := range c.want {
			var got float64
			if typ == 'f' {
				got = a.ArrayFloat(i)
			} else {
				got = float64(a.ArrayInt(i))
			}
			if got != want {
				t.Errorf("%T: element %d is %g, want %g", c.value, i, got, want)
			}
		}
	}
}

func TestAuxMalformed(t *testing.T) {
	good := bamtest.AppendAux(nil, "OK", uint8(1))
	for bad, want := range map[string]string{
		"X": "1 stray bytes", "XXC": "3 stray bytes", "XXZtext": "no NUL", "XXH1A": "no NUL", "XX?1": "unknown type '?'",
		"XXS1": "overruns", "XXi123": "overruns", "XXd1234567": "overruns",
		"XXBC": "overruns", "XXBC\x02\x00\x00\x00a": "overruns", "XXBi\xff\xff\xff\xffaaaa": "overruns",
		"XXBZ\x01\x00\x00\x00a": "array of unknown type 'Z'", "XXBd\x00\x00\x00\x00": "array of unknown type 'd'",
	} {
		r := withAux(t, append(append([]byte(nil), good...), bad...))
		walked := 0
		var err error
		for _, err = range r.AuxFields() {
			walked++
		}
		if walked != 2 || !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d steps, error %v, want 2 and ErrCorrupt with %q", bad, walked, err, want)
		}
		if _, ok := r.Aux([2]byte{'O', 'K'}); !ok {
			t.Errorf("%q: the field before it is not found", bad)
		}
		if _, ok := r.Aux([2]byte{'X', 'X'}); ok {
			t.Errorf("%q is found", bad)
		}
	}
}

func TestAuxFieldsOrder(t *testing.T) {
	var b []byte
	for _, tag := range []string{"ZZ", "AA", "MM", "AA"} {
		b = bamtest.AppendAux(b, tag, tag)
	}
	var got []string
	for a, err := range withAux(t, b).AuxFields() {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, string(a.Tag[:])); len(got) == 3 {
			break // the walk can be left
		}
	}
	if s := strings.Join(got, " "); s != "ZZ AA MM" {
		t.Errorf("walked %s, want ZZ AA MM", s)
	}
}

func BenchmarkAux(b *testing.B) {
	r := bamtest.Generator{Seed: 1, Refs: 1}.Records(b, 1)[0]
	for _, tag := range []string{"NM", "RG", "QQ"} {
		b.Run("tag="+tag, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(r.AuxBytes())))
			found := 0
			for b.Loop() {
				if _, ok := r.Aux([2]byte{tag[0], tag[1]}); ok {
					found++
				}
			}
		})
	}
}
