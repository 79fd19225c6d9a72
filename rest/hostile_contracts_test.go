package rest_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
	"tonql/internal/store/digests"
	"tonql/internal/testdb"
)

// The own address of a contract: as a slice, and as the number of an item or an order that [agreeable] confirms.
const (
	ownAddress = contracttest.Instructions("f828")
	ownNumber  = contracttest.Instructions("f828fa4431")
)

// numberToAddress makes an address of the basechain of a number.
const numberToAddress = "c87401cb027001ca07cbffc9d0"

// agreeable are the get-methods of a contract that confirms everything: each wallet that owns itself, and each item and order whose number is its
// address.
func agreeable() map[string]*cell.Cell {
	return map[string]*cell.Cell{
		"get_jetton_data":          contracttest.MethodReturning(0, 5, -1, ownAddress, contracts.OffchainContent("x"), contracttest.Asm("")),
		"get_wallet_address":       contracttest.Asm(""),
		"get_collection_data":      contracttest.MethodReturning(0, 5, contracts.OffchainContent("x"), ownAddress),
		"get_nft_address_by_index": contracttest.Asm(numberToAddress),
		"get_nft_content":          contracttest.Asm("31"),
		"get_order_address":        contracttest.Asm(numberToAddress),
	}
}

// addressBits is a slice with an address that begins with these bits.
func addressBits(bits string, rest uint) *cell.Slice {
	b := cell.BeginCell()
	for _, bit := range bits {
		b.MustStoreUInt(uint64(bit-'0'), 1)
	}
	for ; rest > 0; rest-- {
		b.MustStoreUInt(uint64(rest%3&1), 1)
	}
	return b.ToSlice()
}

// hostileValues are values that a get-method may return in place of any other.
func hostileValues(t *testing.T) map[string]any {
	t.Helper()
	library, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	inLibrary := cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(library).EndCell()
	full := cell.BeginCell().MustStoreUInt(7, 8).MustStoreRef(cell.BeginCell().MustStoreUInt(9, 8).EndCell()).EndCell()
	proof, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(full.Hash(), 256).MustStoreUInt(uint64(full.Depth()), 16).MustStoreRef(full).EndCellSpecial(true)
	require.NoError(t, err)
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	text := func(s string) *cell.Cell {
		return contracts.OnchainContent(map[string]string{
			"name": s, "symbol": s, "description": s, "image": s, "decimals": s, "uri": s, "image_data": s, "render_type": s, "amount_style": s,
			"custom_payload_api_uri": s,
		})
	}
	members := func(value *cell.Builder) *cell.Cell { return cellgraphtest.Dict(8, value) }
	return map[string]any{
		"null": nil, "NaN": contracttest.Instructions("83ff"), "-1": -1, "0": 0, "1": 1, "2^32": 1 << 32, "2^63": new(big.Int).Lsh(big.NewInt(1), 63),
		"most": most, "least": new(big.Int).Neg(most),
		"empty tuple": contracttest.Instructions("6f00"), "tuple": contracttest.Instructions("6d6f01"), "continuation": contracttest.Instructions("90"),
		"builder":     contracttest.Instructions("c8"),
		"empty slice": cell.BeginCell().ToSlice(), "none": addressBits("00", 0), "none and more": addressBits("00", 300), "one bit": addressBits("1", 0),
		"extern": addressBits("01000001000", 8), "anycast": addressBits("10100001", 1+8+256), "var": addressBits("110100000000", 32+256),
		"cut": addressBits("100", 100), "workchain 100": addressBits("10001100100", 256), "workchain -128": addressBits("10010000000", 256),
		"zero address": addressBits("10000000000", 0), "nobody": contracttest.Address("nobody"), "itself": ownAddress,
		"empty cell": cell.BeginCell().EndCell(), "library": library, "in a library": inLibrary, "proof": proof,
		"shared": contracttest.Instructions("c8c98101f499202020c8ccccccccc9e4"), "deep": cellgraphtest.Chain(400, nil),
		"members": members(cell.BeginCell().MustStoreUInt(4, 3).MustStoreSlice(make([]byte, 33), 264)), "bad members": members(cell.BeginCell().MustStoreUInt(1, 2)),
		"NUL": text("a\x00b"), "control": text("\x01\x1b[31m\r\n"), "surrogates": text("\xed\xa0\x80\xed\xb0\x80"), "reversed": text("\u202Egpj\u2066\u2069"),
		"markup": text("</script><script>alert(1)</script>"), "not UTF-8": text("\xff\xfe\xfd"), "long": text(strings.Repeat("\u2028", 5000)),
		"number": text("9" + strings.Repeat("9", 400)), "off-chain": contracts.OffchainContent("\x00\u202E\xff"),
		"shared dictionary": contracttest.Instructions("8041c8cb11c9" + "810100982070c8cb01ccccc9e4" + "70c8cb07ccc9"),
	}
}

// hostileShapes are contracts of each standard, each with one value of a get-method replaced, by what is replaced. sponsor confirms them. Each
// value is replaced by a few of the hostile ones, in rotation.
func hostileShapes(t *testing.T, sponsor chain.Address) map[string]map[string]*cell.Cell {
	t.Helper()
	empty, content := cell.BeginCell().EndCell(), contracts.OffchainContent("x")
	signers := cellgraphtest.Dict(8, cell.BeginCell().MustStoreUInt(4, 3).MustStoreSlice(make([]byte, 33), 264))
	a := contracttest.Address("somebody")
	forms := map[string][]any{
		"get_jetton_data":       {5, -1, a, content, empty},
		"get_wallet_data":       {7, ownAddress, sponsor, empty},
		"get_collection_data":   {5, content, a},
		"get_nft_data":          {-1, ownNumber, sponsor, a, content},
		"get_multisig_data":     {1, 1, signers, nil},
		"get_order_data":        {sponsor, ownNumber, 1, 0, signers, 0, 0, 1_900_000_000, empty},
		"get_sale_data":         {0x46495850, 0, 1, a, a, a, 7, a, 8, a, 9},
		"get_auction_data_v4":   {0, 0x415543, 0, 1_900_000_000, a, a, a, 7, a, 1, a, 1, 100, a, 1, 100, 100, 1, 1, 1, 0},
		"get_fix_price_data_v4": {0, 1, a, a, a, 7, a, 8, a, 9, 1, 0, nil},
		"get_authority_address": {a},
		"get_revoked_time":      {0},
		"is_claimed":            {0},

		"get_mintless_airdrop_hashmap_root": {1},
		"get_telemint_token_name":           {"name"},
		"get_telemint_auction_state":        {a, 1, 1, 1, 1},
		"get_telemint_auction_config":       {a, 1, 1, 1, 1, 1},
		"royalty_params":                    {1, 100, a},
	}
	families := [][]string{
		{"get_jetton_data", "get_mintless_airdrop_hashmap_root"}, {"get_wallet_data", "is_claimed"}, {"get_collection_data"},
		{"get_nft_data", "get_authority_address", "get_revoked_time"}, {"get_multisig_data"}, {"get_order_data"}, {"get_sale_data"},
		{"get_auction_data_v4"}, {"get_fix_price_data_v4"},
		{"get_nft_data", "get_telemint_token_name", "get_telemint_auction_state", "get_telemint_auction_config", "royalty_params"},
	}
	const rotation = 7
	values, position := hostileValues(t), 0
	shapes := map[string]map[string]*cell.Cell{}
	for _, family := range families {
		methods := map[string]*cell.Cell{
			"get_wallet_address": contracttest.Asm(""), "get_nft_address_by_index": contracttest.Asm(numberToAddress), "get_order_address": contracttest.Asm(""),
		}
		for _, name := range family {
			methods[name] = contracttest.MethodReturning(0, forms[name]...)
		}
		shapes[strings.Join(family, " ")] = methods
		for _, name := range family {
			for i := range forms[name] {
				position++
				for j, what := range slices.Sorted(maps.Keys(values)) {
					if (position+j)%rotation != 0 {
						continue
					}
					changed := slices.Clone(forms[name])
					changed[i] = values[what]
					replaced := maps.Clone(methods)
					replaced[name] = contracttest.MethodReturning(0, changed...)
					shapes[fmt.Sprintf("%s, %s %d: %s", family[0], name, i, what)] = replaced
				}
			}
		}
	}
	return shapes
}

// contractOf returns the contract with these get-methods.
func contractOf(methods map[string]*cell.Cell) contracts.Contract {
	init := &tlb.StateInit{Code: contracttest.Code(methods), Data: cell.BeginCell().EndCell()}
	return contracts.Contract{Address: init.CalcAddress(0), Init: init}
}

func chainAddress(a *address.Address) chain.Address {
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
}

// crowd is a wallet that sends many messages at once.
type crowd struct {
	n      *localNetwork
	wallet *contracts.Wallet
	seqno  uint32
}

func (n *localNetwork) newCrowd(coins uint64) *crowd {
	n.t.Helper()
	wallet, err := contracts.NewWallet(contracts.V5R1, 0, ed25519.NewKeyFromSeed(make([]byte, 32)), n.devnet.Chain.GlobalID())
	require.NoError(n.t, err)
	deploy := contracts.Transfer(wallet.Address, coins, "")
	deploy.Bounce = false
	n.order(deploy)
	n.advance(3)
	return &crowd{n: n, wallet: wallet}
}

// send sends messages, 25 in a block.
func (c *crowd) send(messages ...*tlb.InternalMessage) {
	c.n.t.Helper()
	for some := range slices.Chunk(messages, 25) {
		orders := make([]contracts.Order, len(some))
		for i, m := range some {
			orders[i].Message = m
		}
		ticket := contracts.Ticket{Seqno: c.seqno, ValidUntil: c.n.devnet.Chain.Now() + 600, Deploy: c.seqno == 0}
		m, err := c.wallet.External(ticket, orders...)
		require.NoError(c.n.t, err)
		require.NoError(c.n.t, c.n.devnet.Chain.SendExternal(c.n.ctx, m))
		c.seqno++
		c.n.devnet.AdvanceTo(c.n.t, c.n.devnet.Head()+1)
	}
}

// deploy deploys contracts and waits until they are indexed.
func (c *crowd) deploy(list ...contracts.Contract) {
	c.n.t.Helper()
	messages := make([]*tlb.InternalMessage, len(list))
	for i, k := range list {
		messages[i] = k.Deploy(5e8, cell.BeginCell().EndCell())
	}
	c.send(messages...)
	c.n.advance(4)
}

// inTime is do, which it repeats if a busy machine took longer than a request may take.
func (n *localNetwork) inTime(method, target string, body any) (status int, text string) {
	n.t.Helper()
	for range 10 {
		if status, text = n.do(method, target, body); !strings.Contains(text, "the request took longer than allowed") {
			break
		}
	}
	return status, text
}

// requireReadable requires that a response is text of JSON and no fault of the server.
func requireReadable(t *testing.T, what string, status int, text string) {
	t.Helper()
	require.Less(t, status, http.StatusInternalServerError, "%s: %s", what, text)
	require.True(t, utf8.ValidString(text), what)
	require.True(t, json.Valid([]byte(text)), "%s: %s", what, text)
	require.NotContains(t, text, `\u0000`, what)
}

// Contracts of every standard return, in place of each of their values, anything that a get-method may return. Each is indexed the same in
// every order of blocks and by a redetection, and all APIs show it.
func TestHostileContracts_OfAnyShapeAreIndexedAndShown(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startHostile(t)
	sponsor := contractOf(agreeable())
	shapes := hostileShapes(t, chainAddress(sponsor.Address))
	names := slices.Sorted(maps.Keys(shapes))
	list := []contracts.Contract{sponsor}
	for _, name := range names {
		list = append(list, contractOf(shapes[name]))
	}
	n.newCrowd(uint64(len(list)+1) * 1e9).deploy(list...)

	db := n.db.SQLDB()
	defer func() { require.NoError(t, db.Close()) }()
	for _, table := range []string{"jetton_masters", "jetton_wallets", "nft_collections", "nft_items", "nft_sales", "multisigs", "multisig_orders"} {
		var rows int
		require.NoError(t, db.QueryRowContext(n.ctx, "SELECT count(*) FROM "+table).Scan(&rows))
		require.Positive(t, rows, table)
	}
	for some := range slices.Chunk(list, 25) {
		var addresses []string
		for _, c := range some {
			addresses = append(addresses, url.QueryEscape(c.Address.String()))
		}
		for path, name := range map[string]string{
			"accountStates?": "address", "addressBook?": "address", "metadata?": "address", "jetton/masters?": "address", "jetton/wallets?": "address",
			"nft/collections?": "collection_address", "nft/items?include_on_sale=true&": "address", "nft/sales?": "address",
			"multisig/wallets?": "address", "multisig/orders?parse_actions=true&": "address",
		} {
			target := "/api/v3/" + path + name + "=" + strings.Join(addresses, "&"+name+"=")
			status, text := n.inTime(http.MethodGet, target, nil)
			requireReadable(t, target, status, text)
			require.Equal(t, http.StatusOK, status, target+text)
		}
	}
	for i, name := range names {
		a := list[i+1].Address.String()
		status, text := n.inTime(http.MethodGet, "/api/v2/getTokenData?address="+url.QueryEscape(a), nil)
		requireReadable(t, name, status, text)
		_, text = n.inTime(http.MethodPost, "/graphql", map[string]any{"query": hostileQuery, "variables": map[string]any{"a": a}})
		requireReadable(t, name, http.StatusOK, text)
		require.NotContains(t, text, `"errors"`, name)
	}

	want, err := n.db.Reader().Digest(n.ctx, nil)
	require.NoError(t, err)
	require.Equal(t, want, n.digestBackward())
	_, err = indexer.New(n.devnet.Client, n.db, indexer.Options{}).Redetect(n.ctx, nil, true, func(indexer.Redetection) {})
	require.NoError(t, err)
	again, err := n.db.Reader().Digest(n.ctx, nil)
	require.NoError(t, err)
	require.Equal(t, want, again)
}

// digestBackward returns the digest of an index whose newest block is indexed first.
func (n *localNetwork) digestBackward() digests.Digest {
	n.t.Helper()
	db := testdb.New(n.t)
	latest, err := indexer.ParseFrom("latest")
	require.NoError(n.t, err)
	stop := n.devnet.Index(n.t, db, indexer.Options{From: latest})
	n.devnet.WaitIndexed(n.t, db)
	stop()
	stop = n.devnet.Index(n.t, db, indexer.Options{Batch: 7, Workers: 3})
	require.Eventually(n.t, func() bool {
		ranges, err := db.Reader().Ranges(n.ctx)
		return err == nil && len(ranges) == 1 && ranges[0].First == 1
	}, pacetest.Slow*3*time.Minute, 10*time.Millisecond)
	stop()
	d, err := db.Reader().Digest(n.ctx, nil)
	require.NoError(n.t, err)
	return d
}

const hostileQuery = `query($a: Address!) {
	jettonMaster(address: $a) { totalSupply mintable canMint admin { address } content }
	jettonWallet(address: $a) { balance owner { address } jettonAccount { address } jetton { totalSupply } }
	nftCollection(address: $a) { nextItemIndex owner { address } content }
	nftItem(address: $a) { init index owner { address } seller { address } content domain sale { __typename } sbt { __typename } }
	nftSale(address: $a) { __typename }
	multisigs(where: {addresses: [$a]}) { nodes { threshold nextOrderSeqno signers { address } proposers { address } } }
	multisigOrders(where: {addresses: [$a]}) { nodes { seqno state threshold approvalsMask approvalsNum expiration signers { address } actions { __typename } } }
	account(address: $a) { friendly getMethods { id name } state { status } }
}`
