package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// hintsOf returns what a refused command line says.
func hintsOf(t *testing.T, args []string) *usageError {
	t.Helper()
	_, err := parseArgs(args)
	usage, ok := errors.AsType[*usageError](err)
	if !ok {
		t.Fatalf("gosort %q: got %v, want a *usageError", args, err)
	}
	return usage
}

func TestHabitHints(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		// Bare file names.
		{"in.bam", "gosort -i in.bam"},
		{"in.bam out.bam", "gosort -i in.bam -o out.bam"},
		{"in.bam -o out.bam", "gosort -i in.bam -o out.bam"},
		{"-i in.bam out.bam", "gosort -i in.bam -o out.bam"},
		{"-threads 4 -v in.bam -n", "gosort -i in.bam -threads 4 -n -v"},

		// samtools.
		{"samtools sort in.bam", "gosort -i in.bam"},
		{"sort -@ 4 -m 768M -o out.bam in.bam", "gosort -i in.bam -o out.bam -threads 4 -memory 3G"},
		{"-@4 -m2G in.bam -o out.bam", "gosort -i in.bam -o out.bam -threads 4 -memory 8G"},
		{"-m 1500M in.bam", "gosort -i in.bam -memory 1500M"},
		{"-@ 0 -m 1G in.bam", "gosort -i in.bam -threads 1 -memory 1G"},
		{"-@ 8 -T /scratch/job/tmp -o out.bam in.bam", "gosort -i in.bam -o out.bam -threads 8 -tmpdir /scratch/job"},
		{"-T/scratch/job/tmp in.bam", "gosort -i in.bam -tmpdir /scratch/job"},
		{"-T prefix -o out.bam in.bam", "gosort -i in.bam -o out.bam -tmpdir ."},
		{"-O bam -o out.bam in.bam", "gosort -i in.bam -o out.bam -format bam"},
		{"-Obam -o out.bam in.bam", "gosort -i in.bam -o out.bam -format bam"},
		{"-O SAM in.bam", "gosort -i in.bam -format sam"},
		{"--output-fmt=sam in.bam", "gosort -i in.bam -format sam"},
		{"-O cram -o out.bam in.bam", "gosort -i in.bam -o out.bam"},
		{"-l 1 -o out.bam in.bam", "gosort -i in.bam -o out.bam -level 1"},
		{"-l9 in.bam", "gosort -i in.bam -level 9"},
		{"-l -1 in.bam", "gosort -i in.bam"},
		{"-u in.bam", "gosort -i in.bam -level 0"},
		{"--no-PG in.bam", "gosort -i in.bam -no-pg"},
		{"--write-index -o out.bam in.bam", "gosort -i in.bam -o out.bam -index auto"},
		{"--reference ref.fa -o out.bam in.bam", "gosort -i in.bam -o out.bam"},
		{"-n -@ 2 in.bam", "gosort -i in.bam -threads 2 -n"},
		{"-N -@ 2 in.bam", "gosort -i in.bam -threads 2 -N"},
		{"--threads 3 in.bam", "gosort -i in.bam -threads 3"},
		{"-@ 2 -", "gosort -i - -threads 2"},

		// Picard, old and new.
		{"I=in.bam O=out.bam SORT_ORDER=coordinate", "gosort -i in.bam -o out.bam -order coordinate:picard"},
		{"SortSam INPUT=in.bam OUTPUT=out.bam SO=queryname", "gosort -i in.bam -o out.bam -order queryname:picard"},
		{"I=in.bam O=out.bam TMP_DIR=/a TMP_DIR=/b COMPRESSION_LEVEL=1 MAX_RECORDS_IN_RAM=500000",
			"gosort -i in.bam -o out.bam -level 1 -tmpdir /a -tmpdir /b"},
		{"I=in.bam O=out.bam CREATE_INDEX=true VALIDATION_STRINGENCY=SILENT", "gosort -i in.bam -o out.bam -index bai"},
		{"-I in.bam -O out.bam -SO unsorted", "gosort -i in.bam -o out.bam -order unsorted"},
		{"--INPUT in.bam --OUTPUT out.bam --SORT_ORDER coordinate --TMP_DIR /a",
			"gosort -i in.bam -o out.bam -order coordinate:picard -tmpdir /a"},

		// sambamba: -m is a total, -n and -N are the other way round.
		{"sambamba sort -t 8 -m 4G --tmpdir=/a -o out.bam in.bam",
			"gosort -i in.bam -o out.bam -threads 8 -memory 4G -tmpdir /a"},
		{"-t8 -m 4G -o out.bam in.bam", "gosort -i in.bam -o out.bam -threads 8 -memory 4G"},
		{"-n -t 8 in.bam", "gosort -i in.bam -threads 8 -N"},
		{"-N -t 8 in.bam", "gosort -i in.bam -threads 8 -n"},
		{"--sort-by-name in.bam", "gosort -i in.bam -N"},
		{"--natural-sort --nthreads=2 --out=out.bam in.bam", "gosort -i in.bam -o out.bam -threads 2 -n"},
		{"-p -u -l 3 -t 2 in.bam", "gosort -i in.bam -threads 2 -level 3 -spill-codec none -v"},

		// Misspelt.
		{"-i in.bam -thread 4", "gosort -i in.bam -threads 4"},
		{"-i in.bam --mem=4G", "gosort -i in.bam -memory 4G"},
		{"-i in.bam -lvel 1", "gosort -i in.bam -level 1"},
		{"-i in.bam -nopg", "gosort -i in.bam -no-pg"},
		{"-i in.bam -spillcodec none", "gosort -i in.bam -spill-codec none"},
	} {
		t.Run(test.line, func(t *testing.T) { wantLine(t, test.line, test.want) })
	}
}

// wantLine wants the corrected form of a line to be want, and to work.
func wantLine(t *testing.T, line, want string) {
	t.Helper()
	usage := hintsOf(t, strings.Fields(line))
	if len(usage.hints) == 0 || usage.hints[0] != want {
		t.Fatalf("%q has the hints %q, want %q first", usage.msg, usage.hints, want)
	}
	wantAccepted(t, want)
}

// wantAccepted wants a line among the hints to be refused neither as it stands nor for its memory.
func wantAccepted(t *testing.T, line string) {
	t.Helper()
	cfg, err := parseArgs(strings.Fields(line)[1:])
	if err == nil && !cfg.version {
		_, err = divideMemory(cfg)
	}
	if err != nil {
		t.Errorf("the hint %q is refused in turn: %v", line, err)
	}
}

// TestHopelessHabits: no command line does what was asked, so none is shown;
// a note says why.
func TestHopelessHabits(t *testing.T) {
	existing := filepath.Join(t.TempDir(), "b.bam")
	writeFile(t, existing, "", 0o600)
	for _, test := range []struct{ line, note string }{
		{"-M in.bam", "minimiser order (-M) is not available"},
		{"-M -K 20 in.bam", "minimiser order"},
		{"I=in.bam O=out.bam SORT_ORDER=duplicate", "SORT_ORDER=duplicate is not available"},
		{"-t 2 -M in.bam", "matching mates (-M) is not available"},
		{"-t 2 -F mapped in.bam", "gosort does not filter"},
		{"-@ x in.bam", ""},
		{"-m G in.bam", "sizes look like"},
		{"-zzz 3 in.bam", "gosort -h lists the flags"},
		{"index in.bam", "gosort -h lists the flags"},
		{"inputthreads=2 I=in.bam O=out.bam index=1", "gosort -h lists the flags"},
		{"SortSam I=in.bam O=out.bam SORT_ORDER=queryname CREATE_INDEX=true", "-index needs coordinate order, and -order is queryname:picard"},
		{"merge " + existing + " a.bam b.bam", "-o names the output, and " + existing + " exists"},
		{"merge -b files.txt out.bam", "there is no list of files"},
		{"merge -R chr1 out.bam a.bam b.bam", "there are no regions"},
		{"merge -r out.bam a.bam b.bam", "RG tags are not made from file names"},
		{"fgbio SortBam -s Random -i a.bam", "fgbio's Random is not available"},
		{"-l 77 in.bam", ""},
	} {
		t.Run(test.line, func(t *testing.T) {
			usage := hintsOf(t, strings.Fields(test.line))
			all := strings.Join(usage.hints, "\n")
			if !strings.Contains(all, test.note) {
				t.Errorf("%q has the hints %q, want %q", usage.msg, usage.hints, test.note)
			}
			if strings.Contains(all, "gosort -i") {
				t.Errorf("%q has a command line among its hints: %q", usage.msg, usage.hints)
			}
		})
	}
}

func TestHabitNotes(t *testing.T) {
	for _, test := range []struct{ line, note string }{
		{"-@ 4 -m 1G in.bam", "-m of samtools is memory per thread, -memory is the total"},
		{"-O cram in.bam", "CRAM is not written"},
		{"--verbosity 3 in.bam", "are left out"},
		{"I=a MAX_RECORDS_IN_RAM=1", "memory is limited in bytes with -memory"},
		{"I=a QUIET=true", "Picard's QUIET is left out"},
		{"-thread 4", "did you mean -threads?"},
		{"-m 1M -@ 4 in.bam", "-memory 4M is too small for -threads 4"},
		{"-o a.bam##idx##b.bai -@ 2 in.bam", "-index writes beside the output"},
	} {
		if usage := hintsOf(t, strings.Fields(test.line)); !strings.Contains(strings.Join(usage.hints[1:], "\n"), test.note) {
			t.Errorf("gosort %s: got the hints %q, want %q below the first", test.line, usage.hints, test.note)
		}
	}
}

func TestHintsAreQuoted(t *testing.T) {
	usage := hintsOf(t, []string{"my file.bam", "-o", "it's.bam", "-@", "2"})
	if want := `gosort -i 'my file.bam' -o 'it'\''s.bam' -threads 2`; usage.hints[0] != want {
		t.Errorf("got %s, want %s", usage.hints[0], want)
	}
	if got := quote(""); got != "''" {
		t.Errorf("quote of nothing is %s", got)
	}
}

func TestPrefixDir(t *testing.T) {
	dir := t.TempDir()
	for prefix, want := range map[string]string{
		dir: dir, dir + "/": dir, dir + "/x": dir, "x": ".", "a/b": "a", "/x": "/",
	} {
		if got := prefixDir(prefix); got != want {
			t.Errorf("prefixDir(%q) = %q, want %q", prefix, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"threads", "memory", "memprofile", "level", "n", "N", "i", "o"}
	for typed, want := range map[string]string{
		"thread": "threads", "thraeds": "threads", "mem": "memory", "memp": "memprofile", "lvl": "", "x": "",
		"m": "", "zz": "", "levels": "level", "verbose": "", "": "",
	} {
		if got := nearest(typed, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3}, {"ab", "ba", 2}, {"level", "lvel", 1},
	} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// FuzzParseArgs: whatever is typed, the answer is a config or a *usageError,
// and a corrected command line is accepted when typed in turn.
func FuzzParseArgs(f *testing.F) {
	for _, seed := range []string{
		"-i in.bam -o out.bam", "sort -@4 -m2G -T /x/y in.bam", "I=a O=b SO=queryname", "sambamba sort -t 8 -m 4G x", "-- -=x --",
		"java -jar picard.jar SortSam I=a", "fgbio SortBam -s Queryname -i a", "merge -f o a b", "-o a##idx##b -version", "-memory AUTO -m 1M",
		"-@", "-m", "-T", "-l", "-O", "-SO", "-K", "=", "A=", "-thread", "- - -",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		_, err := parseArgs(strings.Split(line, " "))
		if err == nil {
			return
		}
		usage, ok := errors.AsType[*usageError](err)
		if !ok {
			t.Fatalf("%q: %v is no *usageError", line, err)
		}
		for _, hint := range usage.hints {
			rest, isLine := strings.CutPrefix(hint, "gosort -i ")
			if !isLine || strings.Contains(rest, "'") {
				continue
			}
			wantAccepted(t, hint)
		}
	})
}
