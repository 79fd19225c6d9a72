package content

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// URI is the attribute that names the off-chain document.
const URI = "uri"

// imageData is the one attribute that is bytes rather than text.
const imageData = "image_data"

// shownAttributes are the attributes that are shown; others are dropped, because only the hash of a name is on the
// chain.
var shownAttributes = []string{
	URI, "name", "description", "image", imageData, "symbol", "decimals", "amount_style", "render_type",
}

// Layouts of content.
const (
	onchain  = 0x00
	offchain = 0x01
	snake    = 0x00
	chunks   = 0x01
)

// maxContent is the size of all values together, in bytes, as JSON has them, the form in which they are stored.
const maxContent = 64 << 10

// Read reads full content. Content that cannot be read has no attributes; the result is never nil. When the values have
// more than 64 KiB as JSON, they are taken from the shortest to the longest as far as they fit: a text that does not fit
// is cut, image_data that does not fit, and a text of which nothing fits, are left out.
func Read(c *cell.Cell) chain.Content {
	found := read(c, nil)
	fit(found)
	return found
}

// ReadFor is [Read] for at most an amount of gas, and returns what it used. What the gas does not suffice for is left out.
func ReadFor(c *cell.Cell, gas int64) (found chain.Content, used int64) {
	m := &meter{left: gas}
	found = read(c, m)
	fit(found)
	return found, gas - m.left
}

// AttributeFor is [Attribute] for at most an amount of gas, and returns what it used.
func AttributeFor(c *cell.Cell, name string, gas int64) (text string, used int64) {
	m := &meter{left: gas}
	return attribute(c, name, m), gas - m.left
}

// fit cuts content to maxContent.
func fit(found chain.Content) {
	type value struct {
		name string
		size int
	}
	values, total := make([]value, 0, len(found)), 0
	for _, name := range shownAttributes { // of values of one length, the first of the list comes first
		if text, ok := found[name]; ok {
			size := chain.JSONSize(text)
			values, total = append(values, value{name, size}), total+size
		}
	}
	if total <= maxContent {
		return
	}
	slices.SortStableFunc(values, func(a, b value) int { return a.size - b.size })
	left := maxContent
	for _, v := range values {
		switch cut := chain.CutJSON(found[v.name], left); {
		case v.size <= left:
			left -= v.size
		case v.name == imageData || cut == "":
			delete(found, v.name)
		default:
			found[v.name] = cut
			left -= chain.JSONSize(cut)
		}
	}
}

func read(c *cell.Cell, m *meter) chain.Content {
	s := begin(c)
	if s == nil {
		return chain.Content{}
	}
	if s.BitsLeft() < 8 { // the complete content in a reference
		if s = reference(s); s == nil || s.BitsLeft() < 8 {
			return chain.Content{}
		}
	}
	switch tag, _ := s.PreloadUInt(8); tag {
	case onchain:
		_ = s.SkipBits(8)
		return attributes(s, m)
	case offchain:
		_ = s.SkipBits(8)
	}
	// Anything else should not be; in practice it is a URI without its prefix.
	uri := text(snakeBytes(s, m))
	if uri == "" || !printable(uri) || m.empty() {
		return chain.Content{}
	}
	return chain.Content{URI: uri}
}

// Attribute is the text of one on-chain attribute by its name; empty when it is not there.
func Attribute(c *cell.Cell, name string) string { return attribute(c, name, nil) }

func attribute(c *cell.Cell, name string, m *meter) string {
	s := begin(c)
	if s == nil {
		return ""
	}
	if tag, err := s.LoadUInt(8); err != nil || tag != onchain {
		return ""
	}
	d := dictionary(s)
	if d == nil {
		return ""
	}
	data := value(d, name, m)
	if m.empty() {
		return ""
	}
	return text(data)
}

func attributes(s *cell.Slice, m *meter) chain.Content {
	found := chain.Content{}
	d := dictionary(s)
	if d == nil {
		return found
	}
	for _, name := range shownAttributes {
		data := value(d, name, m)
		if m.empty() {
			break
		}
		if data == nil {
			continue
		}
		if name == imageData {
			found[name] = base64.StdEncoding.EncodeToString(data)
		} else {
			found[name] = text(data)
		}
	}
	return found
}

// dictionary reads a HashmapE; a few contracts leave its bit out and store the bare reference.
func dictionary(s *cell.Slice) *cell.Dictionary {
	if s.BitsLeft() == 0 {
		ref, err := s.LoadRefCell()
		if err != nil {
			return nil
		}
		return ref.AsDict(256)
	}
	d, err := s.LoadDict(256)
	if err != nil || d.IsEmpty() {
		return nil
	}
	return d
}

// value finds an attribute's bytes; nil when it is not there or unreadable, empty when it is there and empty.
func value(d *cell.Dictionary, name string, m *meter) []byte {
	sum := sha256.Sum256([]byte(name))
	leaf, err := d.LoadValueByBytesKey(sum[:])
	if err != nil || leaf == nil {
		return nil
	}
	if leaf.BitsLeft() == 0 { // as it should be: the data in a reference
		if leaf = reference(leaf); leaf == nil {
			return nil
		}
	}
	return data(leaf, m)
}

// data reads ContentData. Data without a prefix are taken as they are.
func data(s *cell.Slice, m *meter) []byte {
	if s.BitsLeft() < 8 {
		return snakeBytes(s, m)
	}
	switch tag, _ := s.PreloadUInt(8); tag {
	case snake:
		_ = s.SkipBits(8)
	case chunks:
		_ = s.SkipBits(8)
		return chunkBytes(s, m)
	}
	return snakeBytes(s, m)
}

// text makes what JSON and a database can hold: valid UTF-8 without zero characters.
func text(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ReplaceAll(s, "\x00", "")
}

func printable(s string) bool {
	for _, r := range s {
		if r < ' ' || r == utf8.RuneError {
			return false
		}
	}
	return true
}

// OnChain reports whether content has its attributes on the chain, instead of the address of a document.
func OnChain(c *cell.Cell) bool {
	s := begin(c)
	if s == nil {
		return false
	}
	if s.BitsLeft() < 8 {
		if s = reference(s); s == nil {
			return false
		}
	}
	tag, err := s.PreloadUInt(8)
	return err == nil && tag == onchain
}
