package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
)

var errSoon = errors.New("store method without a body yet")

// Reader answers questions about the index. Safe for concurrent use.
type Reader struct{ pool *pgxpool.Pool }

// Writer puts blocks into the index.
type Writer struct{ pool *pgxpool.Pool }

// Apply writes masterchain blocks, all or nothing; those already in the ledger are skipped.
func (w *Writer) Apply(ctx context.Context, blocks ...*chain.MasterBlock) error { return errSoon }

// Lock takes the one indexer's lock of this database, waiting for it.
func (w *Writer) Lock(ctx context.Context) (*Lock, error) { return nil, errSoon }

// Lock is a held lock.
type Lock struct{}

// Check says whether the lock is still held.
func (l *Lock) Check(ctx context.Context) error { return errSoon }

// Release gives it back.
func (l *Lock) Release() {}

// MasterchainInfo is the span of the index.
func (r *Reader) MasterchainInfo(ctx context.Context) (i chain.MasterchainInfo, err error) {
	return i, errSoon
}

// Blocks lists blocks.
func (r *Reader) Blocks(ctx context.Context, f chain.BlockFilter, p chain.Page) ([]chain.Block, error) {
	return nil, errSoon
}

// ShardState is the latest block of every shard.
func (r *Reader) ShardState(ctx context.Context, mcSeqno uint32) ([]chain.Block, error) {
	return nil, errSoon
}

// BlocksByID finds blocks.
func (r *Reader) BlocksByID(ctx context.Context, ids []chain.BlockID) ([]chain.Block, error) {
	return nil, errSoon
}

// BlocksOfMasterchain lists the blocks masterchain blocks committed, themselves included.
func (r *Reader) BlocksOfMasterchain(ctx context.Context, mcSeqnos []uint32) (map[uint32][]chain.Block, error) {
	return nil, errSoon
}

// Transactions lists transactions.
func (r *Reader) Transactions(ctx context.Context, f chain.TransactionFilter, p chain.Page) ([]chain.Transaction, error) {
	return nil, errSoon
}

// TransactionsByHash finds transactions.
func (r *Reader) TransactionsByHash(ctx context.Context, hashes []chain.Hash) ([]chain.Transaction, error) {
	return nil, errSoon
}

// TransactionsByKey finds transactions.
func (r *Reader) TransactionsByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.Transaction, error) {
	return nil, errSoon
}

// TransactionsOfAccounts reads the same page of many accounts.
func (r *Reader) TransactionsOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Transaction, error) {
	return nil, errSoon
}

// TransactionsOfBlocks reads the same page of many blocks.
func (r *Reader) TransactionsOfBlocks(ctx context.Context, ids []chain.BlockID, p chain.Page) (map[chain.BlockID][]chain.Transaction, error) {
	return nil, errSoon
}

// TransactionsByMessage lists the transactions on either side of messages.
func (r *Reader) TransactionsByMessage(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Transaction, error) {
	return nil, errSoon
}

// AdjacentTransactions lists parent and children.
func (r *Reader) AdjacentTransactions(ctx context.Context, hash chain.Hash, d chain.Direction) ([]chain.Transaction, error) {
	return nil, errSoon
}

// Full adds messages and states.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	return nil, errSoon
}

// TransactionBOCs reads raw transactions.
func (r *Reader) TransactionBOCs(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]chain.BOC, error) {
	return nil, errSoon
}

// Messages lists messages.
func (r *Reader) Messages(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Message, error) {
	return nil, errSoon
}

// MessagesByKey finds messages.
func (r *Reader) MessagesByKey(ctx context.Context, keys []chain.MessageKey) ([]chain.Message, error) {
	return nil, errSoon
}

// MessagesSentBy lists the out-messages of transactions, by LT.
func (r *Reader) MessagesSentBy(ctx context.Context, txs []chain.TransactionKey) (map[chain.TransactionKey][]chain.Message, error) {
	return nil, errSoon
}

// MessagesOfAccounts reads the same page of many accounts: Out for messages sent, In for messages received.
func (r *Reader) MessagesOfAccounts(ctx context.Context, accounts []chain.Address, side chain.Direction, p chain.Page) (map[chain.Address][]chain.Message, error) {
	return nil, errSoon
}

// AccountStates lists latest states.
func (r *Reader) AccountStates(ctx context.Context, f chain.AccountFilter, p chain.Page) ([]chain.AccountState, error) {
	return nil, errSoon
}

// AccountStatesAt finds the states after transactions.
func (r *Reader) AccountStatesAt(ctx context.Context, keys []chain.TransactionKey) ([]chain.AccountState, error) {
	return nil, errSoon
}

// TopAccounts lists accounts by balance.
func (r *Reader) TopAccounts(ctx context.Context, p chain.Page) ([]chain.AccountBalance, error) {
	return nil, errSoon
}

// AddressBook tells what is known of addresses, in the order asked.
func (r *Reader) AddressBook(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, error) {
	return nil, errSoon
}

// Cells reads cells by hash.
func (r *Reader) Cells(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	return nil, errSoon
}

// Libraries reads libraries by hash.
func (r *Reader) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	return nil, errSoon
}

// Config is the configuration in force at a masterchain block.
func (r *Reader) Config(ctx context.Context, mcSeqno uint32) (c chain.Config, err error) {
	return c, errSoon
}

// Ranges is the ledger, ascending.
func (r *Reader) Ranges(ctx context.Context) ([]chain.SeqnoRange, error) { return nil, errSoon }

// IsIndexed says whether a masterchain seqno is in the ledger.
func (r *Reader) IsIndexed(ctx context.Context, mcSeqno uint32) (bool, error) { return false, errSoon }

// Mismatches lists transactions whose re-execution differed, newest first.
func (r *Reader) Mismatches(ctx context.Context, p chain.Page) ([]chain.ReplayMismatch, error) {
	return nil, errSoon
}

// Digest hashes the tables; within limits the digest to the masterchain seqnos given.
func (r *Reader) Digest(ctx context.Context, within *chain.SeqnoRange) (d Digest, err error) {
	return d, errSoon
}

// Digest is a hash of every table.
type Digest struct {
	Tables []TableDigest
	Total  chain.Hash
}

// TableDigest is the hash of one table.
type TableDigest struct {
	Table string
	Hash  chain.Hash
}

// Stats are figures for metrics.
func (r *Reader) Stats(ctx context.Context) (s Stats, err error) { return s, errSoon }

// Stats are estimates of rows per table and the state of the pools.
type Stats struct {
	Rows map[string]int64
}
