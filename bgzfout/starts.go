package bgzfout

import "encoding/binary"

// markEvery is the number of blocks between two marks of blockStarts. At 32 the
// marks cost an eighth of what the sizes do, and start adds up 31 of those at
// the most, some ten nanoseconds.
const markEvery = 32

// blockStarts knows where each block lies in the file, in 2.25 bytes a block:
// BSIZE of each, and the whole offset of every markEvery-th.
type blockStarts struct {
	sizes []uint16
	marks []int64
	end   int64 // of the last block: where the next one or the EOF marker starts
}

// add takes whole blocks, in the order of the file.
func (b *blockStarts) add(blocks []byte) {
	for len(blocks) > 0 {
		if len(b.sizes)%markEvery == 0 {
			b.marks = append(b.marks, b.end)
		}
		bsize := binary.LittleEndian.Uint16(blocks[bsizeOffset:])
		b.sizes = append(b.sizes, bsize)
		b.end += int64(bsize) + 1
		blocks = blocks[int(bsize)+1:]
	}
}

// start returns the offset of a block; the one after the last starts at the end.
func (b *blockStarts) start(block int64) int64 {
	if block == int64(len(b.sizes)) {
		return b.end
	}
	mark := block / markEvery
	at := b.marks[mark]
	for _, bsize := range b.sizes[mark*markEvery : block : len(b.sizes)] { // the third bound: append left more behind
		at += int64(bsize) + 1
	}
	return at
}

// Position returns where the next byte will go: the number of its block,
// counted from 0, and the offset in the block's payload. A full block has ended,
// so the offset is below MaxPayload. After Close the block's number is the
// number of all blocks, the EOF marker not counted, and the offset 0. A record's
// place is that between its FlushTry and its Write.
func (w *Writer) Position() (block int64, offset int) {
	if w.cur == nil {
		return w.handedOver, 0
	}
	return w.handedOver + int64(len(w.cur.ended)), w.cur.open()
}

// BlockStart returns the offset in the file, from the first byte that this
// Writer wrote, of a block with the number that Position gave. The number after
// the last block gives the end of that, which after Close is where the EOF marker
// starts. It knows the blocks that were there when Flush or Close last returned
// without an error, and only with Options.BlockStarts; it panics on others.
func (w *Writer) BlockStart(block int64) int64 { return w.starts.start(block) }
