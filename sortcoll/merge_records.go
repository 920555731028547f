package sortcoll

import "github.com/gosort/gosort/bam"

// Merge returns an Iterator over the records of sources that are each in order: all of them, in order, those that
// compare equal by the order of the sources. A source returns its next record, borrowed until its next call, and io.EOF
// behind its last; any other error ends the Iterator. A source that is not in order makes an error of the Iterator, which
// does not say which one: a Checker in the source can. h is the header of what is merged. Nothing is held but a record
// a source, and no goroutine is started.
func Merge(h *bam.Header, ord Order, sources []func() (bam.Record, error)) *Iterator[bam.Record] {
	how := ord.ordering(h)
	p := &pass{}
	merged := make([]source, len(sources))
	for i, next := range sources {
		enc := newEncoder(ord, how)
		merged[i].pull = func() ([]byte, error) {
			r, err := next()
			if err != nil {
				return nil, err
			}
			return enc.frame(r)
		}
	}
	p.merge = newMerge(&how, 0, merged)
	return &Iterator[bam.Record]{pass: p, decode: decoder(how)}
}
