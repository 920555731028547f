//go:build race

package spill_test

const raceEnabled = true
