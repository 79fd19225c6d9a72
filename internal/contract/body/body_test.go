package body

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

var reserve = regexp.MustCompile(`"action_reserve_currency"`)

func text64(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }

func TestName_FollowsTheLayouts(t *testing.T) {
	t.Parallel()
	require.Len(t, bodies.names, 507)
	for op, name := range map[uint32]string{
		0: "text_comment", 0x0f8a7ea5: "jetton_transfer", 0xc0ffee00: "coffee_swap", 0x7369676e: "w5_external_signed_request",
		1:          "evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin",
		0xfffffffe: "new_bounce_body", 0x1bba3896: "bidask_swap_fallback_v2", 0x0a9577f0: "coffee_staking_update_rewards", 0x63896e74: "tg_wallet_send_one_internal",
		0x0bf3f447: "tonco_account_refund_me", 0x9c610de3: "",
		0x235caf52: "", 0xfb88e119: "", 0x2508d66a: "", 0xcb862902: "", // published as unknown
		0x12345678: "",
	} {
		require.Equal(t, name, Name(op), "%08x", op)
	}
	for op, name := range bodies.names {
		require.Regexp(t, `^[a-z0-9_]+(,[a-z0-9_]+)*$`, name, "%08x", op)
	}
}

func TestParseOpcode_ReadsHexAndSignedDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint32{
		"0x0f8a7ea5": 0x0f8a7ea5, "f8a7ea5": 0x0f8a7ea5, "F8A7EA5": 0x0f8a7ea5, "123": 0x123, "0": 0,
		"4294967295": 0xffffffff, "-1": 0xffffffff, "-2147483648": 0x80000000, "0xffffffff": 0xffffffff,
	} {
		got, ok := ParseOpcode(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0x", "xyz", "4294967296", "-2147483649", "1ffffffff", " 1"} {
		_, ok := ParseOpcode(text)
		require.False(t, ok, text)
	}
}

// Bits that do not fill a hexadecimal digit are printed with an underscore.
func TestDecode_PrintsEveryFormOfAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		address *build
		want    string
	}{
		{"external", empty().MustStoreUInt(0b01, 2).MustStoreUInt(6, 9).MustStoreUInt(0b101010, 6), `{"@type":"addr_external","len":"6","external_address":"AA_"}`},
		{"anycast", empty().MustStoreUInt(0b101, 3).MustStoreUInt(5, 5).MustStoreUInt(0b10101, 5).MustStoreInt(-1, 8).MustStoreSlice(bytesOf(0x33, 32), 256),
			`{"@type":"addr_std","anycast":{"@type":"something_from_maybe","value":{"@type":"anycast_info","depth":"5","rewrite_pfx":"AC_"}},"workchain_id":"-1","address":"` + bobHex + `"}`},
		{"variable", empty().MustStoreUInt(0b110, 3).MustStoreUInt(8, 9).MustStoreInt(-7, 32).MustStoreUInt(0xee, 8),
			`{"@type":"addr_var","anycast":` + nothing + `,"addr_len":"8","workchain_id":"-7","address":"EE"}`},
	} {
		body := empty().MustStoreUInt(0x6501f354, 32).MustStoreUInt(5, 64).MustStoreBuilder(c.address).EndCell()
		printed, _, ok := Decode(body, Inside)
		require.True(t, ok, c.name)
		require.Equal(t, `{"@type":"jetton_change_admin","query_id":"5","new_admin_address":`+c.want+`}`, string(printed))
	}
	zero := empty().MustStoreUInt(0b101, 3).MustStoreUInt(0, 5).MustStoreSlice(bytesOf(0x33, 33), 264)
	_, _, ok := Decode(empty().MustStoreUInt(0x6501f354, 32).MustStoreUInt(5, 64).MustStoreBuilder(zero).EndCell(), Inside)
	require.False(t, ok, "an anycast prefix has a bit at least")
}

// The content of messages in their records.
func TestAppendContent_PrintsReadableBodiesOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		body *cell.Cell
		want string // "" for nothing
	}{
		{"comment", comment(`a "b"`), `{"@type":"text_comment","comment":"a \"b\"","type":"text_comment"}`},
		{"no text", comment(""), `{"@type":"text_comment","comment":"","type":"text_comment"}`},
		{"not UTF-8", empty().MustStoreUInt(0, 32).MustStoreUInt(0xff, 8).EndCell(), ""},
		{"a text with two continuations", empty().MustStoreUInt(0, 32).MustStoreRef(opaque).MustStoreRef(opaque).EndCell(), ""},
		{"a text in the first of two references", empty().MustStoreUInt(0, 32).MustStoreRef(empty().MustStoreStringSnake("hi").EndCell()).MustStoreRef(opaque).EndCell(),
			`{"@type":"text_comment","comment":"hi","type":"text_comment"}`},
		{"encrypted", empty().MustStoreUInt(opEncryptedComment, 32).MustStoreUInt(0xff, 8).EndCell(), `{"@type":"encrypted_text_comment","cipher_text":` + base64Of(opaque) + `}`},
		{"empty", empty().EndCell(), `{"@type":"empty_cell"}`},
		{"short", empty().MustStoreUInt(1, 31).EndCell(), ""},
		{"known by name only", empty().MustStoreUInt(0x0bf3f447, 32).MustStoreUInt(1, 64).EndCell(), ""},
		{"unknown opcode", empty().MustStoreUInt(0x12345678, 32).EndCell(), ""},
		{"cut off", empty().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 63).EndCell(), ""},
		{"data after the fields", empty().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 64).MustStoreUInt(1, 9).EndCell(), `{"@type":"excess","query_id":"1"}`},
	} {
		printed, ok := AppendContent([]byte("before "), c.body.ToBOC(), Inside)
		require.Equal(t, c.want != "", ok, c.name)
		require.Equal(t, "before "+c.want, string(printed), c.name)
	}
	printed, ok := AppendContent([]byte("before"), []byte("no bag"), Inside)
	require.False(t, ok)
	require.Equal(t, "before", string(printed))
}

func TestDecode_NilIsNoBody(t *testing.T) {
	t.Parallel()
	_, ok := Comment(nil)
	require.False(t, ok)
	_, _, ok = Decode(nil, Incoming)
	require.False(t, ok)
}

func TestComment_ReadsSnakes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 100)
	text, ok := Comment(comment(long))
	require.True(t, ok)
	require.Equal(t, long, text)
	_, ok = Comment(empty().MustStoreUInt(1, 32).EndCell())
	require.False(t, ok)
	_, ok = Comment(empty().EndCell())
	require.False(t, ok)
}

// DecodeText returns an object with its members in alphabetical order, or the reason for a failure.
func TestDecodeText_SortsMembersOrNamesTheError(t *testing.T) {
	t.Parallel()
	excess := empty().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 64).EndCell()
	proof := empty().MustStoreUInt(0x8b771735, 32).MustStoreUInt(5, 64).MustStoreUInt(0, 256).MustStoreAddr(nil).EndCell()
	plus := empty().MustStoreUInt(0, 32).MustStoreStringSnake("???>>>").EndCell()
	require.Contains(t, text64(plus), "+")
	for _, c := range []struct{ name, text, want string }{
		{"base64", text64(excess), `{"@type":"excess","query_id":"1"}`},
		{"base64 for URLs", base64.URLEncoding.EncodeToString(plus.ToBOC()), `{"@type":"text_comment","text":"???\u003e\u003e\u003e"}`},
		{"plus as a space", strings.ReplaceAll(text64(plus), "+", " "), `{"@type":"text_comment","text":"???\u003e\u003e\u003e"}`},
		{"hex", hex.EncodeToString(excess.ToBOC()), `{"@type":"excess","query_id":"1"}`},
		{"sorted", text64(proof), `{"@type":"report_static_data","collection":{"@type":"addr_none"},"index":"0","query_id":"5"}`},
		{"comment", text64(comment("hi")), `{"@type":"text_comment","text":"hi"}`},
		{"empty cell", text64(empty().EndCell()), `{"@type":"empty_cell"}`},
		{"short", text64(opaque), `{"error":"unknown: boc is too small, size 8"}`},
		{"by name only", text64(empty().MustStoreUInt(0x0bf3f447, 32).MustStoreUInt(1, 64).EndCell()), `{"error":"unknown: no parser succeeded"}`},
		{"no layout", text64(empty().MustStoreUInt(0x12345678, 32).EndCell()), `{"error":"unknown: no parser succeeded"}`},
	} {
		require.Equal(t, c.want, string(DecodeText(c.text)), c.name)
	}
	for text, reason := range map[string]string{
		"te6!": "unknown: failed to decode base64: ", "te6c": "unknown: failed to deserialize boc: ", "zz": "unknown: failed to decode hex: ",
		"00": "unknown: failed to deserialize boc: ", "": "unknown: failed to deserialize boc: ", "te6\xff": "unknown: failed to decode base64: ",
	} {
		var response struct{ Error string }
		require.NoError(t, json.Unmarshal(DecodeText(text), &response), text)
		require.True(t, strings.HasPrefix(response.Error, reason), "%q: %s", text, response.Error)
	}
}

// Nested payloads are decoded to the eleventh; deeper ones are printed as bags of cells.
func TestAppend_DecodesPayloadsToTheMaxNesting(t *testing.T) {
	t.Parallel()
	nest := func(n int) *cell.Cell {
		c := comment("deep")
		for range n {
			c = empty().MustStoreUInt(0x05138d91, 32).MustStoreUInt(5, 64).MustStoreAddr(nil).MustStoreBoolBit(true).MustStoreRef(c).EndCell()
		}
		return c
	}
	printed, ok := Append(nil, nest(MaxNesting-1), Inside, 1000)
	require.True(t, ok)
	require.Contains(t, string(printed), `"text":"deep"`)
	printed, ok = Append(nil, nest(MaxNesting), Inside, 1000)
	require.True(t, ok)
	require.NotContains(t, string(printed), `"text":"deep"`)
	require.Contains(t, string(printed), base64Of(comment("deep")))
}

// branching makes transfers that are nested n times, each with one cell as both of its payloads: 2^n comments in n + 1
// cells.
func branching(n int) *cell.Cell {
	shared := comment(strings.Repeat("x", 100))
	for range n {
		shared = empty().MustStoreUInt(0x0f8a7ea5, 32).MustStoreUInt(5, 64).MustStoreCoins(1).MustStoreAddr(nil).MustStoreAddr(nil).
			MustStoreBoolBit(true).MustStoreRef(shared).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(shared).EndCell()
	}
	return shared
}

// Shared cells make small bodies whose text is large: they are not decoded, at little cost.
func TestAppendContent_RefusesSharedCells(t *testing.T) {
	t.Parallel()
	shared := branching(9)
	_, ok := AppendContent(nil, shared.ToBOC(), Inside)
	require.False(t, ok)
	require.JSONEq(t, `{"error":"unknown: decoding takes more than the limit"}`, string(DecodeText(text64(shared))))

	branch := empty().MustStoreUInt(0b00, 2).MustStoreAddr(alice).EndCell() // a value under an empty label
	for range 8 {
		branch = empty().MustStoreUInt(0b00, 2).MustStoreRef(branch).MustStoreRef(branch).EndCell()
	}
	body := empty().MustStoreUInt(0x9c73fba2, 32).MustStoreUInt(5, 64).MustStoreUInt(1, 8).MustStoreRef(branch).MustStoreUInt(1, 48).MustStoreRef(branch).MustStoreBoolBit(false).EndCell()
	_, ok = AppendContent(nil, body.ToBOC(), Inside)
	require.False(t, ok)
}

// The expected sizes are counted by hand.
func TestLayouts_KnowTheirMinimum(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]minimum{
		"jetton_transfer": {32 + 64 + 4 + 2 + 2 + 1 + 4 + 1, 0}, "minter_jetton_mint": {32 + 64 + 2 + 4, 1},
		"text_comment": {32, 0}, "w5_external_signed_request": {32 + 96 + 2 + 512, 0}, "change_dns_record": {32 + 64 + 256, 1},
	} {
		require.Equal(t, want, bodies.candidates(opcodeOf(t, name))[0].least, name)
	}
	require.Equal(t, minimum{32, 4}, layouts["WalletMessages"].constructors[0].least)
	require.Equal(t, minimum{}, layouts["WalletMessages"].least)
	require.Equal(t, minimum{1, 0}, layouts["ProtoList"].least)
}

func opcodeOf(t *testing.T, name string) uint32 {
	t.Helper()
	for op, n := range bodies.names {
		if n == name {
			return op
		}
	}
	require.Fail(t, "no such name", name)
	return 0
}

func TestCompile_RefusesInvalidLayouts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a#01 x:u8", "a#zz x:u8 = A", "a x = A", "a x: = A", "a x:u0 = A", "a x:u257 = A", "a x:map8 = A", "a x:what = A",
		"a x:u8= = A", "a x:u8z = A", "a x:^ = A", "a x:B = A", "a x:vu33 = A",
		"a x:u8 x:u4 = A", "_ :u8 :u4 = A", "a x:u8<1 = A", "a x:u8<=z = A", "a x:~u8| = A", "a x:array1 = A", "a x:n9 = A", "a x:n8 = A", "a x:bytes = A", "a x:n8 y:u8 = A", "a x:n8 y:array5:u8 = A",
	} {
		_, err := compile(text)
		require.Error(t, err, text)
	}
}

// deepDictionary returns a dictionary with keys of 256 bits that is as deep as they are long: one key branches off at each bit. value is the
// content of the last one, one bit that of the others.
func deepDictionary(value *build) *cell.Cell {
	tree := empty().MustStoreUInt(0b00, 2).MustStoreBuilder(value).EndCell()
	for left := uint64(255); left < 256; left-- { // bits of a key behind the fork
		branch := empty().MustStoreUInt(0b110, 3).MustStoreUInt(255-left, uint(bits.Len64(255-left))).MustStoreUInt(1, 1).EndCell()
		tree = empty().MustStoreUInt(0b00, 2).MustStoreRef(tree).MustStoreRef(branch).EndCell()
	}
	return tree
}

// A dictionary as deep as its keys are long is printed; bodies with such dictionaries inside one another, deeper than clients read, are not.
func TestAppendContent_BoundsTheDepthOfDictionaries(t *testing.T) {
	t.Parallel()
	body := empty().MustStoreUInt(0x0302cd79, 32).MustStoreUInt(5, 64).MustStoreUInt(1, 1).MustStoreRef(deepDictionary(empty())).EndCell()
	for nested := 1; ; nested++ {
		printed, ok := AppendContent(nil, body.ToBOC(), Inside)
		text := string(DecodeText(text64(body)))
		if !ok {
			require.Greater(t, nested, 1)
			require.JSONEq(t, `{"error":"unknown: decoding takes more than the limit"}`, text)
			return
		}
		require.JSONEq(t, string(printed), text)
		require.Equal(t, nested, strings.Count(text, "storm_deploy_ordinary_sa"))
		require.Equal(t, 256*nested, strings.Count(text, "hashmap_node_fork"))
		inner := empty().MustStoreUInt(0x0302cd79, 32).MustStoreUInt(5, 64).MustStoreUInt(1, 1).MustStoreRef(body.MustPeekRef(0))
		body = empty().MustStoreUInt(0x0302cd79, 32).MustStoreUInt(5, 64).MustStoreUInt(1, 1).MustStoreRef(deepDictionary(inner)).EndCell()
	}
}
