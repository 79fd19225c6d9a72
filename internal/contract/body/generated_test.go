package body

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// declaration is a line of the layouts, read by this test alone.
type declaration struct {
	name, tag string // tag in binary
	members   [][2]string
}

// declared reads the layouts as text: the constructors of each group.
func declared(t testing.TB) map[string][]declaration {
	t.Helper()
	list := map[string][]declaration{}
	for line := range strings.SplitSeq(layoutText(), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " = ")
		require.Len(t, parts, 2, line)
		tokens := strings.Fields(parts[0])
		d := declaration{name: tokens[0]}
		if name, digits, ok := strings.Cut(tokens[0], "#"); ok {
			d.name = name
			for _, digit := range digits {
				v, err := strconv.ParseUint(string(digit), 16, 8)
				require.NoError(t, err)
				d.tag += fmt.Sprintf("%04b", v)
			}
		} else if name, digits, ok := strings.Cut(tokens[0], "$"); ok {
			d.name, d.tag = name, digits
		}
		for _, token := range tokens[1:] {
			name, kind, _ := strings.Cut(token, ":")
			d.members = append(d.members, [2]string{name, kind})
		}
		list[parts[1]] = append(list[parts[1]], d)
	}
	return list
}

// content is what a cell is made of: bits as text, and references.
type content struct {
	bits string
	refs []*content
}

func (c *content) fits() bool {
	ok := len(c.bits) <= 1023 && len(c.refs) <= 4
	for _, ref := range c.refs {
		ok = ok && ref.fits()
	}
	return ok
}

func (c *content) cell() *cell.Cell {
	b := empty()
	for _, bit := range c.bits {
		b = b.MustStoreBoolBit(bit == '1')
	}
	for _, ref := range c.refs {
		b = b.MustStoreRef(ref.cell())
	}
	return b.EndCell()
}

// generator makes random values of the declared types, with the text that is expected of them.
type generator struct {
	t      testing.TB
	groups map[string][]declaration
	rand   *rand.Rand
	level  int // of the values in one another
	count  int
}

func (g *generator) raw(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('0' + g.rand.IntN(2)))
	}
	return b.String()
}

func (g *generator) coin() bool { return g.rand.IntN(2) == 1 }

func number(bits string) *big.Int {
	v, _ := new(big.Int).SetString("0"+bits, 2)
	return v
}

func hexOf(bits string) string {
	rest := len(bits)%4 != 0
	if rest {
		bits += "1"
	}
	for len(bits)%4 != 0 {
		bits += "0"
	}
	var text strings.Builder
	for i := 0; i < len(bits); i += 4 {
		text.WriteString(strings.ToUpper(number(bits[i : i+4]).Text(16)))
	}
	if rest {
		text.WriteByte('_')
	}
	return `"` + text.String() + `"`
}

func quoted(v *big.Int) string { return `"` + v.String() + `"` }

// constructor adds one to c and returns its text.
func (g *generator) constructor(c *content, d declaration) string {
	c.bits += d.tag
	var parts []string
	if d.name != "_" {
		parts = append(parts, `"@type":"`+d.name+`"`)
	}
	for _, m := range d.members {
		parts = append(parts, `"`+m[0]+`":`+g.value(c, m[1]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// value adds a value of the type to c and returns its text.
func (g *generator) value(c *content, kind string) string {
	if g.level++; g.level > 60 {
		g.t.Fatal("layouts without an end: " + kind)
	}
	defer func() { g.level-- }()
	switch kind {
	case "flag":
		bit := g.raw(1)
		c.bits += bit
		return strconv.FormatBool(bit == "1")
	case "coins":
		return `{"@type":"nanocoins","amount":` + g.value(c, "vu16") + `}`
	case "grams":
		return `{"@type":"nanograms","amount":` + g.value(c, "vu16") + `}`
	case "addr", "int", "ext":
		return g.address(c, kind)
	case "text":
		text := []string{"", "hi", "ж<\"\n"}[g.rand.IntN(3)]
		for _, b := range []byte(text) {
			c.bits += fmt.Sprintf("%08b", b)
		}
		return `"` + map[string]string{"": "", "hi": "hi", "ж<\"\n": `ж\u003c\"\n`}[text] + `"`
	case "bytes":
		bits := g.raw(8 * g.count)
		c.bits += bits
		return hexOf(bits)
	case "rest", "cipher":
		return g.rest(c, kind)
	case "out_list":
		c.refs = append(c.refs, &content{})
		return `{"@type":"out_list","prev":{"@type":"out_list_empty"},"action":` + g.value(c, "OutAction") + `}`
	case "extensions":
		return `{"@type":"extended_list_last","action":` + g.value(c, "W5ExtendedAction") + `}`
	case "dns_text":
		c.bits += "00000001" + "00000001" + "01110111"
		return `{"@type":"text","chunks":"1","rest":{"@type":"text_chunk","len":"1","data":"77","next":{"@type":"chunk_ref_empty"}}}`
	}
	switch {
	case kind[0] == '^':
		var inner content
		text := g.value(&inner, kind[1:])
		c.refs = append(c.refs, &inner)
		return text
	case kind[0] == '?':
		if g.level > 8 || g.coin() {
			c.bits += "0"
			return nothing
		}
		c.bits += "1"
		return `{"@type":"something_from_maybe","value":` + g.value(c, kind[1:]) + `}`
	case kind[0] == '~':
		first, second, two := strings.Cut(kind[1:], "|")
		if !two {
			second = "^" + first
		}
		if g.coin() {
			c.bits += "0"
			return `{"@type":"first_from_either","value":` + g.value(c, first) + `}`
		}
		c.bits += "1"
		return `{"@type":"second_from_either","value":` + g.value(c, second) + `}`
	case 'A' <= kind[0] && kind[0] <= 'Z':
		list := g.groups[kind]
		require.NotEmpty(g.t, list, kind)
		return g.constructor(c, list[g.rand.IntN(len(list))])
	}
	return g.sized(c, kind)
}

// sized adds a value of a type with a number in its name.
func (g *generator) sized(c *content, kind string) string {
	i := strings.IndexAny(kind, "0123456789")
	token, tail := kind[:i], kind[i:]
	j := 0
	for j < len(tail) && '0' <= tail[j] && tail[j] <= '9' {
		j++
	}
	n, err := strconv.Atoi(tail[:j])
	require.NoError(g.t, err)
	tail = tail[j:]
	switch token {
	case "u":
		bits := g.ranged(n, tail)
		c.bits += bits
		return quoted(number(bits))
	case "i":
		bits := g.raw(n)
		c.bits += bits
		v := number(bits)
		if bits[0] == '1' {
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(n)))
		}
		return quoted(v)
	case "n":
		g.count = 1 + g.rand.IntN(3)
		c.bits += fmt.Sprintf("%0*b", n, g.count)
		return quoted(big.NewInt(int64(g.count)))
	case "b":
		bits := g.raw(n)
		c.bits += bits
		return hexOf(bits)
	case "vu":
		length := g.rand.IntN(min(n, 4))
		bits := g.raw(8 * length)
		c.bits += fmt.Sprintf("%0*b", len(strconv.FormatInt(int64(n-1), 2)), length) + bits
		return fmt.Sprintf(`{"@type":"var_uint","len":"%d","value":%s}`, length, quoted(number(bits)))
	case "map", "mape":
		return g.dictionary(c, n, tail[1:], token == "mape")
	case "array":
		return g.array(c, tail[1:])
	}
	g.t.Fatal("unexpected type " + kind)
	return ""
}

// ranged returns a number of n bits in a range.
func (g *generator) ranged(n int, form string) string {
	for _, sign := range []string{"<=", ">=", "="} {
		digits, ok := strings.CutPrefix(form, sign)
		if !ok {
			continue
		}
		limit, err := strconv.Atoi(digits)
		require.NoError(g.t, err)
		switch v := limit; sign {
		case "<=":
			return fmt.Sprintf("%0*b", n, g.rand.IntN(v+1))
		case ">=":
			return fmt.Sprintf("%0*b", n, v+g.rand.IntN(1<<n-v))
		default:
			return fmt.Sprintf("%0*b", n, v)
		}
	}
	return g.raw(n)
}

func (g *generator) address(c *content, kind string) string {
	if kind != "int" && g.coin() {
		c.bits += "00"
		return none
	}
	if kind == "ext" {
		c.bits += "01" + fmt.Sprintf("%09b", 8) + "10101010"
		return `{"@type":"addr_external","len":"8","external_address":"AA"}`
	}
	id := g.raw(256)
	c.bits += "100" + "11111111" + id
	return `{"@type":"addr_std","anycast":{"@type":"nothing_from_maybe"},"workchain_id":"-1","address":` + hexOf(id) + `}`
}

// rest ends the cell: with nothing, with a body, or with what is none.
func (g *generator) rest(c *content, kind string) string {
	switch g.rand.IntN(3) {
	case 0:
		if kind == "rest" {
			return `{"@type":"empty_cell"}`
		}
		return base64Of(empty().EndCell())
	case 1:
		bits := g.raw(20)
		c.bits += bits
		return base64Of((&content{bits: bits}).cell())
	}
	excess := &content{bits: fmt.Sprintf("%032b", 0xd53276db) + g.raw(64)}
	c.bits += excess.bits
	if kind == "rest" {
		return `{"@type":"excess","query_id":` + quoted(number(excess.bits[32:])) + `}`
	}
	return base64Of(excess.cell())
}

// dictionary writes a dictionary of up to three keys, its labels in forms by chance.
func (g *generator) dictionary(c *content, n int, elem string, maybe bool) string {
	if maybe {
		if g.level > 6 || g.rand.IntN(3) == 0 {
			c.bits += "0"
			return `{"@type":"hashmap_empty"}`
		}
		c.bits += "1"
		var root content
		text := g.dictionary(&root, n, elem, false)
		c.refs = append(c.refs, &root)
		return `{"@type":"hashmap_root","root":` + text + `}`
	}
	keys := map[string]bool{}
	for range 1 + g.rand.IntN(3) {
		keys[strings.Repeat("0", n/2)+g.raw(n-n/2)] = true
	}
	list := make([]string, 0, len(keys))
	for key := range keys {
		list = append(list, key)
	}
	sort.Strings(list)
	return g.edge(c, list, elem)
}

// edge writes the keys, which are what is left of them.
func (g *generator) edge(c *content, keys []string, elem string) string {
	shared := keys[0]
	for _, key := range keys {
		for !strings.HasPrefix(key, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	text := `{"@type":"hashmap_edge","label":` + g.label(c, shared, len(keys[0])) + `,"node":`
	if len(shared) == len(keys[0]) {
		return text + `{"@type":"hashmap_node_leaf","value":` + g.value(c, elem) + `}}`
	}
	var sides [2][]string
	for _, key := range keys {
		side := key[len(shared)] - '0'
		sides[side] = append(sides[side], key[len(shared)+1:])
	}
	var left, right content
	text += `{"@type":"hashmap_node_fork","left":` + g.edge(&left, sides[0], elem) + `,"right":` + g.edge(&right, sides[1], elem) + `}}`
	c.refs = append(c.refs, &left, &right)
	return text
}

func (g *generator) label(c *content, bits string, limit int) string {
	width := 0
	for 1<<width <= limit {
		width++
	}
	length := ""
	if width > 0 {
		length = fmt.Sprintf("%0*b", width, len(bits))
	}
	if bits != "" && strings.Trim(bits, bits[:1]) == "" && g.coin() {
		c.bits += "11" + bits[:1] + length
		return fmt.Sprintf(`{"@type":"hashmap_label_same","v":%t,"n":"%d"}`, bits[0] == '1', len(bits))
	}
	if len(bits) > 12 || g.coin() {
		c.bits += "10" + length + bits
		return fmt.Sprintf(`{"@type":"hashmap_label_long","n":"%d","s":%s}`, len(bits), hexOf(bits))
	}
	c.bits += "0" + strings.Repeat("1", len(bits)) + "0" + bits
	unary := strings.Repeat(`{"@type":"unary_succ","x":`, len(bits)) + `{"@type":"unary_zero"}` + strings.Repeat("}", len(bits))
	return `{"@type":"hashmap_label_short","len":` + unary + `,"s":` + hexOf(bits) + `}`
}

// array writes the last count, each value in a cell of its own.
func (g *generator) array(c *content, elem string) string {
	var texts []string
	next := &content{}
	for range g.count {
		var chunk content
		if texts == nil {
			chunk.bits = "0"
		} else {
			chunk.bits, chunk.refs = "1", []*content{next}
		}
		texts = append([]string{g.value(&chunk, elem)}, texts...)
		next = &chunk
	}
	c.bits += "1"
	c.refs = append(c.refs, next)
	return "[" + strings.Join(texts, ",") + "]"
}

// generate makes a body of one layout that fits into cells.
func generate(t testing.TB, groups map[string][]declaration, d declaration, seed uint64) (*cell.Cell, string) {
	t.Helper()
	for i := range uint64(1000) {
		g := &generator{t: t, groups: groups, rand: rand.New(rand.NewPCG(seed, i))}
		var c content
		text := g.constructor(&c, d)
		if c.fits() {
			return c.cell(), text
		}
	}
	t.Fatalf("%s does not fit into cells", d.name)
	return nil, ""
}

// Bodies made from each declaration by another reader are printed as another printer prints them.
func TestLayouts_PrintGeneratedBodies(t *testing.T) {
	t.Parallel()
	groups := declared(t)
	seen := 0
	for _, group := range append([]string{"TgWallet"}, bodyGroups...) {
		for i, d := range groups[group] {
			var c *constructor
			if group == "TgWallet" {
				c = tgWallets.constructors[i]
			} else {
				c = layouts[group].constructors[i]
			}
			require.Equal(t, d.name, c.name)
			for seed := range uint64(8) {
				body, want := generate(t, groups, d, seed)
				var dec decoder
				dec.start(nil, 1<<20)
				dec.nesting = 1
				var s cell.Slice
				require.True(t, dec.enter(body, &s))
				require.True(t, dec.attempt(c, &s, false), "%s: %s\n%s", d.name, body.Dump(), want)
				require.Equal(t, want, string(dec.b), d.name)
				require.True(t, json.Valid(dec.b))
				require.Zero(t, s.BitsLeft(), d.name)
				require.Zero(t, s.RefsNum(), d.name)
				if group != "TgWallet" && bodies.candidates(uint32(c.tag))[0] == c {
					printed, ok := Append(nil, body, Inside, 1<<20)
					require.True(t, ok, d.name)
					require.Equal(t, want, string(printed), d.name)
				}
			}
			seen++
		}
	}
	require.Greater(t, seen, 500)
}
