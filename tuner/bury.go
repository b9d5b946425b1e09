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
// earlier dispatch's or the machine's, once: the second is the verdict. Silence until the
// watchdog barks is a verdict at once. The death is durable before the candidate is tried
// again, for the next try may take the machine with it.
func (s *Session) bury(ctx context.Context, c *candidate, err error, check string) error {
	verdict, evidence := deathVerdict(err)
	evidence.Check = check
	c.deaths++
	if c.deaths >= maxDeaths || verdict == plugins.Timeout {
		c.reject(verdict, evidence)
	}
	if s.store == nil || c.key == nil {
		return nil
	}
	return s.store.AppendDeath(ctx, s.run, *c.key, verdict, evidence)
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
