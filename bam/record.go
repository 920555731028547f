package bam

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Flag is the FLAG field, SAMv1 section 1.4.
type Flag uint16

// The bits of a Flag.
const (
	Paired        Flag = 0x1   // template has several reads
	ProperPair    Flag = 0x2   // all reads aligned as the aligner expects
	Unmapped      Flag = 0x4   // this read is unmapped
	MateUnmapped  Flag = 0x8   // the next read is unmapped
	Reverse       Flag = 0x10  // SEQ is reverse complemented
	MateReverse   Flag = 0x20  // SEQ of the next read is reverse complemented
	Read1         Flag = 0x40  // the first read of the template
	Read2         Flag = 0x80  // the last read of the template
	Secondary     Flag = 0x100 // not the primary alignment
	QCFail        Flag = 0x200 // failed quality checks
	Duplicate     Flag = 0x400 // PCR or optical duplicate
	Supplementary Flag = 0x800 // a further part of a chimeric alignment
)

// fixedLen is the length of a record's fixed fields, SAMv1 section 4.2 from
// refID to tlen; read_name follows.
const fixedLen = 32

// noQual is the first quality byte of a record without qualities.
const noQual = 0xff

// Record is one alignment as its BAM bytes, SAMv1 section 4.2 without the
// leading block_size. It is a view: copying a Record copies no bytes. Get one
// from [ParseRecord]; the accessors of the zero value panic, but for Bytes.
type Record struct{ b []byte }

// ParseRecord makes a Record of raw, which it keeps and does not copy. It
// checks what the accessors rely on and nothing else: the fixed fields are
// there, read_name ends in NUL, and read_name, CIGAR, SEQ and QUAL fit. The
// error wraps [ErrCorrupt] and says what does not fit.
func ParseRecord(raw []byte) (Record, error) {
	if err := checkLayout(raw); err != nil { // a call of its own keeps ParseRecord inlinable
		return Record{}, err
	}
	return Record{raw}, nil
}

// Trusted makes a Record of bytes that came out of [Record.Bytes], without
// checking them again. With other bytes the accessors may panic.
func Trusted(b []byte) Record { return Record{b} }

func checkLayout(raw []byte) error {
	if len(raw) < fixedLen {
		return layoutError(raw)
	}
	name := uint64(raw[8])
	seq := uint64(binary.LittleEndian.Uint32(raw[16:]))
	aux := fixedLen + name + 4*uint64(binary.LittleEndian.Uint16(raw[12:])) + (seq+1)/2 + seq
	if name == 0 || seq > math.MaxInt32 || aux > uint64(len(raw)) || raw[fixedLen-1+name] != 0 {
		return layoutError(raw)
	}
	return nil
}

// layoutError says what is wrong with a record that checkLayout refused.
func layoutError(raw []byte) error {
	if len(raw) < fixedLen {
		return fmt.Errorf("%w: record of %d bytes, the fixed fields alone take %d", ErrCorrupt, len(raw), fixedLen)
	}
	name := uint64(raw[8])
	ops := binary.LittleEndian.Uint16(raw[12:])
	seq := binary.LittleEndian.Uint32(raw[16:])
	switch {
	case name == 0:
		return fmt.Errorf("%w: record with l_read_name 0, not even a NUL", ErrCorrupt)
	case seq > math.MaxInt32:
		return fmt.Errorf("%w: record with l_seq %d, above 2^31-1", ErrCorrupt, seq)
	case fixedLen+name <= uint64(len(raw)) && raw[fixedLen-1+name] != 0:
		return fmt.Errorf("%w: record with a read name that does not end in NUL", ErrCorrupt)
	}
	return fmt.Errorf("%w: record of %d bytes does not hold l_read_name %d, n_cigar_op %d and l_seq %d",
		ErrCorrupt, len(raw), name, ops, seq)
}

// Bytes returns the whole record, the slice that was parsed.
func (r Record) Bytes() []byte { return r.b }

func (r Record) int32At(i int) int32 { return int32(binary.LittleEndian.Uint32(r.b[i:])) }

// RefID returns the reference the read is placed on, -1 for none.
func (r Record) RefID() int32 { return r.int32At(0) }

// Pos returns the leftmost position, 0-based, -1 for none.
func (r Record) Pos() int32 { return r.int32At(4) }

// MapQ returns the mapping quality, 255 for unknown.
func (r Record) MapQ() uint8 { return r.b[9] }

// Bin returns the stored BAI bin, right or not.
func (r Record) Bin() uint16 { return binary.LittleEndian.Uint16(r.b[10:]) }

// Flag returns the FLAG bits.
func (r Record) Flag() Flag { return Flag(binary.LittleEndian.Uint16(r.b[14:])) }

// LSeq returns the length of SEQ in bases.
func (r Record) LSeq() int { return int(binary.LittleEndian.Uint32(r.b[16:])) }

// NextRefID returns the reference of the next read of the template, -1 for none.
func (r Record) NextRefID() int32 { return r.int32At(20) }

// NextPos returns the position of the next read of the template, 0-based, -1
// for none.
func (r Record) NextPos() int32 { return r.int32At(24) }

// TLen returns the signed template length.
func (r Record) TLen() int32 { return r.int32At(28) }

// ReadName returns the read name without its NUL.
func (r Record) ReadName() []byte { return r.b[fixedLen : fixedLen-1+int(r.b[8])] }

// The three offsets below are recomputed on each use: that is cheaper than a
// Record of more than one slice.

func (r Record) seqOffset() int {
	return fixedLen + int(r.b[8]) + 4*int(binary.LittleEndian.Uint16(r.b[12:]))
}

func (r Record) qualOffset() int { return r.seqOffset() + (r.LSeq()+1)/2 }

func (r Record) auxOffset() int { return r.qualOffset() + r.LSeq() }

// Seq returns SEQ packed two bases a byte, high nibble first, in the code
// "=ACMGRSVTWYHKDBN"; it is (LSeq()+1)/2 bytes long.
func (r Record) Seq() []byte { return r.b[r.seqOffset():r.qualOffset()] }

// Qual returns the LSeq() base qualities, without the 33 of the text form. A
// first byte of 0xff means that there are none.
func (r Record) Qual() []byte { return r.b[r.qualOffset():r.auxOffset()] }

// AuxBytes returns all auxiliary fields as they are, unchecked. See
// [Record.AuxFields].
func (r Record) AuxBytes() []byte { return r.b[r.auxOffset():] }

// storedCigar returns the n_cigar_op operations of the record itself.
func (r Record) storedCigar() Cigar {
	return Cigar(r.b[fixedLen+int(r.b[8]) : r.seqOffset()])
}

// Cigar returns the alignment's operations. Where there are more than 65,535
// they come from the CG tag (SAMv1 section 4.2.2), found by the placeholder:
// two operations, the first a soft clip as long as SEQ, the second an N.
func (r Record) Cigar() Cigar {
	stored := r.storedCigar()
	if long, ok := r.longCigar(stored); ok {
		return long
	}
	return stored
}

// longCigar returns the operations in the CG:B,I tag if stored, the operations
// of the record itself, is the placeholder for them. Fewer operations than the
// placeholder has are none, as htslib sees it.
func (r Record) longCigar(stored Cigar) (Cigar, bool) {
	if stored.Len() != 2 || stored.At(0) != newCigarOp(r.LSeq(), CigarSoftClip) || stored.At(1).Type() != CigarSkip {
		return nil, false
	}
	a, ok := r.Aux(longCigarTag)
	if !ok || a.ArrayType() != 'I' || a.ArrayLen() < stored.Len() {
		return nil, false
	}
	return Cigar(a.value[arrayHeaderLen:]), true
}

// longCigarTag is where operations go that n_cigar_op's 16 bits cannot count.
var longCigarTag = [2]byte{'C', 'G'}
