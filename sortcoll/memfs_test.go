package sortcoll

import (
	"io"
	"sync"

	"github.com/gosort/gosort/spill"
)

// memFS returns an FS in memory, so that sweeps of thousands of sorts do not wear a disk, and so that synctest sees no
// system calls.
func memFS() spill.FS { return inMemory{} }

type inMemory struct{}

func (inMemory) OpenTemp(string) (spill.File, error) { return &memFile{}, nil }
func (inMemory) Free(string) (int64, error)          { return 1 << 40, nil }

type memFile struct {
	mu sync.Mutex
	b  []byte
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off >= int64(len(f.b)) {
		return 0, io.EOF
	}
	n := copy(p, f.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if end := int(off) + len(p); end > len(f.b) {
		f.b = append(f.b, make([]byte, end-len(f.b))...)
	}
	return copy(f.b[off:], p), nil
}

func (f *memFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.b = f.b[:min(int(size), len(f.b))]
	return nil
}

func (f *memFile) Name() string               { return "memory" }
func (f *memFile) Release(int64, int64) error { return nil }
func (f *memFile) WillNeed(int64, int64)      {}
func (f *memFile) Close() error               { return nil }

// hookFS calls before ahead of every operation.
type hookFS struct {
	spill.FS
	before func()
}

func (h *hookFS) OpenTemp(dir string) (spill.File, error) {
	h.before()
	f, err := h.FS.OpenTemp(dir)
	if err != nil {
		return nil, err
	}
	return &hookFile{f, h.before}, nil
}

type hookFile struct {
	spill.File
	before func()
}

func (h *hookFile) ReadAt(p []byte, off int64) (int, error) {
	h.before()
	return h.File.ReadAt(p, off)
}

func (h *hookFile) WriteAt(p []byte, off int64) (int, error) {
	h.before()
	return h.File.WriteAt(p, off)
}
