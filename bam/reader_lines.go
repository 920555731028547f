package bam

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// textPerBlock is the text in a unit for each of ReaderOptions.UnitBlocks: 256 KiB by default, half a millisecond's
// work, beside which the hand-over vanishes, and a fraction of a core's cache.
const textPerBlock = 16 << 10

// rawPerText bounds how much longer than its text a record is, in bytes of BAM, its length included, per character. The
// worst are CIGARs of short operations and arrays of one-digit numbers: two characters make four bytes.
const rawPerText = 2

// rawSlack is what ParseSAMLine wants to have left beyond that.
const rawSlack = 4 + 2*fixedLen

// textUnits is how many units circulate: one with the consumer, one with the reader of lines, one for each worker.
func textUnits(threads int) int {
	if threads <= 1 {
		return 1
	}
	return threads + 2
}

// textMemory bounds the bytes of the units and of what lies between them.
func textMemory(threads, size int) int64 {
	return int64(textUnits(threads))*int64(size+rawPerText*size+rawSlack) + int64(size)
}

// textUnit is a run of whole lines and the records that they make.
type textUnit struct {
	text  []byte
	more  bool   // text follows that is in no earlier unit
	open  bool   // what follows the last newline may be the part of a line before a cut
	raw   []byte // the records, each behind its length, as in BAM
	lines int64  // that were read, the one at fault included
	err   error  // follows the records; io.EOF in the last unit
	done  chan struct{}
}

func newTextUnit() *textUnit { return &textUnit{done: make(chan struct{}, 1)} }

// trim gives back the memory of lines longer than a unit.
func (u *textUnit) trim(size int) {
	if cap(u.text) > size {
		u.text = nil
	}
	if cap(u.raw) > rawPerText*size+rawSlack {
		u.raw = nil
	}
	u.text = u.text[:0]
}

var (
	errBlankLine  = errors.New("a blank line between records")
	errLateHeader = errors.New("a header line behind the first record")
)

// parse makes the records of u's lines, up to the first line that is none.
func (u *textUnit) parse(h *Header, size int) {
	if u.raw == nil {
		u.raw = make([]byte, 0, rawPerText*min(len(u.text), size)+rawSlack)
	}
	u.raw, u.lines = u.raw[:0], 0
	for text := u.text; len(text) > 0; {
		line, rest, ended := bytes.Cut(text, []byte{'\n'})
		text = rest
		u.lines++
		switch err := u.parseLine(h, line, u.more || len(text) > 0); {
		case err == nil:
		case u.open && !ended:
			u.err = fmt.Errorf("%w: the last line has no end and is no record: %w", ErrTruncated, err)
			return
		default:
			u.err = fmt.Errorf("%w: %w", ErrCorrupt, err)
			return
		}
	}
}

// parseLine appends the record of a line; more tells whether another line follows.
func (u *textUnit) parseLine(h *Header, line []byte, more bool) error {
	if len(line) == 0 || len(line) == 1 && line[0] == '\r' {
		if more { // a blank line is legal only as the last
			return errBlankLine
		}
		return nil
	}
	if line[0] == '@' && len(line) > 3 && line[3] == '\t' && !isRead(line) {
		return errLateHeader
	}
	at := len(u.raw)
	raw, err := h.appendRecord(append(u.raw, 0, 0, 0, 0), line)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(raw[at:], uint32(len(raw)-at-4))
	u.raw = raw
	return nil
}

// lineSource cuts a stream of text into units of whole lines.
type lineSource struct {
	w        *window
	size     int    // of a unit's text, bytes
	tail     []byte // text behind the header or the last unit
	finished bool   // the last unit was filled
}

// header takes the lines that begin with '@' and are no reads, and counts them. There may be millions: they are taken by
// the window, and put together once all are there. A read that began in an earlier window stays in the tail.
func (s *lineSource) header() (text []byte, lines int64, err error) {
	var parts [][]byte
	for done := false; !done; {
		b, err := s.w.rest()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, 0, err
		}
		if len(s.tail) > 0 {
			n := lineLen(b)
			s.tail = append(s.tail, b[:n]...)
			s.w.pos += n
			if done = isRead(s.tail); !done && b[n-1] == '\n' {
				parts, s.tail = append(parts, s.tail), nil
			}
			continue
		}
		n := headerLen(b)
		parts = append(parts, bytes.Clone(b[:n]))
		if rest := b[n:]; len(rest) > 0 && rest[0] == '@' && bytes.IndexByte(rest, '\n') < 0 {
			s.tail = bytes.Clone(rest)
			n = len(b)
		} else {
			done = len(rest) > 0
		}
		s.w.pos += n
	}
	if len(s.tail) > 0 && !isRead(s.tail) {
		parts, s.tail = append(parts, s.tail), nil
		lines++ // the last, which has no end
	}
	text = bytes.Join(parts, nil)
	return text, lines + int64(bytes.Count(text, []byte{'\n'})), nil
}

// headerLen returns the length of the whole header lines that b begins with.
func headerLen(b []byte) int {
	n := 0
	for n < len(b) && b[n] == '@' {
		end := bytes.IndexByte(b[n:], '\n') + 1
		if end == 0 || isRead(b[n:n+end]) {
			break
		}
		n += end
	}
	return n
}

// lineLen returns the length of the first line of b with its end, that of b if it has none.
func lineLen(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return n + 1
	}
	return len(b)
}

// fill puts whole lines into u: as many as have room, or one that has not. In the last unit u.err says how the stream
// ended; a line that it ended in is kept if that was its regular end.
func (s *lineSource) fill(u *textUnit) {
	if u.text == nil {
		u.text = make([]byte, 0, s.size)
	}
	u.text = append(u.text[:0], s.tail...)
	s.tail = s.tail[:0]
	err := s.fillUp(u)
	if err == nil {
		if i := bytes.LastIndexByte(u.text, '\n'); i >= 0 {
			s.tail = append(s.tail, u.text[i+1:]...)
			u.text = u.text[:i+1]
		} else {
			err = s.finishLine(u)
		}
	}
	if err == nil && len(s.tail) == 0 {
		_, err = s.w.rest()
	}
	u.more, u.err, s.finished = err == nil, err, err != nil
	u.open = err == io.EOF && !s.w.src.marked()
	if err != nil && err != io.EOF {
		u.text = u.text[:bytes.LastIndexByte(u.text, '\n')+1]
	}
}

// fillUp fills u.text to the unit's size.
func (s *lineSource) fillUp(u *textUnit) error {
	for len(u.text) < s.size {
		b, err := s.w.rest()
		if err != nil {
			return err
		}
		n := min(len(b), s.size-len(u.text))
		u.text = append(u.text, b[:n]...)
		s.w.pos += n
	}
	return nil
}

// finishLine appends all up to the next newline.
func (s *lineSource) finishLine(u *textUnit) error {
	for {
		b, err := s.w.rest()
		if err != nil {
			return err
		}
		n := lineLen(b)
		u.text = append(u.text, b[:n]...)
		s.w.pos += n
		if b[n-1] == '\n' {
			return nil
		}
	}
}
