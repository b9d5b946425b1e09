package runner

import (
	"fmt"
	"os"
	"time"

	"github.com/krisptune/krisptune/plugins/internal/wire"
)

// exitSpent is the exit status of a runner that answered and can do nothing more (EX_TEMPFAIL
// of sysexits.h: try again).
const exitSpent = 75

// answerGrace is how long a spent runner's last answer has to leave the process.
const answerGrace = 500 * time.Millisecond

// Main serves a runner to the process that started this one and returns the exit status when
// it is told to stop. A spent runner ends the process by itself once its last call is answered.
func Main() int {
	r := New(Options{})
	go func() {
		<-r.Spent()
		r.mu.Lock() // held by the call that spent it, until its end
		why := r.why
		r.mu.Unlock()
		fmt.Fprintln(os.Stderr, "runner:", why)
		time.Sleep(answerGrace)
		os.Exit(exitSpent)
	}()
	wire.ServeRunner(r)
	r.Close()
	return 0
}
