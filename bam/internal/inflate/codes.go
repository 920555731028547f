package inflate

// setFixed makes the tables of the fixed code (RFC 1951 section 3.2.6).
func (d *Decoder) setFixed() {
	if d.isFixed {
		return
	}
	var lens [len(litEntries)]uint8
	for i := range lens {
		switch {
		case i < 144 || i >= 280:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		default:
			lens[i] = 7
		}
	}
	d.code.build(d.lit[:], litEntries[:], lens[:], litBits)
	for i := range distEntries {
		lens[i] = 5
	}
	d.code.build(d.dist[:], distEntries[:], lens[:len(distEntries)], distBits)
	d.isFixed = true
}

// lensOrder is the order in which the lengths of the code of code lengths come.
var lensOrder = [len(lensEntries)]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes at the beginning of a block (RFC 1951 section 3.2.7) and makes their tables.
func (d *Decoder) readCodes(s *stream) error {
	d.isFixed = false
	head := s.take(14)
	lits, dists, n := int(head&31)+257, int(head>>5&31)+1, int(head>>10&15)+4
	if lits > 286 || dists > 30 { // noBits too
		return ErrCorrupt
	}
	var order [len(lensEntries)]uint8
	for _, i := range lensOrder[:n] {
		v := s.take(3)
		if v == noBits {
			return ErrCorrupt
		}
		order[i] = uint8(v)
	}
	var table [lensSize]entry
	if !d.code.build(table[:], lensEntries[:], order[:], lensBits) {
		return ErrCorrupt
	}
	var lens [286 + 30]uint8
	if !s.readLens(lens[:lits+dists], &table) ||
		!d.code.build(d.lit[:], litEntries[:], lens[:lits], litBits) ||
		!d.code.build(d.dist[:], distEntries[:], lens[lits:lits+dists], distBits) {
		return ErrCorrupt
	}
	return nil
}

// readLens reads code lengths until lens is full. It returns false if they are not well formed.
func (s *stream) readLens(lens []uint8, table *[lensSize]entry) bool {
	for i := 0; i < len(lens); {
		s.refill()
		e := table[s.bits&(lensSize-1)]
		if e&isSpecial != 0 || !s.drop(uint(e&dropMask)) {
			return false
		}
		value, n, more := uint8(e>>16), 1, uint64(0)
		switch value {
		case 16:
			if i == 0 {
				return false
			}
			value, n, more = lens[i-1], 3, s.take(2)
		case 17:
			value, n, more = 0, 3, s.take(3)
		case 18:
			value, n, more = 0, 11, s.take(7)
		}
		if more == noBits || n+int(more) > len(lens)-i {
			return false
		}
		for n += int(more); n > 0; n-- {
			lens[i] = value
			i++
		}
	}
	return true
}
