package bam

import "unsafe"

// WithTextUnit returns o with units of n bytes of SAM text, so that small inputs have many.
func (o ReaderOptions) WithTextUnit(n int) ReaderOptions {
	o.unitText = n
	return o
}

// Held returns the bytes that the lists of x take.
func (x *IndexBuilder) Held() int64 {
	return int64(cap(x.spans)*int(unsafe.Sizeof(indexSpan{})) + cap(x.reaches)*int(unsafe.Sizeof(indexReach{})) +
		cap(x.refs)*int(unsafe.Sizeof(indexedRef{})))
}
