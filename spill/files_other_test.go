//go:build !linux

package spill_test

import (
	"testing"

	"github.com/gosort/gosort/spill"
)

// diskBytes is for a test that skips itself on this system.
func diskBytes(*testing.T, spill.File) int64 { return 0 }
