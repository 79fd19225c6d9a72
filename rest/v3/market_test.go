package v3_test

import (
	"context"
	"encoding/hex"
	"math/big"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// The market is a fixture of contracts, in masterchain blocks 31 to 33. Accounts are named by a letter and a number,
// and sort that way:
//
//	A1 A2 A3     people
//	C1 C2        collections of A1 and A2
//	D1 D2 D3     domains: alice.ton and b.ton resolve to A1, carol.t.me to A2; b.ton belongs to A2
//	G1 G2        multisig wallets: A1 and A2 sign for G1, where A3 may propose; A3 signs for G2
//	I11 … I14    items of C1, numbers 1 to 4; I21 item of C2; I30 an item of its own
//	M1 M2 M3     Jettons, M3 mintless; A1 and A2 are the admins of M1 and M2
//	O1 O2 O3     orders of G1 (0 and 1) and of G2 (0)
//	S1 S2 S3     a sale of I12 by A1, an auction of I13 by A2, an unknown sale of I14
//	V1 V2        vesting wallets
//	W11 … W33    Jetton wallets: W21 holds M1 for A2
//
// Transfers are named in the same way, by the hash of their transaction.
const marketMc = 31

// at is the address of a name.
func at(name string) chain.Address {
	n, err := strconv.ParseUint(name[1:], 10, 8)
	if err != nil {
		panic(err)
	}
	return chain.Address{ID: chain.Hash{0: name[0], 31: byte(n)}}
}

func ref(name string) *chain.Address { return new(at(name)) }

func several(names ...string) []chain.Address {
	list := make([]chain.Address, len(names))
	for i, name := range names {
		list[i] = at(name)
	}
	return list
}

var (
	namePattern = regexp.MustCompile(`\b[A-Z][0-9]{1,2}\b`)
	rawPattern  = regexp.MustCompile(`0:([0-9A-F]{2})0{60}([0-9A-F]{2})`)
)

// expand replaces names by addresses.
func expand(query string) string {
	return namePattern.ReplaceAllStringFunc(query, func(name string) string { return url.QueryEscape(at(name).String()) })
}

// named replaces addresses by names.
func named(text string) string {
	return rawPattern.ReplaceAllStringFunc(text, func(raw string) string {
		b, err := hex.DecodeString(raw[2:4] + raw[len(raw)-2:])
		if err != nil {
			panic(err)
		}
		return string(rune(b[0])) + strconv.Itoa(int(b[1]))
	})
}

// labels lists one member of rows by names.
func labels(rows any, member string) string {
	var list []string
	for _, row := range rows.([]any) {
		text := row.(map[string]any)[member].(string)
		if h, err := chain.ParseHash(text); err == nil {
			text = chain.Address{ID: h}.String()
		}
		list = append(list, named(text))
	}
	return strings.Join(list, " ")
}

// keys lists the addresses of an address book or of metadata by names.
func keys(object any) []string {
	list := []string{}
	for key := range object.(map[string]any) {
		list = append(list, named(key))
	}
	return list
}

// stand returns an active contract without a record.
func stand(name string, mb *chain.MasterBlock) chain.Contract {
	return chain.Contract{
		Account: at(name), LT: mb.Block.StartLT + 1, McSeqno: mb.Block.Seqno, CodeHash: chain.Hash{0: name[0]},
		Interfaces: []string{}, Methods: []int32{},
	}
}

// state returns the active state of a contract of the market.
func state(name string, mb *chain.MasterBlock) chain.AccountState {
	s := testdb.NewState(mb, at(name))
	s.CodeHash = &chain.Hash{0: name[0]}
	return s
}

func jettons(mb *chain.MasterBlock) (list []chain.Contract) {
	add := func(name string, edit func(*chain.Contract)) {
		c := stand(name, mb)
		edit(&c)
		list = append(list, c)
	}
	for name, m := range map[string]chain.JettonMaster{
		"M1": {Mintable: true, Admin: ref("A1"), TotalSupply: big.NewInt(150), Content: chain.Content{"uri": "https://a.example", "symbol": "A"}},
		"M2": {Admin: ref("A2"), TotalSupply: new(big.Int).Lsh(big.NewInt(1), 70), Content: chain.Content{"name": "B"}},
		"M3": {TotalSupply: big.NewInt(9), Content: chain.Content{}, MintlessRoot: &chain.Hash{1}, MintlessAPIs: []string{"https://api.example"}},
	} {
		add(name, func(c *chain.Contract) {
			m.Address, m.CodeHash, m.DataHash, m.LastTxLT, m.WalletCodeHash = c.Account, c.CodeHash, chain.Hash{5}, c.LT, chain.Hash{0: 'W'}
			c.JettonMaster, c.Interfaces = &m, []string{"jetton_master"}
		})
	}
	for name, w := range map[string]chain.JettonWallet{
		"W11": {Owner: at("A1"), Jetton: at("M1"), Balance: big.NewInt(100)},
		"W12": {Owner: at("A1"), Jetton: at("M2"), Balance: new(big.Int)},
		"W21": {Owner: at("A2"), Jetton: at("M1"), Balance: big.NewInt(50)},
		"W22": {Owner: at("A2"), Jetton: at("M2"), Balance: new(big.Int).Lsh(big.NewInt(1), 70)},
		"W33": {Owner: at("A3"), Jetton: at("M3"), Balance: new(big.Int), Claimed: new(false), Mintless: &chain.MintlessInfo{
			Amount: big.NewInt(7), StartFrom: new(uint64(5)), CustomPayloadAPIs: []string{"https://api.example"},
		}},
	} {
		add(name, func(c *chain.Contract) {
			w.Address, w.CodeHash, w.DataHash, w.LastTxLT = c.Account, &c.CodeHash, &chain.Hash{6}, c.LT
			c.JettonWallet, c.Interfaces, c.Methods = &w, []string{"jetton_wallet"}, []int32{97026}
		})
	}
	return list
}

func nfts(mb *chain.MasterBlock) (list []chain.Contract) {
	for name, owner := range map[string]string{"C1": "A1", "C2": "A2"} {
		c := stand(name, mb)
		c.NFTCollection = &chain.NFTCollection{
			Address: c.Account, Owner: ref(owner), NextItemIndex: big.NewInt(5), Content: chain.Content{"uri": "https://c.example/" + name},
			CodeHash: c.CodeHash, DataHash: chain.Hash{7}, LastTxLT: c.LT,
		}
		list = append(list, c)
	}
	big255 := new(big.Int).Lsh(big.NewInt(1), 255)
	for i, n := range []struct {
		name, collection, owner string
		index                   *big.Int
	}{
		{"I11", "C1", "A1", big.NewInt(1)}, {"I12", "C1", "S1", big.NewInt(2)}, {"I13", "C1", "S2", big.NewInt(3)},
		{"I14", "C1", "S3", big.NewInt(4)}, {"I21", "C2", "A1", big255}, {"I30", "", "A2", new(big.Int)},
	} {
		c := stand(n.name, mb)
		c.LT += uint64(10 - i)
		c.NFTItem = &chain.NFTItem{
			Address: c.Account, Init: true, Index: n.index, Owner: ref(n.owner), Content: chain.Content{"uri": n.name},
			CodeHash: c.CodeHash, DataHash: chain.Hash{8}, LastTxLT: c.LT,
		}
		if n.collection != "" {
			c.NFTItem.Collection = ref(n.collection)
		}
		list = append(list, c)
	}
	for name, s := range map[string]chain.NFTSale{
		"S1": {Kind: chain.FixedPriceSale, NFT: ref("I12"), NFTOwner: ref("A1"), Known: true, FixedPrice: &chain.NFTFixedPrice{FullPrice: big.NewInt(9)}},
		"S2": {Kind: chain.AuctionSale, NFT: ref("I13"), NFTOwner: ref("A2"), Known: true, Auction: &chain.NFTAuction{EndTime: 5, MinBid: big.NewInt(3)}},
		"S3": {Kind: chain.FixedPriceSale, NFT: ref("I14"), NFTOwner: ref("A1"), FixedPrice: &chain.NFTFixedPrice{}},
	} {
		c := stand(name, mb)
		s.Address, s.Marketplace, s.CodeHash, s.DataHash, s.LastTxLT = c.Account, ref("A3"), c.CodeHash, chain.Hash{9}, c.LT
		c.NFTSale = &s
		list = append(list, c)
	}
	return list
}

func domains(mb *chain.MasterBlock) (list []chain.Contract) {
	for name, d := range map[string]chain.DNSRecord{
		"D1": {Domain: "alice.ton", Owner: ref("A1"), Wallet: ref("A1"), SiteADNL: &chain.Hash{0: 0xab}},
		"D2": {Domain: "b.ton", Owner: ref("A2"), Wallet: ref("A1")},
		"D3": {Domain: "carol.t.me", Owner: ref("A2"), Wallet: ref("A2"), NextResolver: ref("A3"), StorageBag: &chain.Hash{0: 0xcd}},
	} {
		c := stand(name, mb)
		d.Item, d.LastTxLT = c.Account, c.LT
		c.DNS = &d
		c.NFTItem = &chain.NFTItem{
			Address: c.Account, Init: true, Index: new(big.Int).SetBytes([]byte(d.Domain)), Owner: d.Owner, Content: chain.Content{},
			Domain: d.Domain, CodeHash: c.CodeHash, LastTxLT: c.LT,
		}
		list = append(list, c)
	}
	return list
}

func multisigs(t testing.TB, mb *chain.MasterBlock) (list []chain.Contract) {
	t.Helper()
	for name, m := range map[string]chain.Multisig{
		"G1": {NextOrderSeqno: big.NewInt(2), Threshold: 2, Signers: several("A1", "A2"), Proposers: several("A3")},
		"G2": {NextOrderSeqno: big.NewInt(-1), Threshold: 1, Signers: several("A3"), Proposers: []chain.Address{}},
	} {
		c := stand(name, mb)
		m.Address, m.CodeHash, m.DataHash, m.LastTxLT = c.Account, c.CodeHash, chain.Hash{10}, c.LT
		c.Multisig = &m
		list = append(list, c)
	}
	send, sendHash := sendOrder(t, at("A3"), "thanks")
	broken, _ := chaintest.Body(7, 7)
	for name, o := range map[string]chain.MultisigOrder{
		"O1": {
			Multisig: at("G1"), Seqno: new(big.Int), Threshold: new(2), SentForExecution: new(true), ApprovalsMask: big.NewInt(3),
			ApprovalsNum: new(2), Expiration: new(int64(1_800_000_000)), Order: send, Signers: several("A1", "A2"), DataHash: sendHash,
		},
		"O2": {
			Multisig: at("G1"), Seqno: big.NewInt(1), Threshold: new(2), SentForExecution: new(false), ApprovalsMask: new(big.Int),
			ApprovalsNum: new(0), Expiration: new(int64(1_800_000_000)), Order: broken, Signers: several("A1", "A2"),
		},
		"O3": {Multisig: at("G2"), Seqno: new(big.Int)},
	} {
		c := stand(name, mb)
		o.Address, o.CodeHash, o.LastTxLT = c.Account, c.CodeHash, c.LT
		c.MultisigOrder = &o
		list = append(list, c)
	}
	return list
}

// sendOrder returns an order that pays one nanoton with a comment.
func sendOrder(t testing.TB, to chain.Address, text string) (chain.BOC, chain.Hash) {
	t.Helper()
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, Bounce: true, DstAddr: address.NewAddress(0, byte(to.Workchain), to.ID[:]), Amount: tlb.FromNanoTONU(1),
		Body: cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte(text), uint(len(text))*8).EndCell(),
	})
	require.NoError(t, err)
	action := cell.BeginCell().MustStoreUInt(0xf1381e5b, 32).MustStoreUInt(3, 8).MustStoreRef(message).EndCell()
	actions := cell.NewDict(8)
	require.NoError(t, actions.SetIntKey(new(big.Int), cell.BeginCell().MustStoreRef(action).EndCell()))
	root := actions.AsCell()
	return root.ToBOC(), chain.HashFrom(root.Hash())
}

func vestings(mb *chain.MasterBlock) (list []chain.Contract) {
	for name, v := range map[string]chain.Vesting{
		"V1": {Owner: at("A1"), Sender: at("A2"), Whitelist: several("A3"), TotalAmount: new(big.Int).Lsh(big.NewInt(1), 66), StartTime: 1_700_000_000, TotalDuration: 1000, UnlockPeriod: 100, CliffDuration: 200},
		"V2": {Owner: at("A2"), Sender: at("A2"), Whitelist: []chain.Address{}, TotalAmount: big.NewInt(1)},
	} {
		c := stand(name, mb)
		v.Address, v.CodeHash, v.DataHash, v.LastTxLT = c.Account, c.CodeHash, chain.Hash{11}, c.LT
		c.Vesting = &v
		list = append(list, c)
	}
	return list
}

// ordered adds the transfers and burns of the market: X1 in block 31 to X3 in block 33.
func ordered(mb *chain.MasterBlock) {
	k := int(mb.Block.Seqno - marketMc)
	lt, now := mb.Block.StartLT, mb.Block.GenUtime
	thanks := cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte("thanks"), 48).EndCell().ToBOC()
	transfer := []chain.JettonTransfer{
		{Source: at("A1"), Destination: ref("A2"), SourceWallet: at("W11"), Jetton: at("M1"), ForwardPayload: thanks, ResponseDestination: ref("A1")},
		{Source: at("A2"), Destination: ref("A1"), SourceWallet: at("W21"), Jetton: at("M1")},
		{Source: at("A1"), Destination: ref("A3"), SourceWallet: at("W12"), Jetton: at("M2")},
	}[k]
	transfer.QueryID, transfer.Amount, transfer.ForwardAmount = uint64(k), big.NewInt(10), big.NewInt(1)
	transfer.TxHash, transfer.TxLT, transfer.TxNow = at("T"+strconv.Itoa(k+1)).ID, lt+2, now
	aborted := transfer
	aborted.TxHash, aborted.TxLT, aborted.TxAborted = at("T9").ID, lt+3, true
	mb.JettonTransfers = []chain.JettonTransfer{transfer, aborted}

	burn := []chain.JettonBurn{
		{Owner: at("A1"), JettonWallet: at("W11"), Jetton: at("M1"), CustomPayload: thanks},
		{Owner: at("A2"), JettonWallet: at("W22"), Jetton: at("M2"), TxAborted: true, ResponseDestination: ref("A3")},
		{Owner: at("A1"), JettonWallet: at("W12"), Jetton: at("M2")},
	}[k]
	burn.Amount, burn.TxHash, burn.TxLT, burn.TxNow = big.NewInt(1), at("B"+strconv.Itoa(k+1)).ID, lt+4, now
	mb.JettonBurns = []chain.JettonBurn{burn}

	nft := []chain.NFTTransfer{
		{NFT: at("I11"), Collection: ref("C1"), OldOwner: at("A2"), NewOwner: ref("A1"), ForwardPayload: thanks},
		{NFT: at("I12"), Collection: ref("C1"), OldOwner: at("A1"), NewOwner: ref("S1")},
		{NFT: at("I30"), OldOwner: at("A1"), NewOwner: ref("A3"), TxAborted: true},
	}[k]
	nft.ForwardAmount, nft.TxHash, nft.TxLT, nft.TxNow = big.NewInt(1), at("N"+strconv.Itoa(k+1)).ID, lt+5, now
	mb.NFTTransfers = []chain.NFTTransfer{nft}
}

// market indexes the market, and fetches the content of M1, which succeeds, and of C1, which fails.
func market(t testing.TB) *testClient {
	t.Helper()
	db := testdb.New(t)
	for k := uint32(marketMc); k < marketMc+3; k++ {
		mb := testdb.Master(k, ordered)
		if k == marketMc {
			for _, list := range [][]chain.Contract{jettons(mb), nfts(mb), domains(mb), multisigs(t, mb), vestings(mb)} {
				mb.Contracts = append(mb.Contracts, list...)
			}
			mb.States = append(mb.States, state("M1", mb), state("W11", mb), state("A1", mb))
		}
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
	}
	follow(t, db)
	return open(t, db)
}

func follow(t testing.TB, db *store.DB) {
	t.Helper()
	queue := db.MetadataQueue()
	jobs, err := queue.Next(context.Background(), 100)
	require.NoError(t, err)
	require.NotEmpty(t, jobs)
	for _, job := range jobs {
		found := &chain.Metadata{Address: job.Address, Kind: job.Kind, Indexed: true}
		switch job.Address {
		case at("M1"):
			found.Valid, found.Name, found.Symbol = true, "Jetton A", "A"
			found.Extra = map[string]any{"decimals": "9"}
		case at("C1"):
			found.Reason, found.Error = "size", "the document is too large"
		default:
			continue
		}
		require.NoError(t, queue.Store(context.Background(), chain.MetadataResult{Job: job, Metadata: found}))
	}
}
