package body

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// kind is how a member is read and printed.
type kind uint8

const (
	kindUint       kind = iota // n bits
	kindInt                    // n bits
	kindBits                   // n bits
	kindRange                  // n bits with a value from least to greatest
	kindCount                  // n bits; the length of the member behind it
	kindFlag                   // one bit
	kindVarUint                // length in n bits, then that many bytes
	kindCoins                  // named var_uint
	kindGrams                  // named var_uint
	kindAddress                // internal, external or none
	kindInternal               // internal address
	kindExternal               // external address or none
	kindText                   // UTF-8, in a chain of cells
	kindBytes                  // as many bytes as the count before it
	kindRest                   // what is left, decoded when possible
	kindCell                   // what is left, as it is
	kindRef                    // elem in a reference
	kindMaybe                  // optional elem
	kindEither                 // elem or other
	kindMap                    // dictionary with n-bit keys, not empty
	kindMapE                   // dictionary with n-bit keys
	kindArray                  // as many values as the count before it, each with n references
	kindGroup                  // one of the group's constructors
	kindOutList                // list of actions, last first
	kindExtensions             // list of changes to the extensions of a wallet v5
	kindDNSText                // text in counted chunks
)

// typ is a compiled type. Shared, and never written after compilation.
type typ struct {
	kind            kind
	n               uint
	least, greatest uint64
	elem, other     *typ
	group           *group
}

// constructor is one layout: a tag, then members.
type constructor struct {
	name   string
	tag    uint64
	bits   uint   // of the tag
	open   string // {"@type":"name", or { for a constructor without a name
	fields []field
	least  minimum // of tag and fields
}

type field struct {
	key string // ,"name": with the comma unless nothing stands before it
	typ *typ
}

// group is the constructors of one type, in the order in which they are tried.
type group struct {
	constructors []*constructor
	least        minimum

	measuring, measured bool
}

// index is the layouts of message bodies by opcode.
type index struct {
	byOpcode map[uint32][]*constructor // in the order in which they are tried
	names    map[uint32]string
}

// candidates are the constructors of a body with the opcode.
func (x *index) candidates(opcode uint32) []*constructor { return x.byOpcode[opcode] }

// bodyGroups are the groups of message bodies, in the order in which they are tried and give names.
var bodyGroups = []string{"Internal", "External", "Forward"}

// namedGroup has the opcodes that are published with a name to which no body is decoded. Its names come first.
const namedGroup = "Named"

//go:embed layouts/*.tlb
var layoutFiles embed.FS

var (
	layouts    = mustCompile(layoutText())
	bodies     = mustIndex(layouts)
	wallets    = layouts["Wallet"]
	tgWallets  = layouts["TgWallet"]
	tgOpcodes  = opcodesOf(layouts["TgWalletRequest"])
	outActions = layouts["OutAction"]
	extensions = layouts["W5ExtendedAction"]
)

// layoutText is all files of layouts, in the order of their names.
func layoutText() string {
	var text strings.Builder
	names, err := fs.Glob(layoutFiles, "layouts/*.tlb")
	for _, name := range names {
		var data []byte
		if data, err = layoutFiles.ReadFile(name); err == nil {
			text.Write(append(data, '\n'))
		}
	}
	if err != nil {
		panic(err) //nolint:forbidigo // the embedded files are constant
	}
	return text.String()
}

func mustCompile(text string) map[string]*group {
	groups, err := compile(text)
	if err != nil {
		panic(err) //nolint:forbidigo // the embedded text is constant
	}
	return groups
}

func mustIndex(groups map[string]*group) *index {
	x, err := indexOf(groups)
	if err != nil {
		panic(err) //nolint:forbidigo // the embedded text is constant
	}
	return x
}

// indexOf collects the layouts of message bodies, whose tags must have 32 bits.
func indexOf(groups map[string]*group) (*index, error) {
	x := &index{byOpcode: map[uint32][]*constructor{}, names: map[uint32]string{}}
	for _, name := range append([]string{namedGroup}, bodyGroups...) {
		for _, c := range groupOf(groups, name).constructors {
			if c.bits != 32 || c.name == "_" {
				return nil, fmt.Errorf("layout %s: a body has a name and an opcode of 32 bits", c.name)
			}
			op := uint32(c.tag)
			if x.names[op] == "" {
				x.names[op] = c.name
			}
			if name != namedGroup {
				x.byOpcode[op] = append(x.byOpcode[op], c)
			}
		}
	}
	return x, nil
}

func opcodesOf(g *group) map[uint32]bool {
	list := map[uint32]bool{}
	for _, c := range g.constructors {
		list[uint32(c.tag)] = true
	}
	return list
}

// compile reads declarations. A group may be used above the line that declares it.
func compile(text string) (map[string]*group, error) {
	groups := map[string]*group{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		left, name, ok := strings.Cut(line, " = ")
		if !ok {
			return nil, fmt.Errorf("layout %q: no group", line)
		}
		c, err := parseConstructor(left, groups)
		if err != nil {
			return nil, fmt.Errorf("layout %q: %w", line, err)
		}
		g := groupOf(groups, strings.TrimSpace(name))
		g.constructors = append(g.constructors, c)
	}
	for name, g := range groups {
		if len(g.constructors) == 0 {
			return nil, fmt.Errorf("group %s has no constructor", name)
		}
		g.measure()
	}
	return groups, nil
}

func groupOf(groups map[string]*group, name string) *group {
	g := groups[name]
	if g == nil {
		g = &group{}
		groups[name] = g
	}
	return g
}

func parseConstructor(text string, groups map[string]*group) (*constructor, error) {
	tokens := strings.Fields(text)
	c := &constructor{name: tokens[0], open: "{"}
	for _, form := range []struct {
		sign      string
		base      int
		digitBits uint
	}{{"#", 16, 4}, {"$", 2, 1}} {
		name, digits, ok := strings.Cut(tokens[0], form.sign)
		if !ok {
			continue
		}
		tag, err := strconv.ParseUint(digits, form.base, 64)
		if err != nil {
			return nil, fmt.Errorf("tag: %w", err)
		}
		c.name, c.tag, c.bits = name, tag, form.digitBits*uint(len(digits))
	}
	if c.name != "_" {
		c.open = `{"@type":"` + c.name + `"`
	}
	counted := false
	for i, token := range tokens[1:] {
		name, text, ok := strings.Cut(token, ":")
		if !ok {
			return nil, fmt.Errorf("member %q has no type", token)
		}
		t, err := parseType(text, groups)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", token, err)
		}
		for _, f := range c.fields {
			if strings.HasSuffix(f.key, `"`+name+`":`) {
				return nil, fmt.Errorf("member %q: two of one name", token)
			}
		}
		if needs := t.kind == kindBytes || t.kind == kindArray; needs != counted {
			return nil, fmt.Errorf("member %q: a count stands directly before what it counts", token)
		}
		counted = t.kind == kindCount
		key := `,"` + name + `":`
		if i == 0 && c.name == "_" {
			key = key[1:]
		}
		c.fields = append(c.fields, field{key: key, typ: t})
	}
	if counted {
		return nil, fmt.Errorf("the last member counts nothing")
	}
	return c, nil
}

// simple are the types that are one token.
var simple = map[string]typ{
	"flag": {kind: kindFlag}, "coins": {kind: kindCoins}, "grams": {kind: kindGrams},
	"addr": {kind: kindAddress}, "int": {kind: kindInternal}, "ext": {kind: kindExternal},
	"text": {kind: kindText}, "rest": {kind: kindRest}, "cipher": {kind: kindCell}, "bytes": {kind: kindBytes},
	"out_list": {kind: kindOutList}, "extensions": {kind: kindExtensions}, "dns_text": {kind: kindDNSText},
}

// prefixes are the types made of a sign and another type.
var prefixes = map[byte]kind{'^': kindRef, '?': kindMaybe, '~': kindEither}

// sized are the types made of a token, a number of bits and, for dictionaries and arrays, a type. Longer tokens stand first.
var sized = []struct {
	token    string
	kind     kind
	greatest uint64
}{
	{"array", kindArray, 4},
	{"mape", kindMapE, 1023}, {"map", kindMap, 1023}, {"vu", kindVarUint, 32},
	{"u", kindUint, 256}, {"i", kindInt, 256}, {"b", kindBits, 1023}, {"n", kindCount, 8},
}

func parseType(text string, groups map[string]*group) (*typ, error) {
	if text == "" {
		return nil, fmt.Errorf("no type")
	}
	if t, ok := simple[text]; ok {
		return &t, nil
	}
	if k, ok := prefixes[text[0]]; ok {
		return parsePrefixed(k, text[1:], groups)
	}
	if 'A' <= text[0] && text[0] <= 'Z' {
		return &typ{kind: kindGroup, group: groupOf(groups, text)}, nil
	}
	for _, s := range sized {
		if rest, ok := strings.CutPrefix(text, s.token); ok {
			return parseSized(s.kind, rest, s.greatest, groups)
		}
	}
	return nil, fmt.Errorf("unknown type %q", text)
}

func parsePrefixed(k kind, text string, groups map[string]*group) (*typ, error) {
	t := &typ{kind: k}
	first, second, two := strings.Cut(text, "|")
	if k != kindEither {
		first, two = text, false
	}
	var err error
	if t.elem, err = parseType(first, groups); err != nil || k != kindEither {
		return t, err
	}
	t.other = &typ{kind: kindRef, elem: t.elem}
	if two {
		t.other, err = parseType(second, groups)
	}
	return t, err
}

func parseSized(k kind, text string, greatest uint64, groups map[string]*group) (*typ, error) {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 || n > greatest {
		return nil, fmt.Errorf("%q is no size", digits)
	}
	t, rest := &typ{kind: k, n: uint(n)}, text[len(digits):]
	switch {
	case k == kindVarUint: // below n bytes
		t.n = uint(len(strconv.FormatUint(n-1, 2)))
	case k == kindMap || k == kindMapE || k == kindArray:
		if !strings.HasPrefix(rest, ":") {
			return nil, fmt.Errorf("a dictionary or an array of what?")
		}
		t.elem, err = parseType(rest[1:], groups)
		return t, err
	case k == kindUint && rest != "":
		return t, t.parseRange(rest)
	}
	if rest != "" {
		return nil, fmt.Errorf("%q after the type", rest)
	}
	return t, nil
}

// parseRange reads the values that an integer may have.
func (t *typ) parseRange(text string) error {
	for _, form := range []struct {
		sign         string
		below, above bool
	}{{"<=", true, false}, {">=", false, true}, {"=", true, true}} {
		digits, ok := strings.CutPrefix(text, form.sign)
		if !ok {
			continue
		}
		v, err := strconv.ParseUint(digits, 10, 64)
		t.kind, t.greatest = kindRange, math.MaxUint64
		if form.below {
			t.greatest = v
		}
		if form.above {
			t.least = v
		}
		return err
	}
	return fmt.Errorf("%q after the type", text)
}
