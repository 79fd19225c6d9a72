package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/blocks"
	"tonql/internal/store/contracts"
	"tonql/internal/store/days"
	"tonql/internal/store/digests"
	"tonql/internal/store/names"
	"tonql/internal/store/readers"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/transactions"
)

// Statement is what a method of the reader sends, for tests of texts and plans.
type Statement struct {
	Text string
	Args []any
}

func exported(s *sqlbuild.Statement) Statement { return Statement{s.Text.String(), s.Args} }

func TransactionsStatement(f chain.TransactionFilter, p chain.Page) Statement {
	if len(f.Hashes) > 0 {
		return exported(transactions.AmongStatement(&f))
	}
	s, _ := transactions.ListStatement(&f, p)
	return exported(s)
}

func BlocksStatement(f chain.BlockFilter, p chain.Page) Statement {
	s, _ := blocks.ListStatement(&f, p)
	return exported(s)
}

func AccountsStatement(f chain.AccountFilter, p chain.Page) Statement {
	s, _ := accountsStatement(&f, p)
	return exported(s)
}

func (r *Reader) MessagesStatement(ctx context.Context, f chain.MessageFilter, p chain.Page) (Statement, error) {
	q := transactions.NewMessageQuery(&f)
	err := r.ChooseLead(ctx, q)
	s, _ := q.Statement(p)
	return exported(s), err
}

func (r *Reader) TransactionsByMessageStatement(ctx context.Context, f chain.MessageFilter, p chain.Page) (Statement, error) {
	q := transactions.NewMessageQuery(&f)
	err := r.ChooseLead(ctx, q)
	s, _ := q.Transactions(p)
	return exported(s), err
}

func (r *Reader) TransactionsOfMessagesStatement(ctx context.Context, f chain.TransactionFilter, p chain.Page) (Statement, error) {
	q, _ := transactions.OfMessages(&f)
	err := r.ChooseWalk(ctx, &f, q)
	s, _, _ := q.StatementOf(&f, p)
	return exported(s), err
}

func HashesByPrefixStatement(p chain.HashPrefix, limit int) Statement {
	return Statement{selectHashesByPrefix, hashesByPrefixArgs(p, limit)}
}

func TokensNamedStatement(prefix string, limit int) Statement {
	text, args := contracts.TokensNamedStatement(prefix, limit)
	return Statement{text, args}
}

// Constant texts whose plans are tested.
var (
	SelectTransactionsByHash     = transactions.SelectTransactionsByHash
	SelectTransactionsByKey      = transactions.SelectTransactionsByKey
	SelectMessagesBetween        = transactions.SelectMessagesBetween
	SelectEndsBetween            = transactions.SelectEndsBetween
	SelectIncomplete             = selectIncomplete
	SelectDigests                = digests.SelectStored
	SelectMessagesByKey          = transactions.SelectMessagesByKey
	SelectSentByKey              = transactions.SelectSentByKey
	SelectStatesByKey            = transactions.SelectStatesByKey
	SelectStateKeys              = transactions.SelectStateKeys
	SelectTransactionsWithStates = transactions.SelectTransactionsWithStates
	SelectAdjacent               = transactions.SelectAdjacent
	SelectAddressBook            = names.SelectAddressBook
	SelectAddressBookBase        = names.SelectPlainAddressBook
	SelectOrderExecutions        = contracts.SelectOrderExecutions
	SelectInterfaces             = names.SelectInterfaces
	SelectNameChanges            = names.SelectChanges
	SelectHead                   = readers.SelectHead
	SelectMasterchainInfo        = blocks.SelectMasterchainInfo
	SelectShardState             = blocks.SelectShardState
)

// Pool is the reader's pool.
func (r *Reader) Pool() *pgxpool.Pool { return r.pool.(*readers.Set).Pools()[0] }

// Run sends any statement as the reader's methods do.
func (r *Reader) Run(ctx context.Context, text string) error {
	return sqlbuild.Each(ctx, r.pool, "something", func(r *sqlbuild.Row) { r.Columns = nil }, text)
}

// Forget clears the cached open traces of the writer, as a restart does.
func (w *Writer) Forget() { w.open.Forget() }

var entryLists = traces.NewAccountLists(traces.NewAccountKeys(), false)

func TracesStatement(f chain.TraceFilter, p chain.Page) Statement {
	s, _ := entryLists.Traces(&f, p, &traces.TextsAlone)
	return exported(s)
}

// TracesInFullStatement is the statement of [Reader.TracesInFull].
func TracesInFullStatement(f chain.TraceFilter, p chain.Page) Statement {
	s, _ := entryLists.Traces(&f, p, &traces.TextsWithNodes)
	return exported(s)
}

func ActionsStatement(f chain.ActionFilter, p chain.Page) Statement {
	s, _ := entryLists.Actions(&f, p)
	return exported(s)
}

const (
	SelectNodes = traces.SelectNodes

	SelectLargeTraceAccounts = traces.SelectLargeTraceAccounts
	Climb                    = traces.Climb
	BoundedTree              = traces.BoundedTree
)

var (
	SelectTraces          = traces.TextsWithNodes.ByID
	SelectTracesByHash    = traces.TextsWithNodes.ByHash
	SelectTracesByMessage = traces.TextsAlone.ByMessage
)

// NamesCached reports whether all names of the addresses are cached at the version of this snapshot.
func (r *Reader) NamesCached(ctx context.Context, addresses []chain.Address) (bool, error) {
	version := int64(names.Unread)
	err := sqlbuild.Each(ctx, r.pool, "version of the names", func(row *sqlbuild.Row) { version = row.Int8() }, `SELECT n.version FROM names_version n`)
	return r.names.Query(addresses, names.AddressBook|names.Contents|names.Wallet).Complete(version), err
}

// NamedUncached is [Reader.Named] without the cache.
func (r *Reader) NamedUncached(ctx context.Context, addresses []chain.Address) ([]chain.AddressBookRow, []chain.Metadata, error) {
	return names.Read(ctx, r.pool, "names", addresses, names.AddressBook|names.Contents)
}

// ExpireNames puts the clock of the cache of names forward, so that an older version can only be that of another database.
func (r *Reader) ExpireNames() {
	r.names.Now = func() time.Time { return time.Now().Add(time.Hour) }
}

// TruncateAccountKeys makes keys of accounts from now on so short that many accounts have the same one.
func (db *DB) TruncateAccountKeys(different int64) {
	of := func(a chain.Address) int64 { return traces.AccountKey(a) % different }
	db.reader.keys.Of, db.writer.keys.Of = of, of
}

// ForgetAccountMove clears what is known of the move of account keys, as a restart does.
func (db *DB) ForgetAccountMove() {
	db.reader.keys.Forget()
	db.writer.keys.Forget()
}

func TracesOfEachStatement(accounts []chain.Address, p chain.Page) Statement {
	s, _ := entryLists.TracesOfEach(accounts, p)
	return exported(s)
}

func ActionsOfEachStatement(accounts []chain.Address, p chain.Page) Statement {
	s, _ := entryLists.ActionsOfEach(accounts, p)
	return exported(s)
}

// ChartStatements returns the statements of charts by name.
func ChartStatements(account chain.Address, within chain.DayRange) map[string]Statement {
	first, last := int64(within.First), int64(within.Last)
	key := sqlbuild.AddressArray([]chain.Address{account})[0]
	return map[string]Statement{
		"times of sums per day": {days.SelectSpans, []any{first, last}},
		"sums per day":          {days.SelectTotals, []any{first, last}},
		"Jetton per day":        {days.SelectJettonDays, []any{first, last, key}},
		"counterparties":        {selectCounterparties, []any{key, int64(chain.CountedMessages), int64(10)}},
	}
}

// InRequest returns the context of a first run of a request.
func InRequest(ctx context.Context) context.Context {
	return sqlbuild.WithCover(ctx, &sqlbuild.Cover{})
}
