package dns_test

import (
	"crypto/sha256"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/dns"
	_ "tonql/internal/contract/nft"
	"tonql/internal/devnet/contracts"
)

// records makes a dictionary of records by category.
func records(t testing.TB, list map[string]*cell.Cell) *cell.Cell {
	t.Helper()
	d := cell.NewDict(256)
	for category, record := range list {
		sum := sha256.Sum256([]byte(category))
		key := cell.BeginCell().MustStoreSlice(sum[:], 256).EndCell()
		require.NoError(t, d.Set(key, cell.BeginCell().MustStoreRef(record).EndCell()))
	}
	return d.AsCell()
}

// domainItem makes a domain of the devnet that belongs to the party "owner".
//
//	_ index:uint256 collection:MsgAddress state:(Maybe ^DomainState) = Storage;
//	_ owner:MsgAddress content:^Cell domain:^Cell last_fill_up_time:uint64 auction:(Maybe ^Cell) = DomainState;
func domainItem(collection contracts.Contract, label string, dict *cell.Cell) contract.State {
	c := contracts.DNSItem(collection.Address, label)
	st := contracttest.Deployed(c.Address, c.Init)
	sum := sha256.Sum256([]byte(label))
	content := cell.BeginCell().MustStoreUInt(0, 8).MustStoreMaybeRef(dict).EndCell()
	state := cell.BeginCell().MustStoreAddr(contracttest.Party("owner")).MustStoreRef(content).
		MustStoreRef(cell.BeginCell().MustStoreSlice([]byte(label), uint(len(label))*8).EndCell()).MustStoreUInt(1, 64).
		MustStoreMaybeRef(nil).EndCell()
	st.Data = cell.BeginCell().MustStoreSlice(sum[:], 256).MustStoreAddr(collection.Address).MustStoreMaybeRef(state).EndCell()
	return st
}

func TestDetect_DomainOfTheDevnetHasItsRecords(t *testing.T) {
	t.Parallel()
	collection := contracts.DNSCollection(contracts.OffchainContent("https://dns"))
	zone := contracttest.Deployed(collection.Address, collection.Init)
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	r := contracttest.Runner(t, config, contract.Env{Zones: map[chain.Address]string{zone.Address: ".ton"}}, contract.Options{})
	snapshot := contracttest.Snapshot{}.Add(zone)

	wallet, next, owner := contracttest.Address("wallet"), contracttest.Address("next"), contracttest.Address("owner")
	site, bag := chain.Hash{1}, chain.Hash{2}
	st := domainItem(collection, "alice", records(t, map[string]*cell.Cell{
		"wallet": contracts.WalletRecord(contracttest.Party("wallet")), "site": contracts.SiteRecord(site), "storage": contracts.StorageRecord(bag),
		"text": contracts.TextRecord("hello"), "dns_next_resolver": contracts.NextResolverRecord(contracttest.Party("next")),
	}))
	facts := contracttest.Detect(t, r, snapshot, st)
	text, filled := "hello", uint32(1)
	require.Equal(t, &chain.DNSRecord{
		Item: st.Address, Owner: &owner, Domain: "alice.ton", NextResolver: &next, Wallet: &wallet, SiteADNL: &site,
		StorageBag: &bag, Text: &text, LastFillUp: &filled, ExpiresAt: new(filled + contracts.DNSLease), LastTxLT: 5,
	}, facts.DNS)
	require.Equal(t, "alice.ton", facts.NFTItem.Domain)
	require.Equal(t, chain.Content{"domain": "alice.ton"}, facts.NFTItem.Content)
	require.Contains(t, facts.Interfaces, "dns")

	unnamed := contracttest.Detect(t, r, snapshot, domainItem(collection, "bobby", nil))
	require.Equal(t, &chain.DNSRecord{Item: unnamed.DNS.Item, Owner: &owner, Domain: "bobby.ton", LastFillUp: &filled, ExpiresAt: new(filled + contracts.DNSLease), LastTxLT: 5}, unnamed.DNS)

	free := contracts.DNSItem(collection.Address, "nobody")
	facts = contracttest.Detect(t, r, snapshot, contracttest.Deployed(free.Address, free.Init))
	require.NotNil(t, facts.NFTItem)
	require.Nil(t, facts.DNS, "a free name has no record")

	// The same item is an ordinary NFT if its collection is no zone, and has no record at another address.
	elsewhere := st
	elsewhere.Address = contracttest.Address("elsewhere")
	require.Nil(t, contracttest.Detect(t, r, snapshot, elsewhere).DNS)
	plain := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	facts = contracttest.Detect(t, plain, snapshot, st)
	require.NotNil(t, facts.NFTItem)
	require.Empty(t, facts.NFTItem.Domain)
	require.Nil(t, facts.DNS)
}

// What a contract returns that can be no auction of the chain is none: anyone can make items of another top-level domain.
func TestDetect_AuctionOfADomain(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	collection := contracttest.Account("collection", map[string]*cell.Cell{
		"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("item")), "get_nft_content": contracttest.Asm("f22a"),
	})
	r := contracttest.Runner(t, config, contract.Env{Zones: map[chain.Address]string{collection.Address: ".ton"}}, contract.Options{})
	bidder, external := contracttest.Address("bidder"), cell.BeginCell().MustStoreUInt(1, 2).MustStoreUInt(8, 9).MustStoreUInt(7, 8).EndCell()
	large := new(big.Int).Lsh(big.NewInt(1), 120)
	for _, tc := range []struct {
		name   string
		method *cell.Cell
		want   *chain.DNSAuction
	}{
		{"open or ended", contracttest.MethodReturning(0, bidder, 5, 1_700_000_000), &chain.DNSAuction{Bidder: bidder, Bid: big.NewInt(5), EndsAt: 1_700_000_000}},
		{"none", contracttest.MethodReturning(0, nil, 0, 0), nil},
		{"without a bidder", contracttest.MethodReturning(0, nil, 5, 1_700_000_000), nil},
		{"of an external address", contracttest.MethodReturning(0, external, 5, 1_700_000_000), nil},
		{"without an end", contracttest.MethodReturning(0, bidder, 5, 0), nil},
		{"with an end after all time", contracttest.MethodReturning(0, bidder, 5, 1<<32), nil},
		{"with a negative bid", contracttest.MethodReturning(0, bidder, -5, 1_700_000_000), nil},
		{"with a bid that is no coins", contracttest.MethodReturning(0, bidder, large, 1_700_000_000), nil},
		{"of too few values", contracttest.MethodReturning(0, bidder, 5), nil},
		{"that throws", contracttest.Asm("f22a"), nil},
	} {
		item := contracttest.Account("item", map[string]*cell.Cell{
			"get_nft_data": contracttest.MethodReturning(0, -1, 1, collection.Address, nil, contracttest.Asm("")),
			"get_domain":   contracttest.MethodReturning(0, "dock"), "dnsresolve": contracttest.MethodReturning(2, 8, nil),
			"get_last_fill_up_time": contracttest.MethodReturning(0, 9), "get_auction_info": tc.method,
		})
		facts := contracttest.Detect(t, r, contracttest.Snapshot{}.Add(collection), item)
		require.NotNil(t, facts.DNS, tc.name)
		if tc.want != nil {
			tc.want.Item, tc.want.Domain, tc.want.LastFillUp = item.Address, "dock.ton", new(uint32(9))
		}
		require.Equal(t, tc.want, facts.DNS.Auction, tc.name)
	}
}

// A confirmed item whose own methods fail has no name, or a name without records.
// A user name of Telegram has metadata in a document, whose address stays beside the domain.
func TestDetect_UserNamesKeepTheAddressOfTheirMetadata(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	names, err := chain.ParseAddress("0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2")
	require.NoError(t, err)
	const uri = "https://nft.fragment.com/username/durov.json"
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake(uri).EndCell()
	owner := contracttest.Address("owner")
	collection := contracttest.Account("collection", map[string]*cell.Cell{
		"get_collection_data":      contracttest.MethodReturning(0, -1, content, owner),
		"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("item")),
		"get_nft_content":          contracttest.MethodReturning(2, content),
	})
	collection.Address = names
	item := contracttest.Account("item", map[string]*cell.Cell{
		"get_nft_data":            contracttest.MethodReturning(0, -1, 3, names, owner, content),
		"get_telemint_token_name": contracttest.MethodReturning(0, "durov"),
		"dnsresolve":              contracttest.MethodReturning(2, 8, nil),
	})
	r := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}.Add(collection), item)
	require.Equal(t, chain.Content{"domain": "durov.t.me", "uri": uri}, facts.NFTItem.Content)
}

func TestDetect_ItemsWithBadMethodsHaveNoNameOrRecords(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	collection := contracttest.Account("collection", map[string]*cell.Cell{
		"get_nft_address_by_index": contracttest.MethodReturning(1, contracttest.Address("item")), "get_nft_content": contracttest.Asm("f22a"),
	})
	r := contracttest.Runner(t, config, contract.Env{Zones: map[chain.Address]string{collection.Address: ".t.me"}}, contract.Options{})
	item := func(methods map[string]*cell.Cell) contract.State {
		methods["get_nft_data"] = contracttest.MethodReturning(0, -1, 1, collection.Address, contracttest.Address("owner"), contracttest.Asm(""))
		return contracttest.Account("item", methods)
	}
	for _, tc := range []struct {
		name    string
		methods map[string]*cell.Cell
		want    string // domain; empty for none
	}{
		{"telemint name", map[string]*cell.Cell{"get_telemint_token_name": contracttest.MethodReturning(0, "durov"), "dnsresolve": contracttest.MethodReturning(2, 8, records(t, nil))}, "durov.t.me"},
		{"records that throw", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "durov"), "dnsresolve": contracttest.Asm("f22a")}, "durov.t.me"},
		{"records of nonsense", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "durov"), "dnsresolve": contracttest.MethodReturning(2, 8, contracttest.Asm("ffff"))}, "durov.t.me"},
		{"records that are a number", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "durov"), "dnsresolve": contracttest.MethodReturning(2, 8, 8)}, "durov.t.me"},
		{"no name", map[string]*cell.Cell{"dnsresolve": contracttest.MethodReturning(2, 8, nil)}, ""},
		{"empty name", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, ""), "dnsresolve": contracttest.MethodReturning(2, 8, nil)}, ""},
		{"name with a dot", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "a.b"), "dnsresolve": contracttest.MethodReturning(2, 8, nil)}, ""},
		{"name of control characters", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "a\nb"), "dnsresolve": contracttest.MethodReturning(2, 8, nil)}, ""},
		{"name that is no text", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "\xff\xfe"), "dnsresolve": contracttest.MethodReturning(2, 8, nil)}, ""},
		{"only the second method returns a name", map[string]*cell.Cell{"get_domain": contracttest.Asm("f22a"), "get_telemint_token_name": contracttest.MethodReturning(0, "ok"), "dnsresolve": contracttest.MethodReturning(2, 8, nil)}, "ok.t.me"},
		{"does not resolve", map[string]*cell.Cell{"get_domain": contracttest.MethodReturning(0, "durov")}, ""},
	} {
		facts := contracttest.Detect(t, r, contracttest.Snapshot{}.Add(collection), item(tc.methods))
		require.NotNil(t, facts.NFTItem, tc.name)
		require.Equal(t, tc.want, facts.NFTItem.Domain, tc.name)
		require.Equal(t, tc.want != "", facts.DNS != nil, tc.name)
	}
}

func TestParseRecords_SkipsUnreadableRecords(t *testing.T) {
	t.Parallel()
	wallet := contracttest.Address("wallet")
	withCaps := cell.BeginCell().MustStoreUInt(0x9fd3, 16).MustStoreAddr(contracttest.Party("wallet")).MustStoreUInt(1, 8).MustStoreUInt(0, 1).EndCell()
	two := cell.BeginCell().MustStoreUInt(0x1eda, 16).MustStoreUInt(2, 8).MustStoreUInt(2, 8).MustStoreSlice([]byte("ab"), 16).
		MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).MustStoreSlice([]byte("c"), 8).EndCell()).EndCell()
	text := "abc"
	for _, tc := range []struct {
		name string
		list map[string]*cell.Cell
		want dns.Records
	}{
		{"none", nil, dns.Records{}},
		{"wallet with capabilities", map[string]*cell.Cell{"wallet": withCaps}, dns.Records{Wallet: &wallet}},
		{"wallet of addr_none", map[string]*cell.Cell{"wallet": cell.BeginCell().MustStoreUInt(0x9fd3, 16).MustStoreUInt(0, 2).EndCell()}, dns.Records{}},
		{"wallet cut short", map[string]*cell.Cell{"wallet": cell.BeginCell().MustStoreUInt(0x9fd3, 16).EndCell()}, dns.Records{}},
		{"another record under wallet", map[string]*cell.Cell{"wallet": contracts.SiteRecord([32]byte{1})}, dns.Records{}},
		{"text in two chunks", map[string]*cell.Cell{"text": two}, dns.Records{Text: &text}},
		{"text without its second chunk", map[string]*cell.Cell{"text": cell.BeginCell().MustStoreUInt(0x1eda, 16).MustStoreUInt(2, 8).MustStoreUInt(0, 8).EndCell()}, dns.Records{}},
		{"text that is none", map[string]*cell.Cell{"text": contracts.TextRecord("\xff")}, dns.Records{}},
		{"unknown category", map[string]*cell.Cell{"profile": contracts.TextRecord("x")}, dns.Records{}},
	} {
		require.Equal(t, tc.want, dns.ParseRecords(records(t, tc.list)), tc.name)
	}
	require.Equal(t, dns.Records{}, dns.ParseRecords(nil))

	// A record in place of a reference is read too.
	sum := sha256.Sum256([]byte("wallet"))
	d := cell.NewDict(256)
	require.NoError(t, d.Set(cell.BeginCell().MustStoreSlice(sum[:], 256).EndCell(), contracts.WalletRecord(contracttest.Party("wallet"))))
	require.Equal(t, dns.Records{Wallet: &wallet}, dns.ParseRecords(d.AsCell()))
}

func FuzzParseRecords_TextHasNoNUL(f *testing.F) {
	f.Add(contracttest.Seed(records(f, map[string]*cell.Cell{
		"wallet": contracts.WalletRecord(contracttest.Party("w")), "site": contracts.SiteRecord([32]byte{1}), "text": contracts.TextRecord("x"),
	})))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		if text := dns.ParseRecords(c).Text; text != nil {
			require.False(t, strings.ContainsRune(*text, 0))
		}
	})
}
