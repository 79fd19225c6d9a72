package loaders

import (
	"context"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Index is the part of the store that loaders read. Rows come in any order; missing ones are left out.
type Index interface {
	BlocksByID(ctx context.Context, ids []chain.BlockID) ([]chain.Block, error)
	BlocksOfMasterchain(ctx context.Context, mcSeqnos []uint32) (map[uint32][]chain.Block, error)
	TransactionsByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.Transaction, error)
	TransactionsByHash(ctx context.Context, hashes []chain.Hash) ([]chain.Transaction, error)
	TransactionsOfAccounts(ctx context.Context, accounts []chain.Address, page chain.Page) (map[chain.Address][]chain.Transaction, error)
	TransactionsOfBlocks(ctx context.Context, ids []chain.BlockID, page chain.Page) (map[chain.BlockID][]chain.Transaction, error)
	TransactionBOCs(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]chain.BOC, error)
	MessagesByKey(ctx context.Context, keys []chain.MessageKey) ([]chain.Message, error)
	MessagesSentBy(ctx context.Context, txs []chain.TransactionKey) (map[chain.TransactionKey][]chain.Message, error)
	MessagesOfAccounts(ctx context.Context, accounts []chain.Address, side chain.Direction, page chain.Page) (map[chain.Address][]chain.Message, error)
	AccountStates(ctx context.Context, f chain.AccountFilter, page chain.Page) ([]chain.AccountState, error)
	AccountStatesAt(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error)
	Cells(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error)
	JettonMasters(ctx context.Context, f chain.JettonMasterFilter, page chain.Page) ([]chain.JettonMaster, error)
	JettonWallets(ctx context.Context, f chain.JettonWalletFilter, page chain.Page) ([]chain.JettonWallet, error)
	JettonWalletsOfOwners(ctx context.Context, owners []chain.Address, c chain.JettonWalletChoice, page chain.Page) (map[chain.Address][]chain.JettonWallet, error)
	JettonWalletsOfMasters(ctx context.Context, masters []chain.Address, c chain.JettonWalletChoice, page chain.Page) (map[chain.Address][]chain.JettonWallet, error)
	JettonTransfersOf(ctx context.Context, parents []chain.Address, c chain.TransferChoice, page chain.Page) (map[chain.Address][]chain.JettonTransfer, error)
	JettonBurnsOf(ctx context.Context, parents []chain.Address, c chain.TransferChoice, page chain.Page) (map[chain.Address][]chain.JettonBurn, error)
	NFTCollections(ctx context.Context, f chain.NFTCollectionFilter, page chain.Page) ([]chain.NFTCollection, error)
	NFTItems(ctx context.Context, f chain.NFTItemFilter, page chain.Page) ([]chain.NFTItem, error)
	NFTItemsOfOwners(ctx context.Context, owners []chain.Address, page chain.Page) (map[chain.Address][]chain.NFTItem, error)
	NFTItemsOfCollections(ctx context.Context, collections []chain.Address, page chain.Page) (map[chain.Address][]chain.NFTItem, error)
	NFTSales(ctx context.Context, addresses []chain.Address) ([]chain.NFTSale, error)
	NFTTransfersOf(ctx context.Context, parents []chain.Address, c chain.TransferChoice, page chain.Page) (map[chain.Address][]chain.NFTTransfer, error)
	DNSRecordsByItem(ctx context.Context, items []chain.Address) ([]chain.DNSRecord, error)
	DNSRecordsOfWallets(ctx context.Context, wallets []chain.Address, page chain.Page) (map[chain.Address][]chain.DNSRecord, error)
	Multisigs(ctx context.Context, f chain.MultisigFilter, page chain.Page) ([]chain.Multisig, error)
	MultisigsOfMembers(ctx context.Context, members []chain.Address, page chain.Page) (map[chain.Address][]chain.Multisig, error)
	MultisigOrders(ctx context.Context, f chain.OrderFilter, page chain.Page) ([]chain.MultisigOrder, error)
	OrderExecutions(ctx context.Context, orders []chain.OrderKey) ([]chain.OrderExecution, error)
	OrdersOfMultisigs(ctx context.Context, multisigs []chain.Address, page chain.Page) (map[chain.Address][]chain.MultisigOrder, error)
	Vestings(ctx context.Context, f chain.VestingFilter, page chain.Page) ([]chain.Vesting, error)
	VestingsOfWallets(ctx context.Context, wallets []chain.Address, page chain.Page) (map[chain.Address][]chain.Vesting, error)
	JettonBalancesOf(ctx context.Context, wallets []chain.Address, page chain.Page) (map[chain.Address][]chain.JettonBalancePoint, error)
	NFTOwnersOf(ctx context.Context, items []chain.Address, page chain.Page) (map[chain.Address][]chain.NFTOwnerPoint, error)
	Counts(ctx context.Context, accounts []chain.Address, what chain.Counted) (map[chain.Address]chain.CappedCount, error)
	MismatchesByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.ReplayMismatch, error)
	UnverifiedByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.UnverifiedTransaction, error)
	AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error)
	Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error)
	TracesByID(ctx context.Context, ids []chain.Hash) ([]chain.Trace, error)
	FullTraces(ctx context.Context, traces []chain.Trace, with chain.TraceInclude) ([]chain.FullTrace, error)
	TracesOfAccounts(ctx context.Context, accounts []chain.Address, page chain.Page) (map[chain.Address][]chain.Trace, error)
	Actions(ctx context.Context, f chain.ActionFilter, page chain.Page) ([]chain.Action, error)
	ActionsOfTraces(ctx context.Context, ids []chain.Hash, supported []string) (map[chain.Hash][]chain.Action, error)
	ActionsOfAccounts(ctx context.Context, accounts []chain.Address, page chain.Page) (map[chain.Address][]chain.Action, error)
}

var _ Index = (*store.Reader)(nil)

// Set is the loaders of one request.
type Set struct {
	BlockByID           *Loader[chain.BlockID, *chain.Block]
	BlocksOfMasterchain *Loader[uint32, []chain.Block]

	TransactionByKey       *Loader[chain.TransactionKey, *chain.Transaction]
	TransactionByHash      *Loader[chain.Hash, *chain.Transaction]
	TransactionsOfAccounts *Loader[PageOf[chain.Address], []chain.Transaction]
	TransactionsOfBlocks   *Loader[PageOf[chain.BlockID], []chain.Transaction]
	TransactionBOC         *Loader[chain.TransactionKey, chain.BOC]

	MessageByKey       *Loader[chain.MessageKey, *chain.Message]
	MessagesSentBy     *Loader[chain.TransactionKey, []chain.Message]
	MessagesOfAccounts *Loader[MessagePageOf, []chain.Message]

	AccountState   *Loader[chain.Address, *chain.AccountState]
	AccountStateAt *Loader[chain.TransactionKey, *chain.AccountState]
	Cell           *Loader[chain.Hash, chain.BOC]

	JettonMaster           *Loader[chain.Address, *chain.JettonMaster]
	JettonWallet           *Loader[chain.Address, *chain.JettonWallet]
	JettonWalletsOfOwners  *Loader[PageOf[Chosen[chain.JettonWalletChoice]], []chain.JettonWallet]
	JettonWalletsOfMasters *Loader[PageOf[Chosen[chain.JettonWalletChoice]], []chain.JettonWallet]
	JettonTransfersOf      *Loader[PageOf[Chosen[chain.TransferChoice]], []chain.JettonTransfer]
	JettonBurnsOf          *Loader[PageOf[Chosen[chain.TransferChoice]], []chain.JettonBurn]

	NFTCollection         *Loader[chain.Address, *chain.NFTCollection]
	NFTItem               *Loader[chain.Address, *chain.NFTItem]
	NFTItemsOfOwners      *Loader[PageOf[chain.Address], []chain.NFTItem]
	NFTItemsOfCollections *Loader[PageOf[chain.Address], []chain.NFTItem]
	NFTSale               *Loader[chain.Address, *chain.NFTSale]
	NFTTransfersOf        *Loader[PageOf[Chosen[chain.TransferChoice]], []chain.NFTTransfer]

	DNSRecord           *Loader[chain.Address, *chain.DNSRecord] // by its item
	DNSRecordsOfWallets *Loader[PageOf[chain.Address], []chain.DNSRecord]

	Multisig           *Loader[chain.Address, *chain.Multisig]
	MultisigsOfMembers *Loader[PageOf[chain.Address], []chain.Multisig]
	MultisigOrder      *Loader[chain.Address, *chain.MultisigOrder]
	OrderExecution     *Loader[chain.OrderKey, *chain.OrderExecution]
	OrdersOfMultisigs  *Loader[PageOf[chain.Address], []chain.MultisigOrder]

	Vesting           *Loader[chain.Address, *chain.Vesting]
	VestingsOfWallets *Loader[PageOf[chain.Address], []chain.Vesting]

	JettonBalancesOf *Loader[PageOf[chain.Address], []chain.JettonBalancePoint]
	NFTOwnersOf      *Loader[PageOf[chain.Address], []chain.NFTOwnerPoint]
	Count            *Loader[Chosen[chain.Counted], chain.CappedCount]
	Mismatch         *Loader[chain.TransactionKey, *chain.ReplayMismatch]
	Unverified       *Loader[chain.TransactionKey, *chain.UnverifiedTransaction]

	AddressBook *Loader[chain.Address, *chain.AddressBookRow]
	Metadata    *Loader[chain.Address, []chain.Metadata]

	TraceByID        *Loader[chain.Hash, *chain.Trace]
	TraceContent     *Loader[chain.Hash, *chain.FullTrace]
	TracesOfAccounts *Loader[PageOf[chain.Address], []chain.Trace]

	ActionByID           *Loader[chain.Hash, *chain.Action] // of any type
	ActionsOfTrace       *Loader[Understood[chain.Hash], []chain.Action]
	ActionsOfTransaction *Loader[Understood[chain.Hash], []chain.Action]
	ActionsOfAccounts    *Loader[PageOf[chain.Address], []chain.Action]

	parts atomic.Pointer[parts] // nil while no field has loaders of its own
}

// New makes the loaders of one request.
func New(index Index) *Set {
	s := &Set{}
	s.addBlocks(index)
	s.addTransactions(index)
	s.addMessages(index)
	s.addAccounts(index)
	s.addJettons(index)
	s.addNFTs(index)
	s.addDomains(index)
	s.addMultisigs(index)
	s.addVestings(index)
	s.addHistory(index)
	s.addNames(index)
	s.addTraces(index)
	s.addActions(index)
	return s
}

type contextKey struct{}

// With puts fresh loaders into a request's context.
func With(ctx context.Context, index Index) context.Context {
	return context.WithValue(ctx, contextKey{}, New(index))
}

// From finds the loaders of a field: the request's, or those of the part of the answer that the field is in. Every door
// that resolves GraphQL puts them there, so their absence is a mistake of ours.
func From(ctx context.Context) *Set {
	s := requestSet(ctx)
	if p := s.parts.Load(); p != nil {
		if own := p.of(ctx); own != nil {
			return own
		}
	}
	return s
}

func requestSet(ctx context.Context) *Set {
	s, ok := ctx.Value(contextKey{}).(*Set)
	if !ok {
		//nolint:forbidigo // a mistake of ours, found by the first request of any test
		panic("loaders: the context of this request has none")
	}
	return s
}

// byKey files rows under their keys.
func byKey[K comparable, V any](rows []V, err error, key func(*V) K) (map[K]*V, error) {
	if err != nil {
		return nil, err
	}
	found := make(map[K]*V, len(rows))
	for i := range rows {
		found[key(&rows[i])] = &rows[i]
	}
	return found, nil
}

// PageOf asks for one page of the rows of a parent.
type PageOf[P comparable] struct {
	Parent P
	Page   PageKey
}

// PageKey is a page in a form that can be compared, so that parents that ask for the same page share a statement and one
// alias's page never governs another's.
type PageKey struct {
	Limit     int
	Sort      chain.Sort
	Last      bool
	HasAfter  bool
	HasBefore bool
	After     chain.Cursor
	Before    chain.Cursor
}

// KeyOf turns a page into its key.
func KeyOf(p chain.Page) PageKey {
	k := PageKey{Limit: p.Limit, Sort: p.Sort, Last: p.Last}
	if p.After != nil {
		k.HasAfter, k.After = true, *p.After
	}
	if p.Before != nil {
		k.HasBefore, k.Before = true, *p.Before
	}
	return k
}

func (k PageKey) page() chain.Page {
	p := chain.Page{Limit: k.Limit, Sort: k.Sort, Last: k.Last}
	if k.HasAfter {
		p.After = &k.After
	}
	if k.HasBefore {
		p.Before = &k.Before
	}
	return p
}

// Pages makes a loader of pages: keys are grouped by the shape of their page, one read for each shape.
func Pages[P comparable, V any](read func(context.Context, []P, chain.Page) (map[P]V, error)) *Loader[PageOf[P], V] {
	return Batch(func(ctx context.Context, keys []PageOf[P]) (map[PageOf[P]]V, error) {
		found := make(map[PageOf[P]]V, len(keys))
		for _, group := range groupBy(keys, func(k PageOf[P]) PageKey { return k.Page }) {
			parents := make([]P, len(group))
			for i, k := range group {
				parents[i] = k.Parent
			}
			rows, err := read(ctx, parents, group[0].Page.page())
			if err != nil {
				return nil, err
			}
			for _, k := range group {
				found[k] = rows[k.Parent]
			}
		}
		return found, nil
	})
}

// Chosen is an account and what is asked of its rows beside the page.
type Chosen[C comparable] struct {
	Account chain.Address
	Choice  C
}

// chosen makes a loader of pages of accounts: one read for each shape of page and each choice.
func chosen[C comparable, V any](
	read func(context.Context, []chain.Address, C, chain.Page) (map[chain.Address]V, error),
) *Loader[PageOf[Chosen[C]], V] {
	return Pages(func(ctx context.Context, parents []Chosen[C], page chain.Page) (map[Chosen[C]]V, error) {
		found := make(map[Chosen[C]]V, len(parents))
		for _, group := range groupBy(parents, func(p Chosen[C]) C { return p.Choice }) {
			accounts := make([]chain.Address, len(group))
			for i, p := range group {
				accounts[i] = p.Account
			}
			rows, err := read(ctx, accounts, group[0].Choice, page)
			if err != nil {
				return nil, err
			}
			for _, p := range group {
				found[p] = rows[p.Account]
			}
		}
		return found, nil
	})
}

// groupBy keeps the order of first appearance.
func groupBy[T any, K comparable](items []T, key func(T) K) [][]T {
	index := map[K]int{}
	var groups [][]T
	for _, item := range items {
		k := key(item)
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}
