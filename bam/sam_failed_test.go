package bam_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

// failedFiles says what becomes of each file that breaks the specification: it goes through unchanged, for a sorter
// does not judge what it does not use, or it is refused at the line, for the field. The last word is what is wrong.
const failedFiles = `
aux.fail-A        ok           characters
aux.fail-A2       line 3 "AA:  length
aux.fail-B1       line 3 "BA:  type
aux.fail-B2       line 3 "BC:  range
aux.fail-B3       line 3 "BI:  range
aux.fail-B4       line 3 "BA:  type
aux.fail-H1       ok           digits
aux.fail-H2       ok           case
aux.fail-Z1       ok           characters
aux.fail-f1       line 3 "F2:  range
aux.fail-f2       ok           dot
aux.fail-f3       ok           infinite
aux.fail-f4       line 3 "F0:  number
aux.fail-format1  line 3 "Z:   form
aux.fail-format2  line 3 "ZZZ: form
aux.fail-format3  line 3 "ZZ:  type
aux.fail-format4  ok           repeated
aux.fail-i1       line 3 "I0:  range
aux.fail-i2       line 3 "I0:  range
aux.fail-i3       line 3 "I0:  empty
aux.fail-i4       line 3 "I0:  number
aux.fail-tag      ok           characters
aux.fail-tag2     line 3 "A:   form
cigar.fail1       line 3 QUAL  length
cigar.fail2       ok           clips
cigar.fail3       line 3 CIGAR operation
cigar.fail4       line 3 CIGAR operation
cigar.fail5       line 3 CIGAR empty
flag.fail         line 8 FLAG  range
flag.fail1        line 3 FLAG  number
flag.fail2        line 4 FLAG  range
flag.fail3        line 4 FLAG  octal
flag.fail4        line 3 FLAG  number
hdr.HD1           ok           version
hdr.HD2           ok           order
hdr.HD3           ok           order
hdr.HD4           ok           order
hdr.HD5           ok           order
hdr.HD6           ok           place
hdr.HD7           ok           repeated
hdr.PG1           ok           repeated
hdr.PG2           ok           missing
hdr.PG3           ok           dangling
hdr.RG0           ok           missing
hdr.RG1           ok           repeated
hdr.RG2           ok           date
hdr.RG3           ok           date
hdr.RG4           ok           number
hdr.RG5           ok           platform
hdr.SQ1           ok           zero
hdr.SQ10          ok           checksum
hdr.SQ11          ok           checksum
hdr.SQ12          ok           checksum
hdr.SQ13          ok           topology
hdr.SQ14          line 1 @SQ   repeated
hdr.SQ2           line 1 @SQ   meaning
hdr.SQ3           ok           characters
hdr.SQ4           ok           locus
hdr.SQ5           line 2 @SQ   repeated
hdr.SQ6           ok           alias
hdr.SQ7           line 1 @SQ   missing
hdr.SQ8           line 1 @SQ   missing
hdr.SQ9           ok           alias
mapq.fail1        line 4 MAPQ  range
mapq.fail2        line 4 MAPQ  range
mapq.fail3        line 3 MAPQ  number
pnext.fail1       line 4 PNEXT range
pnext.fail2       line 4 PNEXT number
pnext.fail3       line 4 PNEXT number
pos.fail1         line 5 POS   number
pos.fail2         line 4 POS   range
pos.fail3         line 3 POS   range
pos.fail4         line 3 POS   number
qname.fail1       ok           characters
qname.fail2       ok           characters
qname.fail3       line 3 QNAME length
qname.fail4       line 2 QNAME empty
qual.fail1        line 3 QUAL  characters
qual.fail2        ok           characters
qual.fail3        line 3 QUAL  length
qual.fail4        line 3 QUAL  length
qual.fail5        line 3 QUAL  length
rname.fail1       line 1 @SQ   meaning
rname.fail10      line 3 RNAME empty
rname.fail2       ok           characters
rname.fail3       ok           characters
rname.fail4       ok           characters
rname.fail5       ok           characters
rname.fail6       ok           characters
rname.fail7       ok           characters
rname.fail8       ok           characters
rname.fail9       line 4 RNAME unknown
rnext.fail1       ok           characters
rnext.fail10      line 4 RNEXT empty
rnext.fail2       ok           characters
rnext.fail3       ok           characters
rnext.fail4       ok           characters
rnext.fail5       ok           characters
rnext.fail6       ok           characters
rnext.fail7       ok           characters
rnext.fail8       ok           characters
rnext.fail9       line 4 RNEXT unknown
seq.fail1         line 3 SEQ   characters
seq.fail2         line 3 SEQ   characters
seq.fail3         line 3 SEQ   empty
tlen.fail1        line 3 TLEN  number
tlen.fail2        line 3 TLEN  number
tlen.fail3        line 3 TLEN  number
`

// sameValue turns what a file writes in an odd way into the spelling that goes out.
var sameValue = map[string]*strings.Replacer{
	"aux.fail-f2": strings.NewReplacer("10.", "10", "9.", "9"),
	"rnext.fail3": strings.NewReplacer("\n\n", "\n"),
	"rnext.fail5": strings.NewReplacer("\n\n", "\n"),
}

// passThrough returns the SAM text of what a Reader makes of SAM text.
func passThrough(text string) (string, error) {
	r, err := bam.NewReader(strings.NewReader(text), bam.ReaderOptions{})
	if err != nil {
		return "", err
	}
	defer r.Close()
	var out bytes.Buffer
	w, err := bam.NewWriter(&out, r.Header(), bam.SAM)
	for err == nil {
		var rec bam.Record
		if rec, err = r.Read(); err == io.EOF {
			return out.String(), nil
		} else if err == nil {
			err = w.Write(rec)
		}
	}
	return "", err
}

func TestFailedFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/failed/*.sam")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(failedFiles)) {
		words := strings.Fields(line)
		verdicts[words[0]] = words[1:]
	}
	if len(files) != len(verdicts) {
		t.Errorf("%d files, %d verdicts", len(files), len(verdicts))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sam")
		t.Run(name, func(t *testing.T) {
			text, verdict := readFile(t, file), verdicts[name]
			got, err := passThrough(text)
			switch {
			case len(verdict) == 2:
				if other := sameValue[name]; other != nil {
					text = other.Replace(text)
				}
				if err != nil || got != text {
					t.Errorf("got %q and %v, want it unchanged", got, err)
				}
			case len(verdict) == 4:
				place := verdict[0] + " " + verdict[1]
				if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), verdict[2]) {
					t.Errorf("got error %v, want ErrCorrupt with %s and %s", err, place, verdict[2])
				}
			default:
				t.Errorf("got %q and %v, and there is no verdict", got, err)
			}
		})
	}
}
