package ledger

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tonkeeper/tongo/boc"
	tongo "github.com/tonkeeper/tongo/tlb"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// bulkWallet is a wallet that sends up to 255 messages in one transaction.
type bulkWallet struct {
	*contracts.Wallet
	seqno uint32
}

func newBulkWallet(t *testing.T, n byte) *bulkWallet {
	t.Helper()
	w, err := contracts.NewWallet(contracts.V5R1, 0, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32)), DefaultGlobalID)
	require.NoError(t, err)
	return &bulkWallet{Wallet: w}
}

func (s *bulkWallet) account() genesis.Account {
	return genesis.Account{Address: s.Address, Balance: 1e15, Code: s.Init.Code, Data: s.Init.Data}
}

// send makes the wallet send n messages of one TON, in turn to the destinations.
func (s *bulkWallet) send(t *testing.T, c *Chain, n int, to ...*address.Address) {
	t.Helper()
	orders := make([]contracts.Order, n)
	for i := range orders {
		orders[i].Message = contracts.Transfer(to[i%len(to)], 1e9, "")
		orders[i].Message.Body = cell.BeginCell().MustStoreUInt(uint64(s.seqno)<<32|uint64(i), 64).EndCell()
	}
	ext, err := s.External(contracts.Ticket{Seqno: s.seqno, ValidUntil: 0xffffffff}, orders...)
	require.NoError(t, err)
	require.NoError(t, c.SendExternal(context.Background(), ext))
	s.seqno++
}

// messageRecord is an InMsg or OutMsg with an envelope.
type messageRecord struct {
	tag  string
	env  *tlb.MsgEnvelope
	hash string // of the message
}

// records lists the records of InMsgDescr or OutMsgDescr that the dispatch queue is about.
func records(t *testing.T, dict *cell.Cell, aug cell.Augmentation, names map[uint64]string) (out []messageRecord) {
	t.Helper()
	d, err := dict.MustBeginParse().LoadAugDict(256, aug, false)
	require.NoError(t, err)
	items, err := d.RangeExtra(false, false)
	require.NoError(t, err)
	for _, item := range items {
		if item.Value.BitsLeft() < 5 {
			continue
		}
		name, ok := names[item.Value.MustLoadUInt(5)]
		if !ok {
			continue
		}
		env, err := parseEnvelope(item.Value.MustLoadRef().MustToCell())
		require.NoError(t, err)
		out = append(out, messageRecord{name, env, string(env.Msg.Hash())})
	}
	return out
}

// deferredRecords lists the records of a block about deferred messages.
func deferredRecords(t *testing.T, b *Block) []messageRecord {
	t.Helper()
	var blk tlb.Block
	require.NoError(t, tlb.Parse(&blk, b.Root))
	extra, err := b.Root.PeekRef(3)
	require.NoError(t, err)
	in := records(t, extra.MustPeekRef(0), tlb.AugInMsgDescr{}, map[uint64]string{0b00100: "import_deferred_fin", 0b00101: "import_deferred_tr"})
	out := records(t, extra.MustPeekRef(1), tlb.AugOutMsgDescr{}, map[uint64]string{0b10100: "export_new_defer", 0b10101: "export_deferred_tr"})
	return append(in, out...)
}

// waitingMessages counts the messages in the dispatch queues of all shards.
func waitingMessages(t *testing.T, c *Chain) (n int) {
	t.Helper()
	for _, tip := range append([]*tip{c.mcTip}, c.tips...) {
		list, err := tip.queue.Dispatch.List()
		require.NoError(t, err)
		for _, d := range list {
			n += d.Count
		}
	}
	return n
}

// TestDeferral_BlocksTakeAFewMessagesOfAnAccount counts the messages that each block takes: ten of the transaction's
// block, then twenty of one initiator in each.
func TestDeferral_BlocksTakeAFewMessagesOfAnAccount(t *testing.T) {
	t.Parallel()
	w := newBulkWallet(t, 1)
	c := openChain(t, Options{Genesis: []genesis.Account{w.account()}})
	mine(t, c, 1)
	receiver := newTestWallet(t, 7, 0, 0).address
	w.send(t, c, 60, receiver)
	for _, want := range []int{50, 30, 10, 0} {
		mine(t, c, 1)
		require.Equal(t, want, waitingMessages(t, c))
	}
	requireReceivedOnce(t, c, 60)
	requireDeferred(t, c)
	replayAll(t, c)
}

// TestDeferral_ExemptAccountsDeferNothing has an exempt wallet, and a chain that defers nothing.
func TestDeferral_ExemptAccountsDeferNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options, *bulkWallet){
		"exempt": func(o *Options, w *bulkWallet) { o.DeferExempt = []*address.Address{w.Address} },
		"off":    func(o *Options, _ *bulkWallet) { o.DeferAfter = -1 },
	} {
		w := newBulkWallet(t, 1)
		opts := Options{Genesis: []genesis.Account{w.account()}}
		change(&opts, w)
		c := openChain(t, opts)
		mine(t, c, 1)
		w.send(t, c, 60, newTestWallet(t, 7, 0, 0).address)
		mine(t, c, 1)
		require.Zero(t, waitingMessages(t, c), name)
		requireReceivedOnce(t, c, 60)
	}
}

// TestDeferral_EveryMessageArrivesInOrder sends bursts of two wallets to their own shard, to others and to the masterchain
// while shards split and merge and make several blocks in a round. Every message arrives once, those between two accounts
// in the order in which they were sent.
func TestDeferral_EveryMessageArrivesInOrder(t *testing.T) {
	t.Parallel()
	senders := []*bulkWallet{newBulkWallet(t, 1), newBulkWallet(t, 2)}
	var to []*address.Address
	for i := range uint32(9) {
		to = append(to, newTestWallet(t, i, 0, 0).address)
	}
	to = append(to, newTestWallet(t, 99, -1, 0).address)
	c := openChain(t, Options{Genesis: []genesis.Account{senders[0].account(), senders[1].account()}, ShardBlocks: 2})
	mine(t, c, 1)
	sent := 0
	burst := func() {
		for _, w := range senders {
			w.send(t, c, 120, to...)
			sent += 120
		}
	}
	full := layout.FullShard
	left, _ := layout.ShardChildren(full)
	burst()
	require.NoError(t, c.RequestSplit(0, int64(full)))
	mine(t, c, 2)
	require.Positive(t, waitingMessages(t, c), "the shard splits with deferred messages")
	mine(t, c, 2)
	require.Len(t, shardNames(c), 2)
	burst()
	require.NoError(t, c.RequestSplit(0, int64(left)))
	mine(t, c, 4)
	require.Len(t, shardNames(c), 3)
	burst()
	require.NoError(t, c.RequestMerge(0, int64(left)))
	mine(t, c, 1)
	require.Positive(t, waitingMessages(t, c), "the shards merge with deferred messages")
	mine(t, c, 3)
	require.NoError(t, c.RequestMerge(0, int64(full)))
	for range 60 {
		mine(t, c, 1)
		if queued(c) == 0 && waitingMessages(t, c) == 0 && len(shardNames(c)) == 1 {
			break
		}
	}
	requireReceivedOnce(t, c, sent)
	requireDeferred(t, c)
	requireInOrder(t, c)
	requireReadableByOthers(t, c)
	replayAll(t, c)
}

// requireDeferred checks the records of deferred messages: each is put into the dispatch queue once and taken out once,
// and those of an account get growing LTs in the order in which they were sent.
func requireDeferred(t *testing.T, c *Chain) {
	t.Helper()
	state, count := map[string]string{}, map[string]int{}
	type emission struct{ created, emitted uint64 }
	last := map[string]emission{}
	for _, b := range allBlocks(t, c) {
		var taken []messageRecord
		for _, r := range deferredRecords(t, b) {
			count[r.tag]++
			switch r.tag {
			case "export_new_defer":
				require.Empty(t, state[r.hash])
				require.Nil(t, r.env.EmittedLT)
				require.NotNil(t, r.env.Metadata)
				state[r.hash] = "deferred"
			case "export_deferred_tr":
				require.NotNil(t, r.env.EmittedLT)
			default:
				require.Equal(t, "deferred", state[r.hash])
				state[r.hash] = "taken"
				taken = append(taken, r)
			}
		}
		sortByEmission(taken)
		for _, r := range taken {
			m, err := r.env.Msg.BeginParse()
			require.NoError(t, err)
			var msg tlb.InternalMessage
			require.NoError(t, tlb.LoadFromCell(&msg, m))
			require.Greater(t, *r.env.EmittedLT, b.StartLT)
			require.Less(t, *r.env.EmittedLT, b.EndLT)
			source := msg.SrcAddr.StringRaw()
			require.Greater(t, msg.CreatedLT, last[source].created, "messages of %s leave in order", source)
			require.Greater(t, *r.env.EmittedLT, last[source].emitted)
			last[source] = emission{msg.CreatedLT, *r.env.EmittedLT}
		}
	}
	for hash, s := range state {
		require.Equal(t, "taken", s, "%x", hash)
	}
	require.Equal(t, count["export_new_defer"], count["import_deferred_fin"]+count["import_deferred_tr"])
	require.Equal(t, count["import_deferred_tr"], count["export_deferred_tr"])
	require.Positive(t, count["import_deferred_fin"])
}

func sortByEmission(list []messageRecord) {
	for i := range list {
		for j := i; j > 0 && *list[j].env.EmittedLT < *list[j-1].env.EmittedLT; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// requireInOrder checks that the messages of one account to another are processed in the order in which they were sent.
func requireInOrder(t *testing.T, c *Chain) {
	t.Helper()
	type arrival struct{ created, lt uint64 }
	last := map[[2]string]arrival{}
	transits := 0
	for _, b := range allBlocks(t, c) {
		for _, r := range deferredRecords(t, b) {
			if r.tag == "import_deferred_tr" {
				transits++
			}
		}
		txs := blockTxs(t, b)
		for _, tx := range txs {
			if tx.IO.In == nil || tx.IO.In.MsgType != tlb.MsgTypeInternal {
				continue
			}
			msg := tx.IO.In.AsInternal()
			pair := [2]string{msg.SrcAddr.StringRaw(), msg.DstAddr.StringRaw()}
			require.Equal(t, msg.CreatedLT > last[pair].created, tx.LT > last[pair].lt, "order of messages from %s to %s", pair[0], pair[1])
			last[pair] = arrival{max(last[pair].created, msg.CreatedLT), max(last[pair].lt, tx.LT)}
		}
	}
	require.Positive(t, transits, "messages leave the dispatch queue for other shards")
}

// requireReadableByOthers reads all blocks and states with other libraries: they know the dispatch queue, too.
func requireReadableByOthers(t *testing.T, c *Chain) {
	t.Helper()
	for _, b := range allBlocks(t, c) {
		roots, err := boc.DeserializeBoc(b.Data)
		require.NoError(t, err)
		var block tongo.Block
		require.NoError(t, tongo.Unmarshal(roots[0], &block), blockName(b.ID))
		root, err := c.State(b.ID)
		require.NoError(t, err)
		var st tlb.ShardStateUnsplit
		require.NoError(t, tlb.Parse(&st, root))
		var info tlb.OutMsgQueueInfo
		require.NoError(t, tlb.Parse(&info, st.OutMsgQueueInfo))
		require.NotNil(t, info.Extra)
		data, err := layout.Serialize(root)
		require.NoError(t, err)
		roots, err = boc.DeserializeBoc(data)
		require.NoError(t, err)
		var state tongo.ShardStateUnsplit
		require.NoError(t, tongo.Unmarshal(roots[0], &state), blockName(b.ID))
	}
}
