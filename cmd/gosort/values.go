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

// checkValues refuses what is a slip whichever flag it follows: a file named
// twice, an empty value (an unset shell variable), a flag eaten as a value.
func checkValues(values map[string][]string) error {
	for _, spec := range flagSpecs {
		given := values[spec.name]
		if len(given) > 1 && (spec.name == "i" || spec.name == "o") {
			return usageErrorf("-%s is given %d times (%s): gosort sorts one input into one output",
				spec.name, len(given), strings.Join(given, ", "))
		}
		for _, v := range given {
			if v == "" && spec.name != "memory" {
				return usageErrorf("-%s has an empty value: is a variable of the script unset?", spec.name)
			}
			name := strings.TrimLeft(v, "-")
			if name != v && slices.ContainsFunc(flagSpecs, func(s flagSpec) bool { return s.name == name }) {
				return usageErrorf("-%s needs a value, and %s is a flag", spec.name, v)
			}
			if spec.name == "stats" && v == stdio {
				return usageErrorf("-stats needs a file name: standard output is for records")
			}
			if spec.name == "memory" && v == "" {
				return sizeError(v, "is not a size", "2G")
			}
		}
	}
	return nil
}

// outputFormat is the format asked for, else the one the output's suffix
// names, else BAM.
func outputFormat(asked, output string) (string, error) {
	if asked != "" {
		return oneOf("format", asked, formats)
	}
	switch strings.ToLower(filepath.Ext(output)) {
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

// chooseOrder settles -order ("" when absent), -n and -N, which must not
// contradict each other.
func chooseOrder(asked string, natural, lexicographical bool) (sortcoll.Order, error) {
	if natural && lexicographical {
		return sortcoll.Order{}, usageErrorf("-n and -N contradict each other: -n is %s, -N is %s",
			sortcoll.QuerynameNatural, sortcoll.QuerynameLexicographical)
	}
	name := cmp.Or(asked, defaultOrder)
	if _, err := oneOf("order", name, append(sortcoll.Orders(), "queryname")); err != nil {
		return sortcoll.Order{}, err
	}
	order, err := sortcoll.ParseOrder(name)
	if err != nil {
		return order, usageErrorf("-order: %v", err)
	}
	short, shortName := order, ""
	switch {
	case natural:
		short, shortName = sortcoll.QuerynameNatural, "-n"
	case lexicographical:
		short, shortName = sortcoll.QuerynameLexicographical, "-N"
	}
	if asked != "" && short != order {
		return order, usageErrorf("%s is -order %s and contradicts -order %s", shortName, short, order)
	}
	return short, nil
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
