package action_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// allRecords has records of every type for most accounts.
type allRecords struct{ records }

func (allRecords) JettonWallet(a chain.Address) *action.JettonWallet {
	if a.ID[0]%4 == 3 {
		return nil
	}
	return &action.JettonWallet{Owner: account(a.ID[0] / 2), Jetton: account(a.ID[0] % 3)}
}

func (allRecords) NFTItem(a chain.Address) *action.NFTItem {
	if a.ID[0]%4 == 2 {
		return nil
	}
	item := &action.NFTItem{Index: big.NewInt(int64(a.ID[0]))}
	switch a.ID[0] % 3 {
	case 0:
		item.URI = telegram
	case 1:
		item.Collection = new(chain.Address)
		*item.Collection, _ = chain.ParseAddress(domains)
	}
	return item
}

func (allRecords) NFTSale(a chain.Address) *action.NFTSale {
	if a.ID[0]%4 != 0 {
		return nil
	}
	return &action.NFTSale{Item: new(account(1)), Owner: new(account(2)), FullPrice: big.NewInt(5)}
}

func (allRecords) NFTAuction(a chain.Address) *action.NFTAuction {
	if a.ID[0]%4 != 1 {
		return nil
	}
	return &action.NFTAuction{Item: new(account(a.ID[0] / 2))}
}

func (allRecords) MultisigOrder(chain.Address) *action.MultisigOrder {
	return &action.MultisigOrder{Signers: []chain.Address{account(1)}}
}
func (allRecords) NominatorPool(a chain.Address) bool            { return a.ID[0]%2 == 0 }
func (allRecords) JVaultPool(chain.Address) *chain.Address       { return new(account(7)) }
func (allRecords) JVaultLockWallet(chain.Address) *chain.Address { return new(account(8)) }

// randomTrace makes a trace of random bytes, which choose kinds, omit or add messages, and make some of them fail.
// After the last byte, every choice is the first.
func randomTrace(seed []byte) *action.Trace {
	const maxTransactions = 300
	next := func() int {
		if len(seed) == 0 {
			return 0
		}
		n := int(seed[0])
		seed = seed[1:]
		return n
	}
	choose := func(n int) int { return next() % n }
	b, root := external(1)
	txs := []*action.Transaction{root}
	var grow func(parent *action.Transaction, s *action.Step)
	grow = func(parent *action.Transaction, s *action.Step) {
		if len(txs) >= maxTransactions {
			return
		}
		body := randomBody(s.Op, next)
		if s.Log {
			b.lt++
			parent.Out = append(parent.Out, &action.Message{
				Source: new(parent.Account), CreatedLT: new(b.lt), CreatedAt: new(uint32(7)), Opcode: new(s.Op), Body: action.Parsed(body),
				Hash: chain.Hash{0xdd, byte(b.lt >> 8), byte(b.lt)},
			})
			return
		}
		tx := b.send(parent, byte(choose(12)), int64(next()), body)
		outcome := next()
		tx.Aborted, tx.Skipped, tx.ExitCode = outcome%16 == 1, outcome%16 == 2, int32(outcome)
		if outcome%7 == 3 {
			tx.OrigStatus, tx.In.Init = "nonexist", action.Parsed(body)
		}
		txs = append(txs, tx)
		for _, t := range s.Then {
			grow(tx, t)
		}
	}
	for len(seed) > 0 && len(txs) < maxTransactions {
		grow(txs[len(txs)-1-choose(min(len(txs), 8))], action.Kind(next()<<8|next(), choose))
	}
	return b.trace
}

// randomBody makes a body in the layout of many contracts: a query id, an amount, addresses, then references to the
// same.
func randomBody(code uint32, next func() int) *cell.Cell {
	body := op(uint64(code))
	form := next()
	if form%8 > 0 {
		body.MustStoreUInt(uint64(next()), 64)
	}
	if form%8 > 1 {
		body.MustStoreCoins(uint64(next()) << (form % 32))
	}
	for range form % 3 {
		body.MustStoreAddr(std(byte(next() % 12)))
	}
	for range form / 8 % 24 {
		body.MustStoreUInt(uint64(next()), 8)
	}
	for range form / 64 {
		body.MustStoreRef(op(uint64(next())).MustStoreUInt(uint64(next()), 64).MustStoreCoins(uint64(next())).
			MustStoreAddr(std(1)).MustStoreRef(op(5).EndCell()).EndCell())
	}
	return body.EndCell()
}

// requireClassified classifies a random trace twice: no kind may fail, the rows must be equal and their ids unique.
func requireClassified(t *testing.T, seed []byte) []*action.Action {
	t.Helper()
	trace := randomTrace(seed)
	start := time.Now()
	actions, err := action.Classify(trace, allRecords{})
	require.NoError(t, err)
	require.Less(t, time.Since(start), pacetest.Slow*10*time.Second)
	require.NotEmpty(t, actions)
	again, err := action.Classify(randomTrace(seed), allRecords{})
	require.NoError(t, err)
	require.Equal(t, rowsOf(t, actions), rowsOf(t, again))
	seen := map[string]bool{}
	for _, a := range actions {
		require.False(t, seen[a.ID], "ids must be unique")
		seen[a.ID] = true
	}
	for _, a := range actions {
		require.True(t, a.ParentID == "" || seen[a.ParentID], "a parent is an action of the trace")
	}
	return actions
}

func FuzzClassify_RowsAreUniqueAndRepeatable(f *testing.F) {
	f.Add([]byte{0})
	f.Add(randomBytes(1, 400))
	f.Fuzz(func(t *testing.T, seed []byte) { requireClassified(t, seed) })
}

// A short run of the fuzzer with fixed seeds.
func TestRandomTrees_RowsAreUniqueAndRepeatable(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for seed := range uint64(150) {
		for _, a := range requireClassified(t, randomBytes(seed, 60+int(seed)*16)) {
			kinds[a.Type]++
		}
	}
	t.Logf("%d kinds: %v", len(kinds), kinds)
	require.Greater(t, len(kinds), 40, "the traces match many kinds")
}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	return raw
}

// Transactions and messages are shuffled: the order on the chain follows from their LTs.
func TestClassify_OrderOfTransactionsDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 9))
	for _, name := range traceFiles(t) {
		trace, contracts := readTrace(t, name)
		want, err := action.Classify(trace, contracts)
		require.NoError(t, err)
		for range 3 {
			swap := func(tx []*action.Transaction) func(i, j int) { return func(i, j int) { tx[i], tx[j] = tx[j], tx[i] } }
			r.Shuffle(len(trace.Transactions), swap(trace.Transactions))
			for _, tx := range trace.Transactions {
				r.Shuffle(len(tx.Out), func(i, j int) { tx.Out[i], tx.Out[j] = tx.Out[j], tx.Out[i] })
			}
			got, err := action.Classify(trace, contracts)
			require.NoError(t, err)
			require.Equal(t, rowsOf(t, want), rowsOf(t, got), name)
		}
	}
}
