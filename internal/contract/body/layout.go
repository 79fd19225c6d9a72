package body

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// kind is how a member is read and printed.
type kind uint8

const (
	kindUint       kind = iota // n bits
	kindInt                    // n bits
	kindBits                   // n bits
	kindConst                  // n bits with the value want
	kindFlag                   // one bit
	kindVarUint                // length in n bits, then that many bytes
	kindCoins                  // named var_uint
	kindGrams                  // named var_uint
	kindAddress                // internal, external or none
	kindInternal               // internal address
	kindExternal               // external address or none
	kindText                   // UTF-8, in a chain of cells
	kindRest                   // what is left, decoded when possible
	kindCell                   // what is left, as it is
	kindRef                    // elem in a reference
	kindMaybe                  // optional elem
	kindEither                 // elem inline or in a reference
	kindMap                    // dictionary with n-bit keys, not empty
	kindMapE                   // dictionary with n-bit keys
	kindGroup                  // one of the group's constructors
	kindOutList                // list of actions, last first
	kindExtensions             // list of changes to the extensions of a wallet v5
	kindDNSText                // text in counted chunks
	kindBlob                   // length in n bits, then that many bytes, printed as bits
)

// typ is a compiled type. Shared, and never written after compilation.
type typ struct {
	kind  kind
	n     uint
	want  uint64
	elem  *typ
	group *group
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
	byTag        map[uint32][]*constructor // for message bodies, whose tags all have 32 bits
	least        minimum

	measuring, measured bool
}

// candidates are the constructors of a body with the opcode.
func (g *group) candidates(opcode uint32) []*constructor { return g.byTag[opcode] }

//go:embed layouts.tlb
var layoutText string

var (
	layouts    = mustCompile(layoutText)
	bodies     = layouts["Internal"]
	wallets    = layouts["Wallet"]
	outActions = layouts["OutAction"]
	extensions = layouts["W5ExtendedAction"]
)

func mustCompile(text string) map[string]*group {
	groups, err := compile(text)
	if err != nil {
		panic(err) //nolint:forbidigo // the embedded text is constant
	}
	return groups
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
		g.byTag = map[uint32][]*constructor{}
		for _, c := range g.constructors {
			if c.bits == 32 {
				g.byTag[uint32(c.tag)] = append(g.byTag[uint32(c.tag)], c)
			}
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
	for i, token := range tokens[1:] {
		name, text, ok := strings.Cut(token, ":")
		if !ok {
			return nil, fmt.Errorf("member %q has no type", token)
		}
		t, err := parseType(text, groups)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", token, err)
		}
		key := `,"` + name + `":`
		if i == 0 && c.name == "_" {
			key = key[1:]
		}
		c.fields = append(c.fields, field{key: key, typ: t})
	}
	return c, nil
}

// simple are the types that are one token.
var simple = map[string]typ{
	"flag": {kind: kindFlag}, "coins": {kind: kindCoins}, "grams": {kind: kindGrams},
	"addr": {kind: kindAddress}, "int": {kind: kindInternal}, "ext": {kind: kindExternal},
	"text": {kind: kindText}, "rest": {kind: kindRest}, "cipher": {kind: kindCell},
	"out_list": {kind: kindOutList}, "extensions": {kind: kindExtensions},
	"dns_text": {kind: kindDNSText}, "blob8": {kind: kindBlob, n: 8},
}

// prefixes are the types made of a sign and another type.
var prefixes = map[byte]kind{'^': kindRef, '?': kindMaybe, '~': kindEither}

// sized are the types made of a token, a number of bits and, for dictionaries, a type. Longer tokens stand first.
var sized = []struct {
	token string
	kind  kind
	most  uint64
}{{"mape", kindMapE, 1023}, {"map", kindMap, 1023}, {"vu", kindVarUint, 32}, {"u", kindUint, 256}, {"i", kindInt, 256}, {"b", kindBits, 1023}}

func parseType(text string, groups map[string]*group) (*typ, error) {
	if text == "" {
		return nil, fmt.Errorf("no type")
	}
	if t, ok := simple[text]; ok {
		return &t, nil
	}
	if k, ok := prefixes[text[0]]; ok {
		elem, err := parseType(text[1:], groups)
		return &typ{kind: k, elem: elem}, err
	}
	if 'A' <= text[0] && text[0] <= 'Z' {
		return &typ{kind: kindGroup, group: groupOf(groups, text)}, nil
	}
	for _, s := range sized {
		if rest, ok := strings.CutPrefix(text, s.token); ok {
			return parseSized(s.kind, rest, s.most, groups)
		}
	}
	return nil, fmt.Errorf("unknown type %q", text)
}

func parseSized(k kind, text string, most uint64, groups map[string]*group) (*typ, error) {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 || n > most {
		return nil, fmt.Errorf("%q is no size", digits)
	}
	t, rest := &typ{kind: k, n: uint(n)}, text[len(digits):]
	switch {
	case k == kindVarUint: // below n bytes
		t.n = uint(len(strconv.FormatUint(n-1, 2)))
	case k == kindMap || k == kindMapE:
		if !strings.HasPrefix(rest, ":") {
			return nil, fmt.Errorf("a dictionary of what?")
		}
		t.elem, err = parseType(rest[1:], groups)
		return t, err
	case k == kindUint && strings.HasPrefix(rest, "="):
		t.kind = kindConst
		t.want, err = strconv.ParseUint(rest[1:], 10, 64)
		return t, err
	}
	if rest != "" {
		return nil, fmt.Errorf("%q after the type", rest)
	}
	return t, nil
}
