package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/readers"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// coldReads are requests around a transaction, by name. Some name where they look, others do not.
func coldReads(r *store.Reader, at *chain.Transaction) map[string]func(ctx context.Context) (any, error) {
	list := map[string]func(ctx context.Context) (any, error){}
	earlier, later, before, after := at.LT-1_000_000, at.LT+1_000_000, at.Now-20, at.Now+20
	for name, page := range map[string]chain.Page{
		", a page": {Limit: 7}, ", ascending": {Limit: 7, Sort: chain.Ascending}, ", an offset": {Limit: 3, Offset: 5},
	} {
		for filter, f := range map[string]chain.TransactionFilter{
			"all": {}, "of a block": {McSeqno: &at.McSeqno}, "from an LT": {StartLT: &at.LT}, "to an LT": {EndLT: &at.LT}, "LTs": {StartLT: &earlier, EndLT: &later},
			"from a time": {StartUtime: &at.Now}, "to a time": {EndUtime: &at.Now}, "times": {StartUtime: &before, EndUtime: &after}, "at an LT": {LT: &at.LT},
			"of an account": {Accounts: []chain.Address{at.Account}}, "of an account to an LT": {Accounts: []chain.Address{at.Account}, EndLT: &at.LT},
		} {
			list["transactions "+filter+name] = func(ctx context.Context) (any, error) { return r.Transactions(ctx, f, page) }
		}
		for filter, f := range map[string]chain.MessageFilter{
			"all": {}, "LTs": {StartLT: &earlier, EndLT: &later}, "to an LT": {EndLT: &at.LT}, "to a time": {EndUtime: &at.Now}, "from a time": {StartUtime: &at.Now},
		} {
			list["messages "+filter+name] = func(ctx context.Context) (any, error) { return r.Messages(ctx, f, page) }
		}
		for filter, f := range map[string]chain.TraceFilter{
			"all": {}, "of a block": {McSeqno: &at.McSeqno}, "to an LT": {EndLT: &at.LT}, "from an LT": {StartLT: &at.LT}, "times": {StartUtime: &before, EndUtime: &after},
			"of an account": {Account: &at.Account},
		} {
			list["traces "+filter+name] = func(ctx context.Context) (any, error) { return r.Traces(ctx, f, page) }
		}
		for filter, f := range map[string]chain.ActionFilter{
			"all": {}, "of a block": {McSeqno: &at.McSeqno}, "to an LT": {EndLT: &at.LT}, "times": {StartUtime: &before, EndUtime: &after}, "of an account": {Account: &at.Account},
		} {
			list["actions "+filter+name] = func(ctx context.Context) (any, error) { return r.Actions(ctx, f, page) }
		}
		for filter, f := range map[string]chain.BlockFilter{"all": {}, "of a block": {McSeqno: &at.McSeqno}, "from a time": {StartUtime: &at.Now}, "to a time": {EndUtime: &at.Now}} {
			list["blocks "+filter+name] = func(ctx context.Context) (any, error) { return r.Blocks(ctx, f, page) }
		}
		span := chain.TransferRange{StartLT: &earlier, EndLT: &later}
		list["Jetton transfers"+name] = func(ctx context.Context) (any, error) {
			return r.JettonTransfers(ctx, chain.JettonTransferFilter{}, page)
		}
		list["Jetton transfers LTs"+name] = func(ctx context.Context) (any, error) {
			return r.JettonTransfers(ctx, chain.JettonTransferFilter{TransferRange: span}, page)
		}
		list["NFT transfers LTs"+name] = func(ctx context.Context) (any, error) {
			return r.NFTTransfers(ctx, chain.NFTTransferFilter{TransferRange: span}, page)
		}
		cursor := chain.Page{Limit: page.Limit, Sort: page.Sort, After: &chain.Cursor{Major: at.LT, Minor: string(sqlAddress(at.Account))}}
		list["transactions after a cursor"+name] = func(ctx context.Context) (any, error) { return r.Transactions(ctx, chain.TransactionFilter{}, cursor) }
	}
	list["by hash"] = func(ctx context.Context) (any, error) { return r.TransactionsByHash(ctx, []chain.Hash{at.Hash}) }
	list["by key"] = func(ctx context.Context) (any, error) {
		return r.TransactionsByKey(ctx, []chain.TransactionKey{at.Key()})
	}
	list["no such hash"] = func(ctx context.Context) (any, error) { return r.TransactionsByHash(ctx, []chain.Hash{{1, 2, 3}}) }
	list["block by id"] = func(ctx context.Context) (any, error) { return r.BlocksByID(ctx, []chain.BlockID{at.Block}) }
	list["of a block by id"] = func(ctx context.Context) (any, error) {
		return r.TransactionsOfBlocks(ctx, []chain.BlockID{at.Block}, chain.Page{Limit: 5})
	}
	list["shards"] = func(ctx context.Context) (any, error) { return r.ShardState(ctx, at.McSeqno) }
	list["shard tops"] = func(ctx context.Context) (any, error) { return r.ShardTops(ctx, at.McSeqno) }
	list["blocks of the masterchain"] = func(ctx context.Context) (any, error) { return r.BlocksOfMasterchain(ctx, []uint32{at.McSeqno}) }
	list["transactions of the masterchain"] = func(ctx context.Context) (any, error) {
		return r.TransactionsOfMasterchain(ctx, chain.SeqnoRange{First: at.McSeqno, Last: at.McSeqno + 1})
	}
	list["masterchain"] = func(ctx context.Context) (any, error) { return r.MasterchainInfo(ctx) }
	if at.TraceID != nil {
		list["trace"] = func(ctx context.Context) (any, error) {
			return r.Traces(ctx, chain.TraceFilter{IDs: []chain.Hash{*at.TraceID}}, chain.Page{Limit: 1})
		}
	}
	return list
}

func sqlAddress(a chain.Address) []byte { return append([]byte{byte(a.Workchain + 128)}, a.ID[:]...) }

// While one of two cold servers is down, a request fails only if rows of that server can belong to its response, and the error has the blocks; all other
// responses are those of one database. Which servers are down may change at any time.
func TestCold_ServerThatIsDownTakesItsBlocksAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("starts servers of its own")
	}
	here := pgclustertest.Start(t, pgcluster.Options{})
	there := []*pgcluster.Cluster{pgclustertest.Start(t, pgcluster.Options{}), pgclustertest.Start(t, pgcluster.Options{})}
	db, one := pgclustertest.Open(t, here), testdb.New(t)
	batches := coldChain(t, 6_000)
	for _, d := range []*store.DB{one, db} {
		d.Writer().SetClassifier(storetest.Classifier{})
		for _, b := range batches {
			require.NoError(t, d.Writer().Apply(t.Context(), b...))
		}
	}
	bounds := []uint32{batches[0][30].Block.Seqno, batches[1][10].Block.Seqno}
	for i, c := range there {
		pgclustertest.Open(t, c).Close()
		name, err := db.Cold().Connect(t.Context(), c.Primary().DSN("tonql"))
		require.NoError(t, err)
		moveAllCold(t, db, name, bounds[i], 300)
	}
	try := func(read func(ctx context.Context) (any, error)) (rows any, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		return rows, readers.Try(ctx, 0, nil, func(ctx context.Context) (err error) {
			rows, err = read(ctx)
			return err
		})
	}
	some := batches[rand.IntN(2)]
	transactions := []*chain.Transaction{
		&batches[0][3].Transactions[0], &batches[0][31].Transactions[0], &batches[1][10].Transactions[0], &batches[len(batches)-1][0].Transactions[0],
		&some[rand.IntN(len(some))].Transactions[0],
	}
	compare := func(down string) (served map[string]int, refused int) {
		served = map[string]int{}
		for i, at := range transactions {
			want := coldReads(one.Reader(), at)
			for name, read := range coldReads(db.Reader(), at) {
				rows, err := try(read)
				if err != nil && down != "" {
					require.Equal(t, chain.Unavailable, chain.KindOf(err), "%s: %v", name, err)
					require.Contains(t, chain.PublicMessage(err), down, name)
					refused++
					continue
				}
				require.NoError(t, err, name)
				expected, err := want[name](t.Context())
				require.NoError(t, err)
				require.Equal(t, expected, rows, "%s %d", name, i)
				served[fmt.Sprint(i, " ", name)]++
			}
		}
		return served, refused
	}
	begun := time.Now()
	compare("")
	t.Log("all in ", time.Since(begun))
	ranges := []string{fmt.Sprintf("masterchain blocks 1 to %d", bounds[0]), fmt.Sprintf("masterchain blocks %d to %d", bounds[0]+1, bounds[1])}
	first, second := 0, 1 // transactions that the servers have
	for i, down := range ranges {
		require.NoError(t, there[i].Primary().Kill(t.Context()))
		begun := time.Now()
		served, refused := compare(down)
		t.Logf("%s: %d served, %d refused in %s", down, len(served), refused, time.Since(begun))
		require.NotZero(t, refused)
		of := []int{second, first}[i]
		for _, name := range []string{
			"by hash", "by key", "transactions of a block, a page", "transactions LTs, a page", "traces of a block, ascending", "block by id", "shards", "shard tops", "blocks of the masterchain", "transactions of the masterchain",
		} {
			require.Contains(t, served, fmt.Sprint(of, " ", name))
		}
		require.NoError(t, there[i].Primary().Restart(t.Context()))
		require.Eventually(t, func() bool {
			_, err := try(func(ctx context.Context) (any, error) {
				return db.Reader().TransactionsByHash(ctx, []chain.Hash{{1, 2, 3}})
			})
			return err == nil
		}, time.Minute, 100*time.Millisecond)
	}
	compare("")

	// Both: what is here is served.
	for _, c := range there {
		require.NoError(t, c.Primary().Kill(t.Context()))
	}
	served, refused := compare(fmt.Sprintf("masterchain blocks 1 to %d", bounds[1]))
	require.NotZero(t, refused)
	require.Contains(t, served, "3 by hash")
}
