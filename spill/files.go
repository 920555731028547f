package spill

import "slices"

// tempFile is a File with the bookkeeping of who uses it.
type tempFile struct {
	File
	dir int // index in Store.dirs

	// size is where the next block goes: it only ever grows past blocks that were
	// written whole. It belongs to whoever set busy.
	size int64

	// Guarded by Store.mu.
	busy bool // a Writer appends, or the file is being emptied
	full bool // met the file system's limit on file size
	runs int  // runs, finished or not, that have an extent here
}

// takeFile returns a file in directory number dir that is the caller's alone to
// append to, an idle one if there is one.
func (s *Store) takeFile(dir int) (*tempFile, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, errStoreClosed
	}
	i := slices.IndexFunc(s.files, func(f *tempFile) bool { return f.dir == dir && !f.busy && !f.full })
	if i >= 0 {
		f := s.files[i]
		f.busy = true
		s.mu.Unlock()
		return f, nil
	}
	s.mu.Unlock()

	file, err := s.fs.OpenTemp(s.dirs[dir])
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		_ = file.Close()
		return nil, errStoreClosed
	}
	f := &tempFile{File: file, dir: dir, busy: true}
	s.files = append(s.files, f)
	s.mu.Unlock()
	return f, nil
}

// addRun notes that a run has an extent in f, which therefore must not be emptied.
func (s *Store) addRun(f *tempFile) {
	s.mu.Lock()
	f.runs++
	s.mu.Unlock()
}

// giveFile ends the caller's hold on f. If full, nobody appends to f again until it
// was emptied.
func (s *Store) giveFile(f *tempFile, full bool) {
	s.mu.Lock()
	f.full = f.full || full
	if f.runs == 0 {
		s.mu.Unlock()
		s.empty(f)
		return
	}
	f.busy = false
	s.mu.Unlock()
}

// freeExtents gives the space of a run back, best effort. A file without runs is
// emptied as a whole, which works on every system.
func (s *Store) freeExtents(extents []extent) {
	for _, e := range extents {
		// The hole comes before the count goes down: a file at 0 may be emptied and
		// written anew at any moment, and the hole would hit the new run.
		if !s.lastRun(e.file) {
			_ = e.file.Release(e.off, e.n)
			s.mu.Lock()
			e.file.runs--
			mine := e.file.runs == 0 && !e.file.busy
			e.file.busy = e.file.busy || mine
			s.mu.Unlock()
			if !mine {
				continue
			}
		}
		s.empty(e.file)
	}
}

// lastRun reports whether the caller's run is the only one in f and no Writer uses
// f. If so it is taken out and f is the caller's to empty.
func (s *Store) lastRun(f *tempFile) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.runs != 1 || f.busy {
		return false
	}
	f.runs, f.busy = 0, true
	return true
}

// empty truncates f, which the caller holds and no run uses, and lets it go. Should
// truncation fail the file is used on behind what it holds.
func (s *Store) empty(f *tempFile) {
	err := f.Truncate(0)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		f.size, f.full = 0, false
	}
	f.busy = false
}

// pickDir returns the directory with the most free space among those that have not
// failed, round robin among equals; false if all have failed. Space that cannot be
// asked counts as none, so that where it never can all are equal.
func (s *Store) pickDir(failed []bool) (int, bool) {
	n := len(s.dirs)
	if n == 1 {
		return 0, failed == nil
	}
	best, most := -1, int64(-1)
	start := int(s.turn.Add(1)-1) % n
	for i := range n {
		d := (start + i) % n
		if failed != nil && failed[d] {
			continue
		}
		free := s.freeIn(s.dirs[d])
		if best < 0 || free > most {
			best, most = d, free
		}
	}
	return best, best >= 0
}

// freeIn returns the bytes free in dir, -1 if unknown.
func (s *Store) freeIn(dir string) int64 {
	free, err := s.fs.Free(dir)
	if err != nil {
		return -1
	}
	return free
}
