package streaming_test

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/streaming"
)

// commit writes a masterchain block.
func commit(t *testing.T, db *store.DB, mb *chain.MasterBlock) {
	t.Helper()
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
}

// Jetton wallets match by their own address and by that of their owner.
func TestNotifications_JettonWalletsOfAnOwner(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	commit(t, db, testdb.Master(1))
	wallet, owner, master := testdb.Address(), testdb.Address(), testdb.Address()
	body := `{"types":["jettons_change"],"include_address_book":true,"include_metadata":true,"min_finality":"confirmed","addresses":["%s"]}`
	byOwner, byWallet, none := g.events(t, fmt.Sprintf(body, owner)), g.events(t, fmt.Sprintf(body, wallet)), g.events(t, fmt.Sprintf(body, master))
	for seqno, balance := range []int64{0, 0, 700, 800} {
		if seqno < 2 {
			continue
		}
		mb := testdb.Master(uint32(seqno))
		tx := testdb.NewTransaction(mb, wallet)
		testdb.AddTransaction(mb, &tx)
		testdb.AddContract(mb, wallet, func(c *chain.Contract) {
			c.JettonWallet = &chain.JettonWallet{Address: wallet, Owner: owner, Jetton: master, Balance: big.NewInt(balance), LastTxLT: tx.LT}
		})
		commit(t, db, mb)
		for _, l := range []*lines{byOwner, byWallet} {
			n := l.next()
			require.Equal(t, []string{"jettons_change", "finalized"}, []string{n.Type, n.Finality})
			require.Equal(t, fmt.Sprint(balance), n.Jetton["balance"])
			require.Equal(t, []any{wallet.String(), owner.String(), master.String()}, []any{n.Jetton["address"], n.Jetton["owner"], n.Jetton["jetton"]})
			require.Contains(t, n.AddressBook, wallet.String())
			require.NotNil(t, n.Metadata)
		}
	}
	none.end()
}

// Received messages can be chosen by the hash of their body.
func TestNotifications_ByTheHashOfTheBody(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	a, b := testdb.Address(), testdb.Address()
	commit(t, db, testdb.Master(1))
	wanted := testdb.Hash()
	l := g.events(t, fmt.Sprintf(`{"types":["transactions"],"addresses":[%q],"min_finality":"pending","msg_body_hash":%q}`, a, wanted))
	var last chain.Transaction
	for seqno, body := range []chain.Hash{testdb.Hash(), testdb.Hash(), wanted} {
		mb := testdb.Master(uint32(seqno) + 2)
		m := testdb.NewMessage(mb, b, a)
		m.BodyHash = body
		last = testdb.NewTransaction(mb, a)
		testdb.Receive(&last, &m)
		mb.Messages = append(mb.Messages, m)
		testdb.AddTransaction(mb, &last)
		commit(t, db, mb)
	}
	n := l.next()
	require.Len(t, n.Transactions, 1)
	require.Equal(t, last.Hash.String(), n.Transactions[0].Hash, "the only one")
}

// A client that stops reading loses its connection, and its place is free.
func TestSlowClients_LoseTheirConnection(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, func(o *streaming.Options) {
		o.MaxConnections = 1
		o.Timing = streaming.Timing{Slow: 200 * time.Millisecond, Ping: limit, KeepAlive: limit}
	})
	accounts := make([]string, 100)
	for i := range accounts {
		accounts[i] = testdb.Address().String()
	}
	s := g.dial(t)
	s.say(`{"operation":"subscribe","types":["transactions","account_state_change"],"include_address_book":true,"min_finality":"pending","addresses":["` + strings.Join(accounts, `","`) + `"]}`)
	s.next()
	full := func() bool {
		status, _ := g.post(t, "application/json", `{"types":["transactions"],"addresses":["`+accounts[0]+`"]}`)
		return status == http.StatusTooManyRequests
	}
	require.True(t, full())
	for seqno := uint32(1); seqno < 40 && full(); seqno++ {
		mb := testdb.Master(seqno)
		for _, text := range accounts {
			account, err := chain.ParseAddress(text)
			require.NoError(t, err)
			tx := testdb.NewTransaction(mb, account)
			testdb.AddTransaction(mb, &tx)
		}
		commit(t, db, mb)
	}
	require.Eventually(t, func() bool { return !full() }, limit, 50*time.Millisecond)
}

// Connections end when the gateway does.
func TestClose_EndsConnections(t *testing.T) {
	t.Parallel()
	g := newGateway(t, testdb.New(t), nil, resolvers.Options{Network: "devnet"}, nil)
	l := g.events(t, `{"types":["transactions"],"addresses":["`+testdb.Address().String()+`"]}`)
	s := g.dial(t)
	s.say(`{"operation":"ping"}`)
	s.read()
	go func() { _ = g.handler.Close(t.Context()) }()
	require.Equal(t, websocket.StatusGoingAway, s.closed())
	require.False(t, l.scan.Scan())
}
