package inflate

import "encoding/binary"

// stream is where Decode stands.
type stream struct {
	src, dst []byte
	in, out  int    // of the next byte to load and to write
	bits     uint64 // loaded but not used, the next one lowest; behind them are those to come, or zeros
	n        uint   // how many are loaded
}

// refill loads at least 48 bits, if src has them.
func (s *stream) refill() {
	if len(s.src)-s.in >= 8 {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.in:]) << (s.n & 63)
		s.in += int(63-s.n) >> 3
		s.n |= 56
		return
	}
	s.refillEnd()
}

// refillEnd is refill for the last bytes of src.
func (s *stream) refillEnd() {
	for s.n < 56 && s.in < len(s.src) {
		s.bits |= uint64(s.src[s.in]) << (s.n & 63)
		s.n += 8
		s.in++
	}
}

// noBits is what take returns at the end of src: more than any bits.
const noBits = ^uint64(0)

// take returns the next n bits, or noBits if there are fewer.
func (s *stream) take(n uint) uint64 {
	s.refill()
	v := s.bits & (1<<n - 1)
	if !s.drop(n) {
		return noBits
	}
	return v
}

// drop skips n bits. It returns false if there are fewer.
func (s *stream) drop(n uint) bool {
	if n > s.n {
		return false
	}
	s.bits >>= n & 63
	s.n -= n
	return true
}

// giveBack returns whole bytes to src, so that in is behind the last byte of which a bit was used.
func (s *stream) giveBack() {
	s.in -= int(s.n >> 3)
	s.n &= 7
	s.bits &= 1<<s.n - 1
}

// stored copies a block without compression (RFC 1951 section 3.2.4).
func (s *stream) stored() error {
	s.giveBack()
	s.bits, s.n = 0, 0
	rest := s.src[s.in:]
	if len(rest) < 4 {
		return ErrCorrupt
	}
	n := binary.LittleEndian.Uint16(rest)
	switch {
	case n != ^binary.LittleEndian.Uint16(rest[2:]):
		return ErrCorrupt
	case int(n) > len(s.dst)-s.out:
		return ErrTooLong
	case int(n) > len(rest)-4:
		return ErrCorrupt
	}
	s.out += copy(s.dst[s.out:], rest[4:4+int(n)])
	s.in += 4 + int(n)
	return nil
}

// set moves on by in bytes, with n of the bits left.
func (s *stream) set(in, out int, bits, n uint64) {
	s.in, s.out, s.bits, s.n = s.in+in, out, bits, uint(n&63)
	s.giveBack()
}
