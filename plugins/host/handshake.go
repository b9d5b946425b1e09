package host

import (
	"bufio"
	"io"
	"strings"
	"sync/atomic"
)

// handshakeLimit bounds the one line that a process says on stdout: version, socket,
// certificate.
const handshakeLimit = 16 << 10

// A handshake passes the first line of a process's stdout to go-plugin, which reads lines of
// any number but stalls the process for good on one that is too long.
type handshake struct {
	line   atomic.Pointer[string]
	toRead *io.PipeReader
	toFill *io.PipeWriter
}

func newHandshake() *handshake {
	r, w := io.Pipe()
	return &handshake{toRead: r, toFill: w}
}

// read runs until the process closes its stdout; what follows the first line goes to rest.
func (h *handshake) read(stdout io.Reader, rest io.Writer) {
	reader := bufio.NewReaderSize(stdout, handshakeLimit)
	first, err := reader.ReadSlice('\n')
	if len(first) > 0 {
		line := string(first)
		h.line.Store(&line)
		if !strings.HasSuffix(line, "\n") {
			line += "\n"
		}
		_, _ = io.WriteString(h.toFill, line)
	}
	if err == nil || err == bufio.ErrBufferFull {
		drain(reader, rest)
	}
	h.toFill.Close()
}

// wrong returns the first line, cut short, and true if it is no handshake.
func (h *handshake) wrong() (string, bool) {
	line := h.line.Load()
	if line == nil || strings.Count(*line, "|") >= 3 {
		return "", false
	}
	said := strings.TrimSpace(*line)
	return said[:min(80, len(said))], true
}

// drain reads to the end whatever becomes of the output: a full pipe would stop the process.
func drain(from io.Reader, to io.Writer) {
	_, _ = io.Copy(to, from)
}
