package contracts_test

import (
	"context"
	"math/big"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/batch"
	"tonql/internal/store/contracts"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// sentSizes is a tracer that records what the writer sends.
type sentSizes struct {
	mu      sync.Mutex
	copies  map[string]int // number of COPY statements by table
	upserts []int          // bytes of the contents in each statement that writes metadata
}

func (s *sentSizes) note(sql string, args []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if table, is := strings.CutPrefix(sql, "COPY "); is {
		s.copies[strings.Fields(table)[0]]++
	}
	if strings.Contains(sql, "INSERT INTO metadata") {
		n := 0
		for _, text := range args[2].([]string) {
			n += len(text)
		}
		s.upserts = append(s.upserts, n)
	}
}

func (s *sentSizes) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.note(d.SQL, d.Args)
	return ctx
}

func (*sentSizes) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (*sentSizes) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *sentSizes) TraceBatchQuery(_ context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	s.note(d.SQL, d.Args)
}

func (*sentSizes) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// write writes the detections of a block.
func write(t *testing.T, conn *pgx.Conn, mb *chain.MasterBlock) {
	t.Helper()
	ctx := t.Context()
	tx, err := conn.Begin(ctx)
	require.NoError(t, err)
	copies := &sqlbuild.CopyBuffer{}
	copies.Reset()
	step := contracts.Step{Batch: &batch.Batch{Tx: tx, Copies: copies, Blocks: []*chain.MasterBlock{mb}}}
	step.Prepare()
	lookup, finish := &pgx.Batch{}, &pgx.Batch{}
	step.QueueLookup(lookup)
	require.NoError(t, tx.SendBatch(ctx, lookup).Close())
	require.NoError(t, step.Write(ctx))
	step.Finish(finish)
	require.NoError(t, tx.SendBatch(ctx, finish).Close())
	require.NoError(t, tx.Commit(ctx))
}

// PostgreSQL refuses a message above one gigabyte, so the contents of many tokens are sent in parts. What is stored does not
// depend on the parts.
func TestWriter_ContentsOfTokensAreSentInParts(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const tokens, size, part = 160, 128 << 10, 8 << 20
	url := testdb.URL(t)
	db := testdb.Open(t, url)
	sent := &sentSizes{copies: map[string]int{}}
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	config.Tracer = sent
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	addresses := storetest.Addresses(tokens)
	contents := map[chain.Address]chain.Content{}
	for seqno := range uint32(2) { // the second time the rows are there
		lt := uint64(seqno) + 1
		mb := testdb.Master(seqno+1, func(mb *chain.MasterBlock) {
			for i, a := range addresses {
				contents[a] = chain.Content{"name": strings.Repeat(string(rune('a'+i%20+int(seqno))), size)}
				mb.Contracts = append(mb.Contracts, chain.Contract{
					Account: a, LT: lt, McSeqno: seqno + 1,
					NFTItem: &chain.NFTItem{Address: a, LastTxLT: lt, Index: big.NewInt(int64(i)), Content: contents[a]},
				})
			}
		})
		sent.copies, sent.upserts = map[string]int{}, nil
		write(t, conn, mb)
		require.Equal(t, 3, sent.copies["nft_items"])
		require.Len(t, sent.upserts, 3)
		for _, n := range sent.upserts {
			require.LessOrEqual(t, n, part+size+100)
		}
		page := chain.Page{Limit: 10}
		for at := 0; at < tokens; at += page.Limit {
			some := addresses[at : at+page.Limit]
			items, err := db.Reader().NFTItems(t.Context(), chain.NFTItemFilter{Addresses: some}, page)
			require.NoError(t, err)
			require.Len(t, items, len(some))
			for i := range items {
				require.Equal(t, contents[items[i].Address], items[i].Content)
			}
		}
		jobs, err := db.MetadataQueue().Next(t.Context(), tokens+1)
		require.NoError(t, err)
		require.Len(t, jobs, tokens)
		for _, job := range jobs {
			require.Equal(t, contents[job.Address], job.Content)
		}
	}
}
