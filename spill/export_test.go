package spill

import "os"

const (
	HeaderSize   = headerSize
	TrailerBlock = headerSize + trailerSize
	KindTrailer  = kindTrailer
)

// CheckFrame, CreateTemp and IsFull are tested on values no real run can have.
var (
	CheckFrame = checkFrame
	CreateTemp = createTemp
	IsFull     = isFull
)

// RunBytes returns the bytes of r, which must have one extent, and its block lengths.
func RunBytes(r Run) ([]byte, []uint32, error) {
	e := r.extents[0]
	b := make([]byte, e.n)
	_, err := e.file.ReadAt(b, e.off)
	return b, r.lengths, err
}

// NamedFile returns a File over f as CreateTemp does where an open file cannot be
// unlinked.
func NamedFile(f *os.File) File { return &osFile{File: f, name: f.Name(), later: f.Name()} }

// Extents returns the number of extents of r.
func Extents(r Run) int { return len(r.extents) }

// RunOver returns a run of s over arbitrary bytes in f, as if s had written them.
func RunOver(s *Store, f File, id uint64, lengths []uint32, maxBlock int, frames int64) Run {
	r := Run{id: id, frames: frames, maxBlock: maxBlock, direct: s.codec == None, lengths: lengths}
	for _, n := range lengths {
		r.stored += int64(n)
		r.maxStored = max(r.maxStored, int(n))
	}
	r.extents = []extent{{file: &tempFile{File: f, busy: true}, n: r.stored, blocks: len(lengths)}}
	r.life = &runLife{store: s}
	return r
}

// Seal makes block, whatever its payload, pass for block seq of the run id.
func Seal(block []byte, id uint64, seq, rawLen, frames int, kind uint8) {
	header{
		stored: uint32(len(block) - headerSize), raw: uint32(rawLen), frames: uint32(frames),
		run: id, seq: uint32(seq), kind: kind,
	}.seal(block)
}
