// Package terminal draws one status line below the output of a program, without mixing the two.
package terminal

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// Control sequences of ECMA-48.
const (
	eraseLine = "\r\x1b[K"
	reset     = "\x1b[0m"
)

// Color is a foreground color, by its SGR sequence.
type Color string

// Colors of parts of a status line.
const (
	Plain  Color = ""
	Green  Color = "\x1b[32m"
	Yellow Color = "\x1b[33m"
	Red    Color = "\x1b[31m"
)

// Part is a piece of a status line. Text may be untrusted: what is not printable ASCII is shown as '?'.
type Part struct {
	Text  string
	Color Color
}

// Options configure a [Line].
type Options struct {
	Width  func() int // columns of the terminal, read for each drawing; nil or below 2: 80
	Colors bool
}

// Line is the status line of a terminal. All output to the terminal must go through writers of [Line.Writer], which
// erase the line, write, and draw it again below. It is safe for concurrent use.
type Line struct {
	out  io.Writer
	opts Options

	mu      sync.Mutex
	parts   []Part // empty: there is no status line
	drawn   bool
	partial bool // the output ended within a line, so that the status line has no place
	buffer  bytes.Buffer
}

// New returns a Line that is drawn on out.
func New(out io.Writer, opts Options) *Line { return &Line{out: out, opts: opts} }

// Set replaces the status line.
func (l *Line) Set(parts ...Part) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parts = parts
	l.buffer.Reset()
	l.erase()
	l.draw()
	_, _ = l.out.Write(l.buffer.Bytes()) // a terminal that is gone has no reader of the line
}

// Clear removes the status line.
func (l *Line) Clear() { l.Set() }

// Writer returns a writer for output to the same terminal through out.
func (l *Line) Writer(out io.Writer) io.Writer { return writer{l, out} }

type writer struct {
	line *Line
	out  io.Writer
}

// Write writes p above the status line, in one call, so that other processes on the terminal do not write between.
func (w writer) Write(p []byte) (int, error) {
	l := w.line
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	l.buffer.Reset()
	l.erase()
	before := l.buffer.Len()
	l.buffer.Write(p)
	l.partial = p[len(p)-1] != '\n'
	l.draw()
	n, err := w.out.Write(l.buffer.Bytes())
	return min(max(n-before, 0), len(p)), err
}

func (l *Line) erase() {
	if l.drawn {
		l.buffer.WriteString(eraseLine)
	}
	l.drawn = false
}

func (l *Line) draw() {
	if len(l.parts) == 0 || l.partial {
		return
	}
	left := l.columns()
	for _, p := range l.parts {
		text := printable(p.Text, left)
		left -= len(text)
		if l.opts.Colors && p.Color != Plain {
			text = string(p.Color) + text + reset
		}
		l.buffer.WriteString(text)
	}
	l.drawn = true
}

// columns returns how many characters fit; the last column stays empty, because terminals wrap behind it.
func (l *Line) columns() int {
	const usual = 80
	width := usual
	if l.opts.Width != nil {
		if w := l.opts.Width(); w > 1 {
			width = w
		}
	}
	return width - 1
}

// printable returns at most limit characters of a text, each of which takes one column.
func printable(text string, limit int) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() >= limit {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Capable reports whether file is a terminal that understands control sequences.
func Capable(file *os.File) bool {
	return term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"
}

// Colorful reports whether colors are wanted: https://no-color.org.
func Colorful() bool { return os.Getenv("NO_COLOR") == "" }

// Width returns a function that reads the columns of a terminal.
func Width(file *os.File) func() int {
	return func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
}
