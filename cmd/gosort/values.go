package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

// A typing error must not become thousands of goroutines or an allocation: no
// machine has more threads, no sort more runs.
const (
	maxThreads = 1 << 10
	maxCount   = 1 << 16
)

// reportFlags name the files that tell of a run.
var reportFlags = []string{"stats", "cpuprofile", "memprofile", "trace"}

// checkValues refuses what is a slip whichever flag it follows: a file named
// twice, an empty value (an unset shell variable), a flag eaten as a value.
func checkValues(values map[string][]string) error {
	for _, spec := range flagSpecs {
		given := values[spec.name]
		if len(given) > 1 && spec.name == "o" {
			return usageErrorf("-o is given %d times (%s): there is one output", len(given), strings.Join(given, ", "))
		}
		for _, v := range given {
			if spec.name == "o" && strings.Contains(v, withIndex) {
				return usageErrorf("-o %s names two files: -index writes an index beside the output", v)
			}
			if v == "" && spec.name != "memory" {
				return usageErrorf("-%s has an empty value: is a variable of the script unset?", spec.name)
			}
			name := strings.TrimLeft(v, "-")
			if name != v && slices.ContainsFunc(flagSpecs, func(s flagSpec) bool { return s.name == name }) {
				return usageErrorf("-%s needs a value, and %s is a flag", spec.name, v)
			}
			if slices.Contains(reportFlags, spec.name) && v == stdio {
				return usageErrorf("-%s needs a file name: standard output is for records", spec.name)
			}
			if spec.name == "memory" && v == "" {
				return sizeError(v, "is not a size", "2G")
			}
		}
	}
	return nil
}

// combine refuses flags that do not go together, and settles those that decide each other.
func (c *config) combine(values map[string][]string) error {
	if n := count(c.inputs, stdio); n > 1 {
		return usageErrorf("standard input is named %d times", n)
	}
	if c.minShift != 0 {
		if c.index == indexBAI {
			return usageErrorf("-csi-min-shift is for CSI, and -index %s asks for BAI", c.index)
		}
		c.index = indexCSI
	}
	if c.check {
		for _, name := range []string{"o", "index", "csi-min-shift", "format", "level", "tmpdir", "stats"} {
			if _, given := values[name]; given {
				return usageErrorf("-check writes nothing, so -%s has no meaning with it", name)
			}
		}
		switch {
		case len(c.inputs) > 1:
			return usageErrorf("-check looks at one file, and -i is given %d times", len(c.inputs))
		case c.merge || c.md5:
			return usageErrorf("-check writes nothing: -merge and -md5 have no meaning with it")
		}
	}
	if c.merge && c.order == sortcoll.Unsorted {
		return usageErrorf("-merge needs an order to merge by, and -order %s is none", c.order)
	}
	if c.md5 && c.output == stdio {
		return usageErrorf("-md5 writes beside the output, and standard output has no beside: pipe it through md5sum")
	}
	return c.checkIndexable()
}

// checkIndexable refuses -index where there can be no index.
func (c *config) checkIndexable() error {
	switch {
	case c.index == "":
		return nil
	case c.output == stdio:
		return usageErrorf("-index writes beside the output, and standard output has no beside: name one with -o")
	case c.format != formatBAM:
		return usageErrorf("-index is for BAM, and the output is %s", c.format)
	}
	if so, _, _ := c.order.HeaderFields(); so != "coordinate" {
		return usageErrorf("-index needs coordinate order, and -order is %s", c.order)
	}
	return nil
}

func count(names []string, name string) int {
	n := 0
	for _, s := range names {
		if s == name {
			n++
		}
	}
	return n
}

// outputFormat is the format asked for, else the one the output's suffix
// names, else BAM.
func outputFormat(asked, output string) (string, error) {
	if asked != "" {
		return oneOf("format", asked, formats)
	}
	lower := strings.ToLower(output)
	if strings.HasSuffix(lower, ".sam.gz") || strings.HasSuffix(lower, ".sam.bgz") {
		return formatSAMgz, nil
	}
	switch filepath.Ext(lower) {
	case ".sam":
		return formatSAM, nil
	case ".cram":
		return "", &usageError{
			msg:   "CRAM is not written: " + output,
			hints: []string{"name the output .bam or .sam, and convert it with samtools view -C"},
		}
	}
	return formatBAM, nil
}

// orderFlags are the flags that say an order; "" is absent.
type orderFlags struct {
	order, tag, mcMissing    string
	natural, lexicographical bool
}

// choose settles what must not contradict itself.
func (f orderFlags) choose() (sortcoll.Order, error) {
	if f.natural && f.lexicographical {
		return sortcoll.Order{}, usageErrorf("-n and -N contradict each other: -n is %s, -N is %s",
			sortcoll.QuerynameNatural, sortcoll.QuerynameLexicographical)
	}
	order, err := parseOrder(cmp.Or(f.order, defaultOrder))
	if err != nil {
		return order, err
	}
	short, shortName := order, ""
	switch {
	case f.natural:
		short, shortName = sortcoll.QuerynameNatural, "-n"
	case f.lexicographical:
		short, shortName = sortcoll.QuerynameLexicographical, "-N"
	}
	if f.tag != "" {
		// With -t, -n and -N say how ties are settled.
		if short, err = sortcoll.Tag(f.tag, short); err != nil {
			return order, usageErrorf("-t: %v", err)
		}
		shortName = "-t"
	}
	if f.order != "" && short != order {
		return order, usageErrorf("%s is -order %s and contradicts -order %s", shortName, short, order)
	}
	if f.mcMissing == mcMissings[0] {
		return short, nil
	}
	if _, err := oneOf("mc-missing", f.mcMissing, mcMissings); err != nil {
		return short, err
	}
	if short != sortcoll.TemplateCoordinate {
		return short, usageErrorf("-mc-missing is for -order %s, and the order is %s", sortcoll.TemplateCoordinate, short)
	}
	return sortcoll.TemplateCoordinateNextPos, nil
}

func parseOrder(name string) (sortcoll.Order, error) {
	if !strings.HasPrefix(name, "tag:") {
		if _, err := oneOf("order", name, append(sortcoll.Orders(), "queryname")); err != nil {
			return sortcoll.Order{}, err
		}
	}
	order, err := sortcoll.ParseOrder(name)
	if err != nil {
		return order, usageErrorf("-order: %v", err)
	}
	return order, nil
}

func chooseCodec(asked string) (spill.Codec, error) {
	if _, err := oneOf("spill-codec", asked, spillCodecs); err != nil {
		return spill.S2, err
	}
	codec, err := spill.ParseCodec(asked)
	if err != nil {
		return codec, usageErrorf("-spill-codec: %v", err)
	}
	return codec, nil
}

// oneOf checks a value that is one of a few words.
func oneOf(name, value string, words []string) (string, error) {
	if slices.Contains(words, value) {
		return value, nil
	}
	hint := fmt.Sprintf("-%s is one of %s", name, strings.Join(words, ", "))
	if near := nearest(value, words); near != "" {
		hint += "; did you mean " + near + "?"
	}
	return "", &usageError{msg: fmt.Sprintf("-%s %q is not known", name, value), hints: []string{hint}}
}

// number checks a whole number between least and most.
func number(name, value string, least, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return 0, usageErrorf("-%s %q is not a whole number from %d to %d", name, value, least, most)
	}
	return n, nil
}
