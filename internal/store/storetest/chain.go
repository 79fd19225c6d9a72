package storetest

import (
	"cmp"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/store/transactions"
	"tonql/internal/testdb"
)

// Chain has the same small chain in memory and in a database: results of the database are compared with those of a
// search over the rows in memory.
type Chain struct {
	DB           *store.DB
	Reader       *store.Reader
	Masters      []*chain.MasterBlock
	Blocks       []chain.Block
	Transactions []chain.Transaction
	Messages     []chain.Message
	Traces       map[chain.Hash]*chain.Trace
	Rand         *rand.Rand
}

// SmallChain returns the blocks of a chain with shards, hot and idle accounts, and messages across blocks.
func SmallChain() []*chain.MasterBlock {
	o := synthetic.Options{Transactions: 1200, Accounts: 60, PerBlock: 17, Shards: 4, Seed: 7, BOCs: true, Cells: true}
	blocks, _ := synthetic.New(o).Batch(1 << 20)
	return blocks
}

var smallChains testdb.Copies // of IndexChain

// IndexChain writes the blocks of [SmallChain] to a new database.
func IndexChain(t *testing.T) *Chain {
	t.Helper()
	blocks := SmallChain()
	return chainIn(smallChains.New(t, func(db *store.DB) { Apply(t, db.Writer(), blocks) }), blocks)
}

// IndexChainWithoutRaw is [IndexChain] as versions without raw transactions wrote it.
func IndexChainWithoutRaw(t *testing.T) *Chain {
	t.Helper()
	blocks := SmallChain()
	for _, mb := range blocks {
		mb.BOCs = nil
	}
	return IndexBlocks(t, blocks)
}

// IndexBlocks writes blocks to a new database.
func IndexBlocks(t *testing.T, blocks []*chain.MasterBlock) *Chain {
	t.Helper()
	db := testdb.New(t)
	Apply(t, db.Writer(), blocks)
	return chainIn(db, blocks)
}

// chainIn returns the chain whose blocks a database has.
func chainIn(db *store.DB, blocks []*chain.MasterBlock) *Chain {
	c := &Chain{DB: db, Reader: db.Reader(), Masters: blocks, Rand: rand.New(rand.NewPCG(3, 4))}
	joined := map[chain.MessageKey]int{}
	states := statesOf(c.Masters)
	for _, mb := range c.Masters {
		c.Blocks = append(append(c.Blocks, mb.Block), mb.ShardBlocks...)
		for i, tx := range mb.Transactions {
			if len(mb.BOCs) > 0 {
				tx.Raw = mb.BOCs[i]
			}
			tx.States = transactions.EncodeStates(&tx, states)
			c.Transactions = append(c.Transactions, tx)
		}
		for _, m := range mb.Messages {
			i, ok := joined[m.Key]
			if !ok {
				joined[m.Key] = len(c.Messages)
				c.Messages = append(c.Messages, m)
				continue
			}
			c.Messages[i].SentBy = cmp.Or(c.Messages[i].SentBy, m.SentBy)
			c.Messages[i].ReceivedBy = cmp.Or(c.Messages[i].ReceivedBy, m.ReceivedBy)
		}
	}
	for _, s := range states {
		s.Rest = nil // readers of states do not return it
	}
	c.Traces = assignTraces(c.Transactions, c.Messages)
	return c
}

// statesOf returns the states of blocks by the keys of the transactions that left them.
func statesOf(blocks []*chain.MasterBlock) map[chain.TransactionKey]*chain.AccountState {
	states := map[chain.TransactionKey]*chain.AccountState{}
	for _, mb := range blocks {
		for i := range mb.States {
			states[chain.TransactionKey{Account: mb.States[i].Account, LT: mb.States[i].LT}] = &mb.States[i]
		}
	}
	return states
}

// Chance is true once in n.
func (c *Chain) Chance(n int) bool { return c.Rand.IntN(n) == 0 }

// Pick returns a random row.
func Pick[T any](c *Chain, rows []T) T { return rows[c.Rand.IntN(len(rows))] }

// ApplyTied applies a masterchain block in which all transactions have one LT.
func (c *Chain) ApplyTied(t *testing.T, n int) *chain.MasterBlock {
	t.Helper()
	ranges, err := c.Reader.Ranges(t.Context())
	require.NoError(t, err)
	mb := testdb.Master(ranges[len(ranges)-1].Last + 1)
	for range n {
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.LT = mb.Block.StartLT + 7
		tx.Account.ID[0] = byte(c.Rand.IntN(256))
		mb.Transactions = append(mb.Transactions, tx)
	}
	Apply(t, c.DB.Writer(), []*chain.MasterBlock{mb})
	for i := range mb.Transactions {
		mb.Transactions[i].TraceID = &mb.Transactions[i].Hash // each is the root of a trace
	}
	return mb
}

// Apply writes blocks in one call of the writer.
func Apply(t testing.TB, w synthetic.Writer, blocks []*chain.MasterBlock) {
	t.Helper()
	require.NoError(t, w.Apply(t.Context(), blocks...))
}

// KeysOf returns the keys of transactions.
func KeysOf(txs []chain.Transaction) []chain.TransactionKey {
	keys := make([]chain.TransactionKey, len(txs))
	for i := range txs {
		keys[i] = txs[i].Key()
	}
	return keys
}
