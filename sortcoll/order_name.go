package sortcoll

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"github.com/gosort/gosort/bam"
)

// compareNatural compares by name with digit runs as numbers, then by flags.
func compareNatural(a, b []byte) int {
	x, y := bam.Trusted(a), bam.Trusted(b)
	return cmp.Or(naturalCompare(x.ReadName(), y.ReadName()), compareRank(x, y))
}

// compareLexical compares by the bytes of the name, then by flags.
func compareLexical(a, b []byte) int {
	x, y := bam.Trusted(a), bam.Trusted(b)
	return cmp.Or(bytes.Compare(x.ReadName(), y.ReadName()), compareRank(x, y))
}

// compareRank orders the records of one template as samtools 1.20 and later do: neither READ1 nor READ2, READ1, READ2,
// both; inside each primary, supplementary, secondary, secondary and supplementary.
func compareRank(a, b bam.Record) int { return cmp.Compare(rank(a.Flag()), rank(b.Flag())) }

func rank(f bam.Flag) int {
	r := int(f>>6) & 3 << 2
	if f&bam.Secondary != 0 {
		r |= 2
	}
	if f&bam.Supplementary != 0 {
		r |= 1
	}
	return r
}

func isDigit(c byte) bool { return c-'0' < 10 }

// naturalCompare is the natural order of SAMv1 section 1.3.1: runs of digits compare as numbers of any length, and of
// two equal numbers the one with more leading zeros comes first; all other bytes compare unsigned.
func naturalCompare(a, b []byte) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !isDigit(a[i]) || !isDigit(b[j]) {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i++
			j++
			continue
		}
		az, ae := number(a, i)
		bz, be := number(b, j)
		if c := cmp.Or(
			cmp.Compare(ae-az, be-bz),
			bytes.Compare(a[az:ae], b[bz:be]),
			cmp.Compare(bz-j, az-i), // more zeros first
		); c != 0 {
			return c
		}
		i, j = ae, be
	}
	return cmp.Compare(len(a)-i, len(b)-j)
}

// number returns where the significant digits of the number at b[i] begin and end.
func number(b []byte, i int) (start, end int) {
	for i < len(b) && b[i] == '0' {
		i++
	}
	start = i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return start, i
}

// lexicalKey is the first eight bytes of the name behind what all names share.
func lexicalKey(frame []byte, skip int) uint64 {
	name := bam.Trusted(frame).ReadName()[skip:]
	if len(name) >= 8 {
		return binary.BigEndian.Uint64(name)
	}
	p := packer{room: 64}
	p.putBytes(name)
	return p.key
}

// naturalKey packs the head of the name, order-preserving, into one word: 8 bits for a byte that is no digit; for a
// number 8 bits that tell how many significant digits it has (all of them between '/' and ':', so that a number and
// another byte compare as their bytes do) and 4 bits a digit. It ends, as if the name did, where that is no longer
// exact: behind a number with more zeros in front than it needs, which comes before its equals, and at nine digits.
func naturalKey(frame []byte, skip int) uint64 {
	p := packer{room: 64}
	p.putNatural(bam.Trusted(frame).ReadName(), skip)
	return p.key
}

// putNatural adds the head of a name, from skip on, as naturalKey has it.
func (p *packer) putNatural(name []byte, skip int) {
	for i := skip; i < len(name); {
		if !isDigit(name[i]) {
			if !p.put(uint64(name[i]), 8) {
				break
			}
			i++
			continue
		}
		start, end := number(name, i)
		if !p.put(uint64('0'+min(end-start, 9)), 8) || end-start >= 9 {
			break
		}
		for _, digit := range name[start:end] {
			if !p.put(uint64(digit-'0'), 4) {
				return
			}
		}
		if zeros := start - i; zeros > 1 || zeros == 1 && end > start {
			break
		}
		i = end
	}
}

// sharedName returns how many of the first n bytes of a's name b's name shares.
func sharedName(a, b []byte, n int) int {
	return sharedBytes(bam.Trusted(a).ReadName(), bam.Trusted(b).ReadName(), n)
}

// sharedBytes returns how many of the first n bytes x and y share.
func sharedBytes(x, y []byte, n int) int {
	n = min(n, len(x), len(y))
	if bytes.Equal(x[:n], y[:n]) {
		return n
	}
	for i := range n {
		if x[i] != y[i] {
			return i
		}
	}
	return n
}

// sharedNatural is sharedName cut back to the start of a number, so that a key never begins inside one.
func sharedNatural(a, b []byte, n int) int {
	n = sharedName(a, b, n)
	name := bam.Trusted(a).ReadName()
	for n > 0 && isDigit(name[n-1]) {
		n--
	}
	return n
}
