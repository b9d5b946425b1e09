package cli

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/t1"
)

// A spaceDocument is what `space --json` prints.
type spaceDocument struct {
	Cartesian  *big.Int         `json:"cartesian"`
	Valid      int              `json:"valid"`
	Parameters []spaceParameter `json:"parameters"`
	// Configurations is there with --list.
	Configurations []emit.Values `json:"configurations,omitempty"`
}

type spaceParameter struct {
	Name   string          `json:"name"`
	Values []plugins.Value `json:"values"`
}

func spaceCommand(c *common) *cobra.Command {
	var flags specFlags
	var explain string
	var list bool
	cmd := &cobra.Command{
		Use:   "space SPEC",
		Short: "Count and list the configurations that satisfy every constraint on this device",
		Long: `Space counts and lists the configurations of a spec that satisfy every constraint on this device.
A file whose name ends in .json is read as a T1 document (the autotuning community's input schema): its
parameters and conditions make the space, and no device is asked.`,
		Args: oneSpec,
		RunE: func(cmd *cobra.Command, args []string) error {
			if isT1(args[0]) {
				space, err := readT1(args[0])
				if err != nil {
					return usage(err)
				}
				if explain != "" {
					return usage(fmt.Errorf("--explain needs a baseline for what it does not name: %s is a T1 document and has none", args[0]))
				}
				return showSpace(cmd.Context(), c, space, list)
			}
			s, _, err := flags.open(cmd.Context(), cmd, c, args[0], newProgress(c))
			if err != nil {
				return err
			}
			defer s.Close()
			if explain != "" {
				return explainPoint(c, s, explain)
			}
			return showSpace(cmd.Context(), c, s.Space(), list)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&explain, "explain", "", "say which constraint removes the point K=V,... (others as in the baseline)")
	cmd.Flags().BoolVar(&list, "list", false, "list every configuration")
	return cmd
}

// showSpace counts a space, and lists it if asked to.
func showSpace(ctx context.Context, c *common, space *search.Space, list bool) error {
	if c.json {
		doc := spaceDocument{Cartesian: space.Cartesian(), Valid: space.Len()}
		for _, p := range space.Params() {
			doc.Parameters = append(doc.Parameters, spaceParameter{p.Name, p.Values})
		}
		for i := range space.Len() {
			if !list || ctx.Err() != nil {
				break
			}
			doc.Configurations = append(doc.Configurations, space.Named(i))
		}
		return writeJSON(c.stdout, doc)
	}
	fmt.Fprintf(c.stdout, "%d of %v configurations satisfy the constraints\n", space.Len(), space.Cartesian())
	for _, p := range space.Params() {
		var values []string
		for _, v := range p.Values {
			values = append(values, plugins.FormatValue(v))
		}
		fmt.Fprintf(c.stdout, "  %s: %s\n", printable(p.Name), printable(strings.Join(values, " ")))
	}
	if list {
		for i := range space.Len() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			fmt.Fprintln(c.stdout, printable(plugins.Config(space.Named(i)).String()))
		}
	}
	return nil
}

// isT1 tells the autotuning community's JSON from a spec, which is TOML.
func isT1(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

func readT1(name string) (*search.Space, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > t1.MaxSize {
		return nil, fmt.Errorf("%s: %d bytes, expected at most %d", name, info.Size(), t1.MaxSize)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	space, err := t1.Space(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return space, nil
}

// An explainDocument is what `space --explain --json` prints.
type explainDocument struct {
	Config    emit.Values `json:"config"`
	RemovedBy []string    `json:"removed_by"` // empty: it is in the space
}

func explainPoint(c *common, s *tuner.Session, text string) error {
	config, err := s.ParseConfig(text)
	if err != nil {
		return usage(fmt.Errorf("--explain: %w", err))
	}
	removed, err := s.Explain(config)
	if err != nil {
		return usage(fmt.Errorf("--explain: %w", err))
	}
	if c.json {
		return writeJSON(c.stdout, explainDocument{emit.Values(config), append([]string{}, removed...)})
	}
	if len(removed) == 0 {
		fmt.Fprintf(c.stdout, "%s is in the space\n", config)
		return nil
	}
	fmt.Fprintf(c.stdout, "%s is removed by:\n", config)
	for _, r := range removed {
		fmt.Fprintf(c.stdout, "  %s\n", r)
	}
	return nil
}

// oneSpec takes exactly one argument.
func oneSpec(cmd *cobra.Command, args []string) error { return usage(cobra.ExactArgs(1)(cmd, args)) }
