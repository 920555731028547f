package bam

import "fmt"

// FoundAux is an auxiliary field and where in the record it is.
type FoundAux struct {
	Aux
	Offset int // of its first byte in Bytes; 0 when there is no such field
}

// FindAux looks for several tags in one walk: it sets found[i] to the first
// field with tags[i]. A malformed field is an error that wraps [ErrCorrupt],
// unless all tags were found before it.
func (r Record) FindAux(tags [][2]byte, found []FoundAux) error {
	clear(found)
	missing := len(tags)
	for off := r.auxOffset(); off < len(r.b); {
		b := r.b[off:]
		n := auxLen(b)
		if n == 0 {
			return fmt.Errorf("%w: %w", ErrCorrupt, auxError(b))
		}
		tag := [2]byte(b)
		for i := range tags {
			if tags[i] == tag && found[i].Offset == 0 {
				found[i] = FoundAux{auxAt(b[:n]), off}
				if missing--; missing == 0 {
					return nil
				}
			}
		}
		off += n
	}
	return nil
}

// AuxAt returns the field at the Offset that FindAux found it at; with another
// offset it may panic.
func (r Record) AuxAt(offset int) Aux {
	b := r.b[offset:]
	return auxAt(b[:auxLen(b)])
}
