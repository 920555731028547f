package bam

// baiHead writes what a BAI begins with (SAMv1 section 5.2), but for n_ref.
func (f *indexFile) baiHead() { _, _ = f.w.WriteString("BAI\x01") } // Flush tells the error

// linear writes a reference's linear index: for each window of 16 kb up to the
// last that is reached, the first record that reaches it or, where none does, a
// later one.
func (f *indexFile) linear(reaches []indexReach) {
	f.uint32(uint32(reaches[len(reaches)-1].window + 1))
	var window int32
	for _, r := range reaches {
		begin := f.virtual(r.begin)
		for ; window <= r.window; window++ {
			f.uint64(begin)
		}
	}
}
