package main

import (
	"errors"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	const kib, mib, gib, tib = 1 << 10, 1 << 20, 1 << 30, 1 << 40
	for text, want := range map[string]int64{
		"1.5G":          1536 * mib,
		"2GiB":          2 * gib,
		"2gib":          2 * gib,
		"900MB":         900 * mib,
		"768M":          768 * mib,
		"768m":          768 * mib,
		"1024K":         1024 * kib,
		"4T":            4 * tib,
		"0.25G":         256 * mib,
		"01G":           gib,
		"1048576":       mib,
		"2147483648":    2 * gib,
		"2147483648B":   2 * gib,
		"8388607T":      8388607 * tib,
		"1.0000000001M": mib,
	} {
		got, err := parseSize(text)
		if got != want || err != nil {
			t.Errorf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseSizeRefuses(t *testing.T) {
	for _, test := range []struct{ text, message, suggestion string }{
		{"G", "is not a size", "did you mean 1G?"},
		{"", "is not a size", "did you mean 1G?"},
		{"-5", "is not a size", "did you mean 5M or 5G?"},
		{"-5G", "is not a size", "did you mean 5M or 5G?"},
		{"10", "is too small to sort in", "did you mean 10M or 10G?"},
		{"0", "is too small to sort in", "did you mean 1G?"},
		{"0G", "is too small to sort in", "did you mean 1G?"},
		{"1023K", "is too small to sort in", "did you mean 1023M or 1023G?"},
		{"1.5", "has a fraction but no unit", "did you mean 1.5M or 1.5G?"},
		{"10 G", "is not a size", "did you mean 10M or 10G?"},
		{"10GG", "is not a size", "did you mean 10M or 10G?"},
		{"1e3x", "is not a size", ""},
		{"1e9", "is not a size", ""},
		{"0x10M", "is not a size", ""},
		{"1_000M", "is not a size", ""},
		{"NaN", "is not a size", ""},
		{"Inf", "is not a size", ""},
		{"1,5G", "is not a size", ""},
		{"1G\n", "is not a size", ""},
		{"8388608T", "is too large", ""},
		{"9223372036854775808", "is too large", ""},
		{"99999999999999999999999999G", "is too large", ""},
		{strings.Repeat("9", 400) + "G", "is too large", ""},
	} {
		n, err := parseSize(test.text)
		usage, ok := errors.AsType[*usageError](err)
		if !ok {
			t.Errorf("parseSize(%q) = %d, %v, want a *usageError", test.text, n, err)
			continue
		}
		if !strings.HasSuffix(usage.msg, test.message) {
			t.Errorf("parseSize(%q) says %q, want %q", test.text, usage.msg, test.message)
		}
		if hint := usage.hints[0]; !strings.HasPrefix(hint, sizeForms) || !strings.HasSuffix(hint, test.suggestion) {
			t.Errorf("parseSize(%q) hints %q, want the forms and %q", test.text, hint, test.suggestion)
		}
	}
}

// FuzzParseSize: what is accepted is in range, and means the same when written
// by formatSize.
func FuzzParseSize(f *testing.F) {
	for _, seed := range []string{"1.5G", "2GiB", "G", "-5", "1e3x", "", "10", "NaN", "1048577", "8388607T"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseSize(text)
		if err != nil {
			if _, ok := errors.AsType[*usageError](err); !ok {
				t.Fatalf("parseSize(%q): %v is no *usageError", text, err)
			}
			return
		}
		if n < leastSize {
			t.Fatalf("parseSize(%q) = %d, below %d", text, n, leastSize)
		}
		if again, err := parseSize(formatSize(n)); again != n || err != nil {
			t.Fatalf("parseSize(%q) = %d, formatSize says %q, which reads as %d, %v", text, n, formatSize(n), again, err)
		}
	})
}

func TestFormatSize(t *testing.T) {
	for _, test := range []struct {
		n            int64
		exact, human string
	}{
		{0, "0", "0 bytes"},
		{1023, "1023", "1023 bytes"},
		{1024, "1K", "1K"},
		{3 << 30, "3G", "3G"},
		{2560 << 20, "2560M", "2.5G"},
		{812 << 20, "812M", "812M"},
		{1<<20 + 1, "1048577", "1M"},
		{10 << 40, "10T", "10T"},
		{15 << 29, "7680M", "7.5G"},
	} {
		if got := formatSize(test.n); got != test.exact {
			t.Errorf("formatSize(%d) = %q, want %q", test.n, got, test.exact)
		}
		if got := humanSize(test.n); got != test.human {
			t.Errorf("humanSize(%d) = %q, want %q", test.n, got, test.human)
		}
	}
}
