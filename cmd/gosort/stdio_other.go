//go:build !unix

package main

import "os"

// wasClosed tells whether a standard stream was closed when the process began: then it cannot be looked at.
func wasClosed(stream *os.File) bool {
	_, err := stream.Stat()
	return err != nil
}
