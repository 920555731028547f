package main

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

// config is a command line that makes sense: every field is checked and every
// default is filled in.
type config struct {
	inputs []string // paths, or "-" for standard input; at least one
	output string   // path, or "-" for standard output
	format string   // one of formats
	order  sortcoll.Order
	level  int // 0 to 9

	merge    bool   // the inputs are sorted already
	check    bool   // look at the input, write nothing
	md5      bool   // write output.md5
	index    string // "", or one of indexFormats
	minShift int    // of a CSI index, in bits; 0: the usual 14

	threads    int      // in total, at least 1
	memory     int64    // bytes, in total
	memoryWhy  string   // where memory comes from, for -v
	tmpdirs    []string // at least one
	spillCodec spill.Codec
	maxRuns    int // 0: as many as fit; else at least 2

	noPG           bool
	allowTruncated bool
	allowEmpty     bool

	verbose    bool
	statsFile  string // "" is none, here and below
	cpuProfile string
	memProfile string
	traceFile  string

	help    bool // -h: nothing else counts
	version bool // -version: nothing else counts
}

// Defaults that the machine decides are elsewhere: threads is GOMAXPROCS, the
// others are in memoryBudget and defaultTempDir.
const (
	defaultOrder      = "coordinate"
	defaultLevel      = "6"
	defaultSpillCodec = "s2"
	defaultMaxRuns    = "0"
)

const (
	formatBAM   = "bam"
	formatSAM   = "sam"
	formatSAMgz = "sam.gz"

	indexAuto = "auto"
	indexBAI  = "bai"
	indexCSI  = "csi"

	stdio = "-"
)

var (
	formats      = []string{formatBAM, formatSAM, formatSAMgz}
	indexFormats = []string{indexAuto, indexBAI, indexCSI}
	mcMissings   = []string{"error", "nextpos"}
	spillCodecs  = []string{"s2", "zstd", "none"}
)

// flagSpec is one flag's name and whether it stands alone.
type flagSpec struct {
	name    string
	boolean bool
}

// flagSpecs lists every flag, in the order a corrected command line shows them.
var flagSpecs = []flagSpec{
	{"i", false}, {"o", false}, {"threads", false}, {"memory", false},
	{"order", false}, {"n", true}, {"N", true}, {"t", false}, {"mc-missing", false},
	{"merge", true}, {"check", true}, {"level", false}, {"format", false},
	{"index", false}, {"csi-min-shift", false}, {"md5", true},
	{"tmpdir", false}, {"spill-codec", false}, {"max-runs", false},
	{"no-pg", true}, {"allow-truncated", true}, {"allow-empty", true},
	{"v", true}, {"stats", false}, {"cpuprofile", false}, {"memprofile", false}, {"trace", false},
	{"version", true}, {"h", true}, {"help", true},
}

// usageError is a command line that is wrong: exit status 2.
type usageError struct {
	msg   string
	hints []string
}

func (e *usageError) Error() string { return e.msg }

func usageErrorf(format string, args ...any) *usageError {
	return &usageError{msg: fmt.Sprintf(format, args...)}
}

// parseArgs turns the arguments after the program's name into a config. Every
// error is a *usageError; one that comes from another sorter's habits carries
// the corrected command line among its hints.
func parseArgs(args []string) (config, error) {
	if len(args) == 1 && args[0] == "help" {
		args = []string{"-h"}
	}
	args = joinIndex(args)
	cfg, err := parseOwn(args)
	if err == nil || cfg.help {
		return cfg, nil
	}
	if hints := habitHints(args, err.Error()); len(hints) > 0 {
		err = &usageError{msg: err.Error(), hints: hints}
	}
	return config{}, err
}

// parseOwn parses args as gosort's own flags, without guessing. The config is
// meaningful beside an error only in its help field.
func parseOwn(args []string) (config, error) {
	values := map[string][]string{}
	switches := map[string]*bool{}
	fs := flag.NewFlagSet("gosort", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, spec := range flagSpecs {
		if spec.boolean {
			switches[spec.name] = fs.Bool(spec.name, false, "")
			continue
		}
		fs.Func(spec.name, "", func(v string) error {
			values[spec.name] = append(values[spec.name], v)
			return nil
		})
	}
	parseErr := fs.Parse(args)
	cfg := config{
		help:           *switches["h"] || *switches["help"],
		version:        *switches["version"],
		noPG:           *switches["no-pg"],
		allowTruncated: *switches["allow-truncated"],
		allowEmpty:     *switches["allow-empty"],
		merge:          *switches["merge"],
		check:          *switches["check"],
		md5:            *switches["md5"],
		verbose:        *switches["v"],
	}
	switch {
	case parseErr != nil:
		return cfg, plainFlagError(parseErr)
	case cfg.version:
		return cfg, nil
	}
	if err := checkValues(values); err != nil {
		return cfg, err
	}
	if fs.NArg() > 0 {
		return cfg, &usageError{
			msg:   fmt.Sprintf("unexpected argument %q: files are named with -i and -o", fs.Arg(0)),
			hints: []string{"gosort -h lists the flags"},
		}
	}
	if err := cfg.fill(values, *switches["n"], *switches["N"]); err != nil {
		return cfg, err
	}
	return cfg, cfg.combine(values)
}

// joinIndex writes a -index that stands alone, and one followed by its format, in the one way that package flag reads:
// it has no flags whose value may be left out.
func joinIndex(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "-index" || arg == "--index" {
			if i+1 < len(args) && slices.Contains(indexFormats, args[i+1]) {
				i++
				arg += "=" + args[i]
			} else {
				arg += "=" + indexAuto
			}
		}
		joined = append(joined, arg)
	}
	return joined
}

// plainFlagError puts package flag's errors into gosort's words.
func plainFlagError(err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		return &usageError{msg: name + " is not a flag of gosort", hints: []string{"gosort -h lists the flags"}}
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usageErrorf("%s needs a value", name)
	}
	return &usageError{msg: text}
}

// fill reads the values given and puts defaults where none are.
func (c *config) fill(values map[string][]string, natural, lexicographical bool) error {
	last := func(name, otherwise string) string {
		if v := values[name]; len(v) > 0 {
			return v[len(v)-1]
		}
		return otherwise
	}
	c.inputs = values["i"]
	if len(c.inputs) == 0 {
		c.inputs = []string{stdio}
	}
	c.output = last("o", stdio)
	if descriptor(c.output) == 1 {
		// The descriptor we were given, not a file to replace or open anew.
		c.output = stdio
	}
	c.statsFile = last("stats", "")
	c.cpuProfile = last("cpuprofile", "")
	c.memProfile = last("memprofile", "")
	c.traceFile = last("trace", "")
	c.tmpdirs = values["tmpdir"]
	if len(c.tmpdirs) == 0 {
		c.tmpdirs = []string{defaultTempDir(c.output)}
	}

	var err error
	if c.format, err = outputFormat(last("format", ""), c.output); err != nil {
		return err
	}
	if c.order, err = (orderFlags{last("order", ""), last("t", ""), last("mc-missing", mcMissings[0]), natural, lexicographical}).choose(); err != nil {
		return err
	}
	if shift := last("csi-min-shift", ""); shift != "" {
		if c.minShift, err = number("csi-min-shift", shift, 1, 30); err != nil {
			return err
		}
	}
	if index := last("index", ""); index != "" {
		if c.index, err = oneOf("index", index, indexFormats); err != nil {
			return err
		}
	}
	if c.spillCodec, err = chooseCodec(last("spill-codec", defaultSpillCodec)); err != nil {
		return err
	}
	if c.level, err = number("level", last("level", defaultLevel), 0, 9); err != nil {
		return err
	}
	if c.threads, err = number("threads", last("threads", strconv.Itoa(runtime.GOMAXPROCS(0))), 1, maxThreads); err != nil {
		return err
	}
	if c.maxRuns, err = number("max-runs", last("max-runs", defaultMaxRuns), 0, maxCount); err != nil {
		return err
	}
	if c.maxRuns == 1 {
		return usageErrorf("-max-runs 1 cannot merge: it takes 2 or more, or 0 for as many as fit")
	}
	c.memory, c.memoryWhy, err = memoryBudget(last("memory", ""), machineLimits)
	return err
}
