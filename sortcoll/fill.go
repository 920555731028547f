package sortcoll

import (
	"encoding/binary"
	"fmt"
	"math"
)

// entry is what sorting moves: the key, and where the frame lies in the fill. pos grows with the input, so it is the
// input order as well. A fill has nothing in it that the garbage collector must scan.
type entry struct {
	key uint64
	pos uint64 // slab<<32 | offset
}

const (
	entrySize = 16
	pageBits  = 12 // 4096 entries, 64 KiB: small enough to be nothing for a tiny input
	pageLen   = 1 << pageBits
	pageSize  = pageLen * entrySize
)

// pages is an array of entries that grows without being copied.
type pages [][]entry

func (p pages) at(i int) *entry { return &p[i>>pageBits][i&(pageLen-1)] }

// grow makes room for n entries.
func (p pages) grow(n int) pages {
	for len(p)<<pageBits < n {
		p = append(p, make([]entry, pageLen))
	}
	return p
}

// fill is one memory load: frames, each behind its length, in slabs, and an entry for each. It keeps its memory when it
// is emptied.
type fill struct {
	slabSize int
	pageCost int64 // bytes charged for a page of entries: its own and its part of the room for sorting
	slabs    [][]byte
	used     int   // slabs that hold frames; slabs[used-1] is being filled
	off      int   // end of the frames in it
	large    int64 // bytes of slabs made for one frame larger than slabSize
	entries  pages
	n        int
}

// grows tells whether one more frame of the given size makes the fill take more memory.
func (f *fill) grows(size int) bool {
	return f.used == 0 || f.off+4+size > len(f.slabs[f.used-1]) || f.n&(pageLen-1) == 0
}

// cost returns the bytes of memory the fill needs with one more frame of the given size.
func (f *fill) cost(size int) int64 {
	slabs := int64(f.used) * int64(f.slabSize)
	if f.used == 0 || f.off+4+size > len(f.slabs[f.used-1]) {
		slabs += int64(max(f.slabSize, 4+size))
	}
	pages := int64(f.n>>pageBits + 1)
	return slabs + f.large + pages*f.pageCost
}

// held returns the bytes of memory the fill has hold of, used or spare, once it has taken one more frame of the given
// size.
func (f *fill) held(size int) int64 {
	spareSlabs := int64(len(f.slabs)-f.used) * int64(f.slabSize)
	sparePages := int64(max(0, len(f.entries)-f.n>>pageBits-1))
	return f.cost(size) + spareSlabs + sparePages*f.pageCost
}

// dropSpare gives up what the fill holds and does not use: what small records left behind is no use to large ones.
func (f *fill) dropSpare() {
	clear(f.slabs[f.used:])
	f.slabs = f.slabs[:f.used]
	pages := min(len(f.entries), f.n>>pageBits+1)
	clear(f.entries[pages:])
	f.entries = f.entries[:pages]
}

// add copies frame into the fill.
func (f *fill) add(key uint64, frame []byte) error {
	if len(frame) > math.MaxInt32 {
		return fmt.Errorf("sortcoll: a frame of %d bytes exceeds 2 GiB", len(frame))
	}
	need := 4 + len(frame)
	if f.used == 0 || f.off+need > len(f.slabs[f.used-1]) {
		f.nextSlab(need)
	}
	slab := f.slabs[f.used-1]
	binary.LittleEndian.PutUint32(slab[f.off:], uint32(len(frame)))
	copy(slab[f.off+4:], frame)
	if f.n>>pageBits == len(f.entries) {
		f.entries = f.entries.grow(f.n + 1)
	}
	*f.entries.at(f.n) = entry{key, uint64(f.used-1)<<32 | uint64(f.off)}
	f.n++
	f.off += need
	return nil
}

func (f *fill) nextSlab(need int) {
	if need > f.slabSize {
		f.large += int64(need - f.slabSize)
		f.slabs = append(f.slabs, nil)
		copy(f.slabs[f.used+1:], f.slabs[f.used:])
		f.slabs[f.used] = make([]byte, need)
	} else if f.used == len(f.slabs) {
		f.slabs = append(f.slabs, make([]byte, f.slabSize))
	}
	f.used++
	f.off = 0
}

// frame returns the frame at an entry's position.
func (f *fill) frame(pos uint64) []byte {
	slab, off := f.slabs[pos>>32], pos&math.MaxUint32
	n := uint64(binary.LittleEndian.Uint32(slab[off:]))
	return slab[off+4 : off+4+n]
}

// reset empties the fill and keeps its memory, but for slabs made for one large frame.
func (f *fill) reset() {
	if f.large > 0 {
		kept := f.slabs[:0]
		for _, s := range f.slabs {
			if len(s) == f.slabSize {
				kept = append(kept, s)
			}
		}
		clear(f.slabs[len(kept):])
		f.slabs = kept
	}
	f.used, f.off, f.large, f.n = 0, 0, 0, 0
}
