package webhook_test

import (
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/internal/testdb"
	"tonql/rest/webhook"
)

// paidBlock returns a masterchain block in which a wallet pays a registered transfer.
func paidBlock(seqno uint32, t *payment.Transfer, m *payment.Message) *chain.MasterBlock {
	return testdb.Master(seqno, func(mb *chain.MasterBlock) {
		wallet, receiver := testdb.NewTransaction(mb, t.Sender), testdb.NewTransaction(mb, t.Recipient)
		if wallet.LT >= receiver.LT {
			wallet.LT, receiver.LT = receiver.LT, wallet.LT
		}
		value := chain.Coins(1000)
		coins := testdb.NewSent(mb, &wallet, t.Recipient)
		coins.Value, coins.Body, coins.BodyHash, coins.Opcode = &value, m.Body.ToBOC(), t.BodyHash, new(uint32)
		testdb.Receive(&receiver, &coins)
		testdb.AddTransaction(mb, &wallet)
		testdb.AddTransaction(mb, &receiver)
		mb.Messages = []chain.Message{coins}
	})
}

// applyAll applies the blocks that are not indexed, as the indexer does, until all are.
func applyAll(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) {
	t.Helper()
	require.Eventually(t, func() bool {
		ranges, err := db.Reader().Ranges(t.Context())
		if err != nil {
			return false
		}
		for _, mb := range blocks {
			if len(ranges) > 0 && mb.Block.Seqno <= ranges[0].Last {
				continue
			}
			if err := db.Writer().Apply(t.Context(), mb); err != nil {
				return false
			}
		}
		return true
	}, pacetest.Slow*time.Minute, 10*time.Millisecond)
}

// Failovers that lose blocks with payments, and deliveries of them: each event is delivered, and again only with its id.
func TestRun_FailoversLoseNoEvent(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const count, step = 36, 12
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	b := newBench(t, func(o *webhook.Options) { o.Payments = db.Payments() })
	b.payments = db.Payments()
	var mu sync.Mutex
	received := map[string]int{} // by webhook-id
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		received[r.Header.Get("webhook-id")]++
	}))
	t.Cleanup(server.Close)
	e := b.endpoint(server.URL)
	blocks, ids := make([]*chain.MasterBlock, count), make([]string, count)
	for i := range blocks {
		tr := &payment.Transfer{
			Asset: payment.NativeAsset(), Amount: big.NewInt(1000), Sender: testdb.Address(), Recipient: testdb.Address(),
			SenderText: "from", RecipientText: "to", AssetText: "TON", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour),
		}
		m, err := payment.Prepare(tr)
		require.NoError(t, err)
		require.NoError(t, b.payments.RegisterPayment(t.Context(), e.Merchant, tr))
		blocks[i], ids[i] = paidBlock(uint32(i+1), tr, m), payment.EventID(tr.Reference, payment.Success)
	}
	for failover := range 2 {
		standby := c.Servers()[(failover+1)%2]
		require.NoError(t, c.WaitReplayed(t.Context(), standby))
		require.NoError(t, standby.Detach(t.Context()))
		applyAll(t, db, blocks[:step*(failover+1)])
		require.Eventually(t, func() bool { // some events of the blocks to be lost are delivered
			mu.Lock()
			defer mu.Unlock()
			return len(received) > step*failover
		}, pacetest.Slow*time.Minute, time.Millisecond)
		require.NoError(t, c.Primary().Kill(t.Context()))
		require.NoError(t, c.Promote(t.Context(), standby))
		applyAll(t, db, blocks[:step*(failover+1)])
		require.NoError(t, c.Rebuild(t.Context(), c.Servers()[failover%2]))
	}
	applyAll(t, db, blocks)
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(received) == count
	}, pacetest.Slow*2*time.Minute, 50*time.Millisecond)
	require.Eventually(t, func() bool { // after a failover an end that was lost is recorded by a repetition
		list, err := b.payments.Deliveries(t.Context(), payments.DeliveryFilter{Endpoints: []int64{e.ID}, State: new(payment.DeliveryDelivered), Limit: 100})
		return err == nil && len(list) == count
	}, pacetest.Slow*5*time.Minute, 50*time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, received, count, "no event but those of the payments")
	for _, id := range ids {
		require.Positive(t, received[id])
		require.LessOrEqual(t, received[id], 4, "once, and again for each failover that lost or interrupted the delivery")
	}
}
