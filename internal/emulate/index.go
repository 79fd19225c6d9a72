package emulate

import (
	"context"

	"tonql/internal/chain"
)

// Index is the part of the index that the Emulator reads. Lookups by key leave out what the index lacks.
type Index interface {
	accountIndex
	blockIndex
	libraryIndex
	// TraceRecords returns the contract records of accounts at a masterchain block, with their data if data is set.
	TraceRecords(ctx context.Context, accounts []chain.Address, mcSeqno uint32, data bool) (chain.TraceRecords, error)
}

type accountIndex interface {
	AccountStates(ctx context.Context, f chain.AccountFilter, p chain.Page) ([]chain.AccountState, error)
	// AccountStatesAt returns the states that transactions left.
	AccountStatesAt(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error)
	// StateBefore returns the state that a transaction found; nil when the row of the transaction does not have it.
	StateBefore(ctx context.Context, key chain.TransactionKey) (*chain.AccountState, error)
	Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error)
	TransactionsByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.Transaction, error)
	Cells(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error)
}

type blockIndex interface {
	BlocksByID(ctx context.Context, ids []chain.BlockID) ([]chain.Block, error)
	// ShardState returns the newest block of every shard at a masterchain block, and that block itself.
	ShardState(ctx context.Context, mcSeqno uint32) ([]chain.Block, error)
	// Ranges lists the indexed ranges of masterchain seqnos, ascending.
	Ranges(ctx context.Context) ([]chain.SeqnoRange, error)
	// Dropped returns the newest masterchain block that was dropped.
	Dropped(ctx context.Context) (chain.Dropped, error)
	// Config returns the configuration in force at a masterchain block; NotFound without one.
	Config(ctx context.Context, mcSeqno uint32) (chain.Config, error)
}

type libraryIndex interface {
	// LibraryRoot returns the root of the library dictionary at a masterchain block; false when it is not indexed.
	LibraryRoot(ctx context.Context, mcSeqno uint32) (root chain.Hash, ok bool, err error)
	// LibrariesOf returns libraries of the dictionary with a root; nil for those proven not to be in it.
	LibrariesOf(ctx context.Context, root chain.Hash, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error)
	// Libraries returns libraries that were public at any block.
	Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error)
}
