package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gosort/gosort/bam"
)

// headSize is as much of an input as is looked at to say what it is.
const headSize = 512

// magics are the first bytes of what people give to a sorter of alignments by mistake.
var magics = []struct{ magic, what string }{
	{"##fileformat=VCF", "VCF"}, {"BCF", "BCF"}, {">", "FASTA"}, {"BZh", "bzip2"}, {"\xfd7zXZ\x00", "xz"},
	{"\x28\xb5\x2f\xfd", "zstd"}, {"PK\x03\x04", "a zip archive"}, {"<", "a page of the web"},
}

// fastq is a name and a line of bases, or what of it is there.
var fastq = regexp.MustCompile(`^@[^\n]*\n[A-Za-z.*-]+\r?(?:\n|$)`)

// headerLine begins SAM.
var headerLine = regexp.MustCompile(`^@[A-Z][A-Z]\t`)

// suffixes say the same of names, for what is compressed or has no first bytes of its own.
var suffixes = map[string]string{
	".fastq": "FASTQ", ".fq": "FASTQ", ".fasta": "FASTA", ".fa": "FASTA", ".fna": "FASTA",
	".vcf": "VCF", ".bcf": "BCF", ".bed": "BED", ".gff": "GFF", ".gtf": "GTF", ".bai": "an index", ".csi": "an index",
}

// looksLike says what a file that is neither BAM nor SAM is, "" if nobody knows.
func looksLike(head []byte, name string) string {
	for _, m := range magics {
		if strings.HasPrefix(string(head), m.magic) {
			return m.what
		}
	}
	if fastq.Match(head) && !headerLine.Match(head) {
		return "FASTQ"
	}
	name = strings.ToLower(name)
	return suffixes[filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".bgz"))]
}

// recognise puts what an input looks like in the place of an error about its first record.
func (in *input) recognise(err error) error {
	if in.count > 0 || !errors.Is(err, bam.ErrCorrupt) {
		return err
	}
	if what := looksLike(in.head, in.path); what != "" {
		return fmt.Errorf("neither BAM nor SAM: it looks like %s", what)
	}
	return err
}

// hintedError is an error that brings its own hint.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }
func (e *hintedError) Unwrap() error { return e.err }

// withCRAM gives an error about a CRAM the hint that goes with it: args, with samtools to read the CRAM.
func withCRAM(err error, cfg config, args []string) error {
	in, ok := errors.AsType[*inputError](err)
	if !ok || !errors.Is(err, bam.ErrCRAM) {
		return err
	}
	t := translation{args: joinIndex(args), values: map[string][]string{}}
	for len(t.args) > 0 {
		t.one()
	}
	delete(t.values, "i") // one input need not be named when it comes through a pipe
	if paths := slices.Clone(cfg.inputs); len(paths) > 1 {
		paths[slices.Index(paths, in.path)] = stdio
		t.values["i"] = paths
	}
	line := append([]string{"gosort"}, t.line()...)
	return &hintedError{err, "samtools view -u " + quote(in.path) + " | " + quoteAll(line)}
}
