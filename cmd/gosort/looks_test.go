package main

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"testing"
)

func TestLooksLike(t *testing.T) {
	for _, test := range []struct{ name, head, want string }{
		{"-", "@r1 length=4\nACGT\n+\nIIII\n", "FASTQ"},
		{"-", "@r1\nACGTNNacgt", "FASTQ"},
		{"-", "@r1\r\nACGT\r\n", "FASTQ"},
		{"-", "@HD\tVN:1.6\n@SQ\tSN:x\tLN:1\n", ""},
		{"-", "@HD\tVN:1.6\nr1\t0\n", ""},
		{"-", "@SQ\tSN:x\tLN:1\nbad\n", ""},
		{"-", ">chr1\nACGT\n", "FASTA"},
		{"-", "##fileformat=VCFv4.2\n", "VCF"},
		{"-", "BCF\x02\x02", "BCF"},
		{"-", "BZh91AY", "bzip2"},
		{"-", "\xfd7zXZ\x00\x00", "xz"},
		{"-", "\x28\xb5\x2f\xfd\x00", "zstd"},
		{"-", "PK\x03\x04", "a zip archive"},
		{"-", "<!DOCTYPE html>", "a page of the web"},
		{"-", "r1\t0\tchr1", ""},
		{"-", "", ""},
		{"a.bam", "\x1f\x8b\x08", ""},
		{"x/a.fastq.gz", "\x1f\x8b\x08", "FASTQ"},
		{"a.FQ.GZ", "\x1f\x8b\x08", "FASTQ"},
		{"a.vcf.bgz", "\x1f\x8b\x08", "VCF"},
		{"a.bed", "chr1\t1\t2\n", "BED"},
		{"fq", "", ""},
	} {
		if got := looksLike([]byte(test.head), test.name); got != test.want {
			t.Errorf("%s with %q looks like %q, want %q", test.name, test.head, got, test.want)
		}
	}
}

// TestStrangeInput: the message says what the input looks like, and that of what is damaged stays.
func TestStrangeInput(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte("@r1\nACGT\n+\nIIII\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, test := range []struct{ name, data, want string }{
		{"reads.bam", "@r1\nACGT\n+\nIIII\n", ": neither BAM nor SAM: it looks like FASTQ\n"},
		{"reads.fq.gz", zipped.String(), ": neither BAM nor SAM: it looks like FASTQ\n"},
		{"bad.sam", "@HD\tVN:1.6\nr1\t0\n", ": bam: corrupt input: the line has 2 columns, a record has at least 11 (record 1, line 2)\n"},
		{"late.fq", "@HD\tVN:1.6\nr1\t4\t*\t0\t0\t*\t*\t0\t0\tA\tI\nr2\n",
			": bam: corrupt input: the line has 1 columns, a record has at least 11 (record 2, line 3)\n"},
	} {
		in := filepath.Join(dir, test.name)
		writeFile(t, in, test.data, 0o600)
		got := gosort(t, "-i", in, "-o", filepath.Join(dir, "out.bam"))
		if want := "gosort: error: " + in + test.want; got.code != exitFailed || got.stderr != want {
			t.Errorf("status %d, it says\n%swant status %d and\n%s", got.code, got.stderr, exitFailed, want)
		}
	}
	wantMissing(t, filepath.Join(dir, "out.bam"))
}
