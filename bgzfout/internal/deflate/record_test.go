package deflate

import (
	"encoding/binary"
	"math"
	"testing"
)

// bamRecord returns a record of a name of 8 bytes, as many CIGAR operations,
// bases, and bytes of tags.
func bamRecord(ops, bases, tags int) []byte {
	b := make([]byte, fixedFields+8+4*ops+(bases+1)/2+bases+tags)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	b[12] = 8
	binary.LittleEndian.PutUint16(b[16:], uint16(ops))
	binary.LittleEndian.PutUint32(b[20:], uint32(bases))
	return b
}

func TestRecordAt(t *testing.T) {
	good := append(make([]byte, 10), bamRecord(2, 101, 20)...)
	want := Record{10 + 52, 10 + 52 + 51, 10 + 52 + 51 + 101, len(good)}
	if got, ok := recordAt(good, 10); !ok || got != want {
		t.Errorf("recordAt = %+v, %v, want %+v", got, ok, want)
	}
	if got, ok := recordAt(good[:10+fixedFields], 10); !ok || got != want {
		t.Errorf("of a record that goes on, recordAt = %+v, %v, want %+v", got, ok, want)
	}
	for name, change := range map[string]func(r []byte){
		"bases beyond the record": func(r []byte) { binary.LittleEndian.PutUint32(r[20:], 140) },
		"negative bases":          func(r []byte) { binary.LittleEndian.PutUint32(r[20:], 1<<31) },
		"negative size":           func(r []byte) { binary.LittleEndian.PutUint32(r, 1<<31) },
		"size of nothing":         func(r []byte) { binary.LittleEndian.PutUint32(r, 0) },
		"text":                    func(r []byte) { copy(r, "chr1\t12345\t.\tA\tC\t50\tPASS\tDP=10;AF=0.5") },
	} {
		r := bamRecord(2, 101, 20)
		change(r)
		if got, ok := recordAt(r, 0); ok {
			t.Errorf("%s: recordAt = %+v, want none", name, got)
		}
	}
	if _, ok := recordAt(good[:10+fixedFields-1], 10); ok {
		t.Error("recordAt reads a record from less than its fixed fields")
	}
	for _, i := range []int{-1, math.MinInt, len(good), math.MaxInt} {
		if got, ok := recordAt(good, i); ok {
			t.Errorf("recordAt %d of %d bytes = %+v, want none", i, len(good), got)
		}
	}
}

func TestNext(t *testing.T) {
	short, long := bamRecord(1, 100, 10), bamRecord(3, 100_000, 999)
	whole, _ := recordAt(long, 0)
	back := func(r Record, n int) Record { return Record{r.Cigar - n, r.Seq - n, r.Qual - n, r.End - n} }
	tests := []struct {
		name string
		open Record
		src  []byte
		want Record
	}{
		{"whole records", Record{}, append(bamRecord(0, 5, 0), short...), Record{}},
		{"a record goes on", Record{}, long[:65280], back(whole, 65280)},
		{"one after another goes on", Record{}, append(bamRecord(1, 100, 10), long[:100]...), back(whole, 100)},
		{"and on", back(whole, 65280), long[65280 : 65280+100], back(whole, 65380)},
		{"and ends", back(whole, 65280), long[65280:], Record{}},
		{"and others follow", back(whole, len(long)-10), append(long[len(long)-10:], short...), Record{}},
		{"too little to tell", Record{}, short[:20], Record{}},
		{"no records", Record{}, make([]byte, 100), Record{}},
	}
	for _, tt := range tests {
		if got := tt.open.Next(tt.src); got != tt.want {
			t.Errorf("%s: Next = %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestManyLongFields has the most pieces that there can be: the shortest long
// fields there are, with nothing between them.
func TestManyLongFields(t *testing.T) {
	var src []byte
	r := bamRecord(0, longField, 0)
	for noise := madeUp()["random"]; len(src)+len(r) <= MaxPayload; noise = noise[len(r):] {
		for i := fixedFields; i < len(r); i++ {
			r[i] = noise[i] & 31
		}
		src = append(src, r...)
	}
	for level := range levels {
		e := New(level)
		check(t, e, input{src: src}, "long fields")
		if level > 0 && (e.done < 50 || e.done >= maxPieces-1) {
			t.Errorf("level %d: %d pieces, want nearly %d", level, e.done+1, maxPieces)
		}
	}
}
