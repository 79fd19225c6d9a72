package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Status is the outcome of a check.
type Status string

// The outcomes.
const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Result is the outcome of one check.
type Result struct {
	Check

	Status    Status
	Detail    string // why it failed or was skipped
	Exchanges []Exchange
}

// SectionResult says whether the server has a section.
type SectionResult struct {
	Section  Section `json:"section"`
	Detected bool    `json:"detected"`
	Reason   string  `json:"reason,omitempty"` // why not
}

// Report is the outcome of a run.
type Report struct {
	Server   string
	Started  time.Time
	Duration time.Duration
	Sections []SectionResult
	Results  []Result
}

// Count returns the number of checks with an outcome.
func (r *Report) Count(status Status) int {
	n := 0
	for _, result := range r.Results {
		if result.Status == status {
			n++
		}
	}
	return n
}

// Summary is the outcome in one line.
func (r *Report) Summary() string {
	return fmt.Sprintf("%d checks of %s: %d passed, %d failed, %d skipped", len(r.Results), r.Server, r.Count(Pass), r.Count(Fail), r.Count(Skip))
}

// WriteResult prints the outcome of a check for a terminal.
func WriteResult(w io.Writer, result Result) error {
	var err error
	switch result.Status {
	case Fail:
		_, err = fmt.Fprintf(w, "fail  %s\n      expected: %s\n      seen:     %s\n      see docs/%s\n", result.ID, result.Expect, result.Detail, result.Doc)
		if n := len(result.Exchanges); err == nil && n > 0 {
			last := result.Exchanges[n-1]
			_, err = fmt.Fprintf(w, "      request:  %s %s\n", last.Method, cut(last.URL, 300))
		}
	case Skip:
		_, err = fmt.Fprintf(w, "skip  %s: %s\n", result.ID, result.Detail)
	case Pass:
		_, err = fmt.Fprintf(w, "pass  %s\n", result.ID)
	}
	return err
}

// resultJSON is a row of the report in JSON.
type resultJSON struct {
	ID       string     `json:"id"`
	Section  Section    `json:"section"`
	Class    Class      `json:"class"`
	Status   Status     `json:"status"`
	Expected string     `json:"expected"`
	Doc      string     `json:"doc"`
	Detail   string     `json:"detail,omitempty"`
	Requests []Exchange `json:"requests"`
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer, version string) error {
	rows := make([]resultJSON, len(r.Results))
	for i, result := range r.Results {
		rows[i] = resultJSON{result.ID, result.Section, result.Class, result.Status, result.Expect, result.Doc, result.Detail, append([]Exchange{}, result.Exchanges...)}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Version  string          `json:"version"`
		Server   string          `json:"server"`
		Started  time.Time       `json:"started"`
		Millis   int64           `json:"milliseconds"`
		Passed   int             `json:"passed"`
		Failed   int             `json:"failed"`
		Skipped  int             `json:"skipped"`
		Sections []SectionResult `json:"sections"`
		Checks   []resultJSON    `json:"checks"`
	}{version, r.Server, r.Started, r.Duration.Milliseconds(), r.Count(Pass), r.Count(Fail), r.Count(Skip), r.Sections, rows})
}
