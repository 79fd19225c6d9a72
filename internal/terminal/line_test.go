package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// screen interprets what a program writes, as a terminal of unlimited height: lines, carriage returns and erasures.
func screen(t *testing.T, text string) []string {
	t.Helper()
	lines, column := []string{""}, 0
	for text != "" {
		last := len(lines) - 1
		switch {
		case strings.HasPrefix(text, "\x1b[K"):
			lines[last] = lines[last][:column]
			text = text[3:]
			continue
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexByte(text, 'm')
			require.Positive(t, end, "control sequence %q", text[:min(len(text), 10)])
			text = text[end+1:]
			continue
		case text[0] == '\r':
			column = 0
		case text[0] == '\n':
			lines, column = append(lines, ""), 0
		default:
			require.Equal(t, len(lines[last]), column, "%q is overwritten", lines[last])
			lines[last] += text[:1]
			column++
		}
		text = text[1:]
	}
	return lines
}

func TestLine_StaysBelowTheOutput(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&out, Options{Colors: true})
	w := l.Writer(&out)
	_, _ = fmt.Fprintln(w, "first")
	l.Set(Part{Text: "one "}, Part{"live", Green})
	require.Equal(t, []string{"first", "one live"}, screen(t, out.String()))
	_, _ = fmt.Fprint(w, "second\nthird\n")
	require.Equal(t, []string{"first", "second", "third", "one live"}, screen(t, out.String()))
	_, _ = fmt.Fprint(w, "with")
	_, _ = fmt.Fprint(w, "out end")
	l.Set(Part{Text: "two"})
	require.Equal(t, []string{"first", "second", "third", "without end"}, screen(t, out.String()), "no line in the middle of another")
	_, _ = fmt.Fprintln(w)
	require.Equal(t, []string{"first", "second", "third", "without end", "two"}, screen(t, out.String()))
	l.Clear()
	require.Equal(t, []string{"first", "second", "third", "without end", ""}, screen(t, out.String()))
	require.Contains(t, out.String(), string(Green)+"live"+reset)
}

func TestLine_FitsTheTerminalAndShowsNoControlCharacters(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	width := 12
	l := New(&out, Options{Width: func() int { return width }})
	l.Set(Part{Text: "ab\x1b[2J\r\nc\u202e"}, Part{"0123456789", Red})
	require.Equal(t, []string{"ab?[2J??c?0"}, screen(t, out.String()))
	require.NotContains(t, out.String(), string(Red), "without colors")
	width = 0
	out.Reset()
	l.Set(Part{Text: strings.Repeat("x", 1<<20)})
	require.Len(t, screen(t, out.String())[0], 79, "a terminal of unknown width")
}

func TestLine_ConcurrentOutputIsNotTorn(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := New(&out, Options{})
	w := l.Writer(&out)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 50 {
				_, _ = fmt.Fprintf(w, "log %d %d\n", i, n)
				l.Set(Part{Text: fmt.Sprintf("status %d %d", i, n)})
			}
		})
	}
	group.Wait()
	lines := screen(t, out.String())
	require.Len(t, lines, 8*50+1)
	for _, line := range lines[:400] {
		require.Regexp(t, `^log \d+ \d+$`, line)
	}
	require.Regexp(t, `^status \d+ \d+$`, lines[400])
}

type failing struct{ after int }

func (f failing) Write(p []byte) (int, error) { return min(f.after, len(p)), fmt.Errorf("closed") }

// The number of bytes that a Write returns is of the caller's bytes alone.
func TestWriter_CountsTheBytesOfTheCaller(t *testing.T) {
	t.Parallel()
	for after, want := range map[int]int{0: 0, 4: 0, 6: 2, 100: 5} {
		l := New(&bytes.Buffer{}, Options{})
		l.Set(Part{Text: "status"})
		n, err := l.Writer(failing{after}).Write([]byte("text\n"))
		require.EqualError(t, err, "closed")
		require.Equal(t, want, n)
	}
}
