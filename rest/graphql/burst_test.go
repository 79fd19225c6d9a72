package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/indexer"
	"tonql/internal/chain"
	_ "tonql/internal/contract/all"
	"tonql/internal/devnet"
	"tonql/internal/node"
)

// follower is one subscriber: it keeps what it heard, and may lose its connection.
type follower struct {
	l      *live
	count  atomic.Int64 // of hashes
	hashes []string
	waits  []time.Duration // from commit to arrival
	cursor *string
	cuts   []int // after so many events the connection is lost; ascending
}

type burstEvent struct {
	Payload struct {
		Data struct {
			Transactions struct {
				Cursor  string
				McSeqno uint32
				Node    struct{ Hash string }
			}
		}
		Errors []struct{ Message string }
	}
}

// run follows until ctx ends, over as many connections as it takes.
func (f *follower) run(ctx context.Context, first uint32, committed *sync.Map, ready func()) error {
	for {
		err := f.connect(ctx, first, committed, ready)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		ready = func() {}
	}
}

func (f *follower) connect(ctx context.Context, first uint32, committed *sync.Map, ready func()) error {
	ws, _, err := websocket.Dial(ctx, f.l.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return err
	}
	defer func() { _ = ws.CloseNow() }() // a lost connection says nothing
	variables := map[string]any{"after": f.cursor}
	if f.cursor == nil {
		variables["block"] = first
	}
	payload, err := json.Marshal(map[string]any{
		"query":     `subscription($after: String, $block: UInt32) { transactions(after: $after, afterMcSeqno: $block) { cursor mcSeqno node { hash } } }`,
		"variables": variables,
	})
	if err != nil {
		return err
	}
	for _, text := range []string{`{"type":"connection_init"}`, `{"type":"subscribe","id":"1","payload":` + string(payload) + `}`} {
		if err := ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return err
		}
	}
	if _, _, err := ws.Read(ctx); err != nil { // connection_ack
		return err
	}
	ready()
	for {
		_, data, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		var e burstEvent
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		if len(e.Payload.Errors) > 0 {
			return fmt.Errorf("%s", data)
		}
		t := e.Payload.Data.Transactions
		f.hashes = append(f.hashes, t.Node.Hash)
		if at, ok := committed.Load(t.McSeqno); ok && len(f.cuts) == 0 {
			f.waits = append(f.waits, time.Since(at.(time.Time)))
		}
		f.count.Store(int64(len(f.hashes)))
		f.cursor = &t.Cursor
		if len(f.cuts) > 0 && len(f.hashes) >= f.cuts[0] {
			f.cuts = f.cuts[1:]
			return nil
		}
	}
}

// A thousand subscribers hear of each transaction of a burst once, in order, though fifty of them lose their connections
// and one does not read at all.
func TestBurst(t *testing.T) {
	t.Parallel()
	subscribers := 1000
	if testing.Short() {
		subscribers = 100
	}
	const reconnects, blocks = 50, 12
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	d, err := devnet.Start(ctx, devnet.Options{
		Seed: [32]byte{0x6b}, Deterministic: true, Interval: devnet.ByHand, Scenario: true, ActionsPerMinute: 120,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	advance := func(seqno uint32) {
		for d.Chain.Head().ID.SeqNo < seqno {
			_, err := d.Advance(ctx)
			require.NoError(t, err)
		}
	}
	const stage = 12 // blocks in which the scenario sets up
	advance(stage)
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	client, err := node.Open(ctx, node.Options{Config: config, Timeout: 20 * time.Second})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	_, err = client.Wait(ctx, stage)
	require.NoError(t, err)
	l := newLive(t, nil)
	from, err := indexer.ParseFrom("1")
	require.NoError(t, err)
	indexing, stop := context.WithCancel(ctx)
	indexed := make(chan error, 1)
	go func() { indexed <- indexer.New(client, l.db, indexer.Options{From: from}).Run(indexing) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-indexed)
	})
	reached := func(seqno uint32) func() bool {
		return func() bool {
			info, err := l.db.Reader().MasterchainInfo(ctx)
			return err == nil && info.Last.Seqno >= seqno
		}
	}
	require.Eventually(t, reached(stage), 2*time.Minute, 20*time.Millisecond)

	// When blocks were committed, as the notices say that come with the commit.
	var committed sync.Map
	listening, mute := context.WithCancel(ctx)
	heard := make(chan struct{}, 1)
	listened := make(chan struct{})
	go func() {
		defer close(listened)
		_ = l.db.Listen(listening, func(seqno uint32) { // ends with its context
			committed.Store(seqno, time.Now())
			select {
			case heard <- struct{}{}:
			default:
			}
		})
	}()
	<-heard
	defer func() {
		mute()
		<-listened
	}()

	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stuck := l.connect(t)
	stuck.subscribe("1", `subscription { transactions(afterMcSeqno: `+strconv.Itoa(stage)+`) { node { hash } } }`, nil)

	followers := make([]*follower, subscribers)
	var ready sync.WaitGroup
	parent, leave := context.WithCancel(ctx)
	defer leave()
	group, following := errgroup.WithContext(parent)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range followers {
		f := &follower{l: l}
		if i < reconnects {
			f.cuts = []int{1 + random.IntN(40)}
		}
		followers[i] = f
		ready.Add(1)
		group.Go(func() error { return f.run(following, stage, &committed, ready.Done) })
	}
	ready.Wait()
	_, err = d.Scenario.Burst(ctx, 30)
	require.NoError(t, err)
	pace := time.NewTicker(400 * time.Millisecond) // as the main network's
	defer pace.Stop()
	for seqno := uint32(stage + 1); seqno <= stage+blocks; seqno++ {
		<-pace.C
		advance(seqno)
	}
	require.Eventually(t, reached(stage+blocks), 2*time.Minute, 5*time.Millisecond)
	txs, err := l.db.Reader().TransactionsOfMasterchain(ctx, chain.SeqnoRange{First: stage + 1, Last: stage + blocks})
	require.NoError(t, err)
	require.Greater(t, len(txs), 50)
	want := make([]string, len(txs))
	for i := range txs {
		want[i] = txs[i].Hash.String()
	}
	require.Eventually(t, func() bool {
		return following.Err() != nil || !slices.ContainsFunc(followers, func(f *follower) bool { return f.count.Load() < int64(len(want)) })
	}, 3*time.Minute, 20*time.Millisecond)
	leave()
	require.NoError(t, group.Wait())
	var waits []time.Duration
	for i, f := range followers {
		require.Equal(t, want, f.hashes, "subscriber %d", i)
		waits = append(waits, f.waits...)
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	slices.Sort(waits)
	t.Logf("%d transactions for each of %d subscribers, %d reconnects, %d deliveries: p50 %s, p99 %s, most %s after commit; %.1f MB of memory in use more, the clients' included",
		len(want), subscribers, reconnects, len(waits), waits[len(waits)/2], waits[len(waits)*99/100], waits[len(waits)-1],
		float64(after.HeapInuse+after.StackInuse-before.HeapInuse-before.StackInuse)/(1<<20))
}
