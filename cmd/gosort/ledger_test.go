package main

import (
	"errors"
	"testing"
)

// TestTooManyInputs: the readers of a merge stay within what is there, or the error names what works.
func TestTooManyInputs(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		merge := func(size int64, n int) error {
			cfg := config{memory: size, threads: threads, level: 6}
			m, err := divideMemory(cfg)
			if err != nil {
				t.Fatal(err)
			}
			o, err := m.mergeReader(cfg, n)
			if held := programMemory + runtimeMemory + m.writer.Memory() + int64(n)*o.Memory(); err == nil && held > size {
				t.Errorf("%d threads, %d inputs: %d bytes of %d are held", threads, n, held, size)
			}
			return err
		}
		for _, n := range []int{1, 2, 8, 50, 400} {
			err := merge(64<<20, n)
			refused, ok := errors.AsType[*needError](err)
			if ok != (n >= 400) {
				t.Errorf("%d threads, %d inputs: %v", threads, n, err)
			}
			if ok && merge(refused.least, n) != nil {
				t.Errorf("%d threads, %d inputs: %d bytes are not enough", threads, n, refused.least)
			}
		}
	}
}

// TestHeadersTooLarge: the least memory that the error names works, and no less does.
func TestHeadersTooLarge(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		for _, headers := range []int64{30 << 20, 300 << 20, 5 << 30} {
			charge := func(size int64) error {
				cfg := config{memory: size, threads: threads, level: 6}
				m, err := divideMemory(cfg)
				if err != nil {
					t.Fatal(err)
				}
				return m.charge(cfg, headers, 1<<40)
			}
			refused, ok := errors.AsType[*needError](charge(32 << 20))
			if !ok {
				t.Fatalf("%d threads: headers of %d bytes are not refused at 32 MiB", threads, headers)
			}
			if err := charge(refused.least); err != nil {
				t.Errorf("%d threads, headers of %d bytes: %d bytes should be enough: %v", threads, headers, refused.least, err)
			}
			if charge(refused.least-1<<20) == nil {
				t.Errorf("%d threads, headers of %d bytes: less than %d bytes is enough", threads, headers, refused.least)
			}
		}
	}
}
