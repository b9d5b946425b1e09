package wire

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/pb"
)

// A codeTable holds each module's code once per request: a batch of candidates and their
// tails mostly share a few modules, and SPIR-V is nearly all of a request's bytes.
type codeTable struct {
	spirv [][]byte
	index map[string]uint32
}

func (t *codeTable) add(m plugins.Module) *pb.Module {
	if t.index == nil {
		t.index = map[string]uint32{}
	}
	i, ok := t.index[string(m.SPIRV)]
	if !ok {
		i = uint32(len(t.spirv))
		t.spirv = append(t.spirv, m.SPIRV)
		t.index[string(m.SPIRV)] = i
	}
	return &pb.Module{Name: m.Name, Code: &pb.Module_Shared{Shared: i}}
}

// shared reads modules whose code may lie in the request's table.
func shared(spirv [][]byte) func(*pb.Module) (plugins.Module, error) {
	return func(w *pb.Module) (plugins.Module, error) {
		code, ok := w.GetCode().(*pb.Module_Shared)
		if !ok {
			return moduleFromWire(w)
		}
		if int64(code.Shared) >= int64(len(spirv)) {
			return plugins.Module{}, fmt.Errorf("%s names code %d of %d", w.GetName(), code.Shared, len(spirv))
		}
		return plugins.Module{Name: w.GetName(), SPIRV: spirv[code.Shared]}, nil
	}
}

func deviceToWire(d plugins.Device) (string, error) {
	text, err := json.Marshal(d)
	return string(text), err
}

func deviceFromWire(text string) (plugins.Device, error) {
	var d plugins.Device
	err := json.Unmarshal([]byte(text), &d)
	return d, err
}

// evidenceToWire writes no evidence as no text: nearly every sample has none.
func evidenceToWire(e plugins.Evidence) (string, error) {
	text, err := json.Marshal(e)
	if err != nil || string(text) == "{}" {
		return "", err
	}
	return string(text), nil
}

func evidenceFromWire(text string) (plugins.Evidence, error) {
	var e plugins.Evidence
	if text == "" {
		return e, nil
	}
	err := json.Unmarshal([]byte(text), &e)
	return e, err
}

func openToWire(o plugins.OpenOptions) *pb.OpenRequest {
	return &pb.OpenRequest{Device: o.Device, Validate: o.Validate, CacheFile: o.CacheFile,
		SessionDir: o.SessionDir, Seed: o.Seed, MeasureCache: o.MeasureCache, CompileDeadlineNs: int64(o.CompileDeadline)}
}

func openFromWire(w *pb.OpenRequest) plugins.OpenOptions {
	return plugins.OpenOptions{Device: w.GetDevice(), Validate: w.GetValidate(), CacheFile: w.GetCacheFile(),
		SessionDir: w.GetSessionDir(), Seed: w.GetSeed(), MeasureCache: w.GetMeasureCache(),
		CompileDeadline: time.Duration(w.GetCompileDeadlineNs())}
}

func openedToWire(o plugins.Opened) (*pb.OpenResponse, error) {
	device, err := deviceToWire(o.Device)
	if err != nil {
		return nil, err
	}
	return &pb.OpenResponse{DeviceJson: device, Clock: string(o.Clock), ClockReason: o.ClockReason,
		OverheadNs: int64(o.Overhead), Warnings: o.Warnings, CacheBytes: o.CacheBytes, Inert: o.Inert}, nil
}

func openedFromWire(w *pb.OpenResponse) (plugins.Opened, error) {
	device, err := deviceFromWire(w.GetDeviceJson())
	if err != nil {
		return plugins.Opened{}, fmt.Errorf("device: %w", err)
	}
	return plugins.Opened{Device: device, Clock: plugins.Clock(w.GetClock()), ClockReason: w.GetClockReason(),
		Overhead: time.Duration(w.GetOverheadNs()), Warnings: w.GetWarnings(), CacheBytes: w.GetCacheBytes(), Inert: w.GetInert()}, nil
}

func candidatesToWire(list []plugins.Candidate) (*pb.CompileRequest, error) {
	var code codeTable
	candidates, err := convert(list, func(c plugins.Candidate) (*pb.Candidate, error) {
		build, err := buildToWire(c.Build, code.add)
		if err != nil {
			return nil, fmt.Errorf("candidate %s: %w", c.ID, err)
		}
		return &pb.Candidate{Id: c.ID, Build: build}, nil
	})
	return &pb.CompileRequest{Candidates: candidates, Spirv: code.spirv}, err
}

func candidatesFromWire(w *pb.CompileRequest) ([]plugins.Candidate, error) {
	return convert(w.GetCandidates(), func(c *pb.Candidate) (plugins.Candidate, error) {
		build, err := buildFromWire(c.GetBuild(), shared(w.GetSpirv()))
		if err != nil {
			return plugins.Candidate{}, fmt.Errorf("candidate %s: %w", c.GetId(), err)
		}
		return plugins.Candidate{ID: c.GetId(), Build: build}, nil
	})
}

func compiledToWire(c plugins.Compiled) (*pb.Compiled, error) {
	evidence, err := evidenceToWire(c.Evidence)
	if err != nil {
		return nil, err
	}
	w := &pb.Compiled{Id: c.ID, Verdict: string(c.Verdict), EvidenceJson: evidence, ElapsedNs: int64(c.Elapsed)}
	for _, s := range c.Statistics {
		w.Statistics = append(w.Statistics, &pb.Statistic{Pass: int64(s.Pass), Name: s.Name, Value: s.Value})
	}
	return w, nil
}

func compiledFromWire(w *pb.Compiled) (plugins.Compiled, error) {
	verdict, evidence, err := outcomeFromWire(w)
	if err != nil {
		return plugins.Compiled{}, fmt.Errorf("candidate %s: %w", w.GetId(), err)
	}
	c := plugins.Compiled{ID: w.GetId(), Verdict: verdict, Evidence: evidence, Elapsed: time.Duration(w.GetElapsedNs())}
	for _, s := range w.GetStatistics() {
		c.Statistics = append(c.Statistics, plugins.Statistic{Pass: int(s.GetPass()), Name: s.GetName(), Value: s.GetValue()})
	}
	return c, nil
}

// outcomeFromWire reads what compiled, checked and sample have in common.
func outcomeFromWire(w interface {
	GetVerdict() string
	GetEvidenceJson() string
}) (plugins.Verdict, plugins.Evidence, error) {
	verdict, err := plugins.ParseVerdict(w.GetVerdict())
	if err != nil {
		return "", plugins.Evidence{}, err
	}
	evidence, err := evidenceFromWire(w.GetEvidenceJson())
	if err != nil {
		return "", plugins.Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	return verdict, evidence, nil
}

func checksToWire(list []plugins.Check) (*pb.CheckRequest, error) {
	var code codeTable
	checks, err := convert(list, func(c plugins.Check) (*pb.Check, error) {
		w, err := checkToWire(c, &code)
		if err != nil {
			return nil, fmt.Errorf("candidate %s: %w", c.ID, err)
		}
		return w, nil
	})
	return &pb.CheckRequest{Checks: checks, Spirv: code.spirv}, err
}

func checkToWire(c plugins.Check, code *codeTable) (*pb.Check, error) {
	problem, err := assignmentToWire(c.Problem)
	if err != nil {
		return nil, fmt.Errorf("problem: %w", err)
	}
	config, err := assignmentToWire(c.Config)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	cases, err := convert(c.Cases, func(c plugins.Case) (*pb.Case, error) {
		problem, err := assignmentToWire(c.Problem)
		if err != nil {
			return nil, fmt.Errorf("problem of a case: %w", err)
		}
		build, err := buildToWire(c.Build, code.add)
		return &pb.Case{Problem: problem, Build: build}, err
	})
	return &pb.Check{Id: c.ID, Problem: problem, Config: config, Cases: cases, DeadlineNs: int64(c.Deadline),
		Soak: int64(c.Soak), PauseNs: int64(c.Pause)}, err
}

func checksFromWire(w *pb.CheckRequest) ([]plugins.Check, error) {
	return convert(w.GetChecks(), func(c *pb.Check) (plugins.Check, error) {
		check, err := checkFromWire(c, shared(w.GetSpirv()))
		if err != nil {
			return plugins.Check{}, fmt.Errorf("candidate %s: %w", c.GetId(), err)
		}
		return check, nil
	})
}

func checkFromWire(w *pb.Check, module func(*pb.Module) (plugins.Module, error)) (plugins.Check, error) {
	problem, err := assignmentFromWire(w.GetProblem())
	if err != nil {
		return plugins.Check{}, fmt.Errorf("problem: %w", err)
	}
	config, err := assignmentFromWire(w.GetConfig())
	if err != nil {
		return plugins.Check{}, fmt.Errorf("configuration: %w", err)
	}
	cases, err := convert(w.GetCases(), func(c *pb.Case) (plugins.Case, error) {
		problem, err := assignmentFromWire(c.GetProblem())
		if err != nil {
			return plugins.Case{}, fmt.Errorf("problem of a case: %w", err)
		}
		build, err := buildFromWire(c.GetBuild(), module)
		return plugins.Case{Problem: problem, Build: build}, err
	})
	return plugins.Check{ID: w.GetId(), Problem: problem, Config: config, Cases: cases,
		Deadline: time.Duration(w.GetDeadlineNs()), Soak: int(w.GetSoak()), Pause: time.Duration(w.GetPauseNs())}, err
}

func checkedToWire(c plugins.Checked) (*pb.Checked, error) {
	evidence, err := evidenceToWire(c.Evidence)
	return &pb.Checked{Id: c.ID, Verdict: string(c.Verdict), EvidenceJson: evidence, ElapsedNs: int64(c.Elapsed),
		CompileNs: int64(c.Compile)}, err
}

func checkedFromWire(w *pb.Checked) (plugins.Checked, error) {
	verdict, evidence, err := outcomeFromWire(w)
	if err != nil {
		return plugins.Checked{}, fmt.Errorf("candidate %s: %w", w.GetId(), err)
	}
	return plugins.Checked{ID: w.GetId(), Verdict: verdict, Evidence: evidence, Elapsed: time.Duration(w.GetElapsedNs()),
		Compile: time.Duration(w.GetCompileNs())}, nil
}

func raceToWire(r plugins.Race) *pb.RaceRequest {
	return &pb.RaceRequest{Entrants: r.Entrants, Rounds: int64(r.Rounds), FirstRound: int64(r.FirstRound),
		Seed: r.Seed, MinSampleNs: int64(r.MinSample), DeadlineNs: int64(r.Deadline), Warmup: r.Warmup,
		Mode: string(r.Mode), Gap: string(r.Gap), Clock: string(r.Clock)}
}

func raceFromWire(w *pb.RaceRequest) plugins.Race {
	return plugins.Race{Entrants: w.GetEntrants(), Rounds: int(w.GetRounds()), FirstRound: int(w.GetFirstRound()),
		Seed: w.GetSeed(), MinSample: time.Duration(w.GetMinSampleNs()), Deadline: time.Duration(w.GetDeadlineNs()),
		Warmup: w.GetWarmup(), Mode: plugins.Mode(w.GetMode()), Gap: plugins.Gap(w.GetGap()),
		Clock: plugins.Clock(w.GetClock())}
}

func sampleToWire(s plugins.Sample) (*pb.Sample, error) {
	evidence, err := evidenceToWire(s.Evidence)
	return &pb.Sample{Round: int64(s.Round), Entrant: int64(s.Entrant), Nanoseconds: s.Nanoseconds,
		Repeats: int64(s.Repeats), Clock: string(s.Clock), Gap: string(s.Gap), Verdict: string(s.Verdict),
		EvidenceJson: evidence, Mode: string(s.Mode)}, err
}

func sampleFromWire(w *pb.Sample) (plugins.Sample, error) {
	verdict, evidence, err := outcomeFromWire(w)
	if err != nil {
		return plugins.Sample{}, fmt.Errorf("round %d, entrant %d: %w", w.GetRound(), w.GetEntrant(), err)
	}
	return plugins.Sample{Round: int(w.GetRound()), Entrant: int(w.GetEntrant()), Nanoseconds: w.GetNanoseconds(),
		Repeats: int(w.GetRepeats()), Clock: plugins.Clock(w.GetClock()), Gap: plugins.Gap(w.GetGap()),
		Mode: plugins.Mode(w.GetMode()), Verdict: verdict, Evidence: evidence}, nil
}
