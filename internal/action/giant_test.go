package action_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/pacetest"
)

// longChain makes a trace of the maximum number of transactions, each of which causes the next.
func longChain() *builder {
	b, tx := external(1)
	for range action.MaxTransactions - 1 {
		tx = b.send(tx, 2, 5, op(7).EndCell())
	}
	return b
}

// wideStar makes a trace of the maximum number of transactions, all caused by one. Their messages are those that many
// kinds match among siblings, which costs the most.
func wideStar() *builder {
	b, root := external(1)
	hub := b.send(root, 2, 5, op(0x5fcc3d14).MustStoreUInt(1, 64).EndCell())
	codes := []uint64{0, 0xd53276db, 0x178d4519, 0x7362d09c, 0x05138d91, 0x370fec51, 0x557cea20, 0x0f8a7ea5, 0xffffffff, 0xad4eb6f5}
	for i := range action.MaxTransactions - 2 {
		b.send(hub, byte(i), 5, op(codes[i%len(codes)]).MustStoreUInt(uint64(i), 64).EndCell())
	}
	return b
}

// The bounds are on time and memory.
func TestClassify_LargestTracesAreBounded(t *testing.T) { //nolint:paralleltest // it reads the process's memory
	const (
		maxTime  = pacetest.Slow * 5 * time.Second // for a slow, busy machine; it takes milliseconds on an idle one
		maxBytes = 256 << 20
	)
	for name, b := range map[string]*builder{"chain": longChain(), "star": wideStar()} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		actions, err := action.Classify(b.trace, records{})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.NotEmpty(t, actions)
		require.Less(t, took, maxTime, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(maxBytes), name)
		t.Logf("%s: %d actions in %s, %d KiB", name, len(actions), took, (after.TotalAlloc-before.TotalAlloc)>>10)
	}
	b := longChain()
	b.send(b.trace.Transactions[action.MaxTransactions-1], 2, 5, op(7).EndCell())
	_, err := action.Classify(b.trace, records{})
	require.Error(t, err, "one more transaction is too many")
}

// Classification of a trace that is eight times as large allocates less than three times as much for each message.
func TestClassify_LargestTracesTakeLinearWork(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	const small, factor, tolerance = 480, 8, 3
	for name, grow := range map[string]func(m *exchange, n int){
		"a deposit's returns": func(m *exchange, n int) {
			deposit := m.reject(m.dedustAll(m.dedustCreate(m.dedustCoins(40), 40, 100), 40, 100))
			for len(m.trace.Transactions) < n {
				m.dedustReturn(deposit, 1, 1)
			}
		},
		"exchanges that pay each other": alternate,
		"halves of deposits": func(m *exchange, n int) {
			for len(m.trace.Transactions) < n {
				m.dedustCreate(m.dedustCoins(40), 40, 100)
			}
		},
		"payments of a router": func(m *exchange, n int) {
			paying := m.toncoPays(m.toncoBurn(), 201, [2]uint64{40, 100}, [2]byte{atRouterA, atRouterB})
			for len(m.trace.Transactions) < n {
				m.move(paying, atRouterB, atTraderB, atTrader, 1, nil)
			}
		},
	} {
		count := func(n int) float64 {
			m := newExchange()
			grow(m, n)
			return testing.AllocsPerRun(2, func() {
				_, err := action.Classify(m.trace, m.r)
				require.NoError(t, err)
			})
		}
		first, last := count(small), count(small*factor)
		t.Logf("%s: %.0f allocations for %d messages, %.0f for %d", name, first, small, last, small*factor)
		require.Less(t, last, first*factor*tolerance, name)
	}
}

// alternate adds swaps of two exchanges that pay each other, until there are n messages.
func alternate(m *exchange, n int) {
	from, payer := m.root, byte(50)
	m.r.wallets[account(50)] = &action.JettonWallet{Owner: account(atTrader), Jetton: account(60)}
	for i := 0; len(m.trace.Transactions) < n; i++ {
		dex, s := traders()[i%2], stopAt(byte(i%2))
		s.jettonOut = 61 - byte(i%2)
		m.r.wallets[account(s.in)] = &action.JettonWallet{Owner: account(s.router), Jetton: account(s.jettonIn)}
		m.r.wallets[account(s.out)] = &action.JettonWallet{Owner: account(s.router), Jetton: account(s.jettonOut)}
		from = dex.swap(m, m.move(from, payer, s.in, s.router, 9, dex.order(s)), s, 9, 9)
		payer = s.out
	}
	m.move(from, payer, 50, atTrader, 9, nil)
}
