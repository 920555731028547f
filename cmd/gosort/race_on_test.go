//go:build race

package main

// raceEnabled is true under -race, which makes everything take ten times as
// long and twice the memory.
const raceEnabled = true
