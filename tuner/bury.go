package tuner

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// maxDeaths is how many processes a configuration may take with it before it is never tried
// again, in this run, a resumed one or a later one.
const maxDeaths = 2

// bury gives a candidate the blame for its runner's death. A crash may be another's doing, an
// earlier dispatch's or the machine's, once: the second is the verdict. If others were with it
// when a process died just before, it dies alone for the second time. Silence until the
// watchdog barks is a verdict at once. The death is durable before the candidate is tried
// again, for the next try may take the machine with it.
func (s *Session) bury(ctx context.Context, c *candidate, death error, check string, again bool) error {
	verdict, evidence := deathVerdict(death)
	evidence.Check = check
	n := 1
	if again {
		n = 2
	}
	for range n {
		c.deaths++
		if s.store == nil || c.key == nil {
			continue
		}
		if err := s.store.AppendDeath(ctx, s.run, *c.key, verdict, evidence); err != nil {
			return err
		}
	}
	if c.deaths >= maxDeaths || verdict == plugins.Timeout {
		c.reject(verdict, evidence)
	}
	return nil
}

// mourn rejects a candidate that is known to have taken as many processes with it as may be.
func (s *Session) mourn(ctx context.Context, c *candidate) error {
	n, verdict, evidence, err := s.store.Deaths(ctx, 0, *c.key)
	if err != nil {
		return err
	}
	if c.deaths = max(c.deaths, n); c.deaths >= maxDeaths {
		evidence.Message = fmt.Sprintf("it took %d processes with it and is not tried again: %s", n, evidence.Message)
		c.reject(verdict, evidence)
		c.recalled = true
	}
	return nil
}
