package main

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgressLines runs 25 seconds of a phase on a fake clock.
func TestProgressLines(t *testing.T) {
	for _, test := range []struct {
		name string
		work workload
		want string
	}{
		{"bytes known", workload{bytes: 100_000_000}, `
gosort: reading: 1,000 records, 100 records/s, 2.5 MB/s, 25%, ETA 30s
gosort: reading: 2,000 records, 100 records/s, 2.5 MB/s, 50%, ETA 20s
gosort: reading: 2,000 records in 25.0 s, 80 records/s, 2.0 MB/s
`},
		{"records known", workload{records: 4000}, `
gosort: reading: 1,000 records, 100 records/s, 2.5 MB/s, 25%, ETA 30s
gosort: reading: 2,000 records, 100 records/s, 2.5 MB/s, 50%, ETA 20s
gosort: reading: 2,000 records in 25.0 s, 80 records/s, 2.0 MB/s
`},
		{"nothing known", workload{}, `
gosort: reading: 1,000 records, 100 records/s, 2.5 MB/s
gosort: reading: 2,000 records, 100 records/s, 2.5 MB/s
gosort: reading: 2,000 records in 25.0 s, 80 records/s, 2.0 MB/s
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				r := &reporter{w: &out, verbose: true}
				p := r.startPhase("reading", test.work)
				p.r.line("", "started")
				for range 2 {
					p.records.Add(1000)
					p.bytes.Add(25_000_000)
					<-time.After(10 * time.Second)
					synctest.Wait()
				}
				<-time.After(5 * time.Second)
				took := p.end()
				if took.Seconds != 25 {
					t.Errorf("the phase took %v s, want 25", took.Seconds)
				}
				if got := strings.TrimPrefix(out.String(), "gosort: started"); got != test.want {
					t.Errorf("got%swant%s", got, test.want)
				}
			})
		})
	}
}

func TestProgressQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := (&reporter{w: &out, live: true}).startPhase("reading", workload{bytes: 10})
		p.records.Add(5)
		<-time.After(time.Minute)
		if took := p.end(); took.Seconds != 60 {
			t.Errorf("the phase took %v s, want 60", took.Seconds)
		}
		if out.Len() > 0 {
			t.Errorf("without -v: got %q, want nothing", out.String())
		}
	})
}

func TestPhaseEndsTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := (&reporter{w: &out, verbose: true}).startPhase("merging", workload{})
		<-time.After(time.Second)
		p.end()
		said := out.String()
		p.end()
		if out.String() != said || !strings.HasPrefix(said, "gosort: merging: 0 records in 1.0 s") {
			t.Errorf("got %q, then %q, want one line of the phase", said, out.String())
		}
	})
}

// TestProgressBar: the bar moves, makes room for lines, and is gone at the end.
func TestProgressBar(t *testing.T) {
	for name, work := range map[string]workload{"bytes": {bytes: 1000}, "records": {records: 50}, "unknown": {}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				r := &reporter{w: &out, verbose: true, live: true}
				p := r.startPhase("reading", work)
				p.records.Add(10)
				p.bytes.Add(200)
				<-time.After(time.Second)
				synctest.Wait()
				shown := out.String()
				if !strings.Contains(shown, "reading") || strings.Contains(shown, "\n") {
					t.Errorf("got %q, want a bar on one line", shown)
				}
				if name != "unknown" && !strings.Contains(shown, "20%") {
					t.Errorf("got %q, want 20%%", shown)
				}
				if got := strings.Contains(shown, "records/s"); got != (name == "records") {
					t.Errorf("got %q, want a rate of what it counts: %s", shown, name)
				}
				r.warnf("careful")
				if got := out.String(); !strings.HasSuffix(got, "\rgosort: warning: careful\n") {
					t.Errorf("got %q, want the warning on a line of its own", got[len(shown):])
				}
				p.records.Add(1000) // more than there should be
				p.bytes.Add(20000)
				<-time.After(time.Second)
				synctest.Wait()
				p.end()
				if got := out.String(); !strings.Contains(got[strings.LastIndex(got, "\r"):], "gosort: reading: 1,010 records in 2.0 s") {
					t.Errorf("got %q, want the phase's line last", got)
				}
				if r.bar != nil {
					t.Error("the bar outlives its phase")
				}
			})
		})
	}
}

func TestCountingReader(t *testing.T) {
	var n atomic.Int64
	text, err := io.ReadAll(&countingReader{r: strings.NewReader("hello"), count: &n})
	if err != nil || string(text) != "hello" || n.Load() != 5 {
		t.Errorf("got %q, %v, counted %d, want hello and 5", text, err, n.Load())
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 12345678: "12,345,678"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}
