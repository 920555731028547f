package bgzfin

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// IsCorrupt reports whether err says that a DEFLATE stream is none.
func IsCorrupt(err error) bool {
	_, ok := errors.AsType[flate.CorruptInputError](err)
	return ok
}

// inflater inflates whole blocks; each worker owns one. It is the one place that knows which DEFLATE decoder is used.
type inflater struct {
	src bytes.Reader
	fr  io.ReadCloser
	one [1]byte // a field, because a local would move to the heap with each block
}

// block inflates b into dst, which has exactly the length the block's ISIZE promises, and checks its CRC32.
func (f *inflater) block(dst []byte, b *block) error {
	f.src.Reset(b.deflate)
	if f.fr == nil {
		f.fr = flate.NewReader(&f.src)
	} else if err := f.fr.(flate.Resetter).Reset(&f.src, nil); err != nil {
		return err
	}
	if _, err := io.ReadFull(f.fr, dst); err != nil {
		return fmt.Errorf("%w: block at offset %d does not inflate to its ISIZE of %d bytes", ErrCorrupt, b.coffset, b.isize)
	}
	// One more read must find the end: data beyond ISIZE, and bytes behind the end of the deflate stream, are damage.
	if n, err := f.fr.Read(f.one[:]); n != 0 || err != io.EOF || f.src.Len() != 0 {
		return fmt.Errorf("%w: block at offset %d holds more than its ISIZE of %d bytes", ErrCorrupt, b.coffset, b.isize)
	}
	if got := crc32.ChecksumIEEE(dst); got != b.crc {
		return fmt.Errorf("%w: block at offset %d: CRC32 is %08x, should be %08x", ErrCorrupt, b.coffset, got, b.crc)
	}
	return nil
}
