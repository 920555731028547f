package bam_test

import (
	"maps"
	"testing"

	"github.com/gosort/gosort/bam"
)

func TestLibraries(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"": {},
		"@SQ\tSN:a\tLN:1\n@CO\t@RG\tID:no\tLB:no\n":    {},
		"@RG\tID:a\tSM:s\tLB:lib A\n@RG\tLB:x\tID:b\n": {"a": "lib A", "b": "x"},
		"@RG\tID:a\tSM:LB:s\n":                         {"a": ""},
		"@RG\tID:a\tLB:1\n@RG\tID:a\tLB:2\n":           {"a": "1"},
		"@RG\tLB:nobody's\n@RG\tID:\tLB:of ''\n":       {"": "of ''"},
		"@RG\tID:cr\tLB:lf\r\n@RG\tID:é\tLB:\xff":      {"cr": "lf", "é": "\xff"},
	} {
		h, err := bam.ParseHeader([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Libraries(); !maps.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
