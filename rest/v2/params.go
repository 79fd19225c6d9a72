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

	"tonql/internal/chain"
)

// params is what one question asks, by name. Readers note what they were asked for, and the first thing wrong: then they
// give zero values, and end tells.
type params struct {
	query    url.Values                 // of GET; nil otherwise
	body     map[string]json.RawMessage // of POST and JSON-RPC
	recorded []Param
	err      error
}

// Param is what a route reads under one name.
type Param struct {
	Name      string
	Form      Form
	Low, High int64 // of integers
	Required  bool
}

// Form is how the text of a parameter is read.
type Form uint8

// The forms. JSON is a value of a body that has no text.
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

// note remembers that a parameter was read; what is first said of it stays.
func (p *params) note(name string, form Form) *Param {
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

// end is called when everything is read. Bodies are closed objects: a name that nobody read is an error there.
func (p *params) end() error {
	for name := range p.body {
		if !slices.ContainsFunc(p.recorded, func(a Param) bool { return a.Name == name }) {
			p.refuse(chain.Invalidf("unknown field %s", chain.Quote(name)))
		}
	}
	return p.err
}

// raw is a value of a body; nil when absent or null.
func (p *params) raw(name string) json.RawMessage {
	p.note(name, JSON)
	if v := p.body[name]; string(v) != "null" {
		return v
	}
	return nil
}

// text is a value as text; numbers and booleans of a body count as their text.
func (p *params) text(name string) (string, bool) {
	p.note(name, Text)
	if p.query != nil {
		return p.query.Get(name), p.query.Has(name)
	}
	raw := p.raw(name)
	if raw == nil {
		return "", false
	}
	if raw[0] == '{' || raw[0] == '[' {
		p.refuse(chain.Invalidf("%s: a text or a number is expected", name))
		return "", true
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	return string(raw), true
}

// integer reads a decimal number within bounds; nil when absent.
func (p *params) integer(name string, low, high int64) *int64 {
	a := p.note(name, Integer)
	a.Low, a.High = low, high
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < low || v > high {
		p.refuse(chain.Invalidf("%s: a whole number from %d to %d is expected, not %s", name, low, high, chain.Quote(text)))
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

// required notes that name is missing unless it was sent.
func (p *params) required(name string, sent bool) {
	p.note(name, Text).Required = true
	if !sent {
		p.refuse(chain.Invalidf("%s: is required", name))
	}
}

func (p *params) address(name string) chain.Address {
	p.note(name, Address)
	text, ok := p.text(name)
	p.required(name, ok)
	a, err := chain.ParseAddress(text)
	if ok && err != nil {
		p.refuse(err)
	}
	return a
}

// hash reads an optional hash; nil when absent or empty.
func (p *params) hash(name string) *chain.Hash {
	p.note(name, Hash)
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

// parseHash also takes base64url without padding.
func parseHash(text string) (chain.Hash, error) {
	if len(text) == 43 {
		if raw, err := base64.RawURLEncoding.Strict().DecodeString(text); err == nil {
			return chain.HashFrom(raw), nil
		}
	}
	if strings.HasPrefix(text, "0x") {
		return chain.Hash{}, chain.Invalidf("a hash has no prefix: %s", chain.Quote(text))
	}
	return chain.ParseHash(text)
}

func (p *params) flag(name string) *bool {
	p.note(name, Flag)
	text, ok := p.text(name)
	if !ok || text == "" {
		return nil
	}
	switch strings.ToLower(text) {
	case "y", "yes", "t", "true", "on", "1":
		return new(true)
	case "n", "no", "f", "false", "off", "0":
		return new(false)
	}
	p.refuse(chain.Invalidf("%s: yes or no is expected, not %s", name, chain.Quote(text)))
	return nil
}

// bytes reads base64; empty or absent is nil.
func (p *params) bytes(name string) []byte {
	p.note(name, Bytes)
	text, ok := p.text(name)
	if !ok || text == "" {
		return nil
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		p.refuse(chain.Invalidf("%s: not base64: %v", name, err))
	}
	return data
}

// list reads texts: a repeated parameter, or an array.
func (p *params) list(name string) []string {
	p.note(name, Hashes)
	if p.query != nil {
		return p.query[name]
	}
	raw := p.raw(name)
	if raw == nil {
		return nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		p.refuse(chain.Invalidf("%s: an array of texts is expected", name))
	}
	return list
}

// cell reads a bag of cells; nil when absent or empty.
func (p *params) cell(name string) *cell.Cell {
	data := p.bytes(name)
	if len(data) == 0 {
		return nil
	}
	c, err := cell.FromBOC(data)
	if err != nil {
		p.refuse(chain.Invalidf("%s: not a bag of cells: %v", name, err))
	}
	return c
}
