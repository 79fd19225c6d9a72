package transactions

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

// selectMoved reads rows by key: the columns that readers read, the raw transaction of rows that have columns besides, and the raw
// transaction outside the row.
var selectMoved = `SELECT k.account, k.lt, CASE WHEN t.prev_hash IS NOT NULL THEN t.boc END, o.boc, ` + TransactionColumns + `
	FROM unnest($1::bytea[], $2::bigint[]) k(account, lt) JOIN transactions t ON t.account = k.account AND t.lt = k.lt
	LEFT JOIN transaction_bocs o ON o.account = k.account AND o.lt = k.lt`

// movedRow is a row that may be moved.
type movedRow struct {
	key       chain.TransactionKey
	t         chain.Transaction // as readers read it
	described bool              // it has columns that a raw transaction makes unnecessary
	damaged   bool
	raw       []byte // in the row; as it is stored, then decompressed
	outside   []byte // in transaction_bocs
}

// scanMoved reads a row of selectMoved. A row that readers cannot read is damaged.
func scanMoved(r *sqlbuild.Row, m *movedRow) {
	m.key = chain.TransactionKey{Account: r.Address(), LT: r.LT()}
	m.raw, m.outside = r.Bytes(), r.Bytes()
	columns := sqlbuild.Row{Columns: r.Columns}
	r.Columns = nil
	states, boc := scanTransaction(&columns, &m.t)
	if m.damaged = columns.Err != nil; m.damaged {
		return
	}
	m.t.States = slices.Clone(states)
	if m.described = boc == nil; !m.described {
		m.raw = slices.Clone(boc)
	}
}

// movePlan is what a step changes.
type movePlan struct {
	rest MoveRest
	// reduced are the rows whose columns become NULL; others get states only.
	reduced, stated sqlbuild.KeyArrays
	bocs            [][]byte // of reduced, compressed; nil for those that are in the row already
	states          [][]byte // of reduced; nil for those that have them, or have none
	statesOnly      [][]byte // of stated
	// outside and own are the rows of transaction_bocs and account_states that are removed.
	outside, own sqlbuild.KeyArrays
	compressed   bool // a dictionary is used
}

func newMovePlan() *movePlan {
	empty := func() sqlbuild.KeyArrays { return sqlbuild.NewKeyArrays(0) }
	return &movePlan{reduced: empty(), stated: empty(), outside: empty(), own: empty()}
}

func (p *movePlan) rows() int { return p.reduced.Len() + p.stated.Len() }

// plan reads rows and decides what to change.
func (m *Mover) plan(ctx context.Context, tx pgx.Tx, keys []chain.TransactionKey) (*movePlan, error) {
	p := newMovePlan()
	rows, err := readMoved(ctx, tx, m.dictionaries, keys)
	if err != nil || len(rows) == 0 {
		return p, err
	}
	for i := range rows {
		if rows[i].outside != nil && rows[i].raw == nil && !rows[i].damaged {
			m.sampler.Add(rows[i].outside)
		}
	}
	if content := m.sampler.Propose(m.present); content != nil {
		if next, err := dictionary.New(content); err == nil {
			m.present = next
		}
	}
	states, err := statesAround(ctx, tx, m.dictionaries, rows)
	if err != nil {
		return p, err
	}
	var raw rawtx.Transaction
	for i := range rows {
		m.planRow(p, &rows[i], states, &raw)
	}
	return p, nil
}

// planRow decides about one row.
func (m *Mover) planRow(p *movePlan, row *movedRow, states map[chain.TransactionKey]*chain.AccountState, raw *rawtx.Transaction) {
	boc := row.raw
	if boc == nil {
		boc = row.outside
	}
	switch {
	case row.damaged,
		row.described && boc != nil && !reproduces(raw, boc, &row.t),
		row.raw != nil && row.outside != nil && !bytes.Equal(row.raw, row.outside):
		p.rest.Differing++
		return
	case row.described && boc == nil:
		p.rest.WithoutRaw++
	}
	around := planStates(p, row, states)
	key := &row.key
	switch {
	case row.described && boc != nil:
		p.reduced.Add(&key.Account, key.LT)
		var stored []byte
		if row.raw == nil {
			stored = m.compress(boc)
			_, compressed := dictionary.IDOf(stored)
			p.compressed = p.compressed || compressed
		}
		p.bocs, p.states = append(p.bocs, stored), append(p.states, around)
	case around != nil:
		p.stated.Add(&key.Account, key.LT)
		p.statesOnly = append(p.statesOnly, around)
	}
	if row.outside != nil {
		p.outside.Add(&key.Account, key.LT)
	}
}

// compress returns boc as it is stored. What does not decompress to the same bytes is stored as it is.
func (m *Mover) compress(boc []byte) []byte {
	stored := m.present.Append(nil, boc)
	if _, compressed := dictionary.IDOf(stored); compressed && !bytes.Equal(m.present.Decode(stored), boc) {
		var none *dictionary.Dictionary
		return none.Append(nil, boc)
	}
	return stored
}

// planStates returns the column states of a row that has none, nil if the state after it is not in the index, or would not be read as
// before.
func planStates(p *movePlan, row *movedRow, states map[chain.TransactionKey]*chain.AccountState) []byte {
	t := &row.t
	after := states[row.key]
	if len(t.States) > 0 || after == nil {
		return nil
	}
	around := EncodeStates(t, states)
	if around == nil || !readsAs(t, around, states) {
		p.rest.WithoutRest++
		return nil
	}
	p.own.Add(&row.key.Account, row.key.LT)
	return around
}

// readMoved reads rows and decompresses their raw transactions. Those whose raw transaction is damaged are damaged.
func readMoved(ctx context.Context, tx pgx.Tx, dictionaries *dictionary.Cache, keys []chain.TransactionKey) ([]movedRow, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := TransactionKeys(keys)
	rows, err := sqlbuild.Collect(ctx, tx, "transactions", len(keys), scanMoved, selectMoved, k.Accounts, k.LTs)
	if err != nil {
		return nil, err
	}
	var stored [][]byte
	var at []int
	for i := range rows {
		if rows[i].raw != nil && !rows[i].damaged {
			stored, at = append(stored, rows[i].raw), append(at, i)
		}
	}
	if err := dictionaries.Decode(ctx, tx, stored); err != nil {
		return nil, err
	}
	var raw rawtx.Transaction
	for i, at := range at {
		row := &rows[at]
		row.raw = stored[i]
		row.damaged = row.raw == nil || !row.described && readRaw(&raw, row.raw, &row.t) != nil
	}
	return rows, nil
}

// reproduces reports whether a row without its columns would read as t does with them.
func reproduces(raw *rawtx.Transaction, boc chain.BOC, t *chain.Transaction) bool {
	read := chain.Transaction{
		Account: t.Account, LT: t.LT, Hash: t.Hash, Block: t.Block, McSeqno: t.McSeqno, Now: t.Now, InMsg: t.InMsg, OutMsgCount: t.OutMsgCount,
		Verification: t.Verification, TraceID: t.TraceID, TraceExternalHash: t.TraceExternalHash,
	}
	read.Description.Aborted = t.Description.Aborted
	if readRaw(raw, boc, &read) != nil {
		return false
	}
	var want, got sqlbuild.CopyBuffer
	WriteDescribed(&want, t, true)
	WriteDescribed(&got, &read, true)
	return bytes.Equal(want.B, got.B)
}

// statesAround finds the states around rows that have none, by the keys of the transactions that left them.
func statesAround(ctx context.Context, tx pgx.Tx, dictionaries *dictionary.Cache, rows []movedRow) (map[chain.TransactionKey]*chain.AccountState, error) {
	r := NewReader(tx, func() sqlbuild.Queryer { return tx }, dictionaries)
	var keys []chain.TransactionKey
	for i := range rows {
		if t := &rows[i].t; !rows[i].damaged && len(t.States) == 0 {
			keys = append(keys, rows[i].key, chain.TransactionKey{Account: t.Account, LT: t.PrevLT})
		}
	}
	found := make(map[chain.TransactionKey]*chain.AccountState, len(keys))
	add := func(keys []chain.TransactionKey) error {
		list, err := r.StoredStates(ctx, keys)
		for i := range list {
			found[chain.TransactionKey{Account: list[i].Account, LT: list[i].LT}] = &list[i]
		}
		return err
	}
	err := add(keys)
	if !isDamage(err) {
		return found, err
	}
	for _, key := range keys { // one that cannot be read must not keep the others from being moved
		if err := add([]chain.TransactionKey{key}); err != nil && !isDamage(err) {
			return nil, err
		}
	}
	return found, nil
}

func isDamage(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, sqlbuild.ErrRow) }

// readsAs reports whether the states around a transaction are read from its row as they are read from rows of their own.
func readsAs(t *chain.Transaction, around []byte, states map[chain.TransactionKey]*chain.AccountState) bool {
	moved := *t
	moved.States = around
	before, after, given, err := readStates(&moved)
	if err != nil || !bytes.Equal(stateRow(&after), stateRow(states[t.Key()])) {
		return false
	}
	found := states[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}]
	if !given || found == nil || found.Hash != t.StateHashBefore || t.OrigStatus == chain.Nonexist && t.PrevLT == 0 {
		return true
	}
	want := *found
	before.Rest, want.Rest = nil, nil
	return bytes.Equal(stateRow(&before), stateRow(&want))
}

func stateRow(s *chain.AccountState) []byte {
	var c sqlbuild.CopyBuffer
	WriteState(&c, s)
	return c.B
}
