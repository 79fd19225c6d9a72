package v3_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/trace"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/scenario"
	"tonql/internal/store"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// fixture is a devnet that does not change, with objects of every kind and names for those that requests refer to.
type fixture struct {
	*network
	places scenario.Places
	guest  *contracts.Wallet // has coins, and is deployed by its first message
	names  map[string]string
	lists  map[string]response // full lists already requested
}

// extendScenario adds objects of the faucet to the scenario: a Jetton, a collection's item, domains and a vesting
// wallet. It produces blocks until an item is on sale, then sends two messages that stay pending.
func extendScenario(t *testing.T) *fixture {
	t.Helper()
	n := startNetwork(t, 60)
	places, err := scenario.FindPlaces(n.devnet.Seed(), n.devnet.Chain.GlobalID())
	require.NoError(t, err)
	s := &fixture{network: n, places: places, names: map[string]string{}, lists: map[string]response{}}
	svc := resolvers.New(n.db.Reader(), n.node, resolvers.Options{
		Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond,
		Pending: n.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	})
	t.Cleanup(svc.Close)
	n.testClient = &testClient{t: t, handler: v3.New(svc, v3.Options{Version: "1.4.0", SeqnoWait: 50 * time.Millisecond, Timeout: 30 * time.Second, Fresh: true})}

	s.guest, err = contracts.NewWallet(contracts.V4R2, 0, ed25519.NewKeyFromSeed(slices.Repeat([]byte{0x77}, ed25519.SeedSize)), 0)
	require.NoError(t, err)
	own := n.mint()
	s.own(t)
	s.stake(t)
	s.nameAll(t, own)
	s.waitForSale(t)
	s.sendPending(t)
	return s
}

// own registers domains of the faucet, deploys a vesting wallet, and funds the guest.
func (s *fixture) own(t *testing.T) {
	t.Helper()
	labels := []string{"tulip", "apple", "cherries"}
	vesting := contracts.VestingWallet(contracts.VestingTerms{
		Start: 1_700_000_000, Duration: 1000, Period: 100, Amount: 1e9, Sender: s.faucet.Address, Owner: s.guest.Address, Subwallet: 7,
		Key: s.guest.Key().Public().(ed25519.PublicKey),
	})
	orders := []contracts.Order{{Message: vesting.Deploy(1e9, nil)}}
	for _, label := range labels {
		orders = append(orders, contracts.Order{Message: contracts.Call(s.places.Domains, 5e8, contracts.DNSRegister(label))})
	}
	s.bid("dock", "quay")
	s.order(orders[:4]...)
	s.advance(s.head() + 6)
	orders = []contracts.Order{{Message: contracts.Transfer(s.guest.Address, 5e9, "for the guest")}}
	for _, label := range labels {
		record := contracts.DNSChangeRecord(0, "wallet", contracts.WalletRecord(s.faucet.Address))
		orders = append(orders, contracts.Order{Message: contracts.Call(contracts.DNSItem(s.places.Domains, label).Address, 1e8, record)})
	}
	s.order(orders...)
	s.advance(s.head() + 6)
	s.names["own vesting"] = raw(vesting.Address)
}

// bid opens auctions of domains with bids of the faucet.
func (s *fixture) bid(labels ...string) {
	var orders []contracts.Order
	for _, label := range labels {
		orders = append(orders, contracts.Order{Message: contracts.Call(s.places.Domains, 2e9, contracts.DNSRegister(label))})
	}
	s.order(orders...)
	s.advance(s.head() + 4)
}

// waitForSale produces blocks until a sale or auction contract owns an item.
func (s *fixture) waitForSale(t *testing.T) {
	t.Helper()
	for range 40 {
		for _, item := range rows(s.get("/nft/items?limit=1000"), "nft_items") {
			if item["on_sale"] == true {
				s.names["seller"], _ = item["real_owner"].(string)
				return
			}
		}
		s.advance(s.head() + 1)
	}
	require.Fail(t, "no sale contract owns an item")
}

// sendPending sends two messages through the gateway: the faucet queries an item, and the guest pays.
func (s *fixture) sendPending(t *testing.T) {
	t.Helper()
	item := contracts.NFTItem(s.places.NFTs, 0, contracts.NFTItemCode())
	request := s.sign(s.seqno, contracts.Order{Message: contracts.Call(item.Address, 1e8, contracts.NFTGetStaticData(1))})
	pays := s.fromGuest(t, 0, "for the faucet")
	for name, message := range map[string]*cell.Cell{"queried": request, "paid": pays} {
		s.sendBy(message)
		s.names[name] = base64.StdEncoding.EncodeToString(message.Hash())
	}
	var m tlb.ExternalMessage
	require.NoError(t, tlb.Parse(&m, pays))
	s.names["guest body"] = boc(m.Body)
	require.NoError(t, tlb.Parse(&m, s.fromGuest(t, 0, "for the faucet, with many words")))
	s.names["guest longer body"] = boc(m.Body)
	s.names["guest code"], s.names["guest data"] = boc(s.guest.Init.Code), boc(s.guest.Init.Data)
	s.names["guest next"] = boc(s.fromGuest(t, 0, "once more"))
	require.NoError(t, tlb.Parse(&m, s.sign(s.seqno, contracts.Order{Message: contracts.Transfer(s.guest.Address, 1e8, "hello")})))
	s.names["faucet body"] = boc(m.Body)
	s.names["unsigned body"] = boc(cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreBuilder(rest(t, m.Body, 512)).EndCell())
	s.names["head"] = strconv.Itoa(int(s.head()))
	s.names["item"] = raw(item.Address)
}

// fromGuest returns a signed external message of the guest that pays the faucet.
func (s *fixture) fromGuest(t *testing.T, seqno uint32, text string) *cell.Cell {
	t.Helper()
	ticket := contracts.Ticket{Seqno: seqno, ValidUntil: s.devnet.Chain.Now() + 600, Deploy: true}
	root, err := s.guest.External(ticket, contracts.Order{Message: contracts.Transfer(s.faucet.Address, 1e8, text)})
	require.NoError(t, err)
	return root
}

// nameAll names the objects that requests refer to.
func (s *fixture) nameAll(t *testing.T, own jetton) {
	t.Helper()
	for name, a := range map[string]*address.Address{
		"faucet": s.faucet.Address, "guest": s.guest.Address, "own jetton": own.master.Address, "jetton": s.places.Jettons[0],
		"nfts": s.places.NFTs, "usernames": s.places.Usernames, "vesting": s.places.Vesting, "operator": s.places.Operator,
		"friend": s.places.Actors[5], "vester": s.places.Actors[4],
	} {
		s.names[name] = raw(a)
	}
	for i, a := range s.places.Actors {
		s.names["actor "+strconv.Itoa(i)] = raw(a)
	}
	for i, a := range s.places.Multisigs {
		s.names["multisig "+strconv.Itoa(i)] = raw(a)
	}
	for i, item := range rows(s.get("/nft/items?collection_address="+in(s.places.Usernames)), "nft_items") {
		s.names["username "+strconv.Itoa(i)], _ = item["address"].(string)
	}
	s.names["nobody"] = fmt.Sprintf("0:%064x", 0xee)
	s.names["nothing"] = fmt.Sprintf("%064x", 0xee)
	for _, block := range rows(s.get("/blocks?limit=1000&workchain=-1"), "blocks") {
		seqno := strconv.FormatFloat(block["seqno"].(float64), 'f', 0, 64)
		s.names["lt "+seqno], _ = block["start_lt"].(string)
	}
	s.nameFlow(t)
	s.namePeople(t)
	s.nameSlices()
}

// namePeople names an owner that received and sent Jettons, one that received and sent items, one with items of two
// collections, and an account other than the faucet that a domain resolves to.
func (s *fixture) namePeople(t *testing.T) {
	t.Helper()
	both := func(list []map[string]any, gave, got string) string {
		for _, r := range list {
			who := r[gave]
			if slices.Contains(column(list, got), who) && !slices.Equal(column(list, got), column(list, gave)) {
				name, _ := who.(string)
				return name
			}
		}
		require.Fail(t, "no account both gave and got", "%s, %s", gave, got)
		return ""
	}
	s.names["trader"] = both(rows(s.get("/jetton/transfers?limit=1000"), "jetton_transfers"), "source", "destination")
	s.names["dealer"] = both(rows(s.get("/nft/transfers?limit=1000"), "nft_transfers"), "old_owner", "new_owner")
	collections := map[any]any{}
	for _, item := range rows(s.get("/nft/items?limit=1000"), "nft_items") {
		owner, _ := item["owner_address"].(string)
		if c, ok := collections[owner]; ok && c != item["collection_address"] {
			s.names["collector"] = owner
		}
		collections[owner] = item["collection_address"]
	}
	for _, actor := range s.places.Actors {
		if len(rows(s.get("/dns/records?wallet="+in(actor)), "records")) > 0 {
			s.names["named"] = raw(actor)
		}
	}
}

// nameFlow names the transactions of a trace in which one has both a parent and children, and a message between two.
func (s *fixture) nameFlow(t *testing.T) {
	t.Helper()
	for _, transfer := range rows(s.get("/jetton/transfers?limit=100"), "jetton_transfers") {
		hash, _ := transfer["transaction_hash"].(string)
		of := rows(s.get("/traces?tx_hash="+url.QueryEscape(hash)), "traces")[0]
		order, _ := of["transactions_order"].([]any)
		if len(order) < 5 || s.names["middle"] != "" && order[1] == s.names["middle"] {
			continue
		}
		if s.names["middle"] != "" {
			s.names["other middle"] = hash
			s.names["other trace"], _ = of["trace_id"].(string)
			break
		}
		s.names["middle"] = hash
		s.names["root"], _ = order[0].(string)
		s.names["trace"], _ = of["trace_id"].(string)
		s.names["message"], _ = dig(of["transactions"], hash, "in_msg", "hash").(string)
		s.names["from outside"], _ = of["external_hash"].(string)
	}
	require.NotEmpty(t, s.names["other middle"])
	for i, a := range rows(s.get("/actions?action_type=jetton_transfer&limit=2"), "actions") {
		s.names["action "+strconv.Itoa(i)], _ = a["action_id"].(string)
	}
}

// nameSlices names owners as arguments of get-methods.
func (s *fixture) nameSlices() {
	for name, a := range map[string]*address.Address{"faucet": s.faucet.Address, "friend": s.places.Actors[5]} {
		s.names[name+" slice"] = boc(cell.BeginCell().MustStoreAddr(a).EndCell())
	}
}

// raw returns an address in the format of this API.
func raw(a *address.Address) string { return strings.ToUpper(a.StringRaw()) }

var placeholder = regexp.MustCompile(`\{[a-z]+( [a-z0-9]+)*\}`)

// fill replaces each {name} by the named value.
func (s *fixture) fill(text string, escape func(string) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := s.names[name[1:len(name)-1]]
		require.True(s.t, ok, "the fixture has no %s", name)
		return escape(value)
	})
}
