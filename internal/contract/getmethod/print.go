package getmethod

import (
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

// Printed is a value of the stack as clients show it, in JSON.
type Printed struct {
	Name string `json:"name,omitempty"` // of the standard
	// Type is a [Kind], or null, builder, continuation, nan.
	Type string `json:"type"`
	// Value is the number in decimal, the address in its raw form, the hash in hexadecimal, or the text. It is nil for an address
	// that is nobody's.
	Value any `json:"value,omitempty"`
	// BoC is a cell, or a slice, as a bag of cells in base64.
	BoC  string `json:"boc,omitempty"`
	Hash string `json:"hash,omitempty"` // of the cell, in hexadecimal
	Bits int    `json:"bits,omitempty"`
	Refs int    `json:"refs,omitempty"`
	// Text is what a cell or slice says, read as text; empty when it is none.
	Text    string       `json:"text,omitempty"`
	Items   []Printed    `json:"items,omitempty"`   // of a list or tuple
	Entries []PrintedKey `json:"entries,omitempty"` // of a dictionary
	// More says that a dictionary has more entries.
	More bool `json:"more,omitempty"`
}

// PrintedKey is an entry of a dictionary.
type PrintedKey struct {
	Key   string  `json:"key"` // in decimal, or in hexadecimal when it is longer than 64 bits
	Value Printed `json:"value"`
}

const (
	maxEntries = 256    // of a dictionary
	maxText    = 4096   // bytes
	minText    = 3      // characters of a text that no standard names
	maxCells   = 65_536 // in the bags of cells of all values
	entryCells = 256    // in that of an entry of a dictionary, whose entries share cells
)

// Print prints the results of a method; m is nil for a method of no standard.
func Print(m *Method, stack []any) []Printed {
	var form []Value
	if m != nil {
		form = m.Results(stack)
	}
	list := make([]Printed, len(stack))
	w := &printer{cells: maxCells, limit: maxCells}
	for i, value := range stack {
		var v Value
		if form != nil {
			v = form[i]
		}
		list[i] = w.print(v, value)
	}
	return list
}

// printer counts the cells of what it prints.
type printer struct {
	cells int // that may still be printed
	limit int // of one value
}

// out is a value that is being printed.
type out struct {
	*Printed

	w *printer
}

func (w *printer) print(v Value, value any) Printed {
	var into Printed
	into.Name = v.Name
	p := out{&into, w}
	switch value := value.(type) {
	case nil:
		p.Type = "null"
	case *big.Int:
		p.number(v.Kind, value)
	case *cell.Cell:
		p.cell(v, value)
	case *cell.Slice:
		p.slice(v, value)
	case []any:
		p.items(value)
	case *cell.Builder:
		p.Type = "builder"
	case contract.NaN:
		p.Type = "nan"
	default:
		p.Type = "continuation"
	}
	return into
}

func (p out) number(kind Kind, n *big.Int) {
	p.Type, p.Value = string(Int), n.String()
	switch kind {
	case Bool:
		p.Type, p.Value = string(Bool), n.Sign() != 0
	case Coins:
		p.Type = string(Coins)
	case Time:
		if n.IsInt64() && n.Sign() >= 0 && n.BitLen() <= 33 {
			p.Type = string(Time)
		}
	case Hash:
		if n.Sign() >= 0 && n.BitLen() <= 256 {
			p.Type, p.Value = string(Hash), hex.EncodeToString(n.FillBytes(make([]byte, 32)))
		}
	default: // an integer
	}
}

// bag fills the members of a cell; without the bag of cells itself when too many were printed.
func (p out) bag(c *cell.Cell) {
	if n, _, err := cellgraph.Count(c, min(p.w.cells, p.w.limit)); err == nil {
		p.w.cells -= n
		p.BoC = base64.StdEncoding.EncodeToString(c.ToBOC())
	}
	p.Hash = hex.EncodeToString(c.Hash())
	p.Bits, p.Refs = int(c.BitsSize()), int(c.RefsNum())
}

func (p out) cell(v Value, c *cell.Cell) {
	p.Type = string(Cell)
	p.bag(c)
	switch v.Kind {
	case Address:
		if s, err := c.BeginParse(); err == nil && !c.IsSpecial() {
			p.address(s)
		}
	case Content:
		if attributes := content.Read(c); len(attributes) > 0 {
			p.Type, p.Value = string(Content), attributes
		}
	case Text:
		if s, err := c.BeginParse(); err == nil && !c.IsSpecial() {
			p.text(s)
		}
	case Dictionary:
		p.dictionary(v, c)
	default:
		if s, err := c.BeginParse(); err == nil && !c.IsSpecial() {
			p.Text = textOf(s)
		}
	}
}

func (p out) slice(v Value, s *cell.Slice) {
	p.Type = string(Slice)
	c, err := s.Copy().ToCell()
	if err != nil {
		return
	}
	p.bag(c)
	switch {
	case v.Kind == Address || v.Kind != Text && isStandardAddress(s):
		p.address(s.Copy())
	case v.Kind == Text:
		p.text(s.Copy())
	default:
		p.Text = textOf(s.Copy())
	}
}

// isStandardAddress reports whether a slice has the bits of an address and nothing else: tag 10, no anycast.
func isStandardAddress(s *cell.Slice) bool {
	const tagBits, bits = 3, 267
	tag, err := s.Copy().PreloadUInt(tagBits)
	return err == nil && s.BitsLeft() == bits && s.RefsNum() == 0 && tag == 0b100
}

// address prints an address, null for none. Others, such as external ones, stay what they are.
func (p out) address(s *cell.Slice) {
	if tag, err := s.PreloadUInt(2); err != nil || tag != 0 && tag != 0b10 {
		return
	}
	a, err := contract.LoadAddress(s)
	if err != nil || s.BitsLeft() > 0 {
		return
	}
	p.Type, p.BoC, p.Hash, p.Bits = string(Address), "", "", 0
	if a != nil {
		p.Value = a.String()
	}
}

func (p out) text(s *cell.Slice) {
	if utf8.Valid(content.SliceBytes(s)) {
		p.Type, p.Value = string(Text), clip(content.SliceText(s))
	}
}

// textOf reads a cell that no standard describes as text: printable characters, after the tag of a comment or of off-chain
// content. Anything else has no text.
func textOf(s *cell.Slice) string {
	if s.BitsLeft()%8 != 0 || s.BitsLeft() == 0 {
		return ""
	}
	if tag, err := s.PreloadUInt(8); err == nil && tag == 1 {
		_ = s.SkipBits(8)
	} else if tag, err := s.PreloadUInt(32); err == nil && tag == 0 {
		_ = s.SkipBits(32)
	}
	text := content.SliceText(s)
	if utf8.RuneCountInString(text) < minText || strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) && r != '\n' }) {
		return ""
	}
	return clip(text)
}

// clip shortens a text at the beginning of a character.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	cut := maxText
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// dictionary prints the first entries of a dictionary.
func (p out) dictionary(v Value, c *cell.Cell) {
	if c.IsSpecial() {
		return
	}
	it, err := c.AsDict(v.KeyBits).Iterator(false, false)
	if err != nil {
		return
	}
	p.w.limit = entryCells
	defer func() { p.w.limit = maxCells }()
	var entries []PrintedKey
	for it.Next() {
		if len(entries) == maxEntries {
			p.More = true
			break
		}
		key, value := it.Item().Key, it.Item().Value
		e := PrintedKey{Key: keyText(key, v.KeyBits)}
		switch {
		case v.Entry == Int && value.BitsLeft() <= 1: // a set
			e.Value = Printed{Type: "null"}
		default:
			e.Value = p.w.print(Value{Kind: v.Entry}, value)
		}
		entries = append(entries, e)
	}
	if it.Err() == nil || p.More {
		p.Type, p.Entries = string(Dictionary), entries
	}
}

// maxDecimalKey is the width up to which keys are numbers; longer ones are hashes.
const maxDecimalKey = 64

func keyText(key *cell.Cell, bits uint) string {
	s, err := key.BeginParse()
	if err != nil {
		return ""
	}
	if n, err := s.LoadBigUInt(bits); err == nil && bits <= maxDecimalKey {
		return n.String()
	} else if err == nil {
		return hex.EncodeToString(n.FillBytes(make([]byte, (bits+7)/8)))
	}
	return ""
}

// items prints a tuple, or the values of a list: pairs of a value and the rest, null at the end.
func (p out) items(values []any) {
	p.Type = string(Tuple)
	if list, ok := ListItems(values); ok {
		p.Type, values = string(List), list
	}
	p.Items = make([]Printed, len(values))
	for i, value := range values {
		p.Items[i] = p.w.print(Value{}, value)
	}
}

// ListItems reads a list as contracts build it: pairs of a value and the rest, null at the end. A chain of pairs that ends with anything else
// is no list, and costs no memory.
func ListItems(v []any) (items []any, ok bool) {
	n := 0
	for rest := any(v); rest != nil; n++ {
		pair, ok := rest.([]any)
		if !ok || len(pair) != 2 {
			return nil, false
		}
		rest = pair[1]
	}
	items = make([]any, 0, n)
	for len(v) == 2 {
		items = append(items, v[0])
		v, _ = v[1].([]any)
	}
	return items, true
}
