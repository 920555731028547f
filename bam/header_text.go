package bam

import (
	"bytes"
	"iter"
)

// headerLines walks text line by line, yielding the offset of each line and the
// line without its "\n" or "\r\n".
func headerLines(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for start := 0; start < len(text); {
			line, next := text[start:], len(text)
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line, next = line[:n], start+n+1
			}
			if !yield(start, bytes.TrimSuffix(line, []byte{'\r'})) {
				return
			}
			start = next
		}
	}
}

// isLine reports whether line is of the kind, as in "@SQ".
func isLine(line []byte, kind string) bool {
	return len(line) >= 3 && string(line[:3]) == kind && (len(line) == 3 || line[3] == '\t')
}

// fieldsOf walks the fields behind a line's kind, each as it stands, "SN:chr1".
func fieldsOf(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		_, rest, more := bytes.Cut(line, []byte{'\t'})
		for more {
			var f []byte
			f, rest, more = bytes.Cut(rest, []byte{'\t'})
			if !yield(f) {
				return
			}
		}
	}
}

// commentKind begins a header line that may hold anything.
const commentKind = "@CO"

// isRead tells a read whose name begins with '@', which SAMv1 does not allow but files have, from a header line. It has
// all columns, and FLAG, a number, where a header line has a field.
func isRead(line []byte) bool {
	name, rest, _ := cutColumn(line)
	return len(rest) > 0 && rest[0]-'0' <= 9 && string(name) != commentKind && bytes.Count(rest, []byte{'\t'}) >= numColumns-2
}

// isField reports whether f is the field with the tag, as in "SN:".
func isField(f []byte, tag string) bool { return len(f) >= 3 && string(f[:3]) == tag }

// fieldOf returns the value of the first field with the tag, as in "SN:".
func fieldOf(line []byte, tag string) ([]byte, bool) {
	for f := range fieldsOf(line) {
		if isField(f, tag) {
			return f[3:], true
		}
	}
	return nil, false
}
