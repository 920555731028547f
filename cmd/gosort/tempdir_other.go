//go:build !linux

package main

// inMemory reports whether files in dir live in memory: unknown here.
func inMemory(string) bool { return false }

// freeSpace is unknown here.
func freeSpace(string) (bytes int64, ok bool) { return 0, false }
