package emit

import (
	"bytes"
	"fmt"

	"github.com/BurntSushi/toml"
)

// TOML is the same document for people and for loaders that read specs. What JSON writes as
// null is absent.
func TOML(r Result) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	r = r.clean()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Written by krisptune %s. The times hold for this device under this driver only.\n", r.Tool.Version)
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
