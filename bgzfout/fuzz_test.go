package bgzfout

import (
	"bytes"
	"testing"
)

// FuzzWriter reads its input as a program of calls on a Writer. What comes out
// must decompress to what went in and be what the serial writer makes.
func FuzzWriter(f *testing.F) {
	f.Add(uint8(1), uint8(6), []byte("\x00\x10hello\x40\x00\x80\x00\x01\xff\xff"))
	f.Add(uint8(2), uint8(1), []byte("\x3f\xff\x3f\xff\x3f\xff\x3f\xff\x3f\xff\x40\x01\x80\x00\x00\x01"))
	f.Add(uint8(3), uint8(0), []byte("\x3e\xff\x00\x00\x40\xff\x01\x01"))
	f.Add(uint8(4), uint8(9), records(f, "novaseq151")[:3000])
	f.Fuzz(func(t *testing.T, threads, level uint8, program []byte) {
		if len(program) > 4096 {
			t.Skip("long programs find nothing that short ones do not")
		}
		o := Options{Level: int(level%11) - 1, Threads: int(threads % 5), SlotBlocks: 1 + int(threads/5%3)}
		got, want := runProgram(t, o, program)
		blocks, content := mustWalk(t, got)
		if !bytes.Equal(content, want) {
			t.Fatalf("%+v: %d bytes in, %d others out, in %d blocks", o, len(want), len(content), len(blocks))
		}
		serial, _ := runProgram(t, Options{Level: o.Level, SlotBlocks: 1}, program)
		if !bytes.Equal(got, serial) {
			t.Fatalf("%+v: %d bytes, the serial writer made %d others", o, len(got), len(serial))
		}
	})
}

// runProgram runs two-byte instructions: the high bits of the first say what to
// do, the rest how much. It returns the output and all bytes written.
func runProgram(t *testing.T, o Options, program []byte) (out, written []byte) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(program); i += 2 {
		op, n := program[i]>>6, int(program[i]&0x3f)<<8|int(program[i+1])
		switch op {
		case 0, 1: // the program's own bytes, over and over, from here on
			p := bytes.Repeat(program[i:], n*5/len(program[i:])+1)
			if _, err = w.Write(p); err == nil {
				written = append(written, p...)
			}
		case 2:
			err = w.FlushTry(n * 5)
		case 3:
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(written) > 4*MaxPayload {
			break
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), written
}
