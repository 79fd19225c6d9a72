package storetest

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// Contracts has the same contracts in memory and in a database: contracts of every family that change, change
// their owner, are destroyed and are deployed again, and their transfers and burns.
type Contracts struct {
	DB     *store.DB
	Reader *store.Reader
	Blocks []*chain.MasterBlock
	Rand   *rand.Rand
	pools  *rand.Rand // of the records of pools, which accounts have besides another

	People, Masters, Wallets, Collections, Items, Sales, Domains, Multisigs, Orders, Vestings []chain.Address

	Latest     map[chain.Address]*chain.Contract // the newest detection
	Detections []chain.Contract                  // every detection, in order

	Transfers []chain.JettonTransfer
	Burns     []chain.JettonBurn
	Moves     []chain.NFTTransfer
}

// Addresses returns n new addresses, not in their order.
func Addresses(n int) []chain.Address {
	list := make([]chain.Address, n)
	for i := range list {
		list[i] = testdb.Address()
		list[i].ID[1] = byte(i * 37) // not in the order in which they appear
	}
	return list
}

// NewContracts makes the contracts without a database: DB and Reader are nil.
func NewContracts() *Contracts {
	m := &Contracts{
		Rand:   rand.New(rand.NewPCG(11, 12)),
		pools:  rand.New(rand.NewPCG(13, 14)),
		People: Addresses(9), Masters: Addresses(5), Wallets: Addresses(45), Collections: Addresses(6), Items: Addresses(60),
		Sales: Addresses(14), Domains: Addresses(12), Multisigs: Addresses(5), Orders: Addresses(25), Vestings: Addresses(8),
		Latest: map[chain.Address]*chain.Contract{},
	}
	for seqno := uint32(1); seqno <= 60; seqno++ {
		m.Blocks = append(m.Blocks, m.block(seqno))
	}
	return m
}

// IndexContracts makes the contracts and writes their blocks to a new database.
func IndexContracts(t *testing.T) *Contracts {
	t.Helper()
	m := NewContracts()
	m.DB = testdb.New(t)
	m.Reader = m.DB.Reader()
	Apply(t, m.DB.Writer(), m.Blocks)
	return m
}

// Chance is true once in n.
func (m *Contracts) Chance(n int) bool { return m.Rand.IntN(n) == 0 }

func (m *Contracts) one(list []chain.Address) chain.Address { return list[m.Rand.IntN(len(list))] }

func (m *Contracts) maybe(list []chain.Address) *chain.Address {
	if m.Chance(4) {
		return nil
	}
	return new(m.one(list))
}

// amount returns one of a few values, so that there are ties, or a very large number.
func (m *Contracts) amount() *big.Int {
	if m.Chance(5) {
		return new(big.Int).Lsh(big.NewInt(int64(1+m.Rand.IntN(1000))), uint(m.Rand.IntN(240)))
	}
	return big.NewInt(int64(m.Rand.IntN(4)) * 1000)
}

// block changes some contracts, each in a separate transaction.
func (m *Contracts) block(seqno uint32) *chain.MasterBlock {
	mb := testdb.Master(seqno)
	makers := []struct {
		accounts []chain.Address
		record   func(k *chain.Contract)
	}{
		{m.Masters, m.master}, {m.Wallets, m.wallet}, {m.Wallets, m.wallet}, {m.Collections, m.collection}, {m.Items, m.item},
		{m.Items, m.item}, {m.Sales, m.sale}, {m.Domains, m.domain}, {m.Multisigs, m.multisig}, {m.Orders, m.order},
		{m.Vestings, m.vesting},
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
				Methods: []int32{0, 65536 + int32(m.Rand.IntN(100))},
			}
			switch m.Rand.IntN(12) {
			case 0: // destroyed or frozen: there is nothing to detect
				tx.EndStatus = chain.Nonexist
				if seqno%2 == 0 {
					tx.EndStatus = chain.Frozen
				}
				m.Latest[account] = nil
			case 1, 2: // it has become another contract, or the one that it names does not confirm it
				m.addDetection(mb, k)
			default:
				maker.record(&k)
				m.addDetection(mb, k)
			}
			mb.Transactions = append(mb.Transactions, tx)
			state := chain.AccountState{Account: account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: tx.EndStatus}
			if tx.EndStatus == chain.Nonexist {
				continue
			}
			if tx.EndStatus == chain.Frozen {
				state.FrozenHash = new(testdb.Hash())
			}
			mb.States = append(mb.States, state)
		}
	}
	m.detectAgain(mb)
	m.addTransfers(mb)
	return mb
}

func (m *Contracts) addDetection(mb *chain.MasterBlock, k chain.Contract) {
	mb.Contracts = append(mb.Contracts, k)
	m.Detections = append(m.Detections, k)
	m.Latest[k.Account] = &m.Detections[len(m.Detections)-1]
}

// detectAgain adds a second detection of an unchanged account: only this one is confirmed.
func (m *Contracts) detectAgain(mb *chain.MasterBlock) {
	accounts := []chain.Address{}
	for account, k := range m.Latest {
		if k != nil && k.JettonWallet == nil && k.McSeqno < mb.Block.Seqno && slices.Contains(m.Wallets, account) {
			accounts = append(accounts, account)
		}
	}
	slices.SortFunc(accounts, chain.Address.Compare)
	for _, account := range accounts[:min(1, len(accounts))] {
		k := *m.Latest[account]
		m.wallet(&k)
		m.addDetection(mb, k)
	}
}

func (m *Contracts) content() chain.Content {
	c := chain.Content{"name": "nul \x00 and ünïcode", "uri": strings.Repeat("x", m.Rand.IntN(3))}
	if m.Chance(3) {
		return chain.Content{}
	}
	return c
}

func (m *Contracts) master(k *chain.Contract) {
	k.JettonMaster = &chain.JettonMaster{
		Address: k.Account, TotalSupply: m.amount(), Mintable: m.Chance(2), Admin: m.maybe(m.People), Content: m.content(),
		WalletCodeHash: testdb.Hash(), CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	if m.Chance(3) {
		k.JettonMaster.MintlessRoot, k.JettonMaster.MintlessAPIs = new(testdb.Hash()), []string{"https://a", "https://b"}
	}
}

func (m *Contracts) wallet(k *chain.Contract) {
	w := &chain.JettonWallet{
		Address: k.Account, Balance: m.amount(), Owner: m.one(m.People), Jetton: m.one(m.Masters), LastTxLT: k.LT,
		CodeHash: new(k.CodeHash), DataHash: new(testdb.Hash()),
	}
	if m.Chance(4) {
		w.CodeHash, w.DataHash, w.Claimed = nil, nil, new(m.Chance(2))
		w.Mintless = &chain.MintlessInfo{Amount: m.amount(), StartFrom: new(uint64(7)), ExpireAt: new(uint64(9)), CustomPayloadAPIs: []string{"u"}}
	}
	k.JettonWallet = w
}

func (m *Contracts) collection(k *chain.Contract) {
	k.NFTCollection = &chain.NFTCollection{
		Address: k.Account, Owner: m.maybe(m.People), NextItemIndex: big.NewInt(-1), Content: m.content(), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
}

func (m *Contracts) item(k *chain.Contract) {
	i := &chain.NFTItem{
		Address: k.Account, Init: m.Chance(2), Index: m.amount(), Collection: m.maybe(m.Collections), Owner: m.maybe(m.People),
		Content: m.content(), CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	if m.Chance(2) { // owned by a sale contract, which may name another item
		i.Owner = new(m.one(m.Sales))
	}
	if m.Chance(5) {
		i.SBT, i.Domain = &chain.SBT{Authority: m.maybe(m.People), RevokedAt: 12}, "x.ton"
		i.Content["domain"] = i.Domain
	}
	k.NFTItem = i
}

func (m *Contracts) sale(k *chain.Contract) {
	s := &chain.NFTSale{
		Kind: chain.NFTSaleKind(1 + m.Rand.IntN(3)), Address: k.Account, NFT: m.maybe(m.Items), NFTOwner: m.maybe(m.People),
		Marketplace: m.maybe(m.People), CreatedAt: new(m.Rand.Uint32()), Known: !m.Chance(6), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	items := []*chain.NFTItem{}
	for _, item := range m.Items {
		if c := m.Latest[item]; c != nil && c.NFTItem != nil && c.NFTItem.Owner != nil && *c.NFTItem.Owner == k.Account {
			items = append(items, c.NFTItem)
		}
	}
	if len(items) > 0 {
		s.NFT, s.NFTOwner = new(items[0].Address), new(m.one(m.People))
	}
	switch s.Kind {
	case chain.FixedPriceSale:
		s.FixedPrice = &chain.NFTFixedPrice{FullPrice: m.amount(), RoyaltyAddress: m.maybe(m.People)}
	case chain.AuctionSale:
		s.Auction = &chain.NFTAuction{End: true, EndTime: 5, LastBid: m.amount(), LastMember: m.maybe(m.People)}
	case chain.TelemintSale:
		s.Telemint = &chain.TelemintAuction{TokenName: "durov", Bidder: &m.People[0], Bid: m.amount()}
	}
	k.NFTSale = s
}

func (m *Contracts) domain(k *chain.Contract) {
	owner := m.maybe(m.People)
	k.DNS = &chain.DNSRecord{
		Item: k.Account, Owner: owner, Domain: strings.Repeat("ab", 1+m.Rand.IntN(3)) + ".ton", NextResolver: m.maybe(m.People),
		Wallet: m.maybe(m.People), SiteADNL: new(testdb.Hash()), StorageBag: new(testdb.Hash()), Text: new(""), LastTxLT: k.LT,
	}
	if m.Chance(2) {
		k.DNS.Wallet = owner
	}
	if m.Chance(2) {
		k.DNS.Auction = &chain.DNSAuction{
			Item: k.Account, Domain: k.DNS.Domain, Bidder: m.People[m.Rand.IntN(3)], Bid: m.amount(), EndsAt: uint32(1 + m.Rand.IntN(5)),
			LastFillUp: new(uint32(len(k.DNS.Domain))),
		}
		k.DNS.LastFillUp = k.DNS.Auction.LastFillUp
	}
}

func (m *Contracts) some(list []chain.Address) []chain.Address {
	return slices.Clone(list[:m.Rand.IntN(len(list))])
}

func (m *Contracts) multisig(k *chain.Contract) {
	k.Multisig = &chain.Multisig{
		Address: k.Account, NextOrderSeqno: m.amount(), Threshold: 2, Signers: m.some(m.People), Proposers: m.some(m.People),
		CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
}

func (m *Contracts) order(k *chain.Contract) {
	o := &chain.MultisigOrder{
		Address: k.Account, Multisig: m.one(m.Multisigs), Seqno: m.amount(), CodeHash: k.CodeHash, DataHash: testdb.Hash(),
		LastTxLT: k.LT,
	}
	if !m.Chance(4) {
		o.Threshold, o.SentForExecution, o.ApprovalsMask, o.ApprovalsNum = new(2), new(true), m.amount(), new(1)
		o.Expiration, o.Order, o.Signers = new(int64(-3)), chain.BOC{1, 2}, m.some(m.People)
	}
	k.MultisigOrder = o
}

func (m *Contracts) vesting(k *chain.Contract) {
	k.Vesting = &chain.Vesting{
		Address: k.Account, StartTime: 1 << 63, TotalDuration: 1<<32 - 1, UnlockPeriod: 3, CliffDuration: 4, TotalAmount: m.amount(),
		Sender: m.one(m.People), Owner: m.one(m.People), Whitelist: m.some(m.People), CodeHash: k.CodeHash,
		DataHash: testdb.Hash(), LastTxLT: k.LT,
	}
	if m.pools.IntN(4) > 0 {
		m.pool(k)
	}
}

func (m *Contracts) pool(k *chain.Contract) {
	p := &chain.NominatorPool{Address: k.Account, Validator: m.People[m.pools.IntN(len(m.People))], CodeHash: k.CodeHash, DataHash: testdb.Hash(), LastTxLT: k.LT}
	coins := func() *big.Int { return new(big.Int).SetUint64(m.pools.Uint64() >> m.pools.IntN(64)) }
	for _, who := range m.People[:m.pools.IntN(len(m.People))] {
		p.Nominators = append(p.Nominators, chain.PoolNominator{
			Address: who, Balance: coins(), PendingBalance: coins(), WithdrawalRequested: m.pools.IntN(3) == 0,
		})
	}
	slices.SortFunc(p.Nominators, func(a, b chain.PoolNominator) int { return a.Address.Compare(b.Address) })
	k.NominatorPool = p
}

// textPayload returns a text comment.
func textPayload() chain.BOC {
	const text = "x"
	return cell.BeginCell().MustStoreUInt(0, 32).MustStoreSlice([]byte(text), uint(8*len(text))).EndCell().ToBOC()
}

// addTransfers adds transfers and burns: some have the same LT, and their times are not in the order of their LTs.
func (m *Contracts) addTransfers(mb *chain.MasterBlock) {
	for i := range 6 {
		tx := testdb.NewTransaction(mb, chain.Address{})
		tx.LT = mb.Block.StartLT + 1 + uint64(i/2)        // of no transaction of a contract, whose trace it would have
		now := mb.Block.GenUtime + uint32(m.Rand.IntN(3)) // clocks of shards differ slightly
		m.Transfers = append(m.Transfers, chain.JettonTransfer{
			QueryID: m.Rand.Uint64(), Source: m.one(m.People), Destination: m.maybe(m.People), Amount: m.amount(),
			SourceWallet: m.Wallets[(i*7+int(mb.Block.Seqno))%len(m.Wallets)], Jetton: m.one(m.Masters), TxHash: tx.Hash, TxLT: tx.LT, TxNow: now,
			TxAborted: m.Chance(6), ResponseDestination: m.maybe(m.People), ForwardAmount: m.amount(), CustomPayload: textPayload(),
		})
		m.Burns = append(m.Burns, chain.JettonBurn{
			QueryID: 1, Owner: m.one(m.People), JettonWallet: m.Wallets[(i*11+int(mb.Block.Seqno))%len(m.Wallets)], Jetton: m.one(m.Masters),
			TxHash: tx.Hash, TxLT: tx.LT, TxNow: now, TxAborted: m.Chance(6), Amount: m.amount(), TraceID: new(testdb.Hash()),
			CustomPayload: textPayload(),
		})
		m.Moves = append(m.Moves, chain.NFTTransfer{
			NFT: m.Items[(i*13+int(mb.Block.Seqno))%len(m.Items)], Collection: m.maybe(m.Collections), TxHash: tx.Hash, TxLT: tx.LT, TxNow: now,
			TxAborted: m.Chance(6), OldOwner: m.one(m.People), NewOwner: m.maybe(m.People), ForwardAmount: m.amount(),
			CustomPayload: textPayload(), ForwardPayload: chain.BOC{2},
		})
	}
	n := 6
	mb.JettonTransfers = slices.Clone(m.Transfers[len(m.Transfers)-n:])
	mb.JettonBurns = slices.Clone(m.Burns[len(m.Burns)-n:])
	mb.NFTTransfers = slices.Clone(m.Moves[len(m.Moves)-n:])
}

// Records returns the latest records of one kind.
func Records[T any](m *Contracts, of func(*chain.Contract) *T) []T {
	list := []T{}
	for _, k := range m.Latest {
		if k != nil && of(k) != nil {
			list = append(list, *of(k))
		}
	}
	return list
}
