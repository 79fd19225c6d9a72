package body

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// try prints a body by one declaration.
func try(t *testing.T, declaration string, body *build) (string, bool) {
	t.Helper()
	groups, err := compile(declaration + "\npair#01 a:u8 = Pair\npair#02 = Pair")
	require.NoError(t, err)
	var d decoder
	d.start(nil, 1000)
	d.nesting = 1
	var s cell.Slice
	require.True(t, d.enter(body.EndCell(), &s))
	ok := d.attempt(groups["A"].constructors[0], &s, true)
	return string(d.b), ok
}

// Each form of the language, with values at its limits.
func TestForms_PrintAndRefuseValues(t *testing.T) {
	t.Parallel()
	bits := func(text string) *build {
		b := empty()
		for _, bit := range strings.ReplaceAll(text, " ", "") {
			b = b.MustStoreBoolBit(bit == '1')
		}
		return b
	}
	one := empty().MustStoreUInt(1, 8).EndCell()
	for _, c := range []struct {
		name, declaration string
		body              *build
		want              string // "" where the body does not fit
	}{
		{"no member", "a = A", empty(), `{"@type":"a"}`},
		{"no name", "_ :u8 = A", bits("00000011"), `{"":"3"}`},
		{"a member without a name", "a x:u4 :Pair = A", bits("0001 00000001 00000010"), `{"@type":"a","x":"1","":{"@type":"pair","a":"2"}}`},
		{"the second constructor", "a x:Pair = A", bits("00000010"), `{"@type":"a","x":{"@type":"pair"}}`},
		{"no constructor", "a x:Pair = A", bits("00000011"), ""},
		{"one signed bit", "a x:i1 = A", bits("1"), `{"@type":"a","x":"-1"}`},
		{"128 signed bits", "a x:i128 = A", empty().MustStoreSlice(bytesOf(0x7f, 16), 128).MustStoreSlice(nil, 0), `{"@type":"a","x":"169473963133173273960190490760135540607"}`},
		{"256 signed bits below zero", "a x:i256 = A", bits(strings.Repeat("1", 255) + "0"), `{"@type":"a","x":"-2"}`},
		{"128 signed bits cut off", "a x:i128 = A", bits(strings.Repeat("1", 127)), ""},
		{"the value", "a x:u8=4 = A", bits("00000100"), `{"@type":"a","x":"4"}`},
		{"another value", "a x:u8=4 = A", bits("00000101"), ""},
		{"the greatest value", "a x:u13<=5999 = A", empty().MustStoreUInt(5999, 13), `{"@type":"a","x":"5999"}`},
		{"above the greatest value", "a x:u13<=5999 = A", empty().MustStoreUInt(6000, 13), ""},
		{"the least value", "a x:u13>=6000 = A", empty().MustStoreUInt(6000, 13), `{"@type":"a","x":"6000"}`},
		{"below the least value", "a x:u13>=6000 = A", empty().MustStoreUInt(5999, 13), ""},
		{"counted bytes", "a n:n8 x:bytes = A", text8(empty(), "ab"), `{"@type":"a","n":"2","x":"6162"}`},
		{"no bytes", "a n:n8 x:bytes = A", text8(empty(), ""), `{"@type":"a","n":"0","x":""}`},
		{"more bytes than there are", "a n:n8 x:bytes = A", bits("00000011 00000000"), ""},
		{"the first of two types", "a x:~u8|coins = A", bits("0 00000011"), `{"@type":"a","x":{"@type":"first_from_either","value":"3"}}`},
		{"the second of two types", "a x:~u8|u4 = A", bits("1 0011"), `{"@type":"a","x":{"@type":"second_from_either","value":"3"}}`},
		{"inline", "a x:~u8 = A", bits("0 00000001"), `{"@type":"a","x":{"@type":"first_from_either","value":"1"}}`},
		{"in a reference", "a x:~u8 = A", bits("1").MustStoreRef(one), `{"@type":"a","x":{"@type":"second_from_either","value":"1"}}`},
		{"without the reference", "a x:~u8 = A", bits("1"), ""},
		{"optional reference to a group", "a x:?^Pair = A", bits("1").MustStoreRef(bits("00000001 00000010").EndCell()),
			`{"@type":"a","x":{"@type":"something_from_maybe","value":{"@type":"pair","a":"2"}}}`},
		{"short label", "a x:map2:u1 = A", bits("0 110 01 1"), `{"@type":"a","x":` + edge +
			`{"@type":"hashmap_label_short","len":{"@type":"unary_succ","x":{"@type":"unary_succ","x":{"@type":"unary_zero"}}},"s":"6_"}` + leaf + `"1"}}}`},
		{"long label", "a x:map2:u1 = A", bits("10 10 01 1"), `{"@type":"a","x":` + edge + `{"@type":"hashmap_label_long","n":"2","s":"6_"}` + leaf + `"1"}}}`},
		{"label of one bit repeated", "a x:map2:u1 = A", bits("11 1 10 0"), `{"@type":"a","x":` + edge + `{"@type":"hashmap_label_same","v":true,"n":"2"}` + leaf + `"0"}}}`},
		{"short label longer than the key", "a x:map2:u1 = A", bits("0 1110 010 1"), ""},
		{"long label longer than the key", "a x:map2:u1 = A", bits("10 11 010 1"), ""},
		{"fork without references", "a x:map2:u1 = A", bits("0 0"), ""},
		{"fork", "a x:map1:flag = A", bits("0 0").MustStoreRef(bits("0 0 0").EndCell()).MustStoreRef(bits("10 1").EndCell()),
			`{"@type":"a","x":` + edge + noLabel + fork + edge + noLabel + leaf + `false}},"right":` + edge + `{"@type":"hashmap_label_long","n":"0","s":""}` + leaf + `true}}}}}`},
		{"no dictionary", "a x:mape8:u8 = A", bits("0"), `{"@type":"a","x":{"@type":"hashmap_empty"}}`},
		{"one array", "a n:n8 x:array1:^u8 = A", bits("00000010 1").MustStoreRef(bits("0").MustStoreRef(one).MustStoreRef(one).EndCell()), `{"@type":"a","n":"2","x":["1","1"]}`},
		{"an array of two cells", "a n:n8 x:array1:^u8 = A",
			bits("00000010 1").MustStoreRef(bits("1").MustStoreRef(bits("0").MustStoreRef(one).EndCell()).MustStoreRef(one).EndCell()), `{"@type":"a","n":"2","x":["1","1"]}`},
		{"an array of another length", "a n:n8 x:array1:^u8 = A", bits("00000011 1").MustStoreRef(bits("0").MustStoreRef(one).MustStoreRef(one).EndCell()), ""},
		{"an array longer than its length", "a n:n8 x:array1:^u8 = A", bits("00000001 1").MustStoreRef(bits("0").MustStoreRef(one).MustStoreRef(one).EndCell()), ""},
		{"an empty array", "a n:n8 x:array1:^u8 = A", bits("00000000 0"), ""},
		{"an array with bits behind its values", "a n:n8 x:array1:^u8 = A", bits("00000001 1").MustStoreRef(bits("0 1").MustStoreRef(one).EndCell()), ""},
		{"an array whose values do not fill a cell", "a n:n8 x:array2:^u8 = A", bits("00000001 1").MustStoreRef(bits("0").MustStoreRef(one).EndCell()), ""},
	} {
		printed, ok := try(t, c.declaration, c.body)
		require.Equal(t, c.want != "", ok, c.name)
		require.Equal(t, c.want, printed, c.name)
	}
}

// Layouts that do not fit take no depth from those behind them.
func TestForms_RefusedDictionariesCloseTheirEdges(t *testing.T) {
	t.Parallel()
	tree := empty().MustStoreUInt(0b10_1111, 6).MustStoreUInt(0, 24).EndCell() // a label of 15 bits
	groups, err := compile("a x:B = A\nb1 y:map8:C = B\nb2 y:cipher = B\nc z:u8 = C")
	require.NoError(t, err)
	var d decoder
	d.start(nil, 1<<20)
	for range maxDepth + 1 {
		var s cell.Slice
		require.True(t, d.enter(tree, &s))
		require.True(t, d.attempt(groups["A"].constructors[0], &s, true))
		require.Contains(t, string(d.b), "b2")
		d.b = d.b[:0]
	}
	require.Zero(t, d.depth)
}

// An opcode may have several layouts: of messages before logs before payloads, and the first that fits.
func TestDecode_FirstLayoutThatFits(t *testing.T) {
	t.Parallel()
	amount := func(b *build) *build { return b.MustStoreUInt(7, 64) }
	evaa := func() *build {
		return empty().MustStoreUInt(1, 32).MustStoreUInt(5, 64).MustStoreUInt(0b11, 2).MustStoreUInt(7, 64).MustStoreAddr(alice)
	}
	const evaaPrinted = `{"@type":"evaa_supply_master","query_id":"5","include_user_code":{"@type":"bool_true"},"supply_amount":{"amount":"7"},"recipient_address":` + alicePrinted
	const recipient = `,"custom_response_payload":{"@type":"empty_cell"}`
	for _, c := range []struct {
		name string
		body *build
		want string
	}{
		{"guardians", empty().MustStoreUInt(1, 32).MustStoreRef(empty().MustStoreUInt(2, 8).MustStoreUInt(3, 32).MustStoreUInt(4, 8).EndCell()),
			`{"@type":"pyth_update_guardian_set","":{"version":"2","guardian_set_index":"3","signatures_length":"4","rest_signatures":{"@type":"empty_cell"}}}`},
		{"evaa with an amount of toncoins", amount(evaa()).MustStoreRef(empty().EndCell()), evaaPrinted + `,"forward_ton_amount":{"amount":"7"}` + recipient + `}`},
		{"evaa without options", evaa().MustStoreRef(empty().EndCell()), evaaPrinted + recipient + `,"supply_master_optional":{"@type":"empty_cell"}}`},
		{"log", empty().MustStoreUInt(0x453443a6, 32).MustStoreUInt(5, 64).MustStoreUInt(0, 192).MustStoreUInt(6, 64),
			`{"@type":"tgbtc_dkg_completed_event","timestamp":"5","internal_pubkey":"6"}`},
		{"log with the opcode of a message", empty().MustStoreUInt(0xb30c7310, 32).MustStoreUInt(5, 64).MustStoreAddr(alice).MustStoreCoins(1000).MustStoreAddr(bob),
			`{"@type":"coffee_staking_rewards_claimed","query_id":"5","jetton_wallet":` + alicePrinted + `,"amount":` + thousandCoin + `,"receiver":` + bobPrinted + `}`},
		{"payload with the opcode of a message", empty().MustStoreUInt(0xb31db781, 32).MustStoreCoins(1000), `{"@type":"moon_deposit_liquidity_forward_payload","min_lp_out":` + thousand + `}`},
		{"no members", empty().MustStoreUInt(0xa35cb580, 32), `{"@type":"cocoon_client_proxy_register"}`},
		{"data behind the members", empty().MustStoreUInt(0xa35cb580, 32).MustStoreUInt(1, 9).MustStoreRef(opaque), `{"@type":"cocoon_client_proxy_register"}`},
		{"remainder", empty().MustStoreUInt(0x2e04891a, 32).MustStoreUInt(0, 32).MustStoreStringSnake("hi"), `{"@type":"cron_reward","rest":` + hi + `}`},
		{"text in a reference, behind what is none", empty().MustStoreUInt(0, 32).MustStoreUInt(0xff, 8).MustStoreRef(empty().MustStoreStringSnake("hi").EndCell()), hi},
		{"no request of wallet v5", empty().MustStoreUInt(0x7369676e, 32).MustStoreUInt(1, 20), `{"@type":"w5_external_signed_request","rest":` + base64Of(empty().MustStoreUInt(1, 20).EndCell()) + `}`},
		{"a cell that asset proofs refer to", empty().MustStoreUInt(0xe93405b9, 32).MustStoreUInt(5, 64), `{"@type":"dedust_provide_vault_state","query_id":"5"}`},
	} {
		printed, _, ok := Decode(c.body.EndCell(), Inside)
		require.True(t, ok, c.name)
		require.Equal(t, c.want, string(printed), c.name)
	}
	for _, op := range []uint64{0x0bf3f447, 0x0c0ffede, 0xe4748df1, 0x9c610de3, 0xad83913f} {
		_, _, ok := Decode(empty().MustStoreUInt(op, 32).MustStoreUInt(5, 64).EndCell(), Inside)
		require.False(t, ok, "%08x has no layout that a body is tried by", op)
	}
}

// The layouts of an opcode in one group stand in one file, so that the names of files do not decide which is tried first.
func TestLayouts_OpcodesAreInOneFile(t *testing.T) {
	t.Parallel()
	files, err := layoutFiles.ReadDir("layouts")
	require.NoError(t, err)
	seen := map[string]string{}
	for _, file := range files {
		data, err := layoutFiles.ReadFile("layouts/" + file.Name())
		require.NoError(t, err)
		groups := map[string]*group{}
		for line := range strings.Lines(string(data)) {
			left, name, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if !ok || line[0] == '#' {
				continue
			}
			c, err := parseConstructor(left, groups)
			require.NoError(t, err)
			for _, body := range bodyGroups {
				if name != body {
					continue
				}
				_, digits, _ := strings.Cut(strings.Fields(left)[0], "#")
				key := name + " " + digits
				require.Contains(t, []string{"", file.Name()}, seen[key], "%s %s", c.name, key)
				seen[key] = file.Name()
			}
		}
	}
	require.Greater(t, len(seen), 500)
}

// Requests to Telegram's wallet have their opcode behind the signature, in messages from anywhere.
func TestDecode_RequestsToTelegramsWallet(t *testing.T) {
	t.Parallel()
	head := func(op uint64) *build {
		return signed().MustStoreUInt(op, 32).MustStoreUInt(7, 32).MustStoreUInt(8, 32).MustStoreUInt(9, 32)
	}
	printed := func(name, rest string) string {
		return `{"@type":"tg_wallet_signed",` + signature + `,"request":{"@type":"` + name + `","subwallet_id":"7","valid_until":"8","seqno":"9",` + rest + `}}`
	}
	const item = `{"@type":"tg_wallet_message_to_send","send_mode":"3","message":` + messagePrinted + `}`
	bulk := func(declared uint64) *build {
		last := empty().MustStoreUInt(0, 1).MustStoreUInt(3, 8).MustStoreRef(message())
		first := empty().MustStoreUInt(1, 1).MustStoreRef(last.EndCell()).MustStoreUInt(3, 8).MustStoreRef(message())
		return head(0x73896e75).MustStoreUInt(declared, 8).MustStoreUInt(1, 1).MustStoreRef(first.EndCell())
	}
	chunk := base64Of(bulk(2).EndCell().MustBeginParse().MustLoadRef().MustToCell())
	for _, c := range []struct {
		name string
		body *build
		want string // "" where it is none
	}{
		{"one message", head(0x63896e74).MustStoreUInt(3, 8).MustStoreRef(message()), printed("tg_wallet_send_one_internal", `"send_mode":"3","message":`+messagePrinted)},
		{"several messages", bulk(2), printed("tg_wallet_send_bulk_external", `"messages_count":"2","messages":[`+item+`,`+item+`]`)},
		{"another number than said", bulk(3), printed("tg_wallet_send_bulk_external", `"messages_count":"3","first_chunk":{"@type":"something_from_maybe","value":`+chunk+`}`)},
		{"a message left over", head(0x63896e74).MustStoreUInt(3, 8).MustStoreRef(message()).MustStoreRef(message()), ""},
		{"a bit left over", head(0x63896e74).MustStoreUInt(3, 9).MustStoreRef(message()), ""},
		{"another opcode", head(0x63896e76).MustStoreUInt(3, 8).MustStoreRef(message()), ""},
	} {
		for _, place := range []Place{Inside, Incoming} {
			text, ok := AppendContent(nil, c.body.EndCell().ToBOC(), place)
			require.Equal(t, c.want != "", ok, c.name)
			require.Equal(t, c.want, string(text), c.name)
		}
	}
}
