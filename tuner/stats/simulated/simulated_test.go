package simulated

import (
	"testing"
	"time"
)

func TestQuick(t *testing.T) {
	for _, n := range Noises {
		for _, sc := range []Scenario{{Noise: n, Identical: true},{Noise: n, Identical:true, Candidates: 200}} {
			start := time.Now()
			c := Check(sc, 1, 4000)
			t.Logf("%s identical=%v one=%v n=%d: declared %d false %d (naive %d %d) better %d untrue %d different %d confirmed %d covered %d; %v", n.Name, sc.Identical,sc.OneRace,sc.Candidates,
				c.Declared, c.False, c.Naive[0].False, c.Naive[1].False, c.Better, c.Untrue, c.Different, c.Confirmed, c.Covered, time.Since(start))
		}
	}
}
