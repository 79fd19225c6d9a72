package handler

import (
	"fmt"
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Query holds the query parameters of one request. Readers collect parse errors, and [Query.Err] returns them together, so
// that the client sees all of them in one response. Not safe for concurrent use.
type Query struct {
	pairs  []pair
	faults []fault

	recording bool
	recorded  []Param // parameters read while recording

	noEmpty bool // see RefuseEmpty
}

type pair struct {
	name  string // lower case, without brackets
	sent  string // as sent
	value string
	used  bool
}

// fault is an invalid value.
type fault struct {
	text   string // the published text
	detail string // which values are accepted
}

// maxPairs is the maximum number of parameters in one request.
const maxPairs = 10_000

// ParseQuery parses a raw query string. A name can end with an empty pair of brackets, as some clients mark arrays.
// A name with an index in brackets keeps them, so no reader matches it. Unbalanced brackets are an error of kind
// chain.Invalid. Invalid percent escapes are taken literally.
func ParseQuery(raw string) (*Query, error) {
	q := &Query{}
	if raw == "" {
		return q, nil
	}
	if n := strings.Count(raw, "&"); n >= maxPairs {
		return nil, chain.Invalidf("a request may have at most %d parameters", maxPairs)
	}
	q.pairs = make([]pair, 0, strings.Count(raw, "&")+1)
	for raw != "" {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		p := pair{sent: unescape(name), value: unescape(value)}
		if strings.Count(p.sent, "[") != strings.Count(p.sent, "]") {
			return nil, chain.Invalidf("unmatched brackets")
		}
		p.sent = withoutBrackets(p.sent)
		p.name = strings.ToLower(p.sent)
		q.pairs = append(q.pairs, p)
	}
	return q, nil
}

// ParameterName returns the name by which a [Query] reads a parameter of a raw query string, such as "limit=5".
func ParameterName(part string) string {
	name, _, _ := strings.Cut(part, "=")
	return strings.ToLower(withoutBrackets(unescape(name)))
}

func withoutBrackets(name string) string { return strings.ReplaceAll(name, "[]", "") }

// unescape decodes percent escapes and plus signs. Invalid escapes stay unchanged.
func unescape(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b = append(b, ' ')
		case s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// RefuseEmpty makes empty values of parameters that are read from now on an error. Without it, the reader defines what an
// empty value means.
func (q *Query) RefuseEmpty() { q.noEmpty = true }

// last returns the last value of a name, which is the effective one of a scalar. It returns nil if the name was not sent,
// or if its value is empty and empty values are refused.
func (q *Query) last(name string) *pair {
	var found *pair
	again := false
	for i := range q.pairs {
		if q.pairs[i].name == name {
			again = again || q.pairs[i].used
			q.pairs[i].used = true
			found = &q.pairs[i]
		}
	}
	if found != nil && q.refuses(found, -1, again) {
		return nil
	}
	return found
}

// refuses reports whether a value is empty and empty values are refused. It records the fault unless again is true.
func (q *Query) refuses(p *pair, index int, again bool) bool {
	if !q.noEmpty || p.value != "" {
		return false
	}
	if !again {
		q.unreadable(p, index, errEmpty)
	}
	return true
}

var errEmpty = chain.Invalidf("a value is required; omit the parameter to leave it unset")

// all returns the values of a name in the order sent, without empty values if these are refused.
func (q *Query) all(name string) []*pair {
	var found []*pair
	index := 0
	for i := range q.pairs {
		p := &q.pairs[i]
		if p.name != name {
			continue
		}
		again := p.used
		p.used = true
		if !q.refuses(p, index, again) {
			found = append(found, p)
		}
		index++
	}
	return found
}

// Len returns the number of parameters sent.
func (q *Query) Len() int { return len(q.pairs) }

// Unknown returns the distinct names that were sent and not read, as sent.
func (q *Query) Unknown() []string {
	var names []string
	for i := range q.pairs {
		if p := &q.pairs[i]; !p.used && !slices.Contains(names, p.sent) {
			names = append(names, p.sent)
		}
	}
	return names
}

// Refuse records an error about the parameters. It does nothing for nil.
func (q *Query) Refuse(err error) {
	if err != nil {
		q.faults = append(q.faults, fault{text: chain.PublicMessage(err)})
	}
}

// unreadable records a value that cannot be converted. index is the position of an array element, or -1 for a scalar.
func (q *Query) unreadable(p *pair, index int, err error) {
	text := fmt.Sprintf("failed to decode: schema: error converting value for %q", p.sent)
	if index >= 0 {
		text = fmt.Sprintf("failed to decode: schema: error converting value for index %d of %q", index, p.sent)
	}
	q.faults = append(q.faults, fault{text: text, detail: p.sent + ": " + chain.PublicMessage(err)})
}

// Err returns nil if all values read so far are valid, otherwise a [*ParamsError].
func (q *Query) Err() error {
	if len(q.faults) == 0 {
		return nil
	}
	text := q.faults[0].text
	switch more := len(q.faults) - 1; more {
	case 0:
	case 1:
		text += " (and 1 other error)"
	default:
		text += fmt.Sprintf(" (and %d other errors)", more)
	}
	e := &ParamsError{cause: chain.Invalidf("%s", text)}
	for _, f := range q.faults {
		if f.detail != "" && len(e.Details) < maxDetails {
			e.Details = append(e.Details, f.detail)
		}
	}
	return e
}

const maxDetails = 20

// ParamsError reports invalid parameters of a request. Its text is the published one; Details name the accepted form of
// each invalid value. Its kind is chain.Invalid.
type ParamsError struct {
	Details []string
	cause   error
}

// Error returns the published text.
func (e *ParamsError) Error() string { return e.cause.Error() }

// Unwrap returns the chain.Error.
func (e *ParamsError) Unwrap() error { return e.cause }
