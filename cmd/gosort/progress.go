package main

import (
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// linePeriod is how often -v tells the progress on a line.
	linePeriod = 10 * time.Second
	// barPeriod is how often the bar moves on a terminal.
	barPeriod = 200 * time.Millisecond
)

// workload is how much a phase has to do, in the unit that is known: input
// bytes as they are on disk, or records. Both zero: unknown, as from a pipe.
type workload struct{ bytes, records int64 }

// phase is one part of the work being done, such as reading or merging. Those
// who work add to records and bytes; with -v a goroutine that startPhase
// starts and end ends tells people about them.
type phase struct {
	records atomic.Int64
	bytes   atomic.Int64

	name     string
	work     workload
	started  time.Time
	cpuStart time.Duration
	r        *reporter
	stop     chan struct{} // nil without -v
	stopped  chan struct{}
}

// startPhase begins a phase. end must be called on it.
func (r *reporter) startPhase(name string, work workload) *phase {
	p := &phase{name: name, work: work, started: time.Now(), cpuStart: cpuTime(), r: r}
	if r.verbose {
		p.stop, p.stopped = make(chan struct{}), make(chan struct{})
		go p.tell()
	}
	return p
}

// end stops the progress, says with -v what was done, and returns what it took.
// A second call returns the times again and says nothing.
func (p *phase) end() phaseStats {
	elapsed := time.Since(p.started)
	if p.stop != nil {
		close(p.stop)
		<-p.stopped
		p.stop = nil
		p.r.verbosef("%s", p.summary(elapsed))
	}
	return phaseStats{Seconds: elapsed.Seconds(), CPUSeconds: (cpuTime() - p.cpuStart).Seconds()}
}

// tell shows progress until end.
func (p *phase) tell() {
	defer close(p.stopped)
	period, show := linePeriod, func() { p.r.verbosef("%s", p.line(time.Since(p.started))) }
	if p.r.live {
		bar := p.openBar()
		defer p.closeBar(bar)
		period, show = barPeriod, func() { p.moveBar(bar) }
	}
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			show()
		case <-p.stop:
			return
		}
	}
}

// share is the part of the work that is done, from 0 to 1, if that is known.
func (p *phase) share() (done float64, known bool) {
	switch {
	case p.work.bytes > 0:
		return min(1, float64(p.bytes.Load())/float64(p.work.bytes)), true
	case p.work.records > 0:
		return min(1, float64(p.records.Load())/float64(p.work.records)), true
	}
	return 0, false
}

// line is the progress in words.
func (p *phase) line(elapsed time.Duration) string {
	text := fmt.Sprintf("%s: %s records%s", p.name, grouped(p.records.Load()), p.rate(elapsed))
	done, known := p.share()
	if !known {
		return text
	}
	text += fmt.Sprintf(", %.0f%%", 100*done)
	if done > 0 {
		left := time.Duration(float64(elapsed) * (1 - done) / done)
		text += fmt.Sprintf(", ETA %s", left.Round(time.Second))
	}
	return text
}

// summary is the line of a phase that is over.
func (p *phase) summary(elapsed time.Duration) string {
	return fmt.Sprintf("%s: %s records in %.1f s%s", p.name, grouped(p.records.Load()), elapsed.Seconds(), p.rate(elapsed))
}

// rate is the speed in the units that were counted.
func (p *phase) rate(elapsed time.Duration) string {
	seconds := elapsed.Seconds()
	if seconds <= 0 {
		return ""
	}
	text := fmt.Sprintf(", %s records/s", grouped(int64(float64(p.records.Load())/seconds)))
	if bytes := p.bytes.Load(); bytes > 0 {
		text += fmt.Sprintf(", %.1f MB/s", float64(bytes)/1e6/seconds)
	}
	return text
}

// openBar puts a bar on the terminal and keeps it off the lines of others.
func (p *phase) openBar() *progressbar.ProgressBar {
	most := max(p.work.bytes, p.work.records)
	if most == 0 {
		most = -1 // unknown: a spinner with counts
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.r.w),
		progressbar.OptionSetDescription(p.name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		// No goroutine of the bar's own: tell moves it.
		progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionClearOnFinish(),
	}
	if p.work.records > 0 {
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString("records"))
	} else {
		options = append(options, progressbar.OptionShowBytes(true)) // and their rate
	}
	bar := progressbar.NewOptions64(most, options...)
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	p.r.bar = bar
	return bar
}

// moveBar shows how far the work is. The bar's own errors are those of
// standard error, and ignored like them.
func (p *phase) moveBar(bar *progressbar.ProgressBar) {
	done := p.bytes.Load()
	if p.work.records > 0 {
		done = p.records.Load()
	}
	if most := bar.GetMax64(); p.work != (workload{}) {
		done = min(done, most)
	}
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	_ = bar.Set64(done)
}

// closeBar takes the bar off the terminal.
func (p *phase) closeBar(bar *progressbar.ProgressBar) {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	_ = bar.Clear()
	_ = bar.Exit()
	p.r.bar = nil
}

// countingReader counts what is read from r, for progress.
type countingReader struct {
	r     io.Reader
	count *atomic.Int64
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.count.Add(int64(n))
	return n, err
}

// grouped writes n with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
