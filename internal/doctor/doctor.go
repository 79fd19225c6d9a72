// Package doctor judges an installation: each [Check] looks at one part of it, within a limit of time, and its results say
// what is right, what is risky, what is broken, and what to do.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Status is how a result is.
type Status string

// The statuses.
const (
	OK   Status = "ok"
	Warn Status = "warn" // works, with a risk
	Fail Status = "fail" // does not work, or loses data
)

// Result is one line of the report.
type Result struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`           // what was seen
	Advice string `json:"advice,omitempty"` // what to do; empty when Status is OK
}

func ok(name, format string, args ...any) Result {
	return Result{Name: name, Status: OK, Detail: fmt.Sprintf(format, args...)}
}

func warn(name, advice, format string, args ...any) Result {
	return Result{name, Warn, fmt.Sprintf(format, args...), advice}
}

func fail(name, advice, format string, args ...any) Result {
	return Result{name, Fail, fmt.Sprintf(format, args...), advice}
}

// Check looks at one part of an installation. Run returns at least one result.
type Check struct {
	Name string
	Run  func(ctx context.Context) []Result
}

// Run runs the checks at the same time and returns their results in order. A check that takes longer than limit fails;
// one that also ignores its context is left behind, for example in a system call on a file system that hangs.
func Run(ctx context.Context, limit time.Duration, checks ...Check) []Result {
	results := make([][]Result, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { results[i] = check.within(ctx, limit) })
	}
	all.Wait()
	var flat []Result
	for _, r := range results {
		flat = append(flat, r...)
	}
	return flat
}

// grace is how long a check may take to end after its context.
const grace = 2 * time.Second

func (c Check) within(ctx context.Context, limit time.Duration) []Result {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan []Result, 1)
	go func() { done <- c.Run(ctx) }()
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r
	case <-time.After(grace):
		return []Result{fail(c.Name, "look at the disk and the network of the machine", "the check did not end within %s", limit)}
	}
}

// Worst returns the worst status of results.
func Worst(results []Result) Status {
	worst := OK
	for _, r := range results {
		if r.Status == Fail || r.Status == Warn && worst == OK {
			worst = r.Status
		}
	}
	return worst
}

// Write prints results, one line each, and what to do below it.
func Write(out io.Writer, results []Result) error {
	var text strings.Builder
	for _, r := range results {
		fmt.Fprintf(&text, "%-4s  %s: %s\n", r.Status, r.Name, printable(r.Detail))
		if r.Advice != "" {
			fmt.Fprintf(&text, "      → %s\n", r.Advice)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// WriteJSON prints results as one JSON object.
func WriteJSON(out io.Writer, version string, results []Result) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Version string   `json:"version"`
		Status  Status   `json:"status"`
		Checks  []Result `json:"checks"`
	}{version, Worst(results), results})
}

// maxDetail bounds what a server can put into a line.
const maxDetail = 400

// printable returns text on one line, without control characters, of bounded length.
func printable(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(clean) > maxDetail {
		clean = strings.ToValidUTF8(clean[:maxDetail], "") + "…"
	}
	return clean
}
