package replay

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// otherAccount is the first blocks with another state of one account, whatever the block, and with another global version.
type otherAccount struct {
	*mainnet.FirstBlocks

	account chain.Address
	state   *chain.RawAccount
	version uint32
}

func (o otherAccount) Config(ctx context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	root, err := o.FirstBlocks.Config(ctx, at)
	if err != nil || o.version == 0 {
		return root, err
	}
	param, err := tlb.ToCell(&tlb.GlobalVersion{Version: o.version, Capabilities: tvm.MustPrepareBlockchainConfig(root).Capabilities()})
	if err != nil {
		return nil, err
	}
	dict := root.AsDict(32)
	key := cell.BeginCell().MustStoreUInt(uint64(tlb.ConfigParamGlobalVersion), 32).EndCell()
	if _, err := dict.SetBuilderWithMode(key, cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet); err != nil {
		return nil, err
	}
	return dict.AsCell(), nil
}

func (o otherAccount) Account(ctx context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	if a == o.account {
		return o.state, nil
	}
	return o.FirstBlocks.Account(ctx, at, a)
}

// replayWithCode re-executes masterchain block 9 of the first blocks in which an account that receives a message has other
// code. Its transaction does not have the recorded hash, of course, unless change sets the one of the execution.
func replayWithCode(t *testing.T, version uint32, code *cell.Cell, change func(*chain.Block, *chain.Transaction)) (Stats, *decode.Master, chain.Transaction) {
	t.Helper()
	const seqno = 9
	first := mainnet.OpenFirstBlocks(t)
	raw, err := first.MasterBlock(t.Context(), seqno)
	require.NoError(t, err)
	m, err := decode.MasterBlock(t.Context(), raw)
	require.NoError(t, err)
	i := withMessage(t, m)
	tx := &m.Transactions[i]
	h := &m.Headers[m.BlockOf[i]]
	before, err := first.Account(t.Context(), h.Parents[0], tx.Account)
	require.NoError(t, err)
	var state tlb.AccountState
	require.NoError(t, tlb.Parse(&state, before.Root))
	state.StateInit.Code = code
	root, err := tlb.ToCell(&state)
	require.NoError(t, err)
	before.Root = root
	for j := range m.Transactions {
		if m.Transactions[j].Account == tx.Account {
			m.Transactions[j].StateHashBefore = chain.Hash(root.HashKey())
			break
		}
	}
	change(&h.Block, tx)
	stats, err := New(NewNetwork(otherAccount{first, tx.Account, before, version}), Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	return stats, m, m.Transactions[i]
}

func pushes(n int) *cell.Cell {
	data := []byte(strings.Repeat("\x70", n))
	return cell.BeginCell().MustStoreSlice(data, uint(len(data))*8).EndCell()
}

// The first network did not charge for copies of a deep stack, which is not executed. A difference can be that.
func TestOldRules_TransactionThatNeedsOneIsNoMismatch(t *testing.T) {
	t.Parallel()
	stats, _, tx := replayWithCode(t, 0, pushes(40), func(*chain.Block, *chain.Transaction) {})
	require.Equal(t, chain.OldRules, tx.Verification)
	require.Zero(t, stats.Mismatched)
	require.Equal(t, map[string]int{"a stack of more than 32 values": 1}, stats.OldRules)
}

func TestOldRules_TransactionThatNeedsNoneIsAMismatch(t *testing.T) {
	t.Parallel()
	stats, _, tx := replayWithCode(t, 0, pushes(20), func(*chain.Block, *chain.Transaction) {})
	require.Equal(t, chain.Mismatch, tx.Verification)
	require.Empty(t, stats.OldRules)
	require.NotZero(t, stats.Mismatched)
}

// A block whose header has the version of its software is not of the first days.
func TestOldRules_BlockThatReportsItsSoftwareHasNone(t *testing.T) {
	t.Parallel()
	stats, _, tx := replayWithCode(t, 0, pushes(40), func(b *chain.Block, _ *chain.Transaction) { b.Flags |= 1 })
	require.Equal(t, chain.Mismatch, tx.Verification)
	require.Empty(t, stats.OldRules)
	require.NotZero(t, stats.Mismatched)
}
