package store_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// contractFixture has the same contracts in memory and in a database: contracts of every family that change, change
// their owner, are destroyed and are deployed again, and their transfers and burns.
type contractFixture struct {
	db     *store.DB
	r      *store.Reader
	blocks []*chain.MasterBlock
	rng    *rand.Rand

	people, masters, wallets, collections, items, sales, domains, multisigs, orders, vestings []chain.Address

	latest     map[chain.Address]*chain.Contract // the newest detection
	detections []chain.Contract                  // every detection, in order

	transfers []chain.JettonTransfer
	burns     []chain.JettonBurn
	moves     []chain.NFTTransfer
}

func addresses(n int) []chain.Address {
	list := make([]chain.Address, n)
	for i := range list {
		list[i] = testdb.Address()
		list[i].ID[1] = byte(i * 37) // not in the order in which they appear
	}
	return list
}

// newContracts makes the contracts without a database.
func newContracts() *contractFixture {
	m := &contractFixture{
		rng:    rand.New(rand.NewPCG(11, 12)),
		people: addresses(9), masters: addresses(5), wallets: addresses(45), collections: addresses(6), items: addresses(60),
		sales: addresses(14), domains: addresses(12), multisigs: addresses(5), orders: addresses(25), vestings: addresses(8),
		latest: map[chain.Address]*chain.Contract{},
	}
	for seqno := uint32(1); seqno <= 60; seqno++ {
		m.blocks = append(m.blocks, m.block(seqno))
	}
	return m
}

func newContractFixture(t *testing.T) *contractFixture {
	t.Helper()
	m := newContracts()
	m.db = testdb.New(t)
	m.r = m.db.Reader()
	apply(t, m.db.Writer(), m.blocks)
	return m
}

func (m *contractFixture) chance(n int) bool { return m.rng.IntN(n) == 0 }

func (m *contractFixture) one(list []chain.Address) chain.Address { return list[m.rng.IntN(len(list))] }

func (m *contractFixture) maybe(list []chain.Address) *chain.Address {
	if m.chance(4) {
		return nil
	}
	return new(m.one(list))
}

// amount returns one of a few values, so that there are ties, or a very large number.
func (m *contractFixture) amount() *big.Int {
	if m.chance(5) {
		return new(big.Int).Lsh(big.NewInt(int64(1+m.rng.IntN(1000))), uint(m.rng.IntN(240)))
	}
	return big.NewInt(int64(m.rng.IntN(4)) * 1000)
}

// block changes some contracts, each in a separate transaction.
func (m *contractFixture) block(seqno uint32) *chain.MasterBlock {
	mb := testdb.Master(seqno)
	makers := []struct {
		accounts []chain.Address
		record   func(k *chain.Contract)
	}{
		{m.masters, m.master}, {m.wallets, m.wallet}, {m.wallets, m.wallet}, {m.collections, m.collection}, {m.items, m.item},
		{m.items, m.item}, {m.sales, m.sale}, {m.domains, m.domain}, {m.multisigs, m.multisig}, {m.orders, m.order},
		{m.vestings, m.vesting},
	}
	busy := map[chain.Address]bool{}
	for range 3 {
		for _, maker := range makers {
			account := m.one(maker.accounts)
			if busy[account] {
				continue
			}
			busy[account] = true
			tx := testdb.NewTransaction(mb, account)
			k := chain.Contract{
				Account: account, LT: tx.LT, McSeqno: seqno, CodeHash: testdb.Hash(), Interfaces: []string{"some", "thing"},
				Methods: []int32{0, 65536 + int32(m.rng.IntN(100))},
			}
			switch m.rng.IntN(12) {
			case 0: // destroyed: there is nothing to detect
				tx.EndStatus = chain.Nonexist
				m.latest[account] = nil
			case 1: // it has become another contract
				m.addDetection(mb, k)
			case 2: // its claims are not confirmed
				k.Claims = []chain.ContractClaim{
					{Interface: "jetton_wallet", Other: m.one(m.masters), Refuted: m.chance(2)},
					{Interface: "nft_item", Other: m.one(m.collections)},
				}
				m.addDetection(mb, k)
			default:
				maker.record(&k)
				m.addDetection(mb, k)
			}
			mb.Transactions = append(mb.Transactions, tx)
			mb.States = append(mb.States, chain.AccountState{
				Account: account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active,
			})
			if tx.EndStatus == chain.Nonexist {
				mb.States = mb.States[:len(mb.States)-1]
			}
		}
	}
	m.detectAgain(mb)
	m.addTransfers(mb)
	return mb
}

func (m *contractFixture) addDetection(mb *chain.MasterBlock, k chain.Contract) {
	mb.Contracts = append(mb.Contracts, k)
	m.detections = append(m.detections, k)
	m.latest[k.Account] = &m.detections[len(m.detections)-1]
}

// detectAgain adds a second detection of an unchanged account: the first one had claims, this one is confirmed.
func (m *contractFixture) detectAgain(mb *chain.MasterBlock) {
	accounts := []chain.Address{}
	for account, k := range m.latest {
		if k != nil && len(k.Claims) > 0 && k.McSeqno < mb.Block.Seqno && slices.Contains(m.wallets, account) {
			accounts = append(accounts, account)
		}
	}
	slices.SortFunc(accounts, chain.Address.Compare)
	for _, account := range accounts[:min(1, len(accounts))] {
		k := *m.latest[account]
		k.Claims = nil
		m.wallet(&k)
		m.addDetection(mb, k)
	}
}

func (m *contractFixture) content() chain.Content {
	c := chain.Content{"name": "nul \x00 and ünïcode", "uri": strings.Repeat("x", m.rng.IntN(3))}
	if m.chance(3) {
		return chain.Content{}
	}
	return c
}

func (m *contractFixture) master(k *chain.Contract) {
	k.JettonMaster = &chain.JettonMaster{
		Address: k.Account, TotalSupply: m.amount(), Mintable: m.chance(2), Admin: m.maybe(m.people), Content: m.content(),
		WalletCodeHash: testdb.Hash(), CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	if m.chance(3) {
		k.JettonMaster.MintlessRoot, k.JettonMaster.MintlessAPIs = new(testdb.Hash()), []string{"https://a", "https://b"}
	}
}

func (m *contractFixture) wallet(k *chain.Contract) {
	w := &chain.JettonWallet{
		Address: k.Account, Balance: m.amount(), Owner: m.one(m.people), Jetton: m.one(m.masters), LastTxLT: k.LT,
		CodeHash: new(k.CodeHash), DataHash: new(testdb.Hash()),
	}
	if m.chance(4) {
		w.CodeHash, w.DataHash, w.Claimed = nil, nil, new(m.chance(2))
		w.Mintless = &chain.MintlessInfo{Amount: m.amount(), StartFrom: new(uint64(7)), CustomPayloadAPIs: []string{"u"}}
	}
	k.JettonWallet = w
}

func (m *contractFixture) collection(k *chain.Contract) {
	k.NFTCollection = &chain.NFTCollection{
		Address: k.Account, Owner: m.maybe(m.people), NextItemIndex: big.NewInt(-1), Content: m.content(), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
}

func (m *contractFixture) item(k *chain.Contract) {
	i := &chain.NFTItem{
		Address: k.Account, Init: m.chance(2), Index: m.amount(), Collection: m.maybe(m.collections), Owner: m.maybe(m.people),
		Content: m.content(), CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	if m.chance(2) { // owned by a sale contract, which may name another item
		i.Owner = new(m.one(m.sales))
	}
	if m.chance(5) {
		i.SBT, i.Domain = &chain.SBT{Authority: m.maybe(m.people), RevokedAt: 12}, "x.ton"
	}
	k.NFTItem = i
}

func (m *contractFixture) sale(k *chain.Contract) {
	s := &chain.NFTSale{
		Kind: chain.NFTSaleKind(1 + m.rng.IntN(3)), Address: k.Account, NFT: m.maybe(m.items), NFTOwner: m.maybe(m.people),
		Marketplace: m.maybe(m.people), CreatedAt: new(m.rng.Uint32()), Known: !m.chance(6), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	items := []*chain.NFTItem{}
	for _, item := range m.items {
		if c := m.latest[item]; c != nil && c.NFTItem != nil && c.NFTItem.Owner != nil && *c.NFTItem.Owner == k.Account {
			items = append(items, c.NFTItem)
		}
	}
	if len(items) > 0 {
		s.NFT, s.NFTOwner = new(items[0].Address), new(m.one(m.people))
	}
	switch s.Kind {
	case chain.FixedPriceSale:
		s.FixedPrice = &chain.NFTFixedPrice{FullPrice: m.amount(), RoyaltyAddress: m.maybe(m.people)}
	case chain.AuctionSale:
		s.Auction = &chain.NFTAuction{End: true, EndTime: 5, LastBid: m.amount(), LastMember: m.maybe(m.people)}
	case chain.TelemintSale:
		s.Telemint = &chain.TelemintAuction{TokenName: "durov", Bid: m.amount()}
	}
	k.NFTSale = s
}

func (m *contractFixture) domain(k *chain.Contract) {
	owner := m.maybe(m.people)
	k.DNS = &chain.DNSRecord{
		Item: k.Account, Owner: owner, Domain: strings.Repeat("ab", 1+m.rng.IntN(3)) + ".ton", NextResolver: m.maybe(m.people),
		Wallet: m.maybe(m.people), SiteADNL: new(testdb.Hash()), Text: new(""), LastTxLT: k.LT,
	}
	if m.chance(2) {
		k.DNS.Wallet = owner
	}
}

func (m *contractFixture) some(list []chain.Address) []chain.Address {
	return slices.Clone(list[:m.rng.IntN(len(list))])
}

func (m *contractFixture) multisig(k *chain.Contract) {
	k.Multisig = &chain.Multisig{
		Address: k.Account, NextOrderSeqno: m.amount(), Threshold: 2, Signers: m.some(m.people), Proposers: m.some(m.people),
		CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
}

func (m *contractFixture) order(k *chain.Contract) {
	o := &chain.MultisigOrder{
		Address: k.Account, Multisig: m.one(m.multisigs), Seqno: m.amount(), CodeHash: k.CodeHash, DataHash: testdb.Hash(),
		LastTxLT: k.LT,
	}
	if !m.chance(4) {
		o.Threshold, o.SentForExecution, o.ApprovalsMask, o.ApprovalsNum = new(2), new(true), m.amount(), new(1)
		o.Expiration, o.Order, o.Signers = new(int64(-3)), chain.BOC{1, 2}, m.some(m.people)
	}
	k.MultisigOrder = o
}

func (m *contractFixture) vesting(k *chain.Contract) {
	k.Vesting = &chain.Vesting{
		Address: k.Account, StartTime: 1 << 63, TotalDuration: 1<<32 - 1, UnlockPeriod: 3, CliffDuration: 4, TotalAmount: m.amount(),
		Sender: m.one(m.people), Owner: m.one(m.people), Whitelist: m.some(m.people), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
}

// addTransfers adds transfers and burns: some have the same LT, and their times are not in the order of their LTs.
func (m *contractFixture) addTransfers(mb *chain.MasterBlock) {
	for i := range 6 {
		tx := testdb.NewTransaction(mb, chain.Address{})
		tx.LT = mb.Block.StartLT + uint64(i/2)
		now := mb.Block.GenUtime + uint32(m.rng.IntN(3)) // clocks of shards differ slightly
		m.transfers = append(m.transfers, chain.JettonTransfer{
			QueryID: m.rng.Uint64(), Source: m.one(m.people), Destination: m.maybe(m.people), Amount: m.amount(),
			SourceWallet: m.wallets[(i*7+int(mb.Block.Seqno))%len(m.wallets)], Jetton: m.one(m.masters), TxHash: tx.Hash, TxLT: tx.LT, TxNow: now,
			TxAborted: m.chance(6), ResponseDestination: m.maybe(m.people), ForwardAmount: m.amount(), CustomPayload: chain.BOC{1},
		})
		m.burns = append(m.burns, chain.JettonBurn{
			QueryID: 1, Owner: m.one(m.people), JettonWallet: m.wallets[(i*11+int(mb.Block.Seqno))%len(m.wallets)], Jetton: m.one(m.masters),
			TxHash: tx.Hash, TxLT: tx.LT, TxNow: now, TxAborted: m.chance(6), Amount: m.amount(), TraceID: new(testdb.Hash()),
		})
		m.moves = append(m.moves, chain.NFTTransfer{
			NFT: m.items[(i*13+int(mb.Block.Seqno))%len(m.items)], Collection: m.maybe(m.collections), TxHash: tx.Hash, TxLT: tx.LT, TxNow: now,
			TxAborted: m.chance(6), OldOwner: m.one(m.people), NewOwner: m.maybe(m.people), ForwardAmount: m.amount(),
			ForwardPayload: chain.BOC{2},
		})
	}
	n := 6
	mb.JettonTransfers = slices.Clone(m.transfers[len(m.transfers)-n:])
	mb.JettonBurns = slices.Clone(m.burns[len(m.burns)-n:])
	mb.NFTTransfers = slices.Clone(m.moves[len(m.moves)-n:])
}

// records returns the latest records of one kind.
func records[T any](m *contractFixture, of func(*chain.Contract) *T) []T {
	list := []T{}
	for _, k := range m.latest {
		if k != nil && of(k) != nil {
			list = append(list, *of(k))
		}
	}
	return list
}

// among reports whether v is in the list; an empty list contains every v.
func among[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

func amongOptional(list []chain.Address, v *chain.Address) bool {
	return len(list) == 0 || v != nil && slices.Contains(list, *v)
}
