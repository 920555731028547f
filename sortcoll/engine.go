package sortcoll

import (
	"context"
	"errors"
	"math"

	"golang.org/x/sync/errgroup"

	"github.com/gosort/gosort/spill"
)

// engine sorts frames. Collection gives it types.
type engine struct {
	ctx   context.Context
	ord   ordering
	o     Options
	b     budget
	store *spill.Store
	err   error // sticky

	largest int64 // frame for which room was made, bytes

	cur     *fill // being filled
	spare   *fill // empty
	pending *job  // full, being sorted and perhaps spilled
	sealed  bool  // no more frames

	// Used by the background job while there is one, by the caller otherwise.
	sorter sorter
	head   []byte // the first frame: what all share is counted against it
	skip   int
	open   *spill.Writer // the newest run, to which a fill that follows it in order is added
	last   []byte        // its last frame
	runs   []spill.Run   // in input order

	memory []*fill // sorted, after the runs in input order; set when sealed
	stats  Stats
}

// job is one full fill on its way.
type job struct {
	fill    *fill
	group   errgroup.Group
	spill   chan bool // the decision, sent once
	decided bool
	kept    bool // sorted and left in memory; valid after group.Wait
}

func (j *job) decide(spill bool) {
	if !j.decided {
		j.decided = true
		j.spill <- spill
	}
}

func newEngine(ctx context.Context, ord ordering, o Options) (*engine, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	b, err := divide(o)
	if err != nil {
		return nil, err
	}
	store, err := spill.NewStore(spill.Options{Dirs: o.TempDirs, Codec: o.SpillCodec, BlockSize: b.block, FS: o.FS})
	if err != nil {
		return nil, err
	}
	e := &engine{ctx: ctx, ord: ord, o: o, b: b, store: store, skip: math.MaxInt}
	e.cur = e.newFill()
	e.sorter.ord = ord
	return e, nil
}

// newFill returns an empty fill. One fill alone pays for the room to sort it, two share it, because one sorts at a time.
func (e *engine) newFill() *fill {
	f := &fill{slabSize: e.b.slab, pageCost: 2 * pageSize}
	if e.o.Threads > 1 {
		f.pageCost = pageSize * 3 / 2
	}
	return f
}

// add copies frame into the current fill.
func (e *engine) add(frame []byte) error {
	if e.err == nil && e.sealed {
		e.err = errors.New("sortcoll: Add after Sort")
	}
	if e.err == nil && e.cur.grows(len(frame)) {
		e.err = e.makeRoom(len(frame))
	}
	if e.err != nil {
		return e.err
	}
	var key uint64
	if e.ord.shared == nil {
		key = e.ord.key(frame, 0)
	} else if e.head == nil {
		e.head = append(make([]byte, 0, len(frame)), frame...)
	}
	e.err = e.cur.add(key, frame)
	return e.err
}

// makeRoom is called whenever the current fill is about to take more memory.
func (e *engine) makeRoom(size int) error {
	if err := e.ctx.Err(); err != nil {
		return context.Cause(e.ctx)
	}
	e.largest = max(e.largest, int64(size))
	share := e.share()
	cost := e.cur.cost(size)
	if e.cur.n > 0 && cost > share {
		if err := e.rotate(); err != nil {
			return err
		}
	} else if e.pending != nil && cost > share/4 {
		e.pending.decide(true)
	}
	if e.cur.held(size) > share {
		e.cur.dropSpare()
		if e.pending == nil { // else it is in use
			e.sorter.scratch = nil
		}
	}
	return nil
}

// share returns the bytes of one fill. A frame larger than a block of a run is held several times on its way, by who
// reads, spills and merges it, and the fills make room for that.
func (e *engine) share() int64 {
	copies := e.copies()
	if e.o.Threads > 1 {
		copies /= 2
	}
	return max(e.b.share-copies, e.b.share/4)
}

// copies returns the bytes that large frames take beside fills and read buffers.
func (e *engine) copies() int64 {
	const times = 8
	return max(0, e.largest-int64(e.b.block)) * times
}

// rotate hands the full fill to a background job and goes on with an empty one; on one thread it sorts and spills it on
// the spot.
func (e *engine) rotate() error {
	if e.o.Threads <= 1 {
		e.prepare(e.cur)
		if err := e.spill(e.cur); err != nil {
			return err
		}
		e.cur.reset()
		return nil
	}
	if e.pending != nil {
		e.pending.decide(true)
		if err := e.await(); err != nil {
			return err
		}
	}
	j := &job{fill: e.cur, spill: make(chan bool, 1)}
	e.pending, e.cur = j, e.spare
	if e.cur == nil {
		e.cur = e.newFill()
	}
	e.spare = nil
	j.group.Go(func() error {
		e.prepare(j.fill)
		if !<-j.spill {
			j.kept = true
			return nil
		}
		return e.spill(j.fill)
	})
	return nil
}

// await waits for the pending job, whose decision was made.
func (e *engine) await() error {
	j := e.pending
	e.pending = nil
	if err := j.group.Wait(); err != nil {
		return err
	}
	if j.kept {
		e.memory = append(e.memory, j.fill)
	} else {
		j.fill.reset()
		e.spare = j.fill
	}
	return nil
}

// prepare gives the frames of f their keys, unless they have them, and sorts them.
func (e *engine) prepare(f *fill) {
	if e.ord.shared != nil {
		for i := range f.n {
			e.skip = e.ord.shared(e.head, f.frame(f.entries.at(i).pos), e.skip)
		}
		for i := range f.n {
			en := f.entries.at(i)
			en.key = e.ord.key(f.frame(en.pos), e.skip)
		}
	}
	e.sorter.sort(f)
}

// spill writes the sorted f to the newest run if it follows it in order, else to a new one.
func (e *engine) spill(f *fill) error {
	c := cursor{fill: f, compare: e.ord.compare}
	frame := c.read()
	if e.open != nil && e.after(e.last, frame) {
		if err := e.closeRun(); err != nil {
			return err
		}
	}
	if e.open == nil {
		w, err := e.store.Create()
		if err != nil {
			return err
		}
		e.open = w
	}
	for ; frame != nil; frame = c.read() {
		if c.next%pageLen == 1 && e.ctx.Err() != nil {
			return context.Cause(e.ctx)
		}
		if err := e.open.Write(frame); err != nil {
			return err
		}
	}
	e.last = append(e.last[:0], f.frame(f.entries.at(f.n-1).pos)...)
	return nil
}

// after tells whether frame a sorts after b.
func (e *engine) after(a, b []byte) bool {
	x, y := e.ord.key(a, 0), e.ord.key(b, 0)
	return x > y || x == y && e.ord.compare != nil && e.ord.compare(a, b) > 0
}

// closeRun ends the newest run, if it is open.
func (e *engine) closeRun() error {
	if e.open == nil {
		return nil
	}
	run, err := e.open.Close()
	e.open = nil
	if err != nil {
		return err
	}
	e.runs = append(e.runs, run)
	return nil
}

// seal ends the adding: afterwards all frames are in e.runs and, behind them in input order, e.memory.
func (e *engine) seal() error {
	e.sealed = true
	if e.pending != nil {
		e.pending.decide(false)
		if err := e.await(); err != nil {
			return err
		}
	}
	if e.cur.n > 0 {
		e.prepare(e.cur)
		e.memory = append(e.memory, e.cur)
	}
	e.cur, e.spare, e.sorter.scratch = nil, nil, nil
	return e.plan()
}

// close ends the background job and removes the temp files.
func (e *engine) close() error {
	if e.pending != nil {
		e.pending.decide(false)
		_ = e.pending.group.Wait() // its error no longer matters: everything is thrown away
		e.pending = nil
	}
	e.err = ErrClosed
	e.cur, e.spare, e.memory, e.runs = nil, nil, nil, nil
	return e.store.Close()
}
