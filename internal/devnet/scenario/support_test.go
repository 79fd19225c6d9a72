package scenario

import (
	"context"
	"fmt"
	"math/big"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"go.uber.org/goleak"

	"tonql/internal/devnet/layout"
	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// skipIfShort skips a test with many blocks in short runs.
func skipIfShort(t *testing.T) {
	t.Helper()
	if pacetest.Short() {
		t.Skip("not in the short form: a long chain")
	}
}

const startTime = 1_790_000_000

// testChain is a chain mined by hand with a scenario.
type testChain struct {
	t     testing.TB
	seed  [32]byte
	dir   string
	now   *atomic.Uint32 // the chain's clock: one second for each masterchain block
	chain *ledger.Chain
	play  *Scenario
	opts  Options
}

func newTestChain(t testing.TB, dir string, opts Options) *testChain {
	t.Helper()
	w := &testChain{t: t, seed: [32]byte{7, 7, 7}, dir: dir, now: new(atomic.Uint32), opts: opts}
	w.now.Store(startTime)
	w.opts.Seed, w.opts.GlobalID = w.seed, ledger.DefaultGlobalID
	w.open()
	return w
}

func (w *testChain) open() {
	w.t.Helper()
	genesis, err := GenesisAccounts(w.seed, ledger.DefaultGlobalID)
	require.NoError(w.t, err)
	w.chain, err = ledger.Open(context.Background(), ledger.Options{
		Dir: w.dir, Seed: w.seed, Clock: w.now.Load, Genesis: genesis.Accounts, DNSRoot: genesis.DNSRoot, KeepStates: 8,
		DeferExempt: genesis.DeferExempt,
	})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, w.chain.Close()) })
	w.play, err = New(w.chain, w.opts)
	require.NoError(w.t, err)
}

// restart closes the chain and opens it again from its folder with a new
func (w *testChain) restart() {
	w.t.Helper()
	require.NoError(w.t, w.chain.Close())
	w.open()
}

// mine makes blocks and sends a batch after each.
func (w *testChain) mine(blocks int) {
	w.t.Helper()
	for range blocks {
		w.now.Add(1)
		b, err := w.chain.Mine(context.Background())
		require.NoError(w.t, err)
		require.NoError(w.t, w.play.Step(context.Background(), b.ID.SeqNo))
	}
}

// blocks returns every block from masterchain block first up to the head: each masterchain block after the shard blocks
// it commits.
func (w *testChain) blocks(first uint32) []*ledger.Block {
	w.t.Helper()
	var list []*ledger.Block
	for seqno := first; seqno <= w.chain.Head().ID.SeqNo; seqno++ {
		committed, err := w.chain.Committed(seqno)
		require.NoError(w.t, err)
		list = append(list, committed...)
		master, err := w.chain.BySeqno(layout.Masterchain, -1<<63, seqno)
		require.NoError(w.t, err)
		list = append(list, master)
	}
	return list
}

func transactions(t testing.TB, b *ledger.Block) []*tlb.Transaction {
	t.Helper()
	var block tlb.Block
	require.NoError(t, tlb.Parse(&block, b.Root))
	list, err := block.ListTransactions()
	require.NoError(t, err)
	return list
}

// census counts the events on a chain, by names such as "op 0f8a7ea5 ok" or "action 37".
type census map[string]int

func (w *testChain) census() census { return w.censusFrom(1) }

func (w *testChain) censusFrom(first uint32) census {
	w.t.Helper()
	c := census{}
	for _, b := range w.blocks(first) {
		c.block(b)
		for _, tx := range transactions(w.t, b) {
			c.transaction(b, tx)
		}
	}
	return c
}

func (c census) block(b *ledger.Block) {
	c["block"]++
	if b.KeyBlock {
		c["key block"]++
	}
	if b.ID.Workchain != layout.Basechain {
		return
	}
	if len(b.Prev) == 2 {
		c["merge"]++
	}
	c["deferred"] += deferred(b)
	if uint64(b.Prev[0].Shard) != uint64(b.ID.Shard) && len(b.Prev) == 1 {
		c["split"]++
	}
	c[fmt.Sprintf("depth %d", layout.ShardDepth(uint64(b.ID.Shard)))]++
}

func (c census) transaction(b *ledger.Block, tx *tlb.Transaction) {
	c["tx"]++
	c[fmt.Sprintf("status %s -> %s", tx.OrigStatus, tx.EndStatus)]++
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	if !ok {
		c["tick-tock"]++
		return
	}
	outcome := "ok"
	if d.Aborted {
		outcome = "aborted"
	}
	switch p := d.ComputePhase.Phase.(type) {
	case tlb.ComputePhaseVM:
		if !p.Success {
			c["compute failure"]++
			c[fmt.Sprintf("exit %d", p.Details.ExitCode)]++
		}
	case tlb.ComputePhaseSkipped:
		c["compute skipped"]++
	}
	if a := d.ActionPhase; a != nil && a.ResultCode != 0 {
		c[fmt.Sprintf("action %d", a.ResultCode)]++
	}
	if d.BouncePhase != nil {
		c["bounce phase"]++
	}
	if d.Destroyed {
		c["destroyed"]++
	}
	c.message(b, tx.IO.In, outcome)
	if tx.IO.Out == nil {
		return
	}
	out, err := tx.IO.Out.ToSlice()
	if err != nil {
		c["unreadable"]++
	}
	for _, m := range out {
		if m.MsgType == tlb.MsgTypeExternalOut {
			c["external-out"]++
		}
	}
}

func (c census) message(b *ledger.Block, in *tlb.Message, outcome string) {
	if in == nil {
		return
	}
	c[fmt.Sprintf("%s %s", in.MsgType, outcome)]++
	msg, ok := in.Msg.(*tlb.InternalMessage)
	if !ok {
		return
	}
	from, to := msg.SrcAddr, msg.DstAddr
	switch {
	case from.Workchain() != to.Workchain():
		c[fmt.Sprintf("%d to %d", from.Workchain(), to.Workchain())]++
	case from.Workchain() == layout.Basechain && !contains(b, from):
		c["cross-shard"]++
	}
	if msg.Bounced {
		c["bounced"]++
		if msg.Body != nil && msg.Body.BitsSize() >= 32 {
			c[fmt.Sprintf("bounced %08x", msg.Body.MustBeginParse().MustLoadUInt(32))]++
		}
		return
	}
	if msg.Body == nil || msg.Body.BitsSize() < 32 {
		// The masterchain pays its fees out with such messages too.
		if b.ID.Workchain == layout.Basechain {
			c["plain"]++
		}
		return
	}
	c[fmt.Sprintf("op %08x %s", msg.Body.MustBeginParse().MustLoadUInt(32), outcome)]++
}

func contains(b *ledger.Block, a *address.Address) bool {
	return layout.ShardContains(uint64(b.ID.Shard), new(big.Int).SetBytes(a.Data()[:8]).Uint64())
}

// deferred counts the messages that a block put into the dispatch queue.
func deferred(b *ledger.Block) (n int) {
	messages, err := b.Root.MustPeekRef(3).MustPeekRef(1).MustBeginParse().LoadAugDict(256, tlb.AugOutMsgDescr{}, false)
	if err != nil {
		panic(err)
	}
	items, err := messages.RangeExtra(false, false)
	if err != nil {
		panic(err)
	}
	for _, item := range items {
		if item.Value.BitsLeft() >= 5 && item.Value.MustLoadUInt(5) == 0b10100 { // msg_export_new_defer
			n++
		}
	}
	return n
}
