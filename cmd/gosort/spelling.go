package main

import (
	"regexp"
	"strings"
)

// quoteAll writes args so that a shell reads them back.
func quoteAll(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = quote(a)
	}
	return strings.Join(quoted, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quote(arg string) string {
	if plainWord.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// nearest is the word a misspelling most likely meant: the first of words that
// it begins (3 letters or more), else the closest within two edits, if those
// are less than half of what was typed. "" is none.
func nearest(typed string, words []string) string {
	best, bestDistance := "", 3
	for _, w := range words {
		if len(typed) >= 3 && strings.HasPrefix(w, typed) {
			return w
		}
		if d := editDistance(typed, w); d < bestDistance && 2*d < len(typed) {
			best, bestDistance = w, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace between a and b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
