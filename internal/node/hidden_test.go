package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/node/nodetest"
)

// The faults of this file hide cells behind one that claims to be complete. Every hash stays right.

func hiddenAccount() nodetest.Fault {
	return nodetest.Falsify(func(a ton.AccountState) tl.Serializable {
		if a.State != nil {
			a.State = cellgraphtest.HiddenCell(a.State)
		}
		return a
	})
}

func hiddenConfig() nodetest.Fault {
	return nodetest.Falsify(func(a ton.ConfigAll) tl.Serializable {
		proof, err := cell.FromBOC(a.ConfigProof)
		if err != nil {
			return a
		}
		body := replacedAt(proof.MustPeekRef(0), cellgraphtest.HiddenCell, 3, 1) // masterchain part, configuration
		cut, err := cell.CreateMerkleProof(body)
		if err != nil {
			panic(err)
		}
		a.ConfigProof = cut.ToBOC()
		return a
	})
}

func hiddenLibraryCells() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResult) tl.Serializable {
		hideLibraries(a.Result)
		return a
	})
}

func hiddenLibraryCellsAt() nodetest.Fault {
	return nodetest.Falsify(func(a ton.LibraryResultWithProof) tl.Serializable {
		hideLibraries(a.Result)
		return a
	})
}

func hideLibraries(list []*ton.LibraryEntry) {
	for _, e := range list {
		if root, err := cell.FromBOC(e.Data); err == nil {
			e.Data = cellgraphtest.Hidden(root)
		}
	}
}

// hiddenHistory hides the cells of transactions.
func hiddenHistory() nodetest.Fault {
	return nodetest.Falsify(func(a ton.TransactionList) tl.Serializable {
		roots, err := cell.FromBOCMultiRoot(a.Transactions)
		if err != nil {
			return a
		}
		for i := range roots {
			roots[i] = cellgraphtest.HiddenCell(roots[i])
		}
		a.Transactions = cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{})
		return a
	})
}

func TestHistory_HiddenCellsAreALie(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 6)
	for range 3 {
		d.pay(t, addresses(1)...)
	}
	faulty, honest := d.proxy(t), d.proxy(t)
	c := open(t, d.through(faulty, honest))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	faucet := addressOf(d.faucet.Address)
	ctx := within(t, time.Minute)
	state, err := c.Account(ctx, d.head(), faucet)
	require.NoError(t, err)
	from := chain.TransactionRef{LT: state.LastTxLT, Hash: state.LastTxHash}

	faulty.Break(hiddenHistory())
	eventually(t, "the server is set aside", func() bool {
		list, err := c.History(ctx, faucet, from, 3)
		require.NoError(t, err)
		require.NotEmpty(t, list)
		for _, tx := range list {
			require.False(t, tx.Root.MustPeekRef(0).IsSpecial())
		}
		return !c.States()[0].Usable
	})
	require.Contains(t, c.States()[0].SetAside, "returned a history that is not valid")
	require.Zero(t, c.States()[1].Failures)
}

// replacedAt replaces the cell that references lead to.
func replacedAt(c *cell.Cell, replace func(*cell.Cell) *cell.Cell, path ...int) *cell.Cell {
	if len(path) == 0 {
		return replace(c)
	}
	refs := make([]*cell.Cell, c.RefsNum())
	for i := range refs {
		refs[i] = c.MustPeekRef(i)
	}
	refs[path[0]] = replacedAt(refs[path[0]], replace, path[1:]...)
	rebuilt, err := c.RebuildWithRefs(refs)
	if err != nil {
		panic(err)
	}
	return rebuilt
}
