// Package deflate compresses the payloads of BGZF blocks (RFC 1951).
package deflate
