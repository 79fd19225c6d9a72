package indexer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/devnet/layout"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// BenchmarkIndexFatBlockFromNode indexes a chain that repeats a full block of the main network, b.N masterchain blocks long,
// from a liteserver to the last row, through the steps and channels of an indexer that catches up with --commit-blocks 20: each
// copy is fetched over ADNL, compared with its hashes, decoded, executed again, its contracts detected, its traces assembled
// and classified, and written with higher LTs and seqnos. No copy begins with the states after the one before: each is executed
// from account states that are prepared anew. With "proofs" each of the 234 states is fetched over ADNL with its Merkle proof, as
// for accounts that the indexer has not seen before; with "states" it has them. The liteserver runs in the same process. CPU
// includes that of the liteserver, and that of PostgreSQL with all its processes.
func BenchmarkIndexFatBlockFromNode(b *testing.B) {
	for _, proofs := range []bool{false, true} {
		b.Run(map[bool]string{false: "states", true: "proofs"}[proofs], func(b *testing.B) {
			fat := mainnet.OpenFatBlock(b)
			db := testdb.New(b)
			ctx, cancel := context.WithCancelCause(b.Context())
			defer cancel(nil)
			source := newRepeated(b, fat, proofs)
			source.failed = cancel
			x := New(source, db, Options{Group: 20})
			x.detector = detect.New(x.src, x.net, x.opts.Contracts)
			b.Cleanup(x.detector.Close)
			before := benchmarkCPU(b, db)
			b.ReportAllocs()
			b.ResetTimer()
			err := x.indexRepeated(ctx, b.N)
			b.StopTimer()
			require.NoError(b, errors.Join(err, context.Cause(ctx)))
			requireNarrow(b, db)
			txs := float64(fat.TxCount * b.N)
			after := benchmarkCPU(b, db)
			b.ReportMetric(txs/b.Elapsed().Seconds(), "tx/s")
			b.ReportMetric(float64((after.own-before.own).Microseconds())/txs, "µs-own/tx")
			b.ReportMetric(float64((after.postgres-before.postgres).Microseconds())/txs, "µs-pg/tx")
			b.ReportMetric(float64(after.rollbacks-before.rollbacks), "rollbacks")
		})
	}
}

// indexRepeated is [Indexer.pipeline] for blocks 1 to n, with a shift of each block before it is written.
func (x *Indexer) indexRepeated(ctx context.Context, n int) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := x.stream(ctx, group, 1, uint32(n))
	replayed := make(chan *decode.Master, 1)
	ready := make(chan *chain.MasterBlock, x.opts.Ahead)
	group.Go(func() error { return x.replayBlocks(ctx, slots, replayed) })
	group.Go(func() error {
		defer close(ready)
		place := uint64(0)
		for m := range replayed {
			if len(m.Mismatches) > 0 {
				return fmt.Errorf("mismatch: %s", m.Mismatches[0].Reason)
			}
			if err := x.detectBlock(ctx, x.detector.NewBatch(), m); err != nil {
				return err
			}
			if err := shift(m.MasterBlock, place); err != nil {
				return err
			}
			if err := send(ctx, ready, m.MasterBlock); err != nil {
				return err
			}
			place++
		}
		return nil
	})
	group.Go(func() error { return x.apply(ctx, ready, x.db.Writer().Apply) })
	return group.Wait()
}

// repeated is a chain of one recorded block, which a liteserver serves as every block.
type repeated struct {
	*mainnet.FatBlock

	client *node.Client
	shard  chain.BlockIDExt
	parent *chain.BlockIDExt // with the states before the block; nil: states are not fetched from the liteserver
	failed func(error)       // ends the benchmark: an indexer repeats a failed request forever
}

// MasterBlock fetches the block and puts it into the frame of the recorded masterchain block.
func (r *repeated) MasterBlock(ctx context.Context, _ uint32) (*chain.RawMasterBlock, error) {
	shard, err := r.client.Block(ctx, r.shard)
	if err != nil {
		r.failed(err)
		return nil, err
	}
	raw := *r.Raw
	raw.Shards = []chain.RawBlock{{ID: r.Raw.Shards[0].ID, Root: shard.Root}}
	return &raw, nil
}

// Account returns the recorded state of an account before the block.
func (r *repeated) Account(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	if r.parent != nil && at.BlockID == r.Parent {
		raw, err := r.client.Account(ctx, *r.parent, a)
		if err != nil {
			r.failed(err)
		}
		return raw, err
	}
	return r.FatBlock.Account(ctx, at, a)
}

// newRepeated starts a liteserver that has the recorded block, the states before it, and a head that the client trusts.
func newRepeated(b *testing.B, fat *mainnet.FatBlock, proofs bool) *repeated {
	b.Helper()
	head := chain.BlockIDExt{BlockID: chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: 7}, RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	tlID := func(id chain.BlockIDExt) *ton.BlockIDExt {
		return &ton.BlockIDExt{Workchain: id.Workchain, Shard: int64(id.Shard), SeqNo: id.Seqno, RootHash: id.RootHash[:], FileHash: id.FileHash[:]}
	}
	recorded := fat.Raw.Shards[0]
	data := recorded.Root.ToBOC()
	r := &repeated{FatBlock: fat, shard: recorded.ID}
	r.shard.FileHash = sha256.Sum256(data)
	states := map[chain.Hash]ton.AccountState{}
	if proofs {
		r.parent = &chain.BlockIDExt{BlockID: fat.Parent, FileHash: chain.Hash{3}}
		r.parent.RootHash, states = provenStates(b, fat)
	}
	info := ton.MasterchainInfo{Last: tlID(head), StateRootHash: make([]byte, 32), Init: &ton.ZeroStateIDExt{
		Workchain: -1, RootHash: make([]byte, 32), FileHash: make([]byte, 32),
	}}
	server := nodetest.Serve(b, func(ctx context.Context, query tl.Serializable) tl.Serializable {
		switch q := query.(type) {
		case ton.GetMasterchainInf:
			return info
		case ton.GetBlockData:
			return ton.BlockData{ID: q.ID, Payload: data}
		case ton.GetAccountState:
			state := states[chain.HashFrom(q.Account.ID)]
			state.ID, state.Shard = q.ID, q.ID
			return state
		case []tl.Serializable: // waits for the next block, which never comes
			select {
			case <-ctx.Done():
			case <-time.After(4 * time.Second):
			}
			return ton.LSError{Code: 652, Text: "timeout"}
		default:
			return ton.LSError{Code: 621, Text: "unknown query"}
		}
	})
	client, err := node.Open(b.Context(), node.Options{
		Config: nodetest.Config(&liteclient.GlobalConfig{}, server.Liteserver()), Anchor: node.Anchor{Block: head},
	})
	require.NoError(b, err)
	b.Cleanup(client.Close)
	r.client = client
	return r
}

// provenStates builds a block and the shard state after it from the recorded accounts, and returns the root hash of the block
// and each account with its proof. The proof of the header leads to the state, the proof of the state to the account.
func provenStates(b *testing.B, fat *mainnet.FatBlock) (chain.Hash, map[chain.Hash]ton.AccountState) {
	b.Helper()
	accounts, err := tlb.NewShardAccountsAugDict()
	require.NoError(b, err)
	roots := map[chain.Hash]*cell.Cell{}
	for _, a := range fat.Accounts() {
		raw, err := fat.Account(b.Context(), chain.BlockIDExt{BlockID: fat.Parent}, a)
		require.NoError(b, err)
		if raw.Root == nil {
			continue
		}
		record := cell.BeginCell().MustStoreRef(raw.Root).MustStoreSlice(raw.LastTxHash.Bytes(), 256).MustStoreUInt(raw.LastTxLT, 64).EndCell()
		require.NoError(b, accounts.Set(accountKey(a), record))
		roots[a.ID] = raw.Root
	}
	dict, err := accounts.ToCell()
	require.NoError(b, err)
	queue, err := layout.NewOutQueue()
	require.NoError(b, err)
	queueCell, err := queue.Cell()
	require.NoError(b, err)
	st := layout.State{Shard: uint64(fat.Parent.Shard), Seqno: fat.Parent.Seqno, OutQueue: queueCell, Accounts: dict, TotalBalance: layout.Currencies{}}
	state, err := st.Cell()
	require.NoError(b, err)
	update, err := cell.CreateMerkleUpdate(state, state)
	require.NoError(b, err)
	block := fat.Raw.Shards[0].Root
	b1 := cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).MustStoreInt(-239, 32)
	for i := range 4 {
		ref, err := block.PeekRef(i)
		require.NoError(b, err)
		if i == 2 {
			ref = update
		}
		b1.MustStoreRef(ref)
	}
	parent := b1.EndCell()
	header := prove(b, parent, func(root *cell.Cell) {
		_, err := root.BeginParse()
		require.NoError(b, err)
		openCell(b, root, 0)
		openCell(b, root, 2)
	})
	states := map[chain.Hash]ton.AccountState{}
	for _, a := range fat.Accounts() {
		found := prove(b, state, func(root *cell.Cell) {
			var s tlb.ShardStateUnsplit
			loader, err := root.BeginParse()
			require.NoError(b, err)
			require.NoError(b, tlb.LoadFromCell(&s, loader))
			_, _, err = s.Accounts.ShardAccounts.LoadValueExtra(accountKey(a))
			require.Equal(b, roots[a.ID] == nil, err != nil, a)
		})
		states[a.ID] = ton.AccountState{Proof: []*cell.Cell{header, found}, State: roots[a.ID]}
	}
	return chain.Hash(parent.HashKey()), states
}

func accountKey(a chain.Address) *cell.Cell {
	return cell.BeginCell().MustStoreSlice(a.ID[:], 256).EndCell()
}

func openCell(b *testing.B, parent *cell.Cell, n int) {
	b.Helper()
	ref, err := parent.PeekRef(n)
	require.NoError(b, err)
	_, err = ref.BeginParse()
	require.NoError(b, err)
}

func prove(b *testing.B, root *cell.Cell, look func(root *cell.Cell)) *cell.Cell {
	b.Helper()
	builder := cell.NewMerkleProofBuilder(root)
	look(builder.Root())
	proof, err := builder.CreateProof()
	require.NoError(b, err)
	return proof
}

// benchmarkTime is the CPU time of this process, and of PostgreSQL with its background processes and those that have ended.
type benchmarkTime struct {
	own, postgres time.Duration
	rollbacks     int // of database transactions; a batch that a stored row contradicts is written twice
}

func benchmarkCPU(b *testing.B, db *store.DB) (spent benchmarkTime) {
	b.Helper()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	spent.own = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	var pid int
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }()
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT pg_backend_pid()`).Scan(&pid))
	require.NoError(b, handle.QueryRowContext(b.Context(),
		`SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()`).Scan(&spent.rollbacks))
	postmaster := processFields(strconv.Itoa(pid))[1]
	for _, field := range processFields(postmaster)[11:15] { // its own time, and that of processes that have ended
		spent.postgres += ticks(b, field)
	}
	entries, err := os.ReadDir("/proc")
	require.NoError(b, err)
	for _, e := range entries {
		if fields := processFields(e.Name()); len(fields) > 15 && fields[1] == postmaster {
			spent.postgres += ticks(b, fields[11]) + ticks(b, fields[12])
		}
	}
	return spent
}

// processFields returns the fields of /proc/PID/stat from the third, the state, on.
func processFields(pid string) []string {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return strings.Fields(after)
}

func ticks(b *testing.B, field string) time.Duration {
	b.Helper()
	n, err := strconv.Atoi(field)
	require.NoError(b, err)
	return time.Duration(n) * 10 * time.Millisecond
}
