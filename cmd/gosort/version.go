package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is gosort's own version, as written into @PG lines and -stats.
// A release build sets it with -ldflags "-X main.version=1.2.3".
var version = "0.1.0-dev"

// versionText is what -version prints: the version, the commit where the
// build knows it, and the toolchain and platform a bug report needs.
func versionText() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " (" + s.Value[:min(12, len(s.Value))] + ")"
			}
		}
	}
	return fmt.Sprintf("gosort %s%s %s %s/%s", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
