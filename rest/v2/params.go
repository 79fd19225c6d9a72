package v2

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// params holds the parameters of one call. Readers record the parameters they read and the first error; after an error they
// return zero values. The handler calls end after the last reader, which returns that error.
type params struct {
	query    url.Values                 // of GET; nil otherwise
	body     map[string]json.RawMessage // of POST and JSON-RPC
	recorded []Param
	err      error
}

// Param is a parameter of a route.
type Param struct {
	Name      string
	Form      Form
	Low, High int64 // of integers
	Required  bool
}

// Form is the format of a parameter's value.
type Form uint8

// The forms. JSON is an array or object in a request body.
const (
	Text Form = iota
	Integer
	Address
	Hash
	Flag
	Bytes
	Hashes
	JSON
)

// record returns the recorded parameter of a name, after adding it with form if it is new.
func (p *params) record(name string, form Form) *Param {
	for i := range p.recorded {
		if p.recorded[i].Name == name {
			return &p.recorded[i]
		}
	}
	p.recorded = append(p.recorded, Param{Name: name, Form: form})
	return &p.recorded[len(p.recorded)-1]
}

func parseQuery(raw string) (*params, error) {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return nil, chain.Invalidf("the query string is malformed: %v", err)
	}
	return &params{query: q}, nil
}

func parseObject(body json.RawMessage) (*params, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(body, &m); err != nil || m == nil {
		return nil, chain.Invalidf("the request body must be a JSON object")
	}
	return &params{body: m}, nil
}

func (p *params) refuse(err error) {
	if p.err == nil {
		p.err = err
	}
}

// end must be called after all parameters were read. It returns the first error. In a body, unread names are errors.
func (p *params) end() error {
	for name := range p.body {
		if !slices.ContainsFunc(p.recorded, func(a Param) bool { return a.Name == name }) {
			p.refuse(chain.Invalidf("unknown field %s", chain.Quote(name)))
		}
	}
	return p.err
}

// raw returns a value of the body, or nil if it is absent or null.
func (p *params) raw(name string) json.RawMessage {
	p.record(name, JSON)
	if v := p.body[name]; string(v) != "null" {
		return v
	}
	return nil
}

// rename lets a parameter have an earlier name, too, but not both. A route that is executed again finds the name alone.
func (p *params) rename(earlier, name string, form Form) {
	p.record(earlier, form)
	if p.query.Has(earlier) {
		p.both(p.query.Has(name), earlier, name)
		p.query[name] = p.query[earlier]
		p.query.Del(earlier)
	}
	if v, ok := p.body[earlier]; ok {
		p.both(p.body[name] != nil, earlier, name)
		p.body[name] = v
		delete(p.body, earlier)
	}
}

func (p *params) both(sent bool, earlier, name string) {
	if sent {
		p.refuse(chain.Invalidf("%s is an earlier name of %s: give one of them", earlier, name))
	}
}

// text returns a value as text, and whether it was sent. Numbers and booleans of a body are converted to text.
func (p *params) text(name string) (string, bool) {
	p.record(name, Text)
	if p.query != nil {
		return p.query.Get(name), p.query.Has(name)
	}
	raw := p.raw(name)
	if raw == nil {
		return "", false
	}
	if raw[0] == '{' || raw[0] == '[' {
		p.refuse(chain.Invalidf("%s: expected a string or a number", name))
		return "", true
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	return string(raw), true
}

// method reads the name or the number of a get-method. A number that is not text must fit in 32 bits.
func (p *params) method(name string) string {
	text, ok := p.text(name)
	p.required(name, ok && text != "")
	if raw := p.raw(name); raw != nil && raw[0] != '"' {
		if _, err := strconv.ParseInt(text, 10, 32); err != nil {
			p.refuse(chain.Invalidf("%s: expected a name or a whole number of 32 bits, not %s", name, chain.Quote(text)))
		}
	}
	return text
}

// integer reads a decimal number from low to high. It returns nil if the number is absent.
func (p *params) integer(name string, low, high int64) *int64 {
	a := p.record(name, Integer)
	a.Low, a.High = low, high
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < low || v > high {
		p.refuse(chain.Invalidf("%s: expected a whole number from %d to %d, not %s", name, low, high, chain.Quote(text)))
		return nil
	}
	return &v
}

func (p *params) seqno(name string) *uint32 {
	if v := p.integer(name, 1, math.MaxInt32); v != nil {
		return new(uint32(*v))
	}
	return nil
}

// required marks a parameter as required. It is an error unless sent is true.
func (p *params) required(name string, sent bool) {
	p.record(name, Text).Required = true
	if !sent {
		p.refuse(chain.Invalidf("%s: is required", name))
	}
}

func (p *params) address(name string) chain.Address {
	p.record(name, Address)
	text, ok := p.text(name)
	p.required(name, ok)
	a, err := chain.ParseAddress(text)
	if ok && err != nil {
		p.refuse(err)
	}
	return a
}

// optionalAddress returns nil if the address is absent.
func (p *params) optionalAddress(name string) *chain.Address {
	p.record(name, Address)
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	a, err := chain.ParseAddress(text)
	if err != nil {
		p.refuse(err)
		return nil
	}
	return &a
}

// hash reads an optional hash. It returns nil if the value is absent or empty.
func (p *params) hash(name string) *chain.Hash {
	p.record(name, Hash)
	text, _ := p.text(name)
	if text == "" {
		return nil
	}
	h, err := parseHash(text)
	if err != nil {
		p.refuse(err)
		return nil
	}
	return &h
}

// parseHash parses a hash in base64, base64url with or without padding, or hex without prefix.
func parseHash(text string) (chain.Hash, error) {
	if len(text) == 43 {
		if raw, err := base64.RawURLEncoding.Strict().DecodeString(text); err == nil {
			return chain.HashFrom(raw), nil
		}
	}
	if len(text) == len("0x")+2*len(chain.Hash{}) && strings.HasPrefix(text, "0x") {
		return chain.Hash{}, chain.Invalidf("a hash has no prefix: %s", chain.Quote(text))
	}
	return chain.ParseHash(text)
}

func (p *params) flag(name string) *bool {
	p.record(name, Flag)
	text, ok := p.text(name)
	if !ok || text == "" {
		return nil
	}
	if raw := p.raw(name); raw != nil && raw[0] != '"' { // a number is true unless it is 0
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			return new(n != 0)
		}
	}
	switch strings.ToLower(text) {
	case "y", "yes", "t", "true", "on", "1":
		return new(true)
	case "n", "no", "f", "false", "off", "0":
		return new(false)
	}
	p.refuse(chain.Invalidf("%s: expected yes or no, not %s", name, chain.Quote(text)))
	return nil
}

// bytes reads base64. It returns nil if the value is absent or empty.
func (p *params) bytes(name string) []byte {
	p.record(name, Bytes)
	text, ok := p.text(name)
	if !ok || text == "" {
		return nil
	}
	if raw := p.raw(name); raw != nil && raw[0] != '"' {
		p.refuse(chain.Invalidf("%s: expected a string", name))
		return nil
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		p.refuse(chain.Invalidf("%s: not base64: %v", name, err))
	}
	return data
}

// list reads strings from a repeated query parameter or an array of the body.
func (p *params) list(name string) []string {
	p.record(name, Hashes)
	if p.query != nil {
		return p.query[name]
	}
	raw := p.raw(name)
	if raw == nil {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		p.refuse(chain.Invalidf("%s: expected an array of strings", name))
	}
	return list
}

// cell reads a bag of cells in base64. It returns nil if the value is absent or empty.
func (p *params) cell(name string) *cell.Cell {
	data := p.bytes(name)
	if len(data) == 0 {
		return nil
	}
	c, err := cellgraph.FromBOC(data)
	if err != nil {
		p.refuse(chain.Invalidf("%s: not a bag of cells: %v", name, err))
	}
	return c
}
