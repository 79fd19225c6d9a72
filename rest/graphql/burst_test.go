package graphql_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	_ "tonql/internal/contract/all"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
)

// commonQuery is the query of subscribers that share results.
const commonQuery = `subscription($after: String, $block: UInt32) { transactions(after: $after, afterMcSeqno: $block) { cursor mcSeqno node { hash } } }`

// mixedQueries returns n queries: every second one is commonQuery, every fourth one of five with nested fields, and the
// others each have a unique alias and filter.
func mixedQueries(n int) []string {
	further := []string{
		`account { address } lt`, `inMessage { opcode value source { address } }`, `outMessages { opcode value destination { address } }`,
		`account { state { balance status } }`, `block { seqno } inMessage { hash } outMessages { hash }`,
	}
	queries := make([]string, n)
	for i := range queries {
		switch i % 4 {
		case 0, 2:
			queries[i] = commonQuery
		case 1:
			queries[i] = strings.Replace(commonQuery, "hash", "hash "+further[i/4%len(further)], 1)
		default:
			own := fmt.Sprintf(`where: {excludeAccounts: ["-1:%064x"]}, after:`, i)
			queries[i] = strings.Replace(strings.Replace(commonQuery, "(after:", "("+own, 1), "hash", fmt.Sprintf("hash own%d: lt", i), 1)
		}
	}
	return queries
}

// A thousand subscribers receive each transaction of a burst once, in order, although fifty of them reconnect and one
// does not read.
func TestBurst_EveryEventIsDeliveredOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	burst(t, func(int) []string { return []string{commonQuery} })
}

// TestBurst_EveryEventIsDeliveredOnce with 256 different queries.
func TestBurst_DifferentQueriesAreDeliveredOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	burst(t, mixedQueries)
}

func burst(t *testing.T, queries func(subscribers int) []string) {
	t.Helper()
	subscribers := 1000
	if pacetest.Short() {
		subscribers = 100
	}
	const reconnects, blocks = 50, 12
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*5*time.Minute)
	defer cancel()
	const setupBlocks = 12 // blocks in which the scenario sets up
	d := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0x6b}, Scenario: true, ActionsPerMinute: 120}, Blocks: setupBlocks,
	})
	l := newLive(t, nil)
	from, err := indexer.ParseFrom("1")
	require.NoError(t, err)
	d.Index(t, l.db, indexer.Options{From: from})
	d.WaitIndexed(t, l.db)

	// Times of the notifications that are part of the commits.
	var committed sync.Map
	listening, mute := context.WithCancel(ctx)
	notified := make(chan struct{}, 1)
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		l.db.Listen(listening, func(seqno uint32) {
			committed.Store(seqno, time.Now())
			select {
			case notified <- struct{}{}:
			default:
			}
		}, func(error) {})
	}()
	<-notified
	defer func() {
		mute()
		<-listened
	}()

	before := memory()
	stuck := l.connect(t)
	stuck.subscribe("1", `subscription { transactions(afterMcSeqno: `+strconv.Itoa(setupBlocks)+`) { node { hash } } }`, nil)

	readers := startReaders(t, readersOrder{
		Address: strings.TrimPrefix(l.URL, "http://"), Readers: subscribers, Reconnects: reconnects, First: setupBlocks,
		Queries: queries(subscribers),
	})
	connected := memory()
	cpu := usedCPU()
	_, err = d.Scenario.Burst(ctx, 30)
	require.NoError(t, err)
	pace := time.NewTicker(400 * time.Millisecond) // the pace of the main network
	defer pace.Stop()
	for seqno := uint32(setupBlocks + 1); seqno <= setupBlocks+blocks; seqno++ {
		<-pace.C
		d.AdvanceTo(t, seqno)
	}
	d.WaitIndexed(t, l.db)
	txs, err := l.db.Reader().TransactionsOfMasterchain(ctx, chain.SeqnoRange{First: setupBlocks + 1, Last: setupBlocks + blocks})
	require.NoError(t, err)
	require.Greater(t, len(txs), 50)
	end := readersEnd{Committed: map[uint32]int64{}}
	for i := range txs {
		end.Hashes = append(end.Hashes, txs[i].Hash.String())
	}
	committed.Range(func(seqno, at any) bool {
		end.Committed[seqno.(uint32)] = at.(time.Time).UnixNano()
		return true
	})
	readers.send(t, end)
	r := readers.report(t)
	require.Empty(t, r.Wrong)
	cpu = usedCPU() - cpu
	t.Logf("%d transactions for each of %d subscribers, %d reconnects, %d deliveries: p50 %s, p99 %s, max %s after commit; "+
		"CPU: %s of this process with its chain and indexer, %s of the subscribers'; memory: %.1f MB more with all connected, %.1f MB at the end",
		len(txs), subscribers, reconnects, r.Deliveries, r.P50, r.P99, r.Max, cpu.Round(time.Millisecond), r.CPU.Round(time.Millisecond),
		connected-before, memory()-before)
}

// memory returns the memory of this process in megabytes.
func memory() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse+m.StackInuse) / (1 << 20)
}
