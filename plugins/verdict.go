package plugins

import "fmt"

// A Verdict is the outcome of the guard for one candidate. The words say that a candidate was
// rejected, never that its author's kernel is broken. The zero Verdict is no verdict.
type Verdict string

const (
	OK               Verdict = "ok"
	Invalid          Verdict = "invalid"          // the family or a constraint refuses it
	DeviceLimit      Verdict = "device-limit"     // beyond a limit of the device
	CompileFailed    Verdict = "compile-failed"   // the driver refused the pipeline
	CompileTimeout   Verdict = "compile-timeout"  // the driver did not finish in time
	Unwritten        Verdict = "unwritten"        // an output element kept its poison
	Wrong            Verdict = "wrong"            // an output differs from the reference
	NaN              Verdict = "nan"              // an output is NaN or infinite
	OutOfBounds      Verdict = "out-of-bounds"    // a guard band changed
	InputModified    Verdict = "input-modified"   // an input changed
	Nondeterministic Verdict = "nondeterministic" // two runs on one input differ
	Timeout          Verdict = "timeout"          // a dispatch passed its deadline
	Crash            Verdict = "crash"            // the runner process died
	DeviceLost       Verdict = "device-lost"      // VK_ERROR_DEVICE_LOST
	OutOfMemory      Verdict = "out-of-memory"    // host or device memory
	PluginError      Verdict = "plugin-error"     // the family's process failed
	Validation       Verdict = "validation"       // the Khronos layer objected
	Implausible      Verdict = "implausible"      // faster than the device can be
	GateFailed       Verdict = "gate-failed"      // an external gate's answer differs
)

// Verdicts lists every verdict in the order of design documents and tables.
var Verdicts = []Verdict{OK, Invalid, DeviceLimit, CompileFailed, CompileTimeout, Unwritten, Wrong, NaN,
	OutOfBounds, InputModified, Nondeterministic, Timeout, Crash, DeviceLost, OutOfMemory, PluginError,
	Validation, Implausible, GateFailed}

func (v Verdict) String() string { return string(v) }

// ParseVerdict reads a verdict's name.
func ParseVerdict(s string) (Verdict, error) {
	for _, v := range Verdicts {
		if string(v) == s {
			return v, nil
		}
	}
	return "", fmt.Errorf("unknown verdict %q", s)
}

// Evidence is what a verdict rests on, in words and numbers that a kernel's author can act on.
type Evidence struct {
	// Message is one sentence: what was seen, where, what was expected.
	Message string `json:"message,omitempty"`
	// Problem is the case in which it was seen, Check the check that saw it ("exact",
	// "rounded", "canary", "repeat", ...), Buffer the output concerned.
	Problem string `json:"problem,omitempty"`
	Check   string `json:"check,omitempty"`
	Buffer  string `json:"buffer,omitempty"`
	// Bad of Elements looked at are wrong.
	Bad      int64 `json:"bad,omitempty"`
	Elements int64 `json:"elements,omitempty"`
	// First and Worst are mismatches, in index order and by error over bound.
	First *Mismatch `json:"first,omitempty"`
	Worst *Mismatch `json:"worst,omitempty"`
	// Cases counts the problems and Runs the dispatched runs that were checked before the verdict.
	Cases int `json:"cases,omitempty"`
	Runs  int `json:"runs,omitempty"`
	// Log holds messages of the validation layer or the last words of a process.
	Log []string `json:"log,omitempty"`
}

// A Mismatch is one wrong element. Numbers are text, for NaN and Inf have no JSON form.
type Mismatch struct {
	Index    int64  `json:"index"`
	Row      int64  `json:"row"`
	Column   int64  `json:"column"`
	Got      string `json:"got"`
	Expected string `json:"expected"`
	Bound    string `json:"bound,omitempty"`
}
