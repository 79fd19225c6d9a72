package resolvers_test

import (
	"context"
	"crypto/sha512"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/elector"
	"tonql/internal/contract/elector/electortest"
	"tonql/internal/contract/nominator"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// leafBytes is about what a leaf of a tree takes, with the cells above it.
const leafBytes = 132

// tree is a tree of cells, which differs by seed.
func tree(seed uint64, leaves int) *cell.Cell {
	level := make([]*cell.Cell, leaves)
	for i := range level {
		var text [16]byte
		binary.BigEndian.PutUint64(text[:], seed)
		binary.BigEndian.PutUint64(text[8:], uint64(i))
		bits := sha512.Sum512(text[:])
		level[i] = cell.BeginCell().MustStoreSlice(bits[:], 512).MustStoreSlice(bits[:], 480).EndCell()
	}
	for len(level) > 1 {
		var above []*cell.Cell
		for some := range slices.Chunk(level, 4) {
			b := cell.BeginCell()
			for _, c := range some {
				b.MustStoreRef(c)
			}
			above = append(above, b.EndCell())
		}
		level = above
	}
	return level[0]
}

// metered is a service that sums up what it charges.
func metered(t *testing.T, db *store.DB) (svc *resolvers.Service, charged func() float64) {
	t.Helper()
	sum := 0.0
	svc = resolvers.New(db.Reader(), nil, resolvers.Options{Charge: func(_ context.Context, tokens float64) { sum += tokens }})
	t.Cleanup(svc.Close)
	return svc, func() float64 {
		defer func() { sum = 0 }()
		return sum
	}
}

// A filter that nothing matches reads all states of the pool, whatever the page.
func TestPoolEvents_WhatAPageReadsIsCharged(t *testing.T) {
	t.Parallel()
	h := newPoolHistory(t)
	for i := range uint64(8) {
		h.receive(h.nominator, nominator.OpComment, tree(i, 1<<20/leafBytes))
	}
	svc, charged := metered(t, h.db)
	page := chain.Page{Limit: 1}
	events := func(f chain.PoolEventFilter) float64 {
		f.Pool = h.pool
		rows, err := svc.PoolEvents(t.Context(), f, page)
		require.NoError(t, err)
		require.Empty(t, rows)
		return charged()
	}
	require.InDelta(t, 3, events(chain.PoolEventFilter{}), 0, "the states have 8 MB")
	other := testdb.Address()
	require.Zero(t, events(chain.PoolEventFilter{Nominator: &other}), "no state is read for another nominator")

	mb := testdb.Master(h.seqno + 1)
	for range 2001 {
		mb.Transactions = append(mb.Transactions, testdb.NewTransaction(mb, h.pool))
	}
	require.NoError(t, h.db.Writer().Apply(t.Context(), mb))
	require.InDelta(t, 2, events(chain.PoolEventFilter{Nominator: &other}), 0, "2,009 transactions")
	earned, err := svc.PoolValidatorEvents(t.Context(), chain.PoolValidatorEventFilter{Pool: &h.pool}, page)
	require.NoError(t, err)
	require.Empty(t, earned)
	require.InDelta(t, 2, charged(), 0)
}

func TestValidatorLists_WhatAListReadsIsCharged(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	large := tree(0, 5<<19/leafBytes)
	h := electortest.History{Edit: func(seqno uint32, data *cell.Cell) *cell.Cell {
		if seqno < electortest.Seqno(electortest.Last)-electortest.Elected {
			return data
		}
		return data.ToBuilder().MustStoreRef(large).EndCell()
	}}
	h.Write(t, db)
	svc, charged := metered(t, db)
	for name, read := range map[string]func(limit int) (int, error){
		"cycles": func(limit int) (int, error) {
			holder := testdb.Address()
			rows, err := svc.ValidatorCycles(t.Context(), chain.ValidatorCycleFilter{StakeHolder: &holder}, limit, true)
			return len(rows), err
		},
		"complaints": func(limit int) (int, error) {
			holder := testdb.Address()
			rows, err := svc.ValidatorComplaints(t.Context(), chain.ValidatorComplaintFilter{StakeHolder: &holder}, limit)
			return len(rows), err
		},
		"elections": func(limit int) (int, error) {
			holder := testdb.Address()
			rows, err := svc.ValidatorElections(t.Context(), chain.ValidatorElectionFilter{StakeHolder: &holder}, limit, true)
			return len(rows), err
		},
	} {
		rows, err := read(1)
		require.NoError(t, err, name)
		require.Zero(t, rows, name)
		require.GreaterOrEqual(t, charged(), 1.0, name)
	}
}

func TestStakeEvents_MessagesOfOthersAreCharged(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	h := electortest.History{}
	h.Write(t, db)
	mb := testdb.Master(electortest.Seqno(electortest.Last) + electortest.Period)
	op := uint32(elector.OpNewStake)
	for range 1000 {
		m := testdb.NewMessage(mb, testdb.Address(), electortest.Elector)
		m.Opcode = &op
		mb.Messages = append(mb.Messages, m)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	svc, charged := metered(t, db)
	key := testdb.Hash()
	rows, err := svc.StakeEvents(t.Context(), chain.StakeEventFilter{PublicKey: &key}, 10)
	require.NoError(t, err)
	require.Empty(t, rows)
	require.InDelta(t, 1, charged(), 0)
	rows, err = svc.StakeEvents(t.Context(), chain.StakeEventFilter{}, 10)
	require.NoError(t, err)
	require.Len(t, rows, 10)
	charged()
}
