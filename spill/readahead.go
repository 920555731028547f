package spill

import "sync"

// ReadAhead is a set of workers that load and decode the next block of each Reader
// opened with it, at most one block ahead per Reader. A Reader whose next block no
// worker has begun loads it itself, so it waits for nothing but a load in progress,
// and works, without help, after Close.
type ReadAhead struct {
	workers sync.WaitGroup

	mu     sync.Mutex
	wake   sync.Cond
	first  *Reader // queue of Readers to load for, linked through Reader.job
	last   *Reader
	closed bool
}

// job is a Reader's place in a ReadAhead. Guarded by ReadAhead.mu, except done.
type job struct {
	state      jobState
	prev, next *Reader
	done       chan struct{} // one token when a worker has finished
}

type jobState uint8

const (
	jobNone   jobState = iota // the load is the Reader's own business
	jobQueued                 // waiting for a worker
	jobTaken                  // a worker loads or has loaded; done has or gets a token
)

// NewReadAhead starts workers goroutines, which end with Close. With none, Readers
// load for themselves.
func NewReadAhead(workers int) *ReadAhead {
	a := &ReadAhead{closed: workers <= 0} // without workers nobody serves the queue
	a.wake.L = &a.mu
	for range workers {
		a.workers.Go(a.work)
	}
	return a
}

// Close ends the workers and waits for them. Readers may still be open. It does
// nothing the second time.
func (a *ReadAhead) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.wake.Broadcast()
	a.workers.Wait()
}

func (a *ReadAhead) work() {
	for {
		r := a.take()
		if r == nil {
			return
		}
		r.load()
		r.job.done <- struct{}{} // never blocks: one token per job, room for one
	}
}

// take waits for a queued Reader; nil after Close. What is queued then stays queued
// until its Reader claims it.
func (a *ReadAhead) take() *Reader {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.first == nil && !a.closed {
		a.wake.Wait()
	}
	if a.closed {
		return nil
	}
	r := a.first
	a.unlink(r)
	r.job.state = jobTaken
	return r
}

// queue asks for r's next block. It never blocks.
func (a *ReadAhead) queue(r *Reader) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return
	}
	r.job.state = jobQueued
	r.job.prev, r.job.next = a.last, nil
	if a.last != nil {
		a.last.job.next = r
	} else {
		a.first = r
	}
	a.last = r
	a.wake.Signal()
}

// claim returns once no worker is or will be at work for r. True: nothing was
// loaded, the caller must do it.
func (a *ReadAhead) claim(r *Reader) bool {
	a.mu.Lock()
	state := r.job.state
	if state == jobQueued {
		a.unlink(r)
	}
	r.job.state = jobNone
	a.mu.Unlock()
	if state != jobTaken {
		return true
	}
	<-r.job.done
	return false
}

// unlink takes r out of the queue. a.mu is held.
func (a *ReadAhead) unlink(r *Reader) {
	if r.job.prev != nil {
		r.job.prev.job.next = r.job.next
	} else {
		a.first = r.job.next
	}
	if r.job.next != nil {
		r.job.next.job.prev = r.job.prev
	} else {
		a.last = r.job.prev
	}
	r.job.prev, r.job.next = nil, nil
}
