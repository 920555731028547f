package inflate

import "errors"

// Errors of Decode.
var (
	ErrCorrupt = errors.New("inflate: corrupt or cut deflate stream")
	ErrTooLong = errors.New("inflate: more bytes than the destination has room for")
)

// Decoder holds the tables, 19 kB. It may be used again, by one goroutine at a time; its zero value is ready.
type Decoder struct {
	lit     [litSize]entry
	dist    [distSize]entry
	code    code
	isFixed bool // the tables are those of the fixed code
}

// Decode inflates the deflate stream that src begins with to the beginning of dst, and returns how many bytes that made and
// how many of src they took. It may scribble over the rest of dst, up to its length, and with an error over all of it;
// then the numbers mean nothing.
func (d *Decoder) Decode(dst, src []byte) (made, taken int, err error) {
	s := stream{src: src, dst: dst}
	for last := false; !last && err == nil; {
		head := s.take(3)
		last = head&1 != 0
		switch head >> 1 {
		case 0:
			err = s.stored()
		case 1:
			d.setFixed()
			err = d.block(&s)
		case 2:
			if err = d.readCodes(&s); err == nil {
				err = d.block(&s)
			}
		default: // reserved, or the end of src
			err = ErrCorrupt
		}
	}
	return s.out, s.in, err
}

// block inflates what follows the codes of a block.
func (d *Decoder) block(s *stream) error {
	in := s.src[s.in:]
	left, out, bits, n, err := d.symbols(in, s.dst, s.out, s.bits, uint64(s.n))
	s.set(len(in)-left, out, bits, n)
	if err != errMore {
		return err
	}
	// Go on with what is left, at most 14 bytes and 7 given back, and so many zeros behind it that the loop ends only
	// when some of them were used, which is the error.
	var tail [fastIn + 7 + 8 + fastIn]byte
	copy(tail[:], s.src[s.in:])
	left, out, bits, n, err = d.symbols(tail[:], s.dst, s.out, s.bits, uint64(s.n))
	s.set(len(tail)-left, out, bits, n)
	if s.in > len(s.src) {
		s.in = len(s.src)
		return ErrCorrupt
	}
	return err
}
