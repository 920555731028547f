package bam

import (
	"encoding/binary"
	"fmt"
)

// Translation rewrites records of one header for another, see [MergeHeaders].
// The zero value changes nothing. It may be used from many goroutines at once.
type Translation struct {
	refs   []int32 // new RefID of each; nil if all stay
	groups map[string]string
	progs  map[string]string
}

// Identity reports whether Apply changes no record.
func (t *Translation) Identity() bool {
	return t.refs == nil && len(t.groups) == 0 && len(t.progs) == 0
}

// ReadGroup returns the new ID of a read group; an unknown one stays as it is.
func (t *Translation) ReadGroup(id string) string { return renamed(t.groups, id) }

// Program returns the new ID of a program; an unknown one stays as it is.
func (t *Translation) Program(id string) string { return renamed(t.progs, id) }

func renamed(names map[string]string, id string) string {
	if name, ok := names[id]; ok {
		return name
	}
	return id
}

// Apply appends the bytes of r for the new header to dst: RefID, NextRefID and
// the values of RG:Z and PG:Z are those of the new header, all else is as it
// was. A read group or program that the old header does not have is left alone,
// and so is all behind a malformed auxiliary field. Where references move, one
// that the old header does not have is an error that wraps [ErrCorrupt]; dst
// comes back as it was.
func (t *Translation) Apply(dst []byte, r Record) ([]byte, error) {
	at := len(dst)
	aux := r.auxOffset()
	dst = append(dst, r.b[:aux]...)
	if t.refs != nil {
		for _, f := range [...]struct {
			offset int
			id     int32
		}{{0, r.RefID()}, {20, r.NextRefID()}} {
			if f.id == -1 {
				continue
			}
			if uint(f.id) >= uint(len(t.refs)) {
				return dst[:at], fmt.Errorf("%w: read %q has reference %d, its header only %d", ErrCorrupt, r.ReadName(), f.id, len(t.refs))
			}
			binary.LittleEndian.PutUint32(dst[at+f.offset:], uint32(t.refs[f.id]))
		}
	}
	return t.appendAux(dst, r.b[aux:]), nil
}

// appendAux appends the auxiliary fields b with their read groups and programs renamed.
func (t *Translation) appendAux(dst, b []byte) []byte {
	if len(t.groups) == 0 && len(t.progs) == 0 {
		return append(dst, b...)
	}
	kept := 0 // of b, in dst already
	for at := 0; ; {
		n := auxLen(b[at:])
		if n == 0 {
			return append(dst, b[kept:]...)
		}
		if name, ok := t.renamed(b[at : at+n]); ok {
			dst = append(dst, b[kept:at+3]...) // up to the value
			dst = append(append(dst, name...), 0)
			kept = at + n
		}
		at += n
	}
}

// renamed returns the new value of a whole auxiliary field, if it gets one.
func (t *Translation) renamed(field []byte) (name string, ok bool) {
	if field[2] != 'Z' || field[1] != 'G' {
		return "", false
	}
	value := field[3 : len(field)-1]
	switch field[0] {
	case 'R':
		name, ok = t.groups[string(value)]
	case 'P':
		name, ok = t.progs[string(value)]
	}
	return name, ok
}
