package conformance

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// probe is one execution of a check. The first contradiction is the result; what follows it is ignored.
type probe struct {
	ctx       context.Context
	client    *client
	facts     *facts
	exchanges []Exchange
	failure   string
	skipped   string
}

// maxExchanges bounds the requests of a check that a report lists.
const maxExchanges = 20

// failf ends the check as failed.
func (p *probe) failf(format string, args ...any) {
	if p.failure == "" && p.skipped == "" {
		p.failure = fmt.Sprintf(format, args...)
	}
}

// skipf ends the check as skipped.
func (p *probe) skipf(format string, args ...any) {
	if p.failure == "" && p.skipped == "" {
		p.skipped = fmt.Sprintf(format, args...)
	}
}

// over reports whether the check has its result.
func (p *probe) over() bool { return p.failure != "" || p.skipped != "" }

// requiref fails the check unless a condition holds.
func (p *probe) requiref(holds bool, format string, args ...any) {
	if !holds {
		p.failf(format, args...)
	}
}

// equal fails the check unless two texts are equal.
func (p *probe) equal(got, want, what string) {
	p.requiref(got == want, "%s is %+q, expected %+q", what, cut(got, 100), cut(want, 100))
}

// send sends a request. After a failure it sends none.
func (p *probe) send(r request) (reply, bool) {
	if p.over() {
		return reply{}, false
	}
	response, err := p.client.do(p.ctx, r)
	if len(p.exchanges) < maxExchanges {
		p.exchanges = append(p.exchanges, response.Exchange)
	}
	switch {
	case err == errOver: //nolint:errorlint // made by this package, never wrapped
		p.skipf("%v", err)
	case err != nil:
		p.failf("%s %s: %s", r.method, r.path, cut(err.Error(), 200))
	}
	return response, err == nil
}

// read sends a request that must succeed, and decodes the response.
func (p *probe) read(r request) value {
	response, ok := p.send(r)
	if !ok {
		return value{p: p, path: "response"}
	}
	if response.Status != http.StatusOK {
		p.failf("%s %s returns status %d instead of 200: %+q", r.method, r.path, response.Status, cut(string(response.body), 160))
		return value{p: p, path: "response"}
	}
	return p.decode(response)
}

func (p *probe) decode(response reply) value {
	v, err := decode(response.body)
	if err != nil {
		p.failf("%s: %s", response.URL, cut(err.Error(), 200))
		return value{p: p, path: "response"}
	}
	if kind := response.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") && !strings.HasPrefix(kind, "application/graphql-response+json") {
		p.failf("%s returns Content-Type %+q instead of application/json", response.URL, cut(kind, 80))
	}
	return value{p, v, "response", true}
}

// refused sends a request that must fail with one of the statuses, and returns the body.
func (p *probe) refused(r request, statuses ...int) value {
	response, ok := p.send(r)
	if !ok {
		return value{p: p, path: "response"}
	}
	if !slices.Contains(statuses, response.Status) {
		p.failf("%s %s returns status %d instead of %s", r.method, r.path, response.Status, orList(statuses))
		return value{p: p, path: "response"}
	}
	return p.decode(response)
}

func orList(statuses []int) string {
	var texts []string
	for _, s := range statuses {
		texts = append(texts, fmt.Sprint(s))
	}
	return strings.Join(texts, " or ")
}

// parameters reads name, value, … into a query.
func parameters(pairs []string) url.Values {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Add(pairs[i], pairs[i+1])
	}
	return query
}

// column returns one member of every row.
func column(rows []value, names ...string) []string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = row.text(names...)
	}
	return texts
}

// same fails the check unless two lists are equal.
func (p *probe) same(got, want []string, what string) {
	for i := range min(len(got), len(want)) {
		p.requiref(got[i] == want[i], "%s: row %d is %+q, expected %+q", what, i, cut(got[i], 100), cut(want[i], 100))
	}
	p.requiref(len(got) == len(want), "%s: %d rows, expected %d", what, len(got), len(want))
}

// sameSet is same without order.
func (p *probe) sameSet(got, want []string, what string) {
	got, want = slices.Clone(got), slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	p.same(got, want, what)
}

// distinct fails the check if a text occurs twice.
func (p *probe) distinct(texts []string, what string) {
	seen := map[string]bool{}
	for _, text := range texts {
		p.requiref(!seen[text], "%s: %+q occurs twice", what, cut(text, 100))
		seen[text] = true
	}
}

// someRows skips the check when the chain has too few rows for it.
func (p *probe) someRows(rows []value, least int, what string) bool {
	if len(rows) < least && !p.over() {
		p.skipf("the server has %d %s, and the check needs %d", len(rows), what, least)
	}
	return !p.over()
}
