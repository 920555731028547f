package sortcoll

import "github.com/gosort/gosort/bam"

// Checker tells whether records come in an order. It is for one goroutine and copies what it needs of each record.
type Checker struct {
	how  ordering
	enc  *encoder
	prev []byte // frame of the last record
	key  uint64 // its key
	any  bool
}

// NewChecker returns a Checker of records of a file with header h.
func NewChecker(h *bam.Header, ord Order) *Checker {
	how := ord.ordering(h)
	return &Checker{how: how, enc: newEncoder(ord, how)}
}

// InOrder tells whether r may follow the record of the last call that was in order. The error is that of [Order.Check].
func (c *Checker) InOrder(r bam.Record) (bool, error) {
	frame, err := c.enc.frame(r)
	if err != nil {
		return false, err
	}
	key := c.how.key(frame, 0)
	if c.any && (key < c.key || key == c.key && c.how.compare != nil && c.how.compare(c.prev, frame) > 0) {
		return false, nil
	}
	c.prev, c.key, c.any = append(c.prev[:0], frame...), key, true
	return true, nil
}

// Previous returns the last record that was in order, borrowed until the next call of InOrder that returns true. There
// is one once InOrder has returned true.
func (c *Checker) Previous() bam.Record { return bam.Trusted(c.prev[c.how.digestLen:]) }
