package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner"
)

// newProgress shows a session on standard error: a bar on a terminal, plain lines elsewhere.
func newProgress(c *common) tuner.Observer {
	if c.quiet {
		return &lines{w: io.Discard}
	}
	if f, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &bar{lines: lines{w: f}, out: f}
	}
	return &lines{w: c.stderr}
}

// lines prints one line for what a reader of a log wants: the device, warnings, and a count
// every few seconds.
type lines struct {
	w       io.Writer
	planned int
	done    int
	refused int
	shown   time.Time
}

var _ tuner.Observer = (*lines)(nil)

// lineEvery is how often progress is told where there is no terminal.
const lineEvery = 5 * time.Second

func (l *lines) Opened(o plugins.Opened) {
	d := o.Device
	fmt.Fprintf(l.w, "device   %s, %s %s\n", printable(d.Name), printable(d.DriverName), printable(d.DriverVersion))
	reason := ""
	if o.ClockReason != "" {
		reason = " (" + printable(o.ClockReason) + ")"
	}
	fmt.Fprintf(l.w, "clock    %s%s, empty dispatch %v\n", o.Clock, reason, o.Overhead.Round(10*time.Nanosecond))
}

func (l *lines) Planned(evaluations, space int) {
	l.planned = evaluations
	if evaluations == 0 {
		fmt.Fprintf(l.w, "space    %d configurations\n", space)
		return
	}
	fmt.Fprintf(l.w, "space    %d of %d configurations will be evaluated\n", evaluations, space)
}

func (l *lines) count(e tuner.Evaluation) {
	l.done++
	if e.Verdict != plugins.OK {
		l.refused++
	}
}

// status is one line of progress.
func (l *lines) status(e tuner.Evaluation) string {
	of := ""
	if l.planned > 0 {
		of = fmt.Sprintf("/%d", l.planned)
	}
	best := ""
	if e.Best > 0 {
		best = fmt.Sprintf(", best so far %.2fx the baseline (unconfirmed)", e.Best)
	}
	return fmt.Sprintf("evaluated %d%s, refused %d%s", l.done, of, l.refused, best)
}

func (l *lines) Evaluated(e tuner.Evaluation) {
	l.count(e)
	if time.Since(l.shown) >= lineEvery {
		l.shown = time.Now()
		fmt.Fprintln(l.w, l.status(e))
	}
}

func (l *lines) Stage(name string) { fmt.Fprintln(l.w, name) }

func (l *lines) Warn(text string) { fmt.Fprintf(l.w, "warning: %s\n", printable(text)) }

// bar shows a bar while evaluations are counted.
type bar struct {
	lines
	out      io.Writer
	progress *mpb.Progress
	bar      *mpb.Bar
	text     atomic.Value
}

func (b *bar) Planned(evaluations, space int) {
	b.lines.Planned(evaluations, space)
	b.text.Store("compiling and guarding the first candidates")
	b.progress = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(40), mpb.WithAutoRefresh())
	b.bar = b.progress.AddBar(int64(max(evaluations, 1)), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text.Load().(string) })))
}

func (b *bar) Evaluated(e tuner.Evaluation) {
	b.count(e)
	b.text.Store(b.status(e))
	if b.planned > 0 {
		b.bar.Increment()
	}
}

// end takes the bar away.
func (b *bar) end() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.progress.Wait()
		b.bar = nil
	}
}

func (b *bar) Stage(name string) { b.end(); b.lines.Stage(name) }

func (b *bar) Warn(text string) {
	if b.bar != nil {
		// mpb writes lines above its bars.
		fmt.Fprintf(b.progress, "warning: %s\n", printable(text))
		return
	}
	b.lines.Warn(text)
}
