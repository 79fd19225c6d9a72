package loaders

import (
	"context"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// Set is the loaders of one request, or of all subscribers to one batch of events.
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

	JettonMaster           *Loader[chain.Address, *chain.JettonMaster]
	JettonWallet           *Loader[chain.Address, *chain.JettonWallet]
	JettonWalletsOfOwners  *Loader[PageOf[Chosen[chain.JettonWalletChoice]], []chain.JettonWallet]
	JettonWalletsOfMasters *Loader[PageOf[Chosen[chain.JettonWalletChoice]], []chain.JettonWallet]
	JettonTransfersOf      *Loader[PageOf[Chosen[chain.TransferChoice]], []chain.JettonTransfer]
	JettonBurnsOf          *Loader[PageOf[Chosen[chain.TransferChoice]], []chain.JettonBurn]

	TokenCounts *Loader[chain.Address, *chain.TokenCounts] // of Jettons and collections

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

	NominatorPositions *Loader[PageOf[chain.Address], []chain.NominatorPosition]

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

	smallCell *Loader[chain.Hash, chain.BOC] // see Cell
	index     *store.Reader

	parts atomic.Pointer[parts] // nil while no field has separate loaders
}

// New returns loaders that read from index.
func New(index *store.Reader) *Set {
	s := &Set{index: index}
	s.addBlocks(index)
	s.addTransactions(index)
	s.addMessages(index)
	s.addAccounts(index)
	s.addJettons(index)
	s.addNFTs(index)
	s.addDomains(index)
	s.addMultisigs(index)
	s.addVestings(index)
	s.addNominators(index)
	s.addHistory(index)
	s.addNames(index)
	s.addTraces(index)
	s.addActions(index)
	return s
}

type (
	contextKey struct{}
	cellsKey   struct{}
)

// With returns a context with new loaders, for one request.
func With(ctx context.Context, index *store.Reader) context.Context { return with(ctx, New(index)) }

func with(ctx context.Context, set *Set) context.Context {
	return context.WithValue(context.WithValue(ctx, contextKey{}, set), cellsKey{}, ownCells(set.index))
}

// From returns the loaders for the field of the context: those that [Part] assigned to a field above it, or else those of
// the request. It panics if the context has none.
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
		//nolint:forbidigo // a programming error, which the first request of any test finds
		panic("loaders: the context of the request has no loaders")
	}
	return s
}
