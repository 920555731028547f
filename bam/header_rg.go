package bam

// Libraries returns the library (LB) of each read group, by ID, which is what a
// record's RG tag holds; "" where the @RG line has no LB. Of lines that share an
// ID the first counts; those without one are left out.
func (h *Header) Libraries() map[string]string {
	libraries := map[string]string{}
	for _, line := range headerLines(h.text) {
		if !isLine(line, "@RG") {
			continue
		}
		id, ok := fieldOf(line, "ID:")
		if _, again := libraries[string(id)]; !ok || again {
			continue
		}
		library, _ := fieldOf(line, "LB:")
		libraries[string(id)] = string(library)
	}
	return libraries
}
