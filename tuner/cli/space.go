package cli

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner"
)

// A spaceDocument is what `space --json` prints.
type spaceDocument struct {
	Cartesian  *big.Int         `json:"cartesian"`
	Valid      int              `json:"valid"`
	Parameters []spaceParameter `json:"parameters"`
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
		Args:  oneSpec,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, _, err := flags.open(cmd.Context(), cmd, c, args[0], newProgress(c))
			if err != nil {
				return err
			}
			defer s.Close()
			if explain != "" {
				return explainPoint(c, s, explain)
			}
			space := s.Space()
			if c.json {
				doc := spaceDocument{Cartesian: space.Cartesian(), Valid: space.Len()}
				for _, p := range space.Params() {
					doc.Parameters = append(doc.Parameters, spaceParameter{p.Name, p.Values})
				}
				return writeJSON(c.stdout, doc)
			}
			fmt.Fprintf(c.stdout, "%d of %v configurations satisfy the constraints\n", space.Len(), space.Cartesian())
			for _, p := range space.Params() {
				var values []string
				for _, v := range p.Values {
					values = append(values, plugins.FormatValue(v))
				}
				fmt.Fprintf(c.stdout, "  %s: %s\n", p.Name, strings.Join(values, " "))
			}
			if list {
				for i := range space.Len() {
					if cmd.Context().Err() != nil {
						return cmd.Context().Err()
					}
					fmt.Fprintln(c.stdout, plugins.Config(space.Named(i)))
				}
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&explain, "explain", "", "say which constraint removes the point K=V,... (others as in the baseline)")
	cmd.Flags().BoolVar(&list, "list", false, "list every configuration")
	return cmd
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
