package node_test

import (
	"context"
	"encoding/base64"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/adnl"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// respond returns the response of the devnet's liteserver to a query.
func respond[T any](t *testing.T, d *devnet, query tl.Serializable) T {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(d.config.Liteservers[0].ID.Key)
	require.NoError(t, err)
	conn, err := adnl.Dial(d.ctx, d.server, key)
	require.NoError(t, err)
	defer conn.Close()
	raw, err := tl.Serialize(query, true)
	require.NoError(t, err)
	raw, err = conn.Query(d.ctx, raw)
	require.NoError(t, err)
	var response any
	_, err = tl.Parse(&response, raw, true)
	require.NoError(t, err)
	require.IsType(t, *new(T), response)
	return response.(T)
}

// check checks a response as the client does, and describes what is accepted.
func check(t *testing.T, response tl.Serializable, q node.Expectation) (string, error) {
	t.Helper()
	raw, err := tl.Serialize(response, true)
	require.NoError(t, err)
	return node.CheckResponse(raw, q)
}

// Each statement of a forward link is compared with the proofs in it, also those that the proofs do not depend on.
func TestBlockProof_EveryStatementOfALinkIsChecked(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	d.keyBlocks(t, 0, 1)
	d.mine(t, 3)
	key := d.head().Seqno - 3
	link := d.link(t, key, key+2)
	require.NoError(t, checkLink(t, link))
	from, err := d.chain.BySeqno(-1, -1<<63, key)
	require.NoError(t, err)
	header, err := cell.FromBOC(provenBy(from.Root, func(root *cell.Cell) { visitHeader(root) }).ToBOC())
	require.NoError(t, err)
	other := d.link(t, key, key+3)
	signatures, ok := link.SignatureSet.(ton.SignatureSetSimplex)
	require.True(t, ok)
	session := func(change func(*ton.SignatureSetSimplex)) any {
		s := signatures
		change(&s)
		return s
	}
	for _, c := range []struct {
		name   string
		change func(*ton.BlockLinkForward)
		want   string
	}{
		{"kind of the block", func(l *ton.BlockLinkForward) { l.ToKeyBlock = !l.ToKeyBlock }, "of another kind than the link says"},
		{"seqno of the block", func(l *ton.BlockLinkForward) { to := *l.To; to.SeqNo++; l.To = &to }, "under the id of"},
		{"a shard block", func(l *ton.BlockLinkForward) { to := *l.To; to.Workchain = 0; l.To = &to }, "joins other blocks"},
		{"a part of the masterchain", func(l *ton.BlockLinkForward) { to := *l.To; to.Shard = 1 << 62; l.To = &to }, "joins other blocks"},
		{"to the block itself", func(l *ton.BlockLinkForward) { l.To = l.From }, "joins other blocks"},
		{"header of another block", func(l *ton.BlockLinkForward) { l.DestProof = other.DestProof }, "header proof"},
		{"configuration of another block", func(l *ton.BlockLinkForward) { l.ConfigProof = l.DestProof }, "config proof"},
		{"no configuration", func(l *ton.BlockLinkForward) { l.ConfigProof = header.ToBOC() }, "lists no validators"},
		{"signatures of another block", func(l *ton.BlockLinkForward) { l.SignatureSet = other.SignatureSet }, "the candidate is another block"},
		{"seqno of the session", func(l *ton.BlockLinkForward) {
			l.SignatureSet = session(func(s *ton.SignatureSetSimplex) { s.CCSeqno++ })
		}, "of another validator session than the block"},
		{"validators of the session", func(l *ton.BlockLinkForward) {
			l.SignatureSet = session(func(s *ton.SignatureSetSimplex) { s.ValidatorSetHash++ })
		}, "of another validator session than the block"},
		{"no signatures", func(l *ton.BlockLinkForward) {
			l.SignatureSet = session(func(s *ton.SignatureSetSimplex) { s.Signatures = nil })
		}, "there are no signatures"},
	} {
		changed := link
		c.change(&changed)
		err := checkLink(t, changed)
		require.Error(t, err, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
	part := ton.PartialBlockProof{Complete: true, From: link.From, To: link.To, Steps: []any{link}}
	_, err = node.CheckPart(part, idOf(*other.To), idOf(*link.To))
	require.ErrorContains(t, err, "starts from another block")
	moved := link
	moved.From = other.To
	part.Steps = []any{moved}
	_, err = node.CheckPart(part, idOf(*link.From), idOf(*link.To))
	require.ErrorContains(t, err, "joins other blocks")
	set := link
	set.SignatureSet = nil
	part.Steps = []any{set}
	_, err = node.CheckPart(part, idOf(*link.From), idOf(*link.To))
	require.ErrorContains(t, err, "signature set of type")
}

// The list of shards comes with a proof of the block, or with one of the block and one of the state after it.
func TestShards_ListIsTheProvenOne(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 4)
	id := d.id(t, 3)
	q := node.Expectation{Master: id}
	honest := respond[ton.AllShardsInfo](t, d, ton.GetAllShardsInfo{ID: tlID(id)})
	want, err := check(t, honest, q)
	require.NoError(t, err)
	require.Contains(t, want, chain.FullShard.String())

	block, err := d.chain.BySeqno(-1, -1<<63, 3)
	require.NoError(t, err)
	state, err := d.chain.State(block.ID)
	require.NoError(t, err)
	other, err := d.chain.State(*tlID(d.id(t, 2)))
	require.NoError(t, err)
	proof := func(c *cell.Cell) *cell.Cell {
		p, err := cell.CreateMerkleProof(c)
		require.NoError(t, err)
		return p
	}
	byState := honest
	byState.Proof = []*cell.Cell{proof(block.Root), proof(state)}
	got, err := check(t, byState, q)
	require.NoError(t, err)
	require.Equal(t, want, got)

	shardState, err := d.chain.BySeqno(0, -1<<63, 2)
	require.NoError(t, err)
	for name, change := range map[string]func(*ton.AllShardsInfo){
		"of another block":             func(a *ton.AllShardsInfo) { a.ID = tlID(d.id(t, 2)) },
		"all shards hidden":            func(a *ton.AllShardsInfo) { a.Data = cell.BeginCell().MustStoreBoolBit(false).EndCell() },
		"without a proof":              func(a *ton.AllShardsInfo) { a.Proof = nil },
		"with three proofs":            func(a *ton.AllShardsInfo) { a.Proof = []*cell.Cell{a.Proof[0], a.Proof[0], a.Proof[0]} },
		"state of another block":       func(a *ton.AllShardsInfo) { a.Proof = []*cell.Cell{proof(block.Root), proof(other)} },
		"proof of a shard's block":     func(a *ton.AllShardsInfo) { a.Proof = []*cell.Cell{proof(shardState.Root)} },
		"two proofs of the same block": func(a *ton.AllShardsInfo) { a.Proof = []*cell.Cell{proof(block.Root), proof(block.Root)} },
	} {
		changed := honest
		change(&changed)
		_, err := check(t, changed, q)
		require.Error(t, err, name)
		changed = byState
		change(&changed)
		_, err = check(t, changed, q)
		require.Error(t, err, name)
	}
}

// A proof shows that an account does not exist; nothing comes with it.
func TestAccount_AbsentOneHasNoState(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 4)
	id := d.id(t, 3)
	absent := chain.Address{ID: chain.Hash{7}}
	q := node.Expectation{Master: id, Account: absent, States: node.NewStateHashes()}
	query := func(a chain.Address) ton.AccountState {
		return respond[ton.AccountState](t, d, ton.GetAccountState{ID: tlID(id), Account: ton.AccountID{Workchain: a.Workchain, ID: a.ID[:]}})
	}
	honest := query(absent)
	present := query(addressOf(d.faucet.Address))
	require.NotNil(t, present.State)
	for range 2 { // the state's hash is proven by the first response
		got, err := check(t, honest, q)
		require.NoError(t, err)
		require.Equal(t, "no account", got)

		lie := honest
		lie.State = present.State
		_, err = check(t, lie, q)
		require.ErrorContains(t, err, "although the proof shows that it does not exist")

		lie = honest
		lie.Proof = []*cell.Cell{honest.Proof[0], honest.Proof[0]}
		_, err = check(t, lie, q)
		require.Error(t, err, "no proof of the state")
	}
	lie := present
	lie.State = nil
	exists := q
	exists.Account = addressOf(d.faucet.Address)
	_, err := check(t, lie, exists)
	require.ErrorContains(t, err, "not the one of the proof")
	exists.Master = d.id(t, 2)
	_, err = check(t, present, exists)
	require.ErrorContains(t, err, "in another block")

	// A workchain that the network does not have.
	outside := chain.Address{Workchain: 5, ID: chain.Hash{7}}
	q.Account = outside
	far := query(outside)
	got, err := check(t, far, q)
	require.NoError(t, err)
	require.Equal(t, "no account", got)
	far.ShardProof = nil
	_, err = check(t, far, q)
	require.Error(t, err, "without a proof of the shards")
}

// A history is a chain of hashes of one account.
func TestHistory_EachTransactionIsThePredecessorOfTheOneBefore(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	for range 3 {
		d.pay(t, addresses(1)...)
	}
	account := addressOf(d.faucet.Address)
	c := open(t, d.config)
	acc, err := c.Account(within(t, time.Minute), d.head(), account)
	require.NoError(t, err)
	last := chain.TransactionRef{LT: acc.LastTxLT, Hash: acc.LastTxHash}
	list := respond[ton.TransactionList](t, d, ton.GetTransactions{
		Limit: 3, AccID: &ton.AccountID{ID: account.ID[:]}, LT: int64(last.LT), TxHash: last.Hash[:],
	})
	require.NoError(t, node.CheckHistory(account, last, list))
	roots, err := cell.FromBOCMultiRoot(list.Transactions)
	require.NoError(t, err)
	require.Len(t, roots, 3)
	of := func(roots ...*cell.Cell) ton.TransactionList {
		return ton.TransactionList{IDs: list.IDs[:len(roots)], Transactions: cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{})}
	}
	require.NoError(t, node.CheckHistory(account, last, of(roots[0], roots[1])))
	require.ErrorContains(t, node.CheckHistory(account, last, of(roots[1], roots[0])), "another hash than it should")
	require.ErrorContains(t, node.CheckHistory(account, last, of(roots[0], roots[2])), "another hash than it should", "one is left out")
	require.ErrorContains(t, node.CheckHistory(chain.Address{ID: chain.Hash{1}}, last, list), "another account")
	require.ErrorContains(t, node.CheckHistory(account, chain.TransactionRef{LT: last.LT + 1, Hash: last.Hash}, list), "another account or LT")
	list.IDs = list.IDs[:2]
	require.ErrorContains(t, node.CheckHistory(account, last, list), "3 transactions of 2 blocks")
	require.Error(t, node.CheckHistory(account, last, ton.TransactionList{}))
}

// The only server lies in a way that its proofs do not show by themselves. No result is better than a wrong one.
func TestClient_LieOfTheOnlyServerIsRefused(t *testing.T) {
	t.Parallel()
	shardBlock := func(t *testing.T, d *devnet, seqno uint32) chain.BlockIDExt {
		t.Helper()
		b, err := d.chain.BySeqno(0, -1<<63, seqno)
		require.NoError(t, err)
		return idOf(b.ID)
	}
	for name, tc := range map[string]struct {
		fault  func(t *testing.T, d *devnet) nodetest.Fault
		query  func(t *testing.T, d *devnet, c *node.Client) error
		reason string
	}{
		"proof of another shard block": {func(t *testing.T, d *devnet) nodetest.Fault {
			t.Helper()
			id := shardBlock(t, d, 2)
			return nodetest.Only[ton.GetShardBlockProof](func(ctx context.Context, _ tl.Serializable, next nodetest.Handler) tl.Serializable {
				return next(ctx, ton.GetShardBlockProof{ID: tlID(id)})
			})
		}, func(t *testing.T, d *devnet, c *node.Client) error {
			t.Helper()
			_, err := c.ShardBlockProof(within(t, time.Minute), shardBlock(t, d, 4), d.head())
			return err
		}, "returned a proof of a shard block that is not valid"},
		"shard block that proves itself": {func(*testing.T, *devnet) nodetest.Fault {
			return nodetest.Only[ton.GetShardBlockProof](func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
				response, ok := next(ctx, query).(ton.ShardBlockProof)
				if !ok {
					return next(ctx, query)
				}
				response.MasterchainID, response.Links = response.Links[len(response.Links)-1].ID, nil
				return response
			})
		}, func(t *testing.T, d *devnet, c *node.Client) error {
			t.Helper()
			_, err := c.ShardBlockProof(within(t, time.Minute), shardBlock(t, d, 4), d.head())
			return err
		}, "where a masterchain block belongs"},
		"kind of the block in a link back": {func(*testing.T, *devnet) nodetest.Fault {
			return nodetest.Falsify(func(a ton.PartialBlockProof) tl.Serializable {
				for i, step := range a.Steps {
					if l, ok := step.(ton.BlockLinkBackward); ok {
						l.ToKeyBlock = !l.ToKeyBlock
						a.Steps[i] = l
					}
				}
				return a
			})
		}, func(t *testing.T, d *devnet, c *node.Client) error {
			t.Helper()
			_, err := c.ShardBlockProof(within(t, time.Minute), d.id(t, 3), d.head())
			return err
		}, "returned a link to an older block that is not valid"},
		"look-up by LT that finds a later block":    {func(*testing.T, *devnet) nodetest.Fault { return lookupOf(5) }, lookUpThird, "found .* which is another"},
		"look-up by LT that finds an earlier block": {func(*testing.T, *devnet) nodetest.Fault { return lookupOf(2) }, lookUpThird, "found .* which is another"},
		"look-up by seqno that finds another block": {func(*testing.T, *devnet) nodetest.Fault { return lookupOf(2) }, func(t *testing.T, _ *devnet, c *node.Client) error {
			t.Helper()
			_, err := c.FindBlock(within(t, time.Minute), chain.BlockSearch{Shard: chain.FullShard, Seqno: new(uint32(3))})
			return err
		}, "found .* which is another"},
		"look-up that finds a block of the masterchain": {func(t *testing.T, d *devnet) nodetest.Fault {
			t.Helper()
			id := d.id(t, 3)
			return nodetest.Falsify(func(a ton.BlockHeader) tl.Serializable { a.ID = tlID(id); return a })
		}, func(t *testing.T, _ *devnet, c *node.Client) error {
			t.Helper()
			_, err := c.FindBlock(within(t, time.Minute), chain.BlockSearch{Shard: chain.FullShard, Seqno: new(uint32(3))})
			return err
		}, "found .* which is another"},
		"out-queue of an older shard block": {func(t *testing.T, d *devnet) nodetest.Fault {
			t.Helper()
			id := shardBlock(t, d, 2)
			return nodetest.Falsify(func(a ton.OutMsgQueueSizes) tl.Serializable { a.Shards[1].ID = tlID(id); return a })
		}, queueSizes, "which is no shard's newest block"},
		"no out-queues": {func(*testing.T, *devnet) nodetest.Fault {
			return nodetest.Falsify(func(a ton.OutMsgQueueSizes) tl.Serializable { a.Shards = nil; return a })
		}, queueSizes, "returned no out-queue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 6)
			p := d.proxy(t)
			c := open(t, d.through(p))
			_, err := c.Wait(within(t, time.Minute), d.head().Seqno)
			require.NoError(t, err)
			require.NoError(t, tc.query(t, d, c))
			fresh := open(t, d.through(p)) // that has cached no proof
			_, err = fresh.Wait(within(t, time.Minute), d.head().Seqno)
			require.NoError(t, err)
			p.Break(tc.fault(t, d))
			require.Error(t, tc.query(t, d, fresh))
			require.Regexp(t, tc.reason, fresh.States()[0].SetAside)
		})
	}
}

// Blocks of another chain come with valid proofs from masterchain blocks of that chain, whether or not the client has proven its own blocks
// of the same seqnos.
func TestFindBlock_OfAnotherChainIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d, other := newDevnet(t, 6), newDevnet(t, 2)
	other.pay(t, addresses(1)...)
	other.mine(t, 4)
	b, err := other.chain.BySeqno(0, -1<<63, 4)
	require.NoError(t, err)
	shard := idOf(b.ID)
	b, err = other.chain.BySeqno(-1, -1<<63, 4)
	require.NoError(t, err)
	master, end := idOf(b.ID), endLT(t, b.Root)
	require.NotEqual(t, d.id(t, 4), master)
	fromOther := other.proxy(t)
	for name, query := range map[string]func(context.Context, *node.Client) (any, error){
		"look-up of a shard's block": func(ctx context.Context, c *node.Client) (any, error) {
			return c.FindBlock(ctx, chain.BlockSearch{Shard: chain.FullShard, Seqno: &shard.Seqno})
		},
		"look-up of a masterchain block": func(ctx context.Context, c *node.Client) (any, error) {
			return c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, LT: &end})
		},
		"proof": func(ctx context.Context, c *node.Client) (any, error) { return c.ShardBlockProof(ctx, shard, d.head()) },
	} {
		for _, proven := range []bool{false, true} {
			p := d.proxy(t)
			c := open(t, d.through(p))
			_, err = c.Wait(within(t, time.Minute), d.head().Seqno)
			require.NoError(t, err)
			for seqno := uint32(3); proven && seqno < 6; seqno++ {
				_, err = c.MasterBlockID(within(t, time.Minute), seqno)
				require.NoError(t, err)
			}
			p.Break(func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
				switch q := query.(type) {
				case ton.GetShardBlockProof, ton.GetBlockHeader:
					return fromOther.Respond(ctx, query)
				case ton.LookupBlock:
					if q.ID.Workchain == 0 || q.Mode != 1 {
						return fromOther.Respond(ctx, query)
					}
				}
				return next(ctx, query)
			})
			found, err := query(within(t, time.Minute), c)
			require.Error(t, err, "%s, proven: %v: %v", name, proven, found)
			if proven {
				require.Contains(t, c.States()[0].SetAside, "is not the proven one", name)
			}
		}
	}
}

// Masterchain blocks are found by LT and time as those of shards are, and a lie about them is refused.
func TestFindBlock_OfTheMasterchain(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 6)
	p := d.proxy(t)
	c := open(t, d.through(p))
	ctx := within(t, time.Minute)
	_, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	b, err := d.chain.BySeqno(-1, -1<<63, 3)
	require.NoError(t, err)
	end, id := endLT(t, b.Root), idOf(b.ID)
	before, err := d.chain.BySeqno(-1, -1<<63, 2)
	require.NoError(t, err)
	for _, lt := range []uint64{end, endLT(t, before.Root) + 1} {
		found, err := c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, LT: &lt})
		require.NoError(t, err)
		require.Equal(t, id, found)
	}
	var header tlb.Block
	require.NoError(t, tlb.Parse(&header, b.Root))
	found, err := c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, Utime: &header.BlockInfo.GenUtime})
	require.NoError(t, err)
	require.Equal(t, id, found)
	_, err = c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, Seqno: new(d.head().Seqno + 1000)})
	require.Equal(t, chain.NotFound, chain.KindOf(err))

	p.Break(nodetest.Only[ton.LookupBlock](func(ctx context.Context, _ tl.Serializable, next nodetest.Handler) tl.Serializable {
		return next(ctx, ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{Workchain: -1, Shard: -1 << 63, Seqno: 5}})
	}))
	_, err = c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, LT: &end})
	require.Error(t, err)
	require.Regexp(t, "found .* which is another", c.States()[0].SetAside)
}

// What depends on the masterchain is not read at a shard block.
func TestClient_ShardBlocksHaveNoConfigurationAndLibraries(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	c := open(t, d.config)
	b, err := d.chain.BySeqno(0, -1<<63, 2)
	require.NoError(t, err)
	_, err = c.Config(within(t, time.Minute), idOf(b.ID))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = c.LibrariesAt(within(t, time.Minute), idOf(b.ID), []chain.Hash{{1}})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

// The id of a zerostate consists of its hashes, so nothing else can be its bytes.
func TestZerostate_HasItsHashes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*ton.BlockState){
		"changed byte":     func(s *ton.BlockState) { s.Data = slices.Clone(s.Data); s.Data[len(s.Data)/2] ^= 1 },
		"of another block": func(s *ton.BlockState) { id := *s.ID; id.SeqNo++; s.ID = &id },
		"other bytes of the same cells": func(s *ton.BlockState) {
			root, err := cell.FromBOC(s.Data)
			require.NoError(t, err)
			s.Data = root.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: true, WithIndex: true})
		},
		"no bytes": func(s *ton.BlockState) { s.Data = nil },
	} {
		d := newDevnet(t, 3)
		p := d.proxy(t)
		c := open(t, d.through(p))
		zero, err := c.MasterBlockID(within(t, time.Minute), 0)
		require.NoError(t, err)
		p.Break(nodetest.Falsify(func(s ton.BlockState) tl.Serializable { change(&s); return s }))
		_, err = c.Config(within(t, time.Minute), zero)
		require.Error(t, err, name)
		require.Regexp(t, "returned a zerostate that is not valid", c.States()[0].SetAside, name)
	}
}

func queueSizes(t *testing.T, _ *devnet, c *node.Client) error {
	t.Helper()
	_, err := c.QueueSizes(within(t, time.Minute))
	return err
}

// lookupOf responds to every look-up by a header of one shard block.
func lookupOf(seqno int32) nodetest.Fault {
	return nodetest.Only[ton.LookupBlock](func(ctx context.Context, _ tl.Serializable, next nodetest.Handler) tl.Serializable {
		return next(ctx, ton.LookupBlock{Mode: 1, ID: &ton.BlockInfoShort{Shard: -1 << 63, Seqno: seqno}})
	})
}

// lookUpThird looks the third shard block up by its end LT.
func lookUpThird(t *testing.T, d *devnet, c *node.Client) error {
	t.Helper()
	b, err := d.chain.BySeqno(0, -1<<63, 3)
	require.NoError(t, err)
	end := endLT(t, b.Root)
	found, err := c.FindBlock(within(t, time.Minute), chain.BlockSearch{Shard: chain.FullShard, LT: &end})
	if err == nil {
		require.Equal(t, idOf(b.ID), found)
	}
	return err
}

func endLT(t *testing.T, root *cell.Cell) uint64 {
	t.Helper()
	var block tlb.Block
	require.NoError(t, tlb.Parse(&block, root))
	return block.BlockInfo.EndLt
}
