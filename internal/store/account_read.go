package store

import (
	"context"
	"slices"

	"tonql/internal/boc"
	"tonql/internal/chain"
	"tonql/internal/store/cells"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// codeOrder is accountOrder as the index of codes has it.
var codeOrder = sqlbuild.Order{
	{Column: "substr(s.account, 1, 7)", Desc: false, At: "?", Bind: func(c *chain.Cursor) []any { return []any{[]byte(c.Minor[:min(7, len(c.Minor))])} }},
	accountOrder[0],
}

// accountOrder is by address, ascending in both directions: the list serves lookups, not rankings.
var accountOrder = sqlbuild.Order{{Column: "s.account", Desc: false, At: "?", Bind: sqlbuild.BindMinor}}

func balanceOrder(sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: "s.rank", Desc: desc, At: "balance_rank(?::bigint)", Bind: sqlbuild.BindMajor},
		{Column: "s.balance", Desc: desc, At: "?", Bind: sqlbuild.BindMajor},
		{Column: "s.account", Desc: !desc, At: "?", Bind: sqlbuild.BindMinor},
	}
}

// offeredColumns are the columns of a latest state from code_interfaces i.
const offeredColumns = `, i.methods, i.interfaces`

func scanLatestState(r *sqlbuild.Row, s *chain.AccountState) {
	transactions.ScanState(r, s)
	s.Methods = r.Int4s()
	s.Interfaces = r.Texts()
}

// cellColumns are code and data of a latest state.
const cellColumns = `, (SELECT c.boc FROM cells c WHERE c.hash = s.code_hash), (SELECT c.boc FROM cells c WHERE c.hash = s.data_hash)`

// bringsCells reports whether the statement of a filter reads code and data too.
func bringsCells(f *chain.AccountFilter) bool { return f.WithBOC && len(f.Addresses) == 1 }

func scanFullState(r *sqlbuild.Row, s *chain.AccountState) {
	scanLatestState(r, s)
	s.CodeBOC, s.DataBOC = r.Bytes(), r.Bytes()
}

// AccountStates lists the latest states of the accounts that match f by address; accounts outside the index
// are left out. With f.WithBOC it reads code and data too: those of one account in the same round trip, those of several
// accounts in a second one, because they often share their code. Large ones are stored in parts and take more round trips.
func (r *Reader) AccountStates(ctx context.Context, f chain.AccountFilter, p chain.Page) ([]chain.AccountState, error) {
	if len(f.Addresses) == 0 && len(f.CodeHashes) == 0 {
		return nil, chain.Invalidf("address of account is required")
	}
	s, l := accountsStatement(&f, p)
	scan := scanLatestState
	if bringsCells(&f) {
		scan = scanFullState
	}
	states, err := sqlbuild.Collect(ctx, r.pool, "account states", l.Limit, scan, s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	sqlbuild.RestoreOrder(&l, states)
	if f.WithBOC && (!bringsCells(&f) || anySplit(states)) {
		err = r.addCells(ctx, states)
	}
	return states, err
}

// anySplit reports whether code or data of a state are a part of them, from which others are missing.
func anySplit(states []chain.AccountState) bool {
	return slices.ContainsFunc(states, func(s chain.AccountState) bool {
		return boc.RootHasLevel(s.CodeBOC) || boc.RootHasLevel(s.DataBOC)
	})
}

func accountsStatement(f *chain.AccountFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	l := sqlbuild.NewList(accountOrder, p)
	s := &sqlbuild.Statement{}
	if len(f.Addresses) > 0 {
		columns := transactions.StateColumns + offeredColumns
		if bringsCells(f) {
			columns += cellColumns
		}
		s.Fence(columns, "s"+names.JoinInterfaces, func() {
			s.From("SELECT s.* FROM accounts s").And("s.account = ANY(?)", sqlbuild.AddressArray(sqlbuild.Unique(f.Addresses)))
			if len(f.CodeHashes) > 0 {
				s.And("(s.code_hash = ANY(?)) IS TRUE", sqlbuild.HashArray(sqlbuild.Unique(f.CodeHashes)))
			}
			s.Keyset(&l)
		})
		s.OrderBy(l.Order).Window(&l)
		return s, l
	}
	s.Add("SELECT "+transactions.StateColumns+offeredColumns+" FROM unnest(?::bytea[]) c(code_hash) CROSS JOIN LATERAL (", sqlbuild.HashArray(sqlbuild.Unique(f.CodeHashes)))
	s.From("SELECT s.* FROM accounts s").And("substr(s.code_hash, 1, 7) = substr(c.code_hash, 1, 7)")
	s.And("s.code_hash IS NOT NULL").And("(s.code_hash = c.code_hash) IS TRUE")
	walk := sqlbuild.NewList(codeOrder, p)
	s.Keyset(&walk)
	s.OrderBy(walk.Order).Add(" LIMIT ?", l.Reach()).Add(") s" + names.JoinInterfaces)
	s.OrderBy(l.Order).Window(&l)
	return s, l
}

// addCells fills the code and data of states.
func (r *Reader) addCells(ctx context.Context, states []chain.AccountState) error {
	hashes := make([]chain.Hash, 0, 2*len(states))
	for i := range states {
		for _, h := range [...]*chain.Hash{states[i].CodeHash, states[i].DataHash} {
			if h != nil {
				hashes = append(hashes, *h)
			}
		}
	}
	bags, err := r.Cells(ctx, hashes)
	if err != nil {
		return err
	}
	for i := range states {
		s := &states[i]
		if s.CodeHash != nil {
			s.CodeBOC = bags[*s.CodeHash]
		}
		if s.DataHash != nil {
			s.DataBOC = bags[*s.DataHash]
		}
	}
	return nil
}

// TopAccounts lists accounts by balance in the page's direction; equal balances by address, upwards in the descending
// list.
func (r *Reader) TopAccounts(ctx context.Context, p chain.Page) ([]chain.AccountBalance, error) {
	l := sqlbuild.NewList(balanceOrder(p.Sort), p)
	s := &sqlbuild.Statement{}
	s.From("SELECT s.account, s.balance FROM accounts s").And("s.status <> 3")
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	rows, err := sqlbuild.Collect(ctx, r.pool, "accounts", l.Limit, func(r *sqlbuild.Row, a *chain.AccountBalance) {
		a.Account = r.Address()
		a.Balance = chain.Coins(r.Int8())
	}, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// Cells reads code, data and libraries of accounts by hash, at most [cells.MaxJoined] bytes of large ones. Those that are not stored are absent.
func (r *Reader) Cells(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	return r.CellsWithin(ctx, hashes, cells.NewLimit(cells.MaxJoined))
}

// CellsWithin is [Reader.Cells] with a limit that several calls share.
func (r *Reader) CellsWithin(ctx context.Context, hashes []chain.Hash, limit *cells.Limit) (map[chain.Hash]chain.BOC, error) {
	return cells.Read(ctx, r.pool, r.cells, hashes, limit) //nolint:wrapcheck // the package says what it reads
}

// CellParts reads code, data and libraries of accounts by hash as they are stored, in parts. Those that are not stored are absent.
func (r *Reader) CellParts(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	found := make(map[chain.Hash]chain.BOC, len(hashes))
	err := cells.Parts(ctx, r.pool, sqlbuild.Unique(hashes), func(hash chain.Hash, bag chain.BOC) { found[hash] = bag })
	return found, err //nolint:wrapcheck // the package says what it reads
}

// boced reads pairs of hash and BoC.
func (r *Reader) boced(ctx context.Context, what, text string, hashes []chain.Hash) (map[chain.Hash]chain.BOC, error) {
	found := make(map[chain.Hash]chain.BOC, len(hashes))
	if len(hashes) == 0 {
		return found, nil
	}
	err := sqlbuild.Each(ctx, r.pool, what, func(r *sqlbuild.Row) {
		hash := r.Hash()
		found[hash] = r.Bytes()
	}, text, sqlbuild.HashArray(sqlbuild.Unique(hashes)))
	return found, err
}
