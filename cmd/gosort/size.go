package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// sizeForms is the one description of what -memory takes.
const sizeForms = "sizes look like 768M, 1.5G, 2GiB or 900MB (K, M, G and T are powers of 1024, as in samtools)"

// leastSize is the smallest size taken seriously. Less is a forgotten unit:
// nobody sorts in 10 bytes.
const leastSize = 1 << 20

// unitShift maps a unit's first letter to its power of two.
var unitShift = map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}

var (
	// sizePattern is a plain decimal and a unit: no sign, no exponent, no hex,
	// all of which strconv.ParseFloat would let through.
	sizePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)(?:([KMGT])(?:I?B)?|B)?$`)
	// numberPattern finds the number someone meant inside a bad size.
	numberPattern = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
)

// parseSize reads a number of bytes such as 1.5G, 2GiB, 900MB, 1024K or
// 2147483648. Units are powers of 1024 in every spelling. What makes no sense
// is a *usageError with the accepted forms and a suggestion.
func parseSize(text string) (int64, error) {
	m := sizePattern.FindStringSubmatch(strings.ToUpper(text))
	if m == nil {
		return 0, sizeError(text, "is not a size", suggestSize(text))
	}
	number, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, sizeError(text, "is too large", "")
	}
	if m[2] == "" && strings.Contains(m[1], ".") {
		return 0, sizeError(text, "has a fraction but no unit", suggestSize(text))
	}
	bytes := math.Ldexp(number, unitShift[m[2]])
	switch {
	case bytes >= math.MaxInt64:
		return 0, sizeError(text, "is too large", "")
	case bytes < leastSize:
		return 0, sizeError(text, "is too small to sort in", suggestSize(text))
	}
	return int64(bytes), nil
}

// sizeError says what is wrong with a size and what would be right.
func sizeError(text, what, suggestion string) error {
	hint := sizeForms
	if suggestion != "" {
		hint += "; did you mean " + suggestion + "?"
	}
	return &usageError{msg: fmt.Sprintf("-memory %q %s", text, what), hints: []string{hint}}
}

// suggestSize guesses what a bad size meant from the number in it.
func suggestSize(text string) string {
	number := strings.TrimLeft(numberPattern.FindString(text), "0")
	switch {
	case strings.ContainsAny(text, "eE") || strings.HasPrefix(number, "."):
		return ""
	case number == "":
		return "1G"
	}
	return number + "M or " + number + "G"
}

// formatSize writes n bytes in the largest unit that keeps it exact, so that
// parseSize reads the same number back: 3G, 2560M, 1048577.
func formatSize(n int64) string {
	for _, unit := range []string{"T", "G", "M", "K"} {
		if shift := unitShift[unit]; n >= 1<<shift && n&(1<<shift-1) == 0 {
			return strconv.FormatInt(n>>shift, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10)
}

// humanSize writes n bytes to three digits for people: 1.5G, 812M, 37K.
func humanSize(n int64) string {
	for _, unit := range []string{"T", "G", "M", "K"} {
		if shift := unitShift[unit]; n >= 1<<shift {
			value := float64(n) / float64(int64(1)<<shift)
			if value < 10 {
				return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + unit
			}
			return strconv.FormatFloat(value, 'f', 0, 64) + unit
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
