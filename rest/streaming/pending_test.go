package streaming_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/indexer"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pending"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// network is a chain without traffic, whose blocks are made by hand.
type network struct {
	*testing.T
	devnet *devnettest.Network
	db     *store.DB
	seqno  uint32 // of the faucet's next request
	wallet string // the faucet
}

func startNetwork(t *testing.T) *network {
	t.Helper()
	d := devnettest.Start(t.Context(), t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0x5c}, InitialSplit: 2}})
	n := &network{T: t, devnet: d, db: testdb.New(t), wallet: d.FaucetWallet.Address.StringRaw()}
	d.Index(t, n.db, indexer.Options{})
	n.advance(3)
	return n
}

// advance makes blocks and waits until they are indexed.
func (n *network) advance(blocks uint32) {
	n.Helper()
	n.devnet.AdvanceTo(n, n.devnet.Head()+blocks)
	n.devnet.WaitIndexed(n, n.db)
}

func (n *network) gateway(node chain.Node) *gateway {
	n.Helper()
	return newGateway(n.T, n.db, node, resolvers.Options{
		Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond, Pending: n.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	}, nil)
}

// send sends a transfer of the faucet through a gateway, and returns the key of its trace.
func (n *network) send(g *gateway, validFor uint32, to *address.Address) string {
	n.Helper()
	message, err := n.devnet.FaucetWallet.External(contracts.Ticket{Seqno: n.seqno, ValidUntil: n.devnet.Chain.Now() + validFor},
		contracts.Order{Message: contracts.Transfer(to, 1e9, "hello")})
	require.NoError(n, err)
	sent, err := g.service.SendMessage(n.Context(), chain.BOC(message.ToBOC()))
	require.NoError(n, err)
	return sent.HashNorm.String()
}

func newWallet(t *testing.T, key byte) *address.Address {
	t.Helper()
	w, err := contracts.NewWallet(contracts.V4R2, 0, bytes.Repeat([]byte{key}, 64), 0)
	require.NoError(t, err)
	return w.Address
}

// elsewhere returns an account in another half of the basechain than the faucet, which receives its messages in a later block.
func (n *network) elsewhere() *address.Address {
	n.Helper()
	for key := byte(9); ; key++ {
		if a := newWallet(n.T, key); (a.Data()[0]^n.devnet.FaucetWallet.Address.Data()[0])&0x80 != 0 {
			return a
		}
	}
}

// lossy is a network that accepts messages and drops them.
type lossy struct{ chain.Node }

func (lossy) SendMessage(context.Context, chain.BOC) error { return nil }

// ahead is a network with blocks that are not indexed, so that it alone knows which messages are accepted.
type ahead struct {
	chain.Node

	blocks uint32
}

func (a ahead) Head(ctx context.Context) (chain.BlockIDExt, error) {
	head, err := a.Node.Head(ctx)
	head.Seqno += a.blocks
	return head, err
}

// until returns the notifications up to the first that ends them.
func until(next func() notification, end func(notification) bool) []notification {
	for all := []notification{}; ; {
		n := next()
		if all = append(all, n); end(n) {
			return all
		}
	}
}

// A message sent to one gateway reaches its account as pending, and again as final, over both transports.
func TestNotifications_FollowAMessageUntilItIsFinal(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	g := n.gateway(n.devnet.Client)
	to := newWallet(t, 7)
	pending := g.events(t, `{"types":["transactions","actions","account_state_change"],"min_finality":"pending","include_address_book":true,"include_metadata":true,"addresses":["`+n.wallet+`"]}`)
	final := g.events(t, `{"types":["transactions"],"addresses":["`+n.wallet+`"]}`)
	s := g.dial(t)
	s.say(`{"operation":"subscribe","id":"1","types":["actions"],"action_types":["jetton_transfer"],"min_finality":"pending","addresses":["` + n.wallet + `"]}`)
	require.Equal(t, "subscribed", *s.next().Status)
	s.say(`{"operation":"subscribe","id":"2","types":["transactions","actions"],"action_types":[],"addresses":["` + to.StringRaw() + `"]}`)
	require.Equal(t, "subscribed", *s.next().Status)

	key := n.send(g, 600, to)
	first := pending.next()
	require.Equal(t, "transactions", first.Type)
	require.Equal(t, "pending", first.Finality)
	require.Equal(t, key, first.Key)
	require.Len(t, first.Transactions, 1, "of the subscribed account only")
	require.Equal(t, n.wallet, chainAddress(t, first.Transactions[0].Account))
	require.Equal(t, "pending", first.Transactions[0].Finality)
	require.Contains(t, first.AddressBook, first.Transactions[0].Account)
	require.NotNil(t, first.Metadata)
	second := pending.next()
	require.Equal(t, "actions", second.Type)
	require.Equal(t, "ton_transfer", second.Actions[0].Type)
	peer := s.next()
	require.Equal(t, []string{"transactions", "pending", key}, []string{peer.Type, peer.Finality, peer.Key}, "min_finality of the first request is retained, and its filter of action types")

	byHash := g.events(t, `{"types":["trace"],"trace_external_hash_norms":["`+key+`"],"min_finality":"confirmed","include_address_book":true}`)
	n.advance(4)
	levels := map[string][]string{}
	for _, m := range until(pending.next, func(m notification) bool { return m.Type == "actions" && m.Finality == "finalized" }) {
		if m.Type == "transactions" || m.Type == "actions" {
			require.Equal(t, key, m.Key)
		}
		levels[m.Type] = append(levels[m.Type], m.Finality)
	}
	require.Contains(t, levels["transactions"], "finalized")
	for kind, of := range levels {
		at := "pending"
		for _, level := range of {
			require.False(t, at == "finalized" && level == "pending", "%s: %v", kind, of)
			at = level
		}
	}
	only := final.next()
	require.Equal(t, []string{"transactions", "finalized", key}, []string{only.Type, only.Finality, only.Key}, "nothing before")
	require.Equal(t, "finalized", only.Transactions[0].Finality)
	state := until(pending.next, func(m notification) bool { return m.Type == "account_state_change" })
	last := state[len(state)-1]
	require.Equal(t, n.wallet, chainAddress(t, last.Account))
	require.Len(t, last.State, 7)
	require.Contains(t, last.State, "extra_currencies")
	require.Nil(t, last.State["extra_currencies"])
	require.IsType(t, "", last.State["balance"])

	full := byHash.next()
	require.Equal(t, []string{"trace", "finalized", key}, []string{full.Type, full.Finality, full.Key})
	require.Contains(t, full.All, full.Trace["tx_hash"])
	require.Len(t, full.All, 2)
	require.Len(t, full.Actions, 1)
	require.Len(t, full.AddressBook, 2)
	for _, m := range until(s.next, func(m notification) bool { return m.Finality == "finalized" }) {
		require.Equal(t, "transactions", m.Type)
		require.Equal(t, to.StringRaw(), chainAddress(t, m.Transactions[0].Account))
	}
}

// chainAddress returns a printed address as contracts print it.
func chainAddress(t *testing.T, text string) string {
	t.Helper()
	a, err := address.ParseRawAddr(text)
	require.NoError(t, err)
	return a.StringRaw()
}

// A trace that no gateway knew before it was in a block reaches those who want what is pending when it begins, others at its end.
func TestNotifications_TraceThatGoesOnIsPending(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	g := n.gateway(n.devnet.Client)
	subscribe := func(more string) *lines {
		return g.events(t, `{"types":["transactions"],"addresses":["`+n.wallet+`"]`+more+`}`)
	}
	early, confirmed, final := subscribe(`,"min_finality":"pending"`), subscribe(`,"min_finality":"confirmed"`), subscribe("")
	message, err := n.devnet.FaucetWallet.External(contracts.Ticket{Seqno: n.seqno, ValidUntil: n.devnet.Chain.Now() + 600},
		contracts.Order{Message: contracts.Transfer(n.elsewhere(), 1e9, "hello")})
	require.NoError(t, err)
	require.NoError(t, n.devnet.Client.SendMessage(t.Context(), chain.BOC(message.ToBOC())))
	begun := make(chan notification, 1)
	go func() { begun <- early.next() }()
	all := []notification{}
	for len(all) == 0 {
		n.advance(1)
		select {
		case m := <-begun:
			all = append(all, m)
		case <-time.After(time.Second): // the message waits for a block
		}
	}
	n.advance(3)
	all = append(all, until(early.next, func(m notification) bool { return m.Finality == "finalized" })...)
	require.Equal(t, "pending", all[0].Finality)
	require.Equal(t, "finalized", all[0].Transactions[0].Finality, "the transaction itself is in a block")
	for _, l := range []*lines{confirmed, final} {
		m := l.next()
		require.Equal(t, []string{"finalized", all[0].Key}, []string{m.Finality, m.Key})
		require.Equal(t, all[0].Transactions, m.Transactions)
	}
}

// Connections to which a pending trace was sent are notified once that it will not be.
func TestNotifications_InvalidateWhatWasSentAndExpired(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	g := n.gateway(lossy{n.devnet.Client})
	body := `"types":["transactions","actions"],"addresses":["` + n.wallet + `"]`
	early := g.events(t, `{`+body+`,"min_finality":"pending"}`)
	final := g.dial(t)
	final.say(`{"operation":"subscribe",` + body + `}`)
	final.next()
	key := n.send(g, 6, newWallet(t, 8))
	require.Equal(t, "pending", early.next().Finality)
	late := g.dial(t)
	late.say(`{"operation":"subscribe",` + body + `,"min_finality":"pending"}`)
	require.Equal(t, "subscribed", *late.next().Status)
	for end := n.devnet.Chain.Now() + 8; n.devnet.Chain.Now() < end; {
		n.advance(1)
	}
	all := until(early.next, func(m notification) bool { return m.Type == "trace_invalidated" })
	require.Equal(t, `{"type":"trace_invalidated","trace_external_hash_norm":"`+key+`"}`, all[len(all)-1].text)
	for _, s := range []*socket{final, late} {
		s.say(`{"operation":"ping"}`)
		require.JSONEq(t, `{"status":"pong"}`, s.read(), "nothing before")
	}
}

// A message that its account refuses at first, as the second of two that were sent one after the other does until the first is indexed, is pending
// once a block accepts it.
func TestNotifications_AMessageIsPendingOnceItIsAccepted(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	g, lost := n.gateway(n.devnet.Client), n.gateway(ahead{lossy{n.devnet.Client}, 1})
	s := g.dial(t)
	s.say(`{"operation":"subscribe","types":["transactions"],"addresses":["` + n.wallet + `"],"min_finality":"pending"}`)
	require.Equal(t, "subscribed", *s.next().Status)
	n.seqno = 1
	second := n.send(lost, 600, newWallet(t, 8))
	n.advance(1)
	n.seqno = 0
	first := n.send(g, 600, newWallet(t, 7))
	m := s.next()
	require.Equal(t, []string{first, "pending"}, []string{m.Key, m.Finality}, "the second is refused so far")
	n.advance(3)
	all := until(s.next, func(m notification) bool { return m.Key == second })
	require.Equal(t, "pending", all[len(all)-1].Finality)
	require.Len(t, all[len(all)-1].Transactions, 1)
}

// A message that is sent while the index is far behind does not expire before the blocks that can have it are indexed: its time begins when it is sent.
func TestPendingMessages_OfAnIndexThatIsBehindExpireLater(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	now := uint32(time.Now().Unix())
	require.Less(t, n.devnet.Chain.Now(), now-pending.MaxLifetime, "the index is at the chain's time")
	for blocks, behind := range map[uint32]bool{1: false, 1000: true} {
		key, err := chain.ParseHash(n.send(n.gateway(ahead{lossy{n.devnet.Client}, blocks}), 1<<30, newWallet(t, byte(blocks))))
		require.NoError(t, err)
		found, err := n.db.Pending(store.PendingLimits{}).PendingMessages(t.Context(), chain.PendingFilter{Hashes: []chain.Hash{key}}, 1)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.Equal(t, behind, found[0].ExpireUtime >= now+pending.MaxLifetime, "at most %d seconds after it is sent", pending.MaxLifetime)
		require.Equal(t, found[0].SentUtime+pending.MaxLifetime, found[0].ExpireUtime)
	}
}

// A transaction that was expected of an account, and is not in the trace that happens, is invalidated for those who were sent it, once; others receive
// how the trace ended.
func TestNotifications_InvalidateWhatIsNotInTheFinalTrace(t *testing.T) {
	t.Parallel()
	n := startNetwork(t)
	g := n.gateway(n.devnet.Client)
	payer, err := contracts.NewWallet(contracts.HighloadV3, 0, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, 32)), 0)
	require.NoError(t, err)
	n.send(g, 600, payer.Address) // 1 TON, which is enough for one of the payments
	n.advance(4)
	var subscribers []*socket
	for _, body := range []string{
		`"types":["transactions"],"addresses":["RECEIVER"]`, `"types":["actions"],"addresses":["RECEIVER"]`,
		`"types":["transactions","actions"],"addresses":["PAYER","RECEIVER"]`, `"types":["transactions"],"addresses":["RECEIVER"]`,
	} {
		s := g.dial(t)
		body = strings.ReplaceAll(strings.ReplaceAll(body, "RECEIVER", newWallet(t, 42).StringRaw()), "PAYER", payer.Address.StringRaw())
		s.say(`{"operation":"subscribe","min_finality":"pending",` + body + `}`)
		require.Equal(t, "subscribed", *s.next().Status)
		subscribers = append(subscribers, s)
	}
	pay := func(id uint32, to *address.Address) string {
		message, err := payer.External(contracts.Ticket{Seqno: id, ValidUntil: n.devnet.Chain.Now() - 1, Deploy: true},
			contracts.Order{Message: contracts.Transfer(to, 6e8, "hello")})
		require.NoError(t, err)
		sent, err := g.service.SendMessage(t.Context(), chain.BOC(message.ToBOC()))
		require.NoError(t, err)
		return sent.HashNorm.String()
	}
	pay(1, newWallet(t, 41))
	key := pay(2, newWallet(t, 42))
	ofKey := func(m notification) bool { return m.Key == key }
	for _, s := range subscribers {
		seen := until(s.next, ofKey)
		require.Equal(t, "pending", seen[len(seen)-1].Finality)
	}
	leaver := subscribers[3]
	leaver.say(`{"operation":"unsubscribe","addresses":["` + newWallet(t, 42).StringRaw() + `"]}`)
	require.Equal(t, "unsubscribed", *leaver.next().Status)

	n.advance(6)
	for _, s := range subscribers[:2] {
		seen := until(s.next, func(m notification) bool { return ofKey(m) && m.Finality != "pending" })
		require.Equal(t, `{"type":"trace_invalidated","trace_external_hash_norm":"`+key+`"}`, seen[len(seen)-1].text)
	}
	seen := until(subscribers[2].next, func(m notification) bool { return ofKey(m) && m.Finality != "pending" })
	end := seen[len(seen)-1]
	require.Equal(t, []string{"transactions", "finalized"}, []string{end.Type, end.Finality})
	for _, tx := range end.Transactions {
		require.Equal(t, payer.Address.StringRaw(), chainAddress(t, tx.Account))
	}
	for _, s := range subscribers {
		s.say(`{"operation":"ping","id":"end"}`)
		for _, m := range until(s.next, func(m notification) bool { return m.Status != nil }) {
			require.NotEqual(t, "trace_invalidated", m.Type, "once, and not of what is not subscribed to any more")
		}
	}
}
