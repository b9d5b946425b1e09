package tuner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/store"
)

// recall gives built candidates the verdicts that an earlier run found for the very same
// builds on this device, driver and arm, and rejects those that took too many processes with
// them. Times are not recalled: every candidate is measured anew.
func (s *Session) recall(ctx context.Context, cs []*candidate) error {
	if s.store == nil {
		return nil
	}
	for _, c := range live(cs) {
		if c.key != nil {
			continue
		}
		if err := s.furtherCases(ctx, c); err != nil {
			return err
		}
		if c.rejected() {
			continue
		}
		key, err := s.verdictKey(c)
		if err != nil {
			return err
		}
		c.key = &key
		if s.fresh {
			continue
		}
		if err := s.mourn(ctx, c); err != nil {
			return err
		}
		if c.rejected() || c.guarded || s.validate {
			continue
		}
		known, ok, err := s.store.Verdict(ctx, key)
		if err != nil {
			return err
		}
		if ok {
			c.verdict, c.evidence, c.stats = known.Verdict, known.Evidence, known.Statistics
			c.guarded, c.recalled = known.Verdict == plugins.OK, true
		}
	}
	return nil
}

// remember keeps a verdict that this run found for later ones.
func (s *Session) remember(ctx context.Context, c *candidate) error {
	if s.store == nil || c.key == nil || c.verdict == "" || c.recalled || s.validate {
		return nil
	}
	return s.store.PutVerdict(ctx, s.run, *c.key, store.KnownVerdict{Verdict: c.verdict, Evidence: c.evidence, Statistics: c.stats})
}

// verdictKey names all that a candidate's verdict depends on.
func (s *Session) verdictKey(c *candidate) (store.VerdictKey, error) {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, b := range c.builds {
		if err := e.Encode(b); err != nil {
			return store.VerdictKey{}, err
		}
	}
	for _, further := range c.cases {
		if err := e.Encode(further); err != nil {
			return store.VerdictKey{}, err
		}
	}
	d := s.device()
	return store.VerdictKey{Family: s.info.Name, FamilyVersion: s.info.Version, BuildSHA256: hex.EncodeToString(h.Sum(nil)),
		Config: c.config, Problems: s.problems, DeviceUUID: d.UUID, DriverID: d.DriverID, DriverVersion: d.DriverVersion,
		Settings: s.arms[c.arm].Set, GuardVersion: plugins.GuardVersion}, nil
}
