package bam

// WithTextUnit returns o with units of n bytes of SAM text, so that small inputs have many.
func (o ReaderOptions) WithTextUnit(n int) ReaderOptions {
	o.unitText = n
	return o
}
