package host

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

const (
	tailBytes = 64 << 10 // what is kept of a process's output
	tailLines = 20       // what an error shows of it
)

// A tail keeps the last bytes that a process wrote to stderr, or to stdout after its handshake.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write never fails and never blocks for long: a chatty process costs memory twice tailBytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*tailBytes {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailBytes:]...)
	}
	return len(p), nil
}

// lines returns the last n lines that are not blank, made safe for a terminal.
func (t *tail) lines(n int) []string {
	t.mu.Lock()
	text := string(t.buf)
	t.mu.Unlock()
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = printable(line); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	lines = beforeStacks(lines)
	return lines[max(0, len(lines)-n):]
}

var goCrash = regexp.MustCompile(`^(panic: |fatal error: |SIG[A-Z]+: )`)

// beforeStacks cuts the stacks and registers that a Go program prints as it crashes, in a
// driver's code too: what it said before is worth more.
func beforeStacks(lines []string) []string {
	for i, line := range lines {
		if !goCrash.MatchString(line) {
			continue
		}
		for j := i + 1; j < len(lines); j++ {
			if strings.HasPrefix(lines[j], "goroutine ") {
				return lines[:j]
			}
		}
	}
	return lines
}

var escapeSequence = regexp.MustCompile("\x1b(\\[[0-9;:?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\)?)")

// printable strips escape sequences and control characters and cuts what is longer than a
// screen: the text is a stranger's and ends on a terminal.
func printable(line string) string {
	const limit = 1000
	line = escapeSequence.ReplaceAllString(line, "")
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(line, "\uFFFD"))
	if runes := []rune(line); len(runes) > limit {
		line = string(runes[:limit]) + "…"
	}
	return line
}
