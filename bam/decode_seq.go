package bam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// seqLen returns the number of bases in the SEQ column.
func (b *lineBuilder) seqLen() int {
	if text := b.col[colSeq]; len(text) != 1 || text[0] != '*' {
		return len(text)
	}
	return 0
}

// seq appends the packed bases and puts l_seq in place.
func (b *lineBuilder) seq() error {
	text := b.col[colSeq]
	n := b.seqLen()
	if len(text) == 0 {
		return errEmpty
	}
	if n > math.MaxInt32 {
		return fmt.Errorf("it has %d bases, BAM holds at most 2^31-1", n)
	}
	b.put32(16, int32(n))
	at := len(b.dst)
	b.dst = slices.Grow(b.dst, (n+1)/2)[:at+(n+1)/2]
	if !packBases(b.dst[at:], text[:n]) {
		return errors.New("it has a character that is no base")
	}
	if n > 0 && b.query >= 0 && b.query != int64(n) { // samtools and Picard would refuse the BAM that came of it
		return fmt.Errorf("it has %d bases, the CIGAR has %d", n, b.query)
	}
	return nil
}

// packBases puts the codes of text, two bases to a byte, into dst, which has room for no more, and reports whether all
// are bases.
func packBases(dst, text []byte) bool {
	seen := byte(0)
	for ; len(text) >= 8 && len(dst) >= 4; dst, text = dst[4:], text[8:] {
		a, b, c, d := baseCodes[text[0]], baseCodes[text[2]], baseCodes[text[4]], baseCodes[text[6]]
		e, f, g, h := baseCodes[text[1]], baseCodes[text[3]], baseCodes[text[5]], baseCodes[text[7]]
		seen |= a | b | c | d | e | f | g | h
		dst[0], dst[1], dst[2], dst[3] = a<<4|e, b<<4|f, c<<4|g, d<<4|h
	}
	for i, c := range text {
		code := baseCodes[c]
		seen |= code
		if i&1 == 0 {
			dst[i/2] = code << 4
		} else {
			dst[i/2] |= code
		}
	}
	return seen&badBase == 0
}

// badBase marks what is no base in baseCodes.
const badBase = 0x80

// baseCodes maps letters to four-bit codes: the letters that have none, and '.',
// are N (SAMv1 section 4.2.3). Nothing else may stand in SEQ.
var baseCodes = func() (t [256]byte) {
	const n = 15
	for c := range t {
		t[c] = badBase
		if lower := c | 0x20; lower >= 'a' && lower <= 'z' || c == '.' {
			t[c] = n
		}
	}
	for code, c := range []byte(baseChars) {
		t[c] = byte(code)
		if c != '=' {
			t[c|0x20] = byte(code)
		}
	}
	return t
}()

// qual appends the qualities.
func (b *lineBuilder) qual() error {
	text, n := b.col[colQual], b.seqLen()
	if len(text) == 1 && text[0] == '*' {
		for range n {
			b.dst = append(b.dst, noQual)
		}
		return nil
	}
	if len(text) != n {
		return fmt.Errorf("it has %d qualities, SEQ %d bases", len(text), n)
	}
	at := len(b.dst)
	b.dst = append(b.dst, text...)
	if lowest := unshiftQual(b.dst[at:]); lowest < qualShift {
		return fmt.Errorf("it has the character %q, below '!'", lowest)
	}
	return nil
}

// unshiftQual takes qualShift off each character. It returns the lowest of those that it looked at one by one, which it
// does for all that are out of the ordinary.
func unshiftQual(qual []byte) (lowest byte) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
		// up moves '!' and all above it to where the high bit is set.
		up = (0x80 - qualShift) * ones
	)
	lowest = 0xff
	for len(qual) >= 8 {
		// Eight at a time, if all are ASCII, so that nothing is carried, and none is below '!'.
		if v := binary.LittleEndian.Uint64(qual); v&high == 0 && (v+up)&high == high {
			binary.LittleEndian.PutUint64(qual, v-qualShift*ones)
		} else {
			lowest = min(lowest, unshiftEach(qual[:8]))
		}
		qual = qual[8:]
	}
	return min(lowest, unshiftEach(qual))
}

func unshiftEach(qual []byte) (lowest byte) {
	lowest = 0xff
	for i, c := range qual {
		lowest = min(lowest, c)
		qual[i] = c - qualShift
	}
	return lowest
}
