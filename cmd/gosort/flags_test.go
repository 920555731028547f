package main

import (
	"errors"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

// mustParse parses a command line written with single spaces.
func mustParse(t *testing.T, line string) config {
	t.Helper()
	cfg, err := parseArgs(strings.Fields(line))
	if err != nil {
		t.Fatalf("gosort %s: %v", line, err)
	}
	return cfg
}

func TestParseArgsDefaults(t *testing.T) {
	memory, why, err := memoryBudget("", machineLimits)
	if err != nil {
		t.Fatal(err)
	}
	want := config{
		inputs: []string{"-"}, output: "-", format: "bam", order: sortcoll.Coordinate, level: 6,
		threads: runtime.GOMAXPROCS(0), memory: memory, memoryWhy: why,
		tmpdirs: []string{os.TempDir()}, spillCodec: spill.S2,
	}
	if got := mustParse(t, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

func TestParseArgsEverything(t *testing.T) {
	got := mustParse(t, "-i in.bam -o out.bam -format sam -level 0 -order queryname:lexicographical -N"+
		" -threads 7 -memory 3G -tmpdir /a -tmpdir /b -spill-codec none -max-runs 2 -no-pg"+
		" -allow-truncated -allow-empty -v -stats s.json -cpuprofile c -memprofile m -trace t")
	want := config{
		inputs: []string{"in.bam"}, output: "out.bam", format: "sam", order: sortcoll.QuerynameLexicographical,
		threads: 7, memory: 3 << 30, memoryWhy: "as -memory says", tmpdirs: []string{"/a", "/b"},
		spillCodec: spill.None, maxRuns: 2,
		noPG: true, allowTruncated: true, allowEmpty: true, verbose: true,
		statsFile: "s.json", cpuProfile: "c", memProfile: "m", traceFile: "t",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

func TestParseArgsSpellings(t *testing.T) {
	for _, line := range []string{"-threads 4", "--threads 4", "-threads=4", "--threads=4", "-threads 9 -threads 4"} {
		if got := mustParse(t, line).threads; got != 4 {
			t.Errorf("gosort %s: got %d threads, want 4", line, got)
		}
	}
	for line, want := range map[string]string{
		"-o x.sam": "sam", "-o x.sam.gz": "sam.gz", "-o x.SAM": "sam", "-o x.bam": "bam", "-o x": "bam", "-o x.sam -format bam": "bam", "": "bam",
	} {
		if got := mustParse(t, line).format; got != want {
			t.Errorf("gosort %s: got format %s, want %s", line, got, want)
		}
	}
	for line, want := range map[string]sortcoll.Order{
		"":                                 sortcoll.Coordinate,
		"-n":                               sortcoll.QuerynameNatural,
		"-N":                               sortcoll.QuerynameLexicographical,
		"-n -order queryname":              sortcoll.QuerynameNatural,
		"-n -order queryname:natural":      sortcoll.QuerynameNatural,
		"-order queryname":                 sortcoll.QuerynameNatural,
		"-order queryname:natural":         sortcoll.QuerynameNatural,
		"-order unsorted":                  sortcoll.Unsorted,
		"-order coordinate":                sortcoll.Coordinate,
		"-order queryname:lexicographical": sortcoll.QuerynameLexicographical,
		"-order template-coordinate":       sortcoll.TemplateCoordinate,
		"-order template-coordinate -mc-missing nextpos": sortcoll.TemplateCoordinateNextPos,
		"-order queryname:picard":                        sortcoll.QuerynamePicard,
	} {
		if got := mustParse(t, line).order; got != want {
			t.Errorf("gosort %s: got order %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"-t CB": "tag:CB", "-t CB -n": "tag:CB:queryname:natural", "-N -t X0": "tag:X0:queryname:lexicographical",
		"-order tag:RG": "tag:RG", "-order tag:RG:queryname:natural": "tag:RG:queryname:natural",
	} {
		if got := mustParse(t, line).order.String(); got != want {
			t.Errorf("gosort %s: got order %s, want %s", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"-o a.bam": "", "-o a.bam -index": "auto", "-index bai -o a.bam": "bai", "-index=csi -o a.bam": "csi",
		"-o a.bam -index -v": "auto", "-csi-min-shift 10 -o a.bam": "csi", "--index csi -o a.bam": "csi",
	} {
		if got := mustParse(t, line).index; got != want {
			t.Errorf("gosort %s: got index %q, want %q", line, got, want)
		}
	}
	if got := mustParse(t, "-i a.bam -i - -i b.sam").inputs; !slices.Equal(got, []string{"a.bam", "-", "b.sam"}) {
		t.Errorf("three inputs: got %q", got)
	}
	if got := mustParse(t, "-o /dev/stdout").output; got != "-" {
		t.Errorf("-o /dev/stdout is %q, want -", got)
	}
	for _, line := range []string{"-h", "--help", "-help", "-v -h", "-h in.bam", "-h -memory G"} {
		if !mustParse(t, line).help {
			t.Errorf("gosort %s does not ask for help", line)
		}
	}
	if !mustParse(t, "-version").version {
		t.Error("gosort -version does not ask for the version")
	}
}

func TestParseArgsRefuses(t *testing.T) {
	for _, test := range []struct{ line, message, hint string }{
		{"-threads 0", `-threads "0" is not a whole number from 1 to 1024`, ""},
		{"-threads -1", `-threads "-1" is not a whole number`, ""},
		{"-threads many", `-threads "many" is not a whole number`, ""},
		{"-threads 1000000", `-threads "1000000" is not a whole number`, ""},
		{"-level 10", `-level "10" is not a whole number from 0 to 9`, ""},
		{"-level 6x", `-level "6x" is not a whole number`, ""},
		{"-max-runs 1", "-max-runs 1 cannot merge", ""},
		{"-max-runs -2", `-max-runs "-2" is not`, ""},
		{"-memory G", `-memory "G" is not a size`, "sizes look like 768M"},
		{"-memory=", `-memory "" is not a size`, "did you mean 2G?"},
		{"-format cram", `-format "cram" is not known`, "-format is one of bam, sam"},
		{"-o out.cram", "CRAM is not written: out.cram", "samtools view -C"},
		{"-spill-codec lz4", `-spill-codec "lz4" is not known`, "-spill-codec is one of s2, zstd, none"},
		{"-spill-codec zst", `-spill-codec "zst" is not known`, "did you mean zstd?"},
		{"-order position", `-order "position" is not known`, "-order is one of coordinate, coordinate:picard, queryname:natural"},
		{"-order coord", `-order "coord" is not known`, "did you mean coordinate?"},
		{"-order tag:CBX", "no tag \"CBX\"", ""},
		{"-t CB -order coordinate", "-t is -order tag:CB and contradicts", ""},
		{"-t 1B", "-t: sortcoll: no tag", ""},
		{"-mc-missing nextpos", "-mc-missing is for -order template-coordinate", ""},
		{"-order template-coordinate -mc-missing no", `-mc-missing "no" is not known`, "error, nextpos"},
		{"-i - -i -", "standard input is named 2 times", ""},
		{"-index -o -", "-index writes beside the output", ""},
		{"-index", "-index writes beside the output", ""},
		{"-index -o a.sam", "-index is for BAM", ""},
		{"-index -n -o a.bam", "-index needs coordinate order", ""},
		{"-index bai -csi-min-shift 12 -o a.bam", "-csi-min-shift is for CSI", ""},
		{"-csi-min-shift 0 -o a.bam", `-csi-min-shift "0" is not`, ""},
		{"-index=sai -o a.bam", `-index "sai" is not known`, "bai, csi"},
		{"-md5", "-md5 writes beside the output", ""},
		{"-check -o a.bam", "-check writes nothing, so -o", ""},
		{"-check -merge", "-merge and -md5 have no meaning", ""},
		{"-check -i a -i b", "-check looks at one file", ""},
		{"-merge -order unsorted", "-merge needs an order", ""},
		{"-n -N", "-n and -N contradict each other", ""},
		{"-n -order coordinate", "-n is -order queryname:natural and contradicts -order coordinate", ""},
		{"-N -order queryname", "-N is -order queryname:lexicographical and contradicts", ""},
		{"-o a.bam -o b.bam", "-o is given 2 times", ""},
		{"-o=", "-o has an empty value", ""},
		{"-tmpdir= -o x", "-tmpdir has an empty value", ""},
		{"-o -threads 4", "-o needs a value, and -threads is a flag", ""},
		{"-i --no-pg", "-i needs a value, and --no-pg is a flag", ""},
		{"-o", "-o needs a value", ""},
		{"-stats -", "-stats needs a file name", ""},
		{"-trace -", "-trace needs a file name", ""},
		{"-n=maybe", "invalid boolean value", ""},
		{"-zzz", "-zzz is not a flag of gosort", "gosort -h lists the flags"},
		{"---", "bad flag syntax", ""},
	} {
		t.Run(test.line, func(t *testing.T) {
			_, err := parseArgs(strings.Fields(test.line))
			usage, ok := errors.AsType[*usageError](err)
			if !ok {
				t.Fatalf("got %v, want a *usageError", err)
			}
			if !strings.Contains(usage.msg, test.message) {
				t.Errorf("got %q, want %q", usage.msg, test.message)
			}
			if !strings.Contains(strings.Join(usage.hints, "\n"), test.hint) {
				t.Errorf("got the hints %q, want %q", usage.hints, test.hint)
			}
		})
	}
}
