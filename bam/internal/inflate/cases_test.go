package inflate

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// deepLits is a code with lengths 1 to 15, so that there are subtables; it has literals 0 to 14, the end of the block and
// length 258.
func deepLits() []uint8 {
	lens := repeat(0, 286)
	for i := range 13 {
		lens[i] = uint8(i + 1)
	}
	lens[13], lens[14], lens[256], lens[285] = 15, 15, 15, 15
	return lens
}

// deepDists is the same for distances 1 to 128.
func deepDists() []uint8 {
	return []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15}
}

// lensWith returns n code lengths, 0 but for those given as pairs of symbol and length.
func lensWith(n int, pairs ...int) []uint8 {
	lens := repeat(0, n)
	for p := range slices.Chunk(pairs, 2) {
		lens[p[0]] = uint8(p[1])
	}
	return lens
}

// streamCase is a stream made by hand and what must come of it, whatever compress/flate says.
type streamCase struct {
	name string
	src  []byte
	size int
	want error
}

func storedCases() []streamCase {
	d := func() *deflater { return new(deflater) }
	hello := []byte("hello")
	broken := d().stored(1, hello).b
	broken[3] ^= 1
	return []streamCase{
		{"nothing", nil, 0, ErrCorrupt},
		{"reserved type", d().bits(7, 3).b, 0, ErrCorrupt},
		{"stored", d().stored(1, hello).b, 5, nil},
		{"stored, empty", d().stored(1, nil).b, 0, nil},
		{"stored twice", d().stored(0, hello).stored(1, hello).b, 10, nil},
		{"stored behind symbols", d().fixed(0).text("a").symbols(256).stored(1, hello).b, 6, nil},
		{"stored, 65535 bytes", d().stored(1, repeat('x', 65535)).b, 65535, nil},
		{"stored, complement wrong", broken, 5, ErrCorrupt},
		{"stored, cut", d().stored(1, hello).b[:9], 5, ErrCorrupt},
		{"stored, length cut", d().stored(1, hello).b[:4], 5, ErrCorrupt},
		{"stored, no room", d().stored(1, hello).b, 4, ErrTooLong},
		{"no last block", d().stored(0, hello).b, 5, ErrCorrupt},
	}
}

func fixedCases() []streamCase {
	d := func() *deflater { return new(deflater).fixed(1) }
	far := func(distance int) []byte {
		return new(deflater).stored(0, repeat('x', 32767)).fixed(1).text("y").match(258, distance).end()
	}
	return []streamCase{
		{"fixed, empty", d().end(), 0, nil},
		{"fixed", d().text("hello").end(), 5, nil},
		{"many empty blocks", slices.Concat(slices.Repeat(new(deflater).stored(0, nil).b, 1000), d().end()), 0, nil},
		{"longest match", d().text("a").match(258, 1).end(), 259, nil},
		{"length 258 as 227+31", d().text("a").symbols(284).bits(31, 5).bits(0, 5).end(), 259, nil},
		{"longest distance", far(32768), 32768 + 258, nil},
		{"distance too far", d().text("a").match(3, 2).end(), 4, ErrCorrupt},
		{"distance without history", d().match(3, 1).end(), 3, ErrCorrupt},
		{"symbol 286", d().text("a").symbols(286).bits(0, 32).b, 300, ErrCorrupt},
		{"symbol 287", d().text("a").symbols(287).bits(0, 32).b, 300, ErrCorrupt},
		{"distance symbol 30", d().text("a").symbols(257).code(bitCode{30, 5}).end(), 4, ErrCorrupt},
		{"distance symbol 31", d().text("a").symbols(257).code(bitCode{31, 5}).end(), 4, ErrCorrupt},
		{"no end of the block", d().text("hello").b, 5, ErrCorrupt},
		{"literal without room", d().text("hello").end(), 4, ErrTooLong},
		{"literals without room", d().text(strings.Repeat("hello", 20)).end(), 4, ErrTooLong},
		{"match without room", d().text("a").match(10, 1).end(), 10, ErrTooLong},
	}
}

func codeCases() []streamCase {
	d := func(lits, dists []uint8) *deflater { return new(deflater).dynamic(1, lits, dists) }
	plain := lensWith(258, 'a', 1, 256, 2, 257, 2)
	none, one := []uint8{0}, []uint8{1}
	return []streamCase{
		{"codes of 15 bits", d(deepLits(), deepDists()).text("\x00\x0e\x0d\x0c").match(258, 4).match(258, 130).end(), 4 + 516, nil},
		{"no distances", d(plain, none).text("aa").end(), 2, nil},
		{"no distances, but a match", d(plain, none).text("a").symbols(257).bits(0, 32).b, 4, ErrCorrupt},
		{"one distance", d(plain, one).text("a").match(3, 1).end(), 4, nil},
		{"one distance, the code it has not", d(plain, one).text("a").symbols(257).bits(1, 1).end(), 4, ErrCorrupt},
		{"one distance of 2 bits", d(plain, []uint8{2}).text("a").end(), 1, ErrCorrupt},
		{"one symbol", d(lensWith(257, 256, 1), none).end(), 0, nil},
		{"one symbol, the code it has not", d(lensWith(257, 256, 1), none).bits(1, 32).b, 0, ErrCorrupt},
		{"no symbols", d(repeat(0, 257), none).bits(0, 32).b, 0, ErrCorrupt},
		{"no code for the end", d(lensWith(257, 'a', 1, 'b', 1), none).text("abab").b, 40, ErrCorrupt},
		{"over-subscribed", d(lensWith(257, 'a', 1, 'b', 1, 256, 1), none).text("a").b, 1, ErrCorrupt},
		{"incomplete", d(lensWith(257, 'a', 1, 256, 3), none).text("a").end(), 1, ErrCorrupt},
		{"distances over-subscribed", d(plain, []uint8{1, 1, 1}).text("a").end(), 1, ErrCorrupt},
		{"distances incomplete", d(plain, []uint8{1, 2}).text("a").end(), 1, ErrCorrupt},
		{"287 symbols", d(slices.Concat(plain, repeat(0, 29)), none).text("a").end(), 1, ErrCorrupt},
		{"286 symbols", d(slices.Concat(plain, repeat(0, 28)), none).text("a").end(), 1, nil},
		{"31 distances", d(plain, slices.Concat(one, repeat(0, 30))).text("a").end(), 1, ErrCorrupt},
		{"30 distances", d(plain, slices.Concat(one, repeat(0, 29))).text("a").end(), 1, nil},
	}
}

func lensCases() []streamCase {
	head := func(lens []uint8) *deflater { return new(deflater).dynamicHead(1, 0, 0, lens) }
	codes := canonical(lensCode)
	// 256 zeros by two repeats, the end's length of 1 and no distance.
	end := func(d *deflater) []byte { return d.code(codes[1]).code(codes[0]).bits(0, 1).b }
	zeros := func() *deflater { return head(lensCode).code(codes[18]).bits(127, 7).code(codes[18]).bits(118-11, 7) }
	// A code that is none must not be taken for a length of 0.
	strange := head(lensWith(19, 1, 1))
	for range 256 {
		strange.bits(1, 1)
	}
	// The repeat needs 3 bits. If there are fewer, they must not be taken for the end of the block.
	short := new(deflater)
	for range 2 {
		short.fixed(0).symbols(256) // 10 bits, so that 1 or 2 are left in the last byte
	}
	short.dynamicHead(1, 0, 1, lensCode).code(codes[18]).bits(127, 7).code(codes[18]).bits(118-11, 7).code(codes[1]).code(codes[17])
	return []streamCase{
		{"repeat's bits cut", short.b, 0, ErrCorrupt},
		{"zeros repeated", end(zeros()), 0, nil},
		{"zeros repeated beyond the last", zeros().code(codes[18]).bits(0, 7).b, 0, ErrCorrupt},
		{"repeat with none before", head(lensCode).code(codes[16]).bits(0, 2).bits(0, 64).b, 0, ErrCorrupt},
		{"repeat beyond the last", zeros().code(codes[1]).code(codes[16]).bits(0, 2).bits(0, 32).b, 0, ErrCorrupt},
		{"lengths cut", zeros().b, 0, ErrCorrupt},
		{"lengths' code over-subscribed", head(lensWith(19, 0, 1, 1, 1, 18, 1)).bits(0, 64).b, 0, ErrCorrupt},
		{"lengths' code incomplete", head(lensWith(19, 0, 2, 1, 2, 18, 2)).bits(0, 64).b, 0, ErrCorrupt},
		{"lengths' code empty", head(repeat(0, 19)).bits(0, 64).b, 0, ErrCorrupt},
		{"lengths' code of one symbol", head(lensWith(19, 0, 1)).bits(0, 30).b, 0, ErrCorrupt},
		{"lengths' code of one, the code it has not", strange.bits(0, 1).bits(1, 2).b, 0, ErrCorrupt},
	}
}

func allCases() []streamCase {
	return slices.Concat(storedCases(), fixedCases(), codeCases(), lensCases())
}

func TestCases(t *testing.T) {
	var p pair
	for _, tc := range allCases() {
		if err := p.same(t, tc.src, tc.size); err != tc.want {
			t.Errorf("%s: got error %v, want %v", tc.name, err, tc.want)
		}
		p.around(t, tc.src, tc.size)
	}
}

// TestTaken: what lies behind a stream is the caller's to judge.
func TestTaken(t *testing.T) {
	var d Decoder
	for _, tc := range allCases() {
		if tc.want != nil {
			continue
		}
		for _, behind := range []int{0, 1, 7, 8, 100} {
			made, taken, err := d.Decode(make([]byte, tc.size), slices.Concat(tc.src, repeat(0xff, behind)))
			if made != tc.size || taken != len(tc.src) || err != nil {
				t.Errorf("%s, %d bytes behind: got %d, %d, %v, want %d, %d, no error", tc.name, behind, made, taken, err, tc.size, len(tc.src))
			}
		}
	}
}

// TestDearest inflates what takes the longest for its size: blocks of nothing but codes.
func TestDearest(t *testing.T) {
	one := new(deflater)
	codes := canonical(lensWith(19, 18, 1, 1, 2, 0, 2))
	for len(one.b) < 1<<16-100 {
		one.dynamicHead(0, 0, 0, lensWith(19, 18, 1, 1, 2, 0, 2))
		one.code(codes[18]).bits(127, 7).code(codes[18]).bits(118-11, 7).code(codes[1]).code(codes[0])
		one.bits(0, 1) // the end of the block
	}
	one.fixed(1).symbols(256)
	var d Decoder
	start := time.Now()
	if _, _, err := d.Decode(nil, one.b); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%d bytes took %v, want some 20 ms", len(one.b), took)
	}
	if err := new(pair).same(t, one.b, 0); err != nil {
		t.Error(err)
	}
}

// FuzzInflate: any bytes, the same verdict, bytes and end as compress/flate's.
func FuzzInflate(f *testing.F) {
	for _, tc := range allCases() {
		if len(tc.src) < 500 {
			f.Add(tc.src, uint16(tc.size))
		}
	}
	for _, src := range smallStreams(f) {
		f.Add(src, uint16(2000))
	}
	var p pair
	f.Fuzz(func(t *testing.T, src []byte, size uint16) {
		_ = p.same(t, src, int(size)) // the verdict is compress/flate's
	})
}
