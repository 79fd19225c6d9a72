package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"tonql/indexer"
	"tonql/internal/terminal"
)

// statusLine is the last line of the terminal; nil when standard error is none, or one without control sequences.
var statusLine *terminal.Line

// openStatusLine sets statusLine and returns the writers of standard output and standard error.
func openStatusLine(stdout, stderr io.Writer) (out, errors io.Writer) {
	if !terminal.Capable(os.Stderr) {
		return stdout, stderr
	}
	statusLine = terminal.New(stderr, terminal.Options{Width: terminal.Width(os.Stderr), Colors: terminal.Colorful()})
	if term.IsTerminal(int(os.Stdout.Fd())) {
		stdout = statusLine.Writer(stdout)
	}
	return stdout, statusLine.Writer(stderr)
}

// closeStatusLine removes the status line, so that the shell's prompt begins a line.
func closeStatusLine() {
	if statusLine != nil {
		statusLine.Clear()
	}
}

// showStatus draws the progress of the indexer in the status line.
func showStatus(s indexer.Status) {
	state := terminal.Part{Text: "live", Color: terminal.Green}
	switch {
	case s.State == indexer.Standby:
		state = terminal.Part{Text: "standby", Color: terminal.Yellow}
	case len(s.Trouble) > 0:
		state = terminal.Part{Text: "waiting for " + s.Trouble[0], Color: terminal.Red}
	case !s.Live():
		state = terminal.Part{Text: fmt.Sprintf("%s blocks missing", grouped(uint64(s.Remaining+s.LagBlocks))), Color: terminal.Yellow}
	}
	statusLine.Set(
		terminal.Part{Text: fmt.Sprintf("block %d of %d, ", s.Indexed, s.Head)}, state,
		terminal.Part{Text: fmt.Sprintf(", lag %.1f s, %.0f tx/s, %s blocks and %s rows written", s.LagSeconds, s.Rate, grouped(s.Blocks), grouped(s.Rows))},
	)
}

// grouped formats a number with commas between thousands.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var out []byte
	for i, d := range []byte(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, d)
	}
	return string(out)
}

// megabytes writes a number of bytes in MB, a size below 10 MB with a digit after the point.
func megabytes(bytes int64) string {
	const mega = 1 << 20
	if bytes < 10*mega {
		return strconv.FormatFloat(float64(bytes)/mega, 'f', 1, 64) + " MB"
	}
	return grouped(uint64(bytes/mega)) + " MB"
}
