package sortcoll

import (
	"context"
	"io"
	"math"

	"github.com/gosort/gosort/spill"
)

// plan brings the runs down to what one merge can read: first by writing out the fills still in memory, which leaves
// their room to read buffers, then by merging runs.
func (e *engine) plan() error {
	if len(e.runs) > 0 { // else the open run is the only one, and a fill in memory may yet follow it
		if err := e.closeRun(); err != nil {
			return err
		}
	}
	if !e.mergeable() && len(e.memory) > 0 {
		for _, f := range e.memory {
			if err := e.spill(f); err != nil {
				return err
			}
		}
		e.memory = nil
	}
	if err := e.closeRun(); err != nil {
		return err
	}
	e.stats.Runs = len(e.runs)
	for !e.mergeable() {
		if err := e.consolidate(); err != nil {
			return err
		}
	}
	return nil
}

// mergeable tells whether all runs can be read at once.
func (e *engine) mergeable() bool {
	n := len(e.runs)
	return n < 2 || n <= e.fanIn() && e.readers(e.runs, false) <= e.free()
}

// free returns the budget that the fills in memory leave.
func (e *engine) free() int64 {
	free := e.b.frames - e.copies()
	for _, f := range e.memory {
		free -= f.cost(0)
	}
	return free
}

// readers returns the memory that reading runs at once takes: a buffer or two each, and what decoding needs for a
// moment on the caller's goroutine and the read-ahead's.
func (e *engine) readers(runs []spill.Run, ahead bool) int64 {
	var sum, load int64
	for _, r := range runs {
		sum += e.store.ReaderMemory(r, ahead)
		load = max(load, e.store.LoadMemory(r))
	}
	if ahead {
		load *= int64(1 + e.aheadWorkers())
	}
	return sum + load
}

// aheadWorkers is the number of goroutines that read ahead: decoding is a small part of what follows it, so more than
// four would only hold memory.
func (e *engine) aheadWorkers() int { return min(e.o.Threads-1, 4) }

// fanIn returns how many runs can be merged at once, at least two.
func (e *engine) fanIn() int {
	largest, load := int64(1), int64(0)
	for _, r := range e.runs {
		largest = max(largest, e.store.ReaderMemory(r, false))
		load = max(load, e.store.LoadMemory(r))
	}
	n := min((e.free()-load)/largest, math.MaxInt32)
	if e.o.MaxRuns > 0 {
		n = min(n, int64(e.o.MaxRuns))
	}
	return int(max(n, 2))
}

// consolidate merges some neighbouring runs into one, those with the fewest bytes: neighbours, because ties between
// runs are decided by their order; and only as many as bring the count down to the fan-in, if so few do.
func (e *engine) consolidate() error {
	k := min(e.fanIn(), len(e.runs))
	if m := len(e.runs) - k + 1; m >= 2 {
		k = min(k, m)
	}
	best, least := 0, int64(math.MaxInt64)
	for i := 0; i+k <= len(e.runs); i++ {
		var sum int64
		for _, r := range e.runs[i : i+k] {
			sum += r.StoredBytes()
		}
		if sum < least {
			best, least = i, sum
		}
	}
	merged, err := e.mergeRuns(e.runs[best : best+k])
	if err != nil {
		return err
	}
	for _, r := range e.runs[best : best+k] {
		if err := e.store.Remove(r); err != nil {
			return err
		}
	}
	e.runs = append(e.runs[:best], append([]spill.Run{merged}, e.runs[best+k:]...)...)
	e.stats.MergePasses++
	return nil
}

// mergeRuns merges neighbouring runs into a new one.
func (e *engine) mergeRuns(runs []spill.Run) (run spill.Run, err error) {
	it, err := e.iterate(runs, nil)
	if err != nil {
		return spill.Run{}, err
	}
	defer func() {
		if cerr := it.close(); err == nil {
			err = cerr
		}
	}()
	w, err := e.store.Create()
	if err != nil {
		return spill.Run{}, err
	}
	for n := 0; ; n++ {
		if n%pageLen == 0 && e.ctx.Err() != nil {
			err = context.Cause(e.ctx)
			break
		}
		var frame []byte
		if frame, err = it.read(); err == io.EOF {
			return w.Close()
		} else if err == nil {
			err = w.Write(frame)
		}
		if err != nil {
			break
		}
	}
	_ = w.Abort() // the error that led here is the one to tell
	return spill.Run{}, err
}

// pass is one reading of sorted sources.
type pass struct {
	merge
	ahead *spill.ReadAhead
}

// iterate starts a pass over runs and fills.
func (e *engine) iterate(runs []spill.Run, memory []*fill) (*pass, error) {
	p := &pass{}
	var ro spill.ReadOptions
	if e.o.Threads > 1 && len(runs) > 0 && e.readers(runs, true) <= e.free() {
		p.ahead = spill.NewReadAhead(e.aheadWorkers())
		ro.ReadAhead = p.ahead
	}
	var sources []source
	for _, r := range runs {
		rd, err := e.store.Open(r, ro)
		if err != nil {
			p.sources = sources
			_ = p.close() // the error of Open is the one to tell
			return nil, err
		}
		sources = append(sources, source{run: rd})
	}
	for _, f := range memory {
		sources = append(sources, source{cursor: cursor{fill: f, compare: e.ord.compare}})
	}
	skip := e.skip
	if e.ord.shared == nil || e.head == nil {
		skip = 0
	}
	p.merge = newMerge(&e.ord, skip, sources)
	return p, nil
}

// close ends the pass.
func (p *pass) close() error {
	var first error
	for i := range p.sources {
		if rd := p.sources[i].run; rd != nil {
			if err := rd.Close(); first == nil {
				first = err
			}
		}
	}
	if p.ahead != nil {
		p.ahead.Close()
	}
	return first
}
