package bamtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

// Fields are the parts of a record as they go into its bytes, valid or not; see
// SAMv1 section 4.2. The zero value is a placed, mapped read at RefID 0 and Pos 0
// without a name, bases or CIGAR.
type Fields struct {
	Name               string
	Flag               bam.Flag
	RefID, Pos         int32 // -1 for none; Pos is 0-based
	MapQ               uint8
	Bin                uint16
	Cigar              string // text, "" for none
	NextRefID, NextPos int32
	TLen               int32
	Seq                string // letters of "=ACMGRSVTWYHKDBN"
	Qual               string // as in SAM; "" is absent, whatever Seq
	Aux                []byte // see AppendAux
}

const bases = "=ACMGRSVTWYHKDBN"

// Bytes returns the record's bytes without block_size. It panics on a CIGAR that
// is none.
func (f Fields) Bytes() []byte {
	cigar, err := bam.AppendCigar(nil, []byte(max(f.Cigar, "*")))
	if err != nil {
		panic(err)
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(f.RefID))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.Pos))
	b = append(b, uint8(len(f.Name)+1), f.MapQ)
	b = binary.LittleEndian.AppendUint16(b, f.Bin)
	b = binary.LittleEndian.AppendUint16(b, uint16(cigar.Len()))
	b = binary.LittleEndian.AppendUint16(b, uint16(f.Flag))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(f.Seq)))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.NextRefID))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.NextPos))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.TLen))
	b = append(append(b, f.Name...), 0)
	b = append(b, cigar...)
	seq := f.Seq + "="[:len(f.Seq)&1]
	for i := 0; i < len(seq); i += 2 {
		b = append(b, byte(strings.IndexByte(bases, seq[i])<<4|strings.IndexByte(bases, seq[i+1])))
	}
	for i := range f.Seq {
		q := byte(0xff)
		if f.Qual != "" {
			q = f.Qual[i] - 33
		}
		b = append(b, q)
	}
	return append(b, f.Aux...)
}

// Record returns the record.
func (f Fields) Record(tb testing.TB) bam.Record {
	tb.Helper()
	r, err := bam.ParseRecord(f.Bytes())
	if err != nil {
		tb.Fatalf("record of %+v: %v", f, err)
	}
	return r
}

// AppendAux appends an auxiliary field. The Go type of value decides the BAM
// type: int8 c, uint8 C, int16 s, uint16 S, int32 i, uint32 I, float32 f,
// float64 d, string Z, Hex H, Char A; a slice of one of the first seven is a B
// array.
// It panics on any other type.
func AppendAux(dst []byte, tag string, value any) []byte {
	dst = append(dst, tag[0], tag[1])
	switch v := value.(type) {
	case string:
		return append(append(append(dst, 'Z'), v...), 0)
	case float64:
		return binary.LittleEndian.AppendUint64(append(dst, 'd'), math.Float64bits(v))
	case int8, uint8, int16, uint16, int32, uint32, float32:
		return appendNumber(append(dst, numberType(v)), v)
	case []int8:
		return appendArray(dst, v)
	case []uint8:
		return appendArray(dst, v)
	case []int16:
		return appendArray(dst, v)
	case []uint16:
		return appendArray(dst, v)
	case []int32:
		return appendArray(dst, v)
	case []uint32:
		return appendArray(dst, v)
	case []float32:
		return appendArray(dst, v)
	case Char:
		return append(dst, 'A', byte(v))
	case Hex:
		return append(append(append(dst, 'H'), v...), 0)
	}
	panic(fmt.Sprintf("bamtest: no auxiliary type for %T", value))
}

// Char is the value of an A field.
type Char byte

// Hex is the value of an H field.
type Hex string

func appendArray[T int8 | uint8 | int16 | uint16 | int32 | uint32 | float32](dst []byte, values []T) []byte {
	var zero T
	dst = append(dst, 'B', numberType(zero))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(values)))
	for _, v := range values {
		dst = appendNumber(dst, v)
	}
	return dst
}

func numberType(v any) byte {
	switch v.(type) {
	case int8:
		return 'c'
	case uint8:
		return 'C'
	case int16:
		return 's'
	case uint16:
		return 'S'
	case int32:
		return 'i'
	case uint32:
		return 'I'
	}
	return 'f'
}

func appendNumber(dst []byte, v any) []byte {
	dst, err := binary.Append(dst, binary.LittleEndian, v)
	if err != nil {
		panic(err) // every caller passes a number
	}
	return dst
}
