package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
)

// describeTimeout is how long a family may take to describe itself.
const describeTimeout = 10 * time.Second

// A familyDocument is one element of what `plugins --json` prints.
type familyDocument struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	Origin  string          `json:"origin"`
	Path    string          `json:"path"`
	Doc     string          `json:"doc"`
	Fields  []string        `json:"fields"`
	Params  []plugins.Param `json:"params"`
}

func pluginsCommand(c *common) *cobra.Command {
	var allow []string
	cmd := &cobra.Command{
		Use:   "plugins",
		Short: "List the kernel families, where each comes from, and its parameters",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			sources, err := host.Families(c.families, allow)
			if err != nil {
				return err
			}
			var docs []familyDocument
			for _, src := range sources {
				d, err := describe(cmd.Context(), src)
				if err != nil {
					return fmt.Errorf("family %s (%s): %w", src.Name, src.Command.Path, err)
				}
				docs = append(docs, d)
			}
			if c.json {
				return writeJSON(c.stdout, docs)
			}
			for _, d := range docs {
				fmt.Fprintf(c.stdout, "%s %s (%s): %s\n", d.Name, printable(d.Version), d.Origin, printable(d.Doc))
				fmt.Fprintf(c.stdout, "  problem: %s\n", strings.Join(d.Fields, ", "))
				for _, p := range d.Params {
					var values []string
					for _, v := range p.Values {
						values = append(values, plugins.FormatValue(v))
					}
					fmt.Fprintf(c.stdout, "  %-10s %-6s %s\n", p.Name, p.Kind, printable(strings.Join(values, " ")))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&allow, "allow-plugin", nil, "path of a third party's family executable (repeatable)")
	return cmd
}

func describe(ctx context.Context, src host.FamilySource) (familyDocument, error) {
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	p, err := host.StartFamily(ctx, src.Command)
	if err != nil {
		return familyDocument{}, err
	}
	defer p.Kill()
	info := p.Info()
	d := familyDocument{Name: info.Name, Version: info.Version, Origin: src.Origin, Path: src.Command.Path, Doc: info.Doc, Params: info.Params}
	for _, f := range info.Fields {
		d.Fields = append(d.Fields, f.Name)
	}
	return d, nil
}
