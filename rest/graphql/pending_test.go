package graphql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
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
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// quiet is a network without traffic, whose blocks are made by hand.
type quiet struct {
	*testing.T
	devnet *devnettest.Network
	db     *store.DB
	node   chain.Node
	faucet *contracts.Wallet
	seqno  uint32 // of the faucet's next request
}

func startQuiet(t *testing.T) *quiet {
	t.Helper()
	d := devnettest.Start(t.Context(), t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0x9f}, InitialSplit: 2}})
	q := &quiet{T: t, devnet: d, db: testdb.New(t), node: d.Client, faucet: d.FaucetWallet}
	d.Index(t, q.db, indexer.Options{})
	q.advance(3)
	return q
}

// advance makes blocks and waits until they are indexed.
func (q *quiet) advance(blocks uint32) {
	q.Helper()
	q.devnet.AdvanceTo(q, q.devnet.Head()+blocks)
	q.devnet.WaitIndexed(q, q.db)
}

// gateway returns a gateway that emulates pending traces.
func (q *quiet) gateway(source chain.Node) *live {
	q.Helper()
	return gatewayTo(q, q.db, source, resolvers.Options{
		Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond, Pending: q.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	}, nil)
}

// send sends a transfer through a gateway.
func (q *quiet) send(l *live, validFor uint32, to *address.Address, comment string) {
	q.Helper()
	message, err := q.faucet.External(contracts.Ticket{Seqno: q.seqno, ValidUntil: q.devnet.Chain.Now() + validFor},
		contracts.Order{Message: contracts.Transfer(to, 1e9, comment)})
	require.NoError(q, err)
	body, err := json.Marshal(map[string]any{
		"query": `mutation($boc: Boc!) { sendMessage(boc: $boc) { hash } }`, "variables": map[string]any{"boc": chain.BOC(message.ToBOC())},
	})
	require.NoError(q, err)
	resp, err := http.Post(l.URL+"/graphql", "application/json", bytes.NewReader(body))
	require.NoError(q, err)
	response := all(q.T, resp)
	require.NoError(q, resp.Body.Close())
	require.NotContains(q, response, "errors")
}

// seen records the events of one subscription for a message with their finalities.
type seen struct {
	id       string
	finality []string
	cursors  []string
	payloads []string
}

// lossy is a network that accepts messages and drops them.
type lossy struct{ chain.Node }

func (lossy) SendMessage(context.Context, chain.BOC) error { return nil }

const followPending = `subscription($accounts: [Address!], $pending: Boolean!, $after: String, $block: UInt32) {
	KIND(where: {accounts: $accounts}, includePending: $pending, after: $after, afterMcSeqno: $block) { cursor mcSeqno node { finality REST } } }`

func pendingQuery(kind string) string {
	rest := map[string]string{
		"traces":       "externalHashNorm transactions(first: 10) { nodes { finality account { address } } }",
		"transactions": "trace { externalHashNorm } inMessage { opcode } outMessages { value }",
		"actions":      "traceExternalHashNorm type accounts { address }",
	}[kind]
	return string(bytes.ReplaceAll(bytes.Replace([]byte(followPending), []byte("KIND"), []byte(kind), 1), []byte("REST"), []byte(rest)))
}

// receiveAll receives until each of the subscriptions got an event with the last finality.
func receiveAll(t *testing.T, s *socket, last string, ids ...string) map[string]*seen {
	t.Helper()
	found := map[string]*seen{}
	for _, id := range ids {
		found[id] = &seen{id: id}
	}
	for slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(found[id].finality, last) }) {
		m := s.receive()
		require.Equal(t, "next", m.Type, string(m.Payload))
		var a struct {
			Data map[string]struct {
				Cursor string
				Node   struct{ Finality string }
			}
			Errors []struct{ Message string }
		}
		require.NoError(t, json.Unmarshal(m.Payload, &a))
		require.Empty(t, a.Errors, string(m.Payload))
		for _, e := range a.Data {
			found[m.ID].finality = append(found[m.ID].finality, e.Node.Finality)
			found[m.ID].cursors = append(found[m.ID].cursors, e.Cursor)
			found[m.ID].payloads = append(found[m.ID].payloads, string(m.Payload))
		}
	}
	return found
}

var pendingKinds = []string{"traces", "transactions", "actions"}

func (q *quiet) follow(l *live, pending bool, after map[string]*seen) *socket {
	q.Helper()
	s := l.connect(q)
	for _, kind := range pendingKinds {
		variables := map[string]any{"accounts": []string{q.faucet.Address.StringRaw()}, "pending": pending}
		if after != nil {
			variables["after"] = after[kind].cursors[0]
		} else {
			variables["block"] = q.devnet.Chain.Head().ID.SeqNo
		}
		s.subscribe(kind, pendingQuery(kind), variables)
	}
	return s
}

// A message posted to one gateway is published as pending by all gateways, and again with each higher finality.
// Subscribers without includePending receive committed data only.
func TestPending_IsPublishedUntilFinal(t *testing.T) {
	t.Parallel()
	q := startQuiet(t)
	one, other := q.gateway(q.node), q.gateway(q.node)
	near, far, plain := q.follow(one, true, nil), q.follow(other, true, nil), q.follow(one, false, nil)
	to, err := contracts.NewWallet(contracts.V4R2, 0, bytes.Repeat([]byte{7}, 64), 0)
	require.NoError(t, err)
	begun := time.Now()
	q.send(one, 600, to.Address, "soon")
	first := receiveAll(t, near, "PENDING", pendingKinds...)
	elsewhere := receiveAll(t, far, "PENDING", pendingKinds...)
	t.Logf("both gateways published %s after the message was posted", time.Since(begun).Round(time.Millisecond))
	for _, kind := range pendingKinds {
		require.Equal(t, []string{"PENDING"}, slices.Compact(first[kind].finality), kind)
		require.Equal(t, []string{"PENDING"}, slices.Compact(elsewhere[kind].finality), kind)
	}
	late := q.follow(one, true, nil)
	receiveAll(t, late, "PENDING", pendingKinds...) // a new subscription starts with the pending messages

	q.advance(4)
	for name, s := range map[string]*socket{"near": near, "far": far, "late": late} {
		then := receiveAll(t, s, "FINALIZED", pendingKinds...)
		for _, kind := range pendingKinds {
			last := then[kind].finality[len(then[kind].finality)-1]
			require.Equal(t, "FINALIZED", last, "%s %s", name, kind)
			require.NotContains(t, then[kind].finality, "INVALIDATED", "%s %s: %s", name, kind, then[kind].payloads)
			require.NotContains(t, then[kind].finality, "PENDING", "%s %s: already published", name, kind)
		}
	}
	for kind, s := range receiveAll(t, plain, "FINALIZED", pendingKinds...) {
		require.Equal(t, []string{"FINALIZED"}, s.finality, kind)
	}
	// A subscription after the cursor of a pending event receives its outcome.
	again := q.follow(other, true, first)
	for kind, s := range receiveAll(t, again, "FINALIZED", pendingKinds...) {
		if kind != "transactions" { // later transactions of the trace may still be pending
			require.Equal(t, "FINALIZED", s.finality[len(s.finality)-1], kind)
		}
		require.NotContains(t, s.finality, "INVALIDATED", kind)
	}
}

func TestPending_ExpiredMessageIsInvalidated(t *testing.T) {
	t.Parallel()
	q := startQuiet(t)
	l := q.gateway(lossy{q.node})
	s, plain := q.follow(l, true, nil), q.follow(l, false, nil)
	to, err := contracts.NewWallet(contracts.V4R2, 0, bytes.Repeat([]byte{8}, 64), 0)
	require.NoError(t, err)
	q.send(l, 6, to.Address, "never")
	receiveAll(t, s, "PENDING", pendingKinds...)
	for until := q.devnet.Chain.Now() + 8; q.devnet.Chain.Now() < until; {
		q.advance(1)
	}
	for kind, s := range receiveAll(t, s, "INVALIDATED", pendingKinds...) {
		require.Equal(t, []string{"INVALIDATED"}, s.finality, kind)
	}
	plain.say(`{"type":"ping"}`)
	require.Equal(t, "pong", plain.receive().Type, "subscribers to blocks receive nothing")
}
