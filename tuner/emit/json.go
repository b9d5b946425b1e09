package emit

import (
	"bytes"
	"encoding/json"
)

// JSON is the document of `krisptune tune --json`, indented, with a final newline.
func JSON(r Result) ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(r.clean()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
