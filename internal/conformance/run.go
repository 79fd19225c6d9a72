package conformance

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tonql/internal/chain"
)

// Options configure a run.
type Options struct {
	BaseURL     string
	APIKey      string // sent as X-API-Key; not in the report
	Selection   Selection
	Time        time.Duration // of the run; checks that do not fit are skipped
	Rate        float64       // requests a second; 0 for no limit
	RequestTime time.Duration // of one request, to the end of its response
	MaxBody     int64         // bytes of a response
	Progress    func(Result)  // after each check; nil for none
}

// CheckRate checks the text of a rate.
func CheckRate(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err != nil || n < 0 || n > 10_000 || n > 0 && n < 0.01 {
		return chain.Invalidf("a rate is 0, or 0.01 to 10000 requests a second, not %s", chain.Quote(text))
	}
	return nil
}

// Run checks a server. The error says why it could not: an unusable address, an unknown check, or a server that has none of
// the selected sections.
func Run(ctx context.Context, o Options) (*Report, error) {
	checks := Checks()
	if err := o.Selection.validate(checks); err != nil {
		return nil, err
	}
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	defer c.close()
	ctx, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	report := &Report{Server: c.base.String(), Started: time.Now().UTC().Truncate(time.Second)}
	shared := facts{}
	for _, section := range Sections {
		if !slices.ContainsFunc(checks, func(ch Check) bool { return ch.Section == section && o.Selection.has(ch.ID) }) {
			continue
		}
		reason := detect(ctx, c, section)
		if reason != "" && o.Selection.names(section) {
			return nil, chain.Unavailablef(nil, "%s has no section %s: %s", c.base, section, reason)
		}
		shared["section "+string(section)] = reason == ""
		report.Sections = append(report.Sections, SectionResult{Section: section, Detected: reason == "", Reason: reason})
	}
	if !slices.ContainsFunc(report.Sections, func(s SectionResult) bool { return s.Detected }) {
		reason := "no section is selected"
		if len(report.Sections) > 0 {
			reason = report.Sections[0].Reason
		}
		return nil, chain.Unavailablef(nil, "%s has none of the selected APIs: %s", c.base, reason)
	}
	for _, check := range checks {
		if o.Selection.has(check.ID) {
			result := execute(ctx, c, &shared, check)
			report.Results = append(report.Results, result)
			if o.Progress != nil {
				o.Progress(result)
			}
		}
	}
	report.Duration = time.Since(report.Started).Round(time.Millisecond)
	return report, nil
}

// execute runs one check.
func execute(ctx context.Context, c *client, shared *facts, check Check) Result {
	p := &probe{ctx: ctx, client: c, facts: shared}
	switch {
	case !shared.has(check.Section):
		p.skipf("the server has no section %s", check.Section)
	case ctx.Err() != nil:
		p.skipf("%v", errOver)
	default:
		check.run(p)
	}
	result := Result{Check: check, Status: Pass, Exchanges: p.exchanges}
	switch {
	case p.failure != "":
		result.Status, result.Detail = Fail, p.failure
	case p.skipped != "":
		result.Status, result.Detail = Skip, p.skipped
	}
	return result
}

// detect returns why the server seems to lack a section; "" if it has it.
func detect(ctx context.Context, c *client, section Section) string {
	p := &probe{ctx: ctx, client: c, facts: &facts{}}
	switch section {
	case V3:
		p.v3("masterchainInfo").at("last")
	case V2:
		p.v2("getMasterchainInfo").at("last")
	case Emulate:
		v3Error(p.refused(emulateRequest(map[string]any{}), emulateRefused...))
	case GraphQL:
		p.equal(p.graphql("{ __typename }").text("__typename"), "Query", "the root type")
	case Streaming:
		p.refused(request{method: http.MethodPost, path: streamPath, body: map[string]any{}}, http.StatusBadRequest).at("error")
	}
	return p.failure + p.skipped
}
