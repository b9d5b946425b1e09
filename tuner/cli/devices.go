package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/device"
)

func devicesCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "List each Vulkan device by itself: driver, limits, capabilities",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			host := &tuner.Host{}
			found, failures := host.Devices(cmd.Context())
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			for _, f := range failures {
				fmt.Fprintf(c.stderr, "driver %s could not be asked: %v\n", f.Driver, printable(f.Err.Error()))
			}
			for _, line := range device.ClosedNodes("/dev/dri") {
				fmt.Fprintln(c.stderr, line)
			}
			if c.device != "" {
				one, err := device.Select(found, c.device)
				if err != nil {
					return usage(err)
				}
				found = []device.Found{one}
			}
			if c.json {
				list := make([]plugins.Device, len(found))
				for i, f := range found {
					list[i] = f.Device
				}
				if err := writeJSON(c.stdout, list); err != nil {
					return err
				}
			} else {
				for i, f := range found {
					if i > 0 {
						fmt.Fprintln(c.stdout)
					}
					if err := printDevice(c.stdout, f); err != nil {
						return err
					}
				}
			}
			if len(found) == 0 {
				return device.ErrNone
			}
			return nil
		},
	}
}

// printDevice writes one device as a block of lines for people.
func printDevice(w io.Writer, f device.Found) error {
	d := f.Device
	fmt.Fprintf(w, "%d  %s\n", d.Index, printable(d.Name))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "   %s\t%s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	l := d.Limits
	row("type", "%s", d.Type)
	row("vendor", "%s (0x%x), device 0x%x", d.Vendor, d.VendorID, d.DeviceID)
	row("driver", "%s %s (id %d), Vulkan %s", d.DriverName, d.DriverVersion, d.DriverID, d.APIVersion)
	row("driver info", "%s", d.DriverInfo)
	if f.Driver != "" {
		row("manifest", "%s", f.Driver)
	}
	row("uuid", "%s", d.UUID)
	row("workgroup", "%d invocations, %dx%dx%d, %s shared memory", l.MaxInvocations,
		l.MaxWorkgroupSize[0], l.MaxWorkgroupSize[1], l.MaxWorkgroupSize[2], bytes(l.SharedMemory))
	row("grid", "%dx%dx%d", l.MaxWorkgroupCount[0], l.MaxWorkgroupCount[1], l.MaxWorkgroupCount[2])
	control := "no size control"
	if l.SubgroupSizeControl {
		control = fmt.Sprintf("control %d to %d", l.SubgroupMin, l.SubgroupMax)
	}
	row("subgroup", "%d (%s)", l.SubgroupSize, control)
	row("push constants", "%s", bytes(l.PushConstantBytes))
	row("buffers", "alignment %d, range %s, allocation %s", l.BufferAlignment, bytes(l.MaxBufferRange), bytes(l.MaxAllocation))
	row("timestamps", "%d bits, %g ns a tick", l.TimestampBits, l.TimestampPeriod)
	var heaps []string
	for _, h := range d.Memory.Heaps {
		kind := "host"
		if h.DeviceLocal {
			kind = "device"
		}
		heaps = append(heaps, bytes(h.Size)+" "+kind)
	}
	unified := "not unified"
	if d.Memory.Unified {
		unified = "unified"
	}
	row("memory", "%s: %s", unified, strings.Join(heaps, ", "))
	x := d.Features
	row("capabilities", "%s", marks(
		mark{"float16", x.Float16}, mark{"float64", x.Float64}, mark{"int8", x.Int8}, mark{"int16", x.Int16},
		mark{"int64", x.Int64}, mark{"16-bit storage", x.Storage16}, mark{"8-bit storage", x.Storage8},
		mark{"integer dot product", x.IntegerDotProduct}, mark{"bfloat16", x.BFloat16}))
	m := d.Coopmat
	row("cooperative matrix", "%s: %s, %d shapes", yes(m.Usable, "usable", "not usable"),
		marks(mark{"extension", m.Extension}, mark{"feature bit", m.Feature}), len(m.Shapes))
	for _, s := range m.Shapes {
		row("", "%s", s)
	}
	return t.Flush()
}

// A mark is one capability and whether it is there.
type mark struct {
	name string
	on   bool
}

func marks(ms ...mark) string {
	var parts []string
	for _, m := range ms {
		parts = append(parts, yes(m.on, "+", "-")+m.name)
	}
	return strings.Join(parts, " ")
}

func yes(b bool, then, otherwise string) string {
	if b {
		return then
	}
	return otherwise
}

// bytes writes a size with a binary unit where it is a whole number of them.
func bytes(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(u.size)), ".0") + " " + u.name
		}
	}
	return fmt.Sprintf("%d B", n)
}

// writeJSON prints one document.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
