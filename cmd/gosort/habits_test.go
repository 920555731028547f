package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// foreignLines are command lines of other programs that sort, and what they are here.
var foreignLines = []struct{ line, want string }{
	// samtools sort and merge.
	{"samtools sort -n -t CB in.bam", "gosort -i in.bam -n -t CB"},
	{"samtools sort --template-coordinate -@ 2 -o out.bam in.bam", "gosort -i in.bam -o out.bam -threads 2 -order template-coordinate"},
	{"samtools sort --write-index -o out.bam##idx##out.bam.bai in.bam", "gosort -i in.bam -o out.bam -index bai"},
	{"-i in.bam -o out.bam##idx##out.bam.csi", "gosort -i in.bam -o out.bam -index csi"},
	{"-i in.bam -o out.bam##idx##elsewhere", "gosort -i in.bam -o out.bam -index auto"},
	{"merge -f -@2 out.bam a.bam b.bam", "gosort -i a.bam -i b.bam -o out.bam -threads 2 -merge"},
	{"samtools merge -n out.bam a.bam b.bam", "gosort -i a.bam -i b.bam -o out.bam -n -merge"},
	{"samtools merge -o out.bam a.bam b.bam c.bam", "gosort -i a.bam -i b.bam -i c.bam -o out.bam -merge"},
	{"samtools merge -1 -c -p -s 5 out.bam a.bam", "gosort -i a.bam -o out.bam -merge -level 1"},
	{"samtools merge -u - a.bam b.bam", "gosort -i a.bam -i b.bam -o - -merge -level 0"},
	{"samtools merge -t CB -N -O sam out.sam a.bam b.bam", "gosort -i a.bam -i b.bam -o out.sam -N -t CB -merge -format sam"},

	// Several names.
	{"a.bam b.bam c.bam -o out.bam", "gosort -i a.bam -i b.bam -i c.bam -o out.bam"},
	{"-i a.bam b.bam c.bam -o out.bam", "gosort -i a.bam -i b.bam -i c.bam -o out.bam"},
	{"a.bam b.bam out.bam", "gosort -i a.bam -i b.bam -o out.bam"},

	// Flags of ours in other words.
	{"-t 8 -i a.bam", "gosort -i a.bam -threads 8"},
	{"-t 16 -i a.bam -o b.bam", "gosort -i a.bam -o b.bam -threads 16"},
	{"-t 8 -n -i a.bam", "gosort -i a.bam -threads 8 -n"},
	{"-t8 -N -i a.bam", "gosort -i a.bam -threads 8 -N"},
	{"-i a.bam -memory AUTO", "gosort -i a.bam -memory auto"},
	{"-i a.bam -memory Auto -o b.bam", "gosort -i a.bam -o b.bam -memory auto"},

	// sambamba.
	{"sambamba sort -n in.bam", "gosort -i in.bam -N"},
	{"sambamba sort -N -o out.bam in.bam", "gosort -i in.bam -o out.bam -n"},
	{"sambamba sort -m 8G -p -q -o out.bam in.bam", "gosort -i in.bam -o out.bam -memory 8G -v"},
	{"sambamba sort --sort-picard -t 4 in.bam", "gosort -i in.bam -threads 4 -order queryname:picard"},
	{"sambamba sort -l 1 --tmpdir /a in.bam", "gosort -i in.bam -level 1 -tmpdir /a"},
	{"sambamba merge -t 2 out.bam a.bam b.bam", "gosort -i a.bam -i b.bam -o out.bam -threads 2 -merge"},

	// Picard and GATK.
	{"java -Xmx8g -jar picard.jar SortSam I=a.bam O=b.bam SO=queryname", "gosort -i a.bam -o b.bam -order queryname:picard"},
	{"picard SortSam I=a.bam O=b.bam SO=coordinate CREATE_INDEX=true CREATE_MD5_FILE=true",
		"gosort -i a.bam -o b.bam -order coordinate:picard -index bai -md5"},
	{"picard SortSam I=a.bam O=b.bam SO=coordinate CREATE_INDEX=false CREATE_MD5_FILE=false",
		"gosort -i a.bam -o b.bam -order coordinate:picard"},
	{"picard MergeSamFiles I=a.bam I=b.bam O=c.bam", "gosort -i a.bam -i b.bam -o c.bam"},
	{"gatk --java-options -Xmx4g SortSam -I a.bam -O b.bam -SO queryname --MAX_RECORDS_IN_RAM 100000",
		"gosort -i a.bam -o b.bam -order queryname:picard"},
	{"gatk SortSam --INPUT a.bam --OUTPUT b.bam --SORT_ORDER coordinate --CREATE_INDEX true",
		"gosort -i a.bam -o b.bam -order coordinate:picard -index bai"},

	// fgbio.
	{"fgbio SortBam -s TemplateCoordinate -i a.bam -o b.bam", "gosort -i a.bam -o b.bam -order template-coordinate"},
	{"fgbio -Xmx4g --tmp-dir=/a SortBam --input a.bam --output b.bam --sort-order=Queryname -m 500000",
		"gosort -i a.bam -o b.bam -order queryname:lexicographical -tmpdir /a"},
	{"fgbio --compression 1 --async-io true SortBam -i a.bam -s Coordinate", "gosort -i a.bam -order coordinate -level 1"},
	{"java -jar fgbio.jar SortBam -i a.bam -s Unsorted", "gosort -i a.bam -order unsorted"},
	{"-s TemplateCoordinate -i a.bam -o b.bam", "gosort -i a.bam -o b.bam -order template-coordinate"},
}

func TestForeignLines(t *testing.T) {
	for _, test := range foreignLines {
		t.Run(test.line, func(t *testing.T) { wantLine(t, test.line, test.want) })
	}
}

// TestForeignMemory: what another program can work in may be too little here.
func TestForeignMemory(t *testing.T) {
	for _, line := range []string{
		"-m 1M -@ 2 in.bam", "-m 10M in.bam", "sambamba sort -t 2 -m 4M in.bam", "-@ 64 -memory 10M in.bam",
	} {
		hint := hintsOf(t, strings.Fields(line)).hints[0]
		if !strings.HasPrefix(hint, "gosort -i in.bam ") || !strings.Contains(hint, " -memory ") {
			t.Fatalf("gosort %s: got the hint %q, want a line with -memory", line, hint)
		}
		wantAccepted(t, hint)
	}
}

// TestForeignOutputExists: a file that is there is an input, unless the line says that it may be overwritten.
func TestForeignOutputExists(t *testing.T) {
	existing := filepath.Join(t.TempDir(), "b.bam")
	writeFile(t, existing, "", 0o600)
	for line, want := range map[string]string{
		"a.bam " + existing:               "gosort -i a.bam -i " + existing,
		"-i a.bam " + existing:            "gosort -i a.bam -i " + existing,
		existing + " b.bam":               "gosort -i " + existing + " -o b.bam",
		"merge -f " + existing + " a.bam": "gosort -i a.bam -o " + existing + " -merge",
	} {
		wantLine(t, line, want)
	}
}
