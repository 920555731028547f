package bgzfout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// storedOverhead is what one stored deflate block adds to its bytes (RFC 1951
// section 3.2.4). A payload is below 65,536 bytes, so one block always does.
const storedOverhead = 5

// encoder turns payloads into raw deflate streams. It is the only place that
// knows which deflate implementation is behind it. Each payload is compressed
// as if it were the first, so that the output does not depend on which worker
// got it. Not safe for concurrent use: a worker owns one.
type encoder struct {
	flate *flate.Writer // nil at level Stored
	sink  sink
}

// newEncoder returns an encoder for a level that Options.check has admitted.
func newEncoder(level int) *encoder {
	if level == Stored {
		return &encoder{}
	}
	fw, err := flate.NewWriter(io.Discard, level)
	if err != nil {
		panic(fmt.Sprintf("bgzfout: level %d passed the check: %v", level, err))
	}
	return &encoder{flate: fw}
}

// encoderBytes bounds what newEncoder allocates, then and at its first use:
// hash tables, history, window and tokens. Measured; a test holds it.
func encoderBytes(level int) int64 {
	if level == Stored {
		return 0
	}
	return 3 << 19
}

// deflate appends payload's deflate stream to dst. The stream is never longer
// than the stored form: there a deflated stream is given up as soon as it
// reaches that length.
func (e *encoder) deflate(dst, payload []byte) []byte {
	if e.flate == nil {
		return appendStored(dst, payload)
	}
	e.sink = sink{buf: dst, limit: len(dst) + storedOverhead + len(payload) - 1}
	e.flate.Reset(&e.sink)
	_, err := e.flate.Write(payload)
	if err == nil {
		err = e.flate.Close()
	}
	if err != nil { // only the sink fails, when full
		return appendStored(dst, payload)
	}
	return e.sink.buf
}

// appendStored appends payload as one final stored deflate block.
func appendStored(dst, payload []byte) []byte {
	n := uint16(len(payload))
	dst = append(dst, 1) // BFINAL 1, BTYPE 00, padding
	dst = binary.LittleEndian.AppendUint16(dst, n)
	dst = binary.LittleEndian.AppendUint16(dst, ^n)
	return append(dst, payload...)
}

var errSinkFull = errors.New("bgzfout: longer than stored")

// sink takes the output of flate up to limit bytes of buf.
type sink struct {
	buf   []byte
	limit int
}

func (s *sink) Write(p []byte) (int, error) {
	if len(s.buf)+len(p) > s.limit {
		return 0, errSinkFull
	}
	s.buf = append(s.buf, p...)
	return len(p), nil
}
