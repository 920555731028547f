package bgzfin

import (
	"fmt"
	"hash/crc32"

	"github.com/gosort/gosort/bam/internal/inflate"
)

// inflaterBytes bounds what an inflater takes, the decoder's tables. A test holds it.
const inflaterBytes = 20 << 10

// inflater inflates whole blocks; each worker owns one. It is the one place that knows which DEFLATE decoder is used.
type inflater struct {
	decoder inflate.Decoder
}

// block inflates b into dst, which has exactly the length the block's ISIZE promises, and checks its CRC32.
func (f *inflater) block(dst []byte, b *block) error {
	made, taken, err := f.decoder.Decode(dst, b.deflate)
	switch {
	// Bytes behind the end of the deflate stream are damage, as data beyond ISIZE are.
	case err == inflate.ErrTooLong, err == nil && made == len(dst) && taken < len(b.deflate):
		return fmt.Errorf("%w: block at offset %d holds more than its ISIZE of %d bytes", ErrCorrupt, b.coffset, b.isize)
	case err != nil || made < len(dst):
		return fmt.Errorf("%w: block at offset %d does not inflate to its ISIZE of %d bytes", ErrCorrupt, b.coffset, b.isize)
	}
	if got := crc32.ChecksumIEEE(dst); got != b.crc {
		return fmt.Errorf("%w: block at offset %d: CRC32 is %08x, should be %08x", ErrCorrupt, b.coffset, got, b.crc)
	}
	return nil
}
