package v3_test

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// startQuiet returns a network without traffic whose gateway emulates pending traces. With its four shards traces take
func startQuiet(tb testing.TB) *network {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), pacetest.Slow*4*time.Minute)
	tb.Cleanup(cancel)
	d := devnettest.Start(ctx, tb, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0x9e}, InitialSplit: 2}})
	n := &network{ctx: ctx, devnet: d, db: testdb.New(tb), node: d.Client, faucet: d.FaucetWallet}
	d.Index(tb, n.db, indexer.Options{})
	n.openEmulating(tb, d.Client)
	return n
}

// openEmulating opens a gateway with emulation. Each gateway is like a restart, or like an additional gateway.
func (n *network) openEmulating(tb testing.TB, source chain.Node) *tracesClient {
	tb.Helper()
	svc := resolvers.New(n.db.Reader(), source, resolvers.Options{
		Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond,
		Pending: n.db.Pending(store.PendingLimits{}), Classifier: trace.Classifier{},
	})
	tb.Cleanup(svc.Close)
	n.testClient = &testClient{t: tb, handler: v3.New(svc, v3.Options{Version: "1.4.0"})}
	return &tracesClient{n.testClient, svc}
}

// mint deploys a Jetton owned by the faucet.
type jetton struct{ master, wallet contracts.Contract }

func (n *network) mint() jetton {
	n.t.Helper()
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake("https://example.org/coin.json").EndCell()
	master := contracts.JettonMaster(n.faucet.Address, content, contracts.JettonWalletCode())
	mint := contracts.JettonMint{Recipient: n.faucet.Address, Amount: tlb.FromNanoTONU(1e12), Value: 1e8}
	n.order(contracts.Order{Message: master.Deploy(1e9, nil)})
	n.advance(n.head() + 3)
	n.order(contracts.Order{Message: contracts.Call(master.Address, 5e8, mint.Body())})
	n.advance(n.head() + 4)
	return jetton{master, contracts.JettonWallet(n.faucet.Address, master.Address, contracts.JettonWalletCode())}
}

// unusedAddress returns an address without transactions.
func unusedAddress(b byte) *address.Address {
	w, err := contracts.NewWallet(contracts.V4R2, 0, ed25519.NewKeyFromSeed(slices.Repeat([]byte{b}, ed25519.SeedSize)), 0)
	if err != nil {
		panic(err)
	}
	return w.Address
}

// sendBy sends a message through the gateway and returns both its hashes, escaped for queries.
func (n *network) sendBy(root *cell.Cell) (hash, norm string) {
	n.t.Helper()
	w := n.post("/message", "application/json", `{"boc":"`+boc(root)+`"}`)
	require.Equal(n.t, http.StatusOK, w.Code, w.Body)
	var sent struct {
		Hash string `json:"message_hash"`
		Norm string `json:"message_hash_norm"`
	}
	require.NoError(n.t, json.Unmarshal(w.Body.Bytes(), &sent))
	return url.QueryEscape(sent.Hash), url.QueryEscape(sent.Norm)
}

// comparableActions returns the members of actions that do not depend on the block: types, success and details.
func comparableActions(actions []map[string]any) (list []map[string]any) {
	for _, a := range actions {
		list = append(list, map[string]any{"type": a["type"], "success": a["success"], "details": a["details"]})
	}
	return list
}

// Transactions, trace and actions of a sent message are listed before its block. Blocks replace them, and nothing is
// listed twice.
//
//nolint:tparallel // the subtests use one chain, in order
func TestPendingTrace_IsListedUntilFinalized(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	j := n.mint()
	thrower := contracts.Thrower(0, 1)
	n.order(contracts.Order{Message: thrower.Deploy(1e9, nil)})
	n.advance(n.head() + 3)
	transfer := contracts.JettonTransfer{
		Amount: tlb.FromNanoTONU(5e9), Destination: unusedAddress(1), Response: n.faucet.Address, ForwardValue: 1,
		ForwardPayload: contracts.Comment("for you"),
	}
	confirmed := 0
	for _, flow := range []struct {
		name  string
		order contracts.Order
		kinds []any
		count int
	}{
		{"transfer", contracts.Order{Message: contracts.Transfer(unusedAddress(2), 3e9, "hello")}, []any{"ton_transfer"}, 2},
		{"jettons", contracts.Order{Message: contracts.Call(j.wallet.Address, 3e8, transfer.Body())}, []any{"jetton_transfer"}, 5},
		{"bounce", contracts.Order{Message: contracts.Call(thrower.Address, 1e9, contracts.ThrowCode(77))}, nil, 3},
		{
			"deploy", contracts.Order{Message: contracts.Thrower(0, 2).Deploy(1e9, contracts.Comment("rise"))},
			[]any{"contract_deploy", "ton_transfer"}, 3,
		},
	} {
		t.Run(flow.name, func(t *testing.T) { confirmed += n.follows(t, flow.order, flow.kinds, flow.count) })
	}
	require.Positive(t, confirmed, "no trace was confirmed by some of its blocks")
}

// follows sends a message and checks its trace after every block. It counts the checks with a confirmed trace.
func (n *network) follows(t *testing.T, order contracts.Order, kinds []any, count int) (confirmed int) {
	t.Helper()
	hash, norm := n.sendBy(n.sign(n.seqno, order))
	n.seqno++
	faucet := url.QueryEscape(n.faucet.Address.StringRaw())

	before := rows(n.get("/pendingTraces?ext_msg_hash="+hash), "traces")
	require.Len(t, before, 1)
	require.Equal(t, before, rows(n.get("/pendingTraces?ext_msg_hash="+norm), "traces"))
	require.Equal(t, before, rows(n.get("/pendingTraces?ext_msg_hash="+norm+"&ext_msg_hash="+hash), "traces"))
	require.Equal(t, before, rows(n.get("/pendingTraces?account="+faucet), "traces"))
	require.Equal(t, "pending", dig(before[0], "trace_info", "trace_state"))
	require.Zero(t, dig(before[0], "trace_info", "pending_messages"))
	txs, _ := before[0]["transactions"].(map[string]any)
	require.Len(t, txs, count, "%v", column(rows(before[0], "actions"), "type"))
	for _, tx := range txs {
		require.Equal(t, true, dig(tx, "emulated"))
		require.Equal(t, "pending", dig(tx, "finality"))
		require.Equal(t, before[0]["trace_id"], dig(tx, "trace_id"))
		require.Equal(t, before[0]["external_hash"], dig(tx, "trace_external_hash"))
		require.NotNil(t, dig(tx, "account_state_after", "balance"))
	}
	actions := rows(before[0], "actions")
	require.NotEmpty(t, actions)
	require.Subset(t, column(actions, "type"), kinds)
	require.Equal(t, []any{"pending"}, slices.Compact(column(actions, "finality")))
	listed := rows(n.get("/pendingActions?include_transactions=1&account="+faucet), "actions")
	require.NotEmpty(t, listed)
	require.Subset(t, column(actions, "action_id"), column(listed, "action_id"))
	require.NotEmpty(t, listed[0]["transactions_full"])
	require.NotEmpty(t, listed[0]["accounts"])
	mine := rows(n.get("/pendingTransactions?account="+faucet), "transactions")
	require.NotEmpty(t, mine)
	require.Empty(t, rows(n.get("/traces?msg_hash="+hash), "traces"))

	// Another gateway, or the same one after a restart, returns the same.
	other := *n
	beside := other.openEmulating(t, n.node)
	require.Equal(t, before, rows(other.get("/pendingTraces?account="+faucet), "traces"))
	agree(t, beside, before[0], `account: "`+n.faucet.Address.StringRaw()+`"`)

	for range 12 {
		n.advance(n.head() + 1)
		now := rows(n.get("/pendingTraces?ext_msg_hash="+hash), "traces")
		indexed := rows(n.get("/traces?msg_hash="+hash+"&include_actions=1"), "traces")
		require.LessOrEqual(t, len(indexed), 1)
		if len(indexed) == 0 {
			require.Len(t, now, 1, "the message is neither pending nor indexed")
			continue
		}
		require.Equal(t, before[0]["external_hash"], indexed[0]["external_hash"])
		if dig(indexed[0], "trace_info", "trace_state") == "complete" {
			require.Empty(t, now)
			require.Empty(t, rows(n.get("/pendingTraces?account="+faucet), "traces"))
			require.Empty(t, rows(n.get("/pendingActions?account="+faucet), "actions"))
			require.Equal(t, "emulated traces not found", n.refuse("/pendingTransactions?account="+faucet, http.StatusNotFound))
			final := rows(indexed[0], "actions")
			require.ElementsMatch(t, comparableActions(final), comparableActions(actions))
			require.Equal(t, []any{"finalized"}, slices.Compact(column(final, "finality")))
			require.Equal(t, shapes(indexed[0]), shapes(before[0]), "the chain matches the emulation")
			return confirmed
		}
		confirmed++
		require.Len(t, now, 1)
		require.Equal(t, indexed[0]["trace_id"], now[0]["trace_id"])
		require.Len(t, now[0]["transactions"], count, "the rest is emulated")
		require.Equal(t, false, dig(now[0]["transactions"], now[0]["trace_id"].(string), "emulated"))
		require.Equal(t, comparableActions(actions), comparableActions(rows(now[0], "actions")))
		require.Subset(t, []any{"pending", "confirmed"}, column(rows(now[0], "actions"), "finality"))
		require.Len(t, rows(n.get("/pendingTraces?account="+faucet), "traces"), 1)
	}
	require.Fail(t, "the trace was not complete after 12 blocks")
	return confirmed
}

// shapes describes every transaction without the members that depend on its block.
func shapes(trace map[string]any) (list []string) {
	for _, tx := range trace["transactions"].(map[string]any) {
		var sent []any
		for _, m := range rows(tx.(map[string]any), "out_msgs") {
			sent = append(sent, m["destination"], m["opcode"], m["bounced"], dig(m, "message_content", "hash"))
		}
		list = append(list, fmt.Sprint(dig(tx, "account"), dig(tx, "orig_status"), dig(tx, "end_status"), dig(tx, "description", "aborted"),
			dig(tx, "description", "compute_ph", "exit_code"), dig(tx, "description", "compute_ph", "gas_used"),
			dig(tx, "description", "compute_ph", "vm_steps"), dig(tx, "account_state_after", "code_hash"), sent))
	}
	slices.Sort(list)
	return list
}

// agree compares the pending trace in GraphQL and in v3.
func agree(t *testing.T, d *tracesClient, want map[string]any, by string) {
	t.Helper()
	list, _ := d.byGraphQL(`{ pendingTraces(` + by + `, first: 2) {
		hash externalHash state finality transactionCount messageCount pendingMessageCount root { hash finality }
		actions { nodes { hash type finality transactions { hash } trace { hash } } }
		transactions(first: 100) { nodes { hash finality trace { hash } inMessage { hash destinationTransaction { hash } }
			outMessages { hash } stateAfter { balance } block { seqno } } }
		tree { transaction { hash } children { transaction { hash } } } } }`)["pendingTraces"].([]any)
	require.Len(t, list, 1)
	got := list[0]
	require.Equal(t, want["trace_id"], dig(got, "hash"))
	require.Equal(t, want["external_hash"], dig(got, "externalHash"))
	require.Equal(t, "PENDING", dig(got, "state"))
	require.Equal(t, "PENDING", dig(got, "finality"))
	require.Equal(t, want["trace_id"], dig(got, "root", "hash"))
	require.Equal(t, "PENDING", dig(got, "root", "finality"))
	require.Equal(t, dig(want, "trace_info", "transactions"), dig(got, "transactionCount"))
	require.Equal(t, dig(want, "trace_info", "messages"), dig(got, "messageCount"))
	require.Equal(t, want["trace_id"], dig(got, "tree", "transaction", "hash"))
	actions := rows(dig(got, "actions").(map[string]any), "nodes")
	requireLatestFirst(t, rows(want, "actions"))
	require.ElementsMatch(t, column(rows(want, "actions"), "action_id"), column(actions, "hash"))
	require.ElementsMatch(t, column(rows(want, "actions"), "type"), column(actions, "type"))
	require.Equal(t, want["trace_id"], dig(actions[0], "trace", "hash"))
	for _, same := range rows(want, "actions") {
		if same["action_id"] == actions[0]["hash"] {
			require.Len(t, actions[0]["transactions"], len(same["transactions"].([]any)))
		}
	}
	txs := rows(dig(got, "transactions").(map[string]any), "nodes")
	require.Equal(t, want["transactions_order"], column(txs, "hash"))
	for _, tx := range txs {
		v3 := dig(want["transactions"], tx["hash"].(string))
		require.Equal(t, "PENDING", tx["finality"])
		require.Equal(t, want["trace_id"], dig(tx, "trace", "hash"))
		require.Equal(t, dig(v3, "in_msg", "hash"), dig(tx, "inMessage", "hash"))
		require.Equal(t, tx["hash"], dig(tx, "inMessage", "destinationTransaction", "hash"))
		require.Len(t, tx["outMessages"], len(v3.(map[string]any)["out_msgs"].([]any)))
		require.Equal(t, dig(v3, "account_state_after", "balance"), dig(tx, "stateAfter", "balance"))
		require.NotNil(t, dig(tx, "block", "seqno"))
	}
}

// requireLatestFirst checks the order of emulated actions, and that they have accounts.
func requireLatestFirst(t *testing.T, actions []map[string]any) {
	t.Helper()
	for i, a := range actions {
		require.NotEmpty(t, a["accounts"])
		if i == 0 {
			continue
		}
		before := actions[i-1]
		ends := cmp.Compare(number(before["end_lt"].(string)), number(a["end_lt"].(string)))
		require.GreaterOrEqual(t, cmp.Or(ends, cmp.Compare(number(before["start_lt"].(string)), number(a["start_lt"].(string)))), 0)
	}
}

func column(list []map[string]any, name string) (values []any) {
	for _, row := range list {
		values = append(values, row[name])
	}
	return values
}

// lossy is a node that drops sent messages.
type lossy struct{ chain.Node }

func (lossy) SendMessage(context.Context, chain.BOC) error { return nil }

// A message that expires or is replaced by another one is invalidated: it is found by hash and not listed.
func TestPendingTrace_ExpiredMessageIsInvalidated(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	n.advance(n.head() + 3)
	n.openEmulating(t, lossy{n.node})
	faucet := url.QueryEscape(n.faucet.Address.StringRaw())
	finality := func(hash string) string {
		list := rows(n.get("/pendingTraces?ext_msg_hash="+hash), "traces")
		require.Len(t, list, 1)
		require.Len(t, list[0]["transactions"], 2)
		kind, _ := rows(list[0], "actions")[0]["finality"].(string)
		for _, tx := range list[0]["transactions"].(map[string]any) {
			require.Equal(t, kind, dig(tx, "finality"))
			require.Equal(t, true, dig(tx, "emulated"))
		}
		return kind
	}
	ticket := contracts.Ticket{Seqno: n.seqno, ValidUntil: n.devnet.Chain.Now() + 6}
	short, err := n.faucet.External(ticket, contracts.Order{Message: contracts.Transfer(unusedAddress(3), 1e9, "soon")})
	require.NoError(t, err)
	expiring, _ := n.sendBy(short)
	displaced, _ := n.sendBy(n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(unusedAddress(4), 1e9, "or this")}))
	require.Len(t, rows(n.get("/pendingTraces?account="+faucet), "traces"), 2)
	require.Equal(t, "pending", finality(expiring))
	require.Equal(t, "pending", finality(displaced))

	for n.devnet.Chain.Now() < ticket.ValidUntil+2 {
		n.advance(n.head() + 1)
	}
	require.Equal(t, "invalidated", finality(expiring))
	require.Equal(t, "pending", finality(displaced))
	require.Len(t, rows(n.get("/pendingTraces?account="+faucet), "traces"), 1)
	n.openEmulating(t, n.node) // after a restart
	require.Equal(t, "invalidated", finality(expiring))

	n.order(contracts.Order{Message: contracts.Transfer(unusedAddress(5), 1e9, "first")})
	n.advance(n.head() + 3)
	require.Equal(t, "invalidated", finality(displaced))
	require.Empty(t, rows(n.get("/pendingTraces?account="+faucet), "traces"))
	require.Empty(t, rows(n.get("/traces?msg_hash="+displaced), "traces"))
}

// Messages that were not sent through the gateway are listed once they have transactions; the rest is emulated.
func TestPendingTrace_MessagesSentElsewhereAreListed(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	j := n.mint()
	faucet := url.QueryEscape(n.faucet.Address.StringRaw())
	seen := 0
	for i := range 4 {
		transfer := contracts.JettonTransfer{Amount: tlb.FromNanoTONU(5e9), Destination: unusedAddress(byte(10 + i)), Response: n.faucet.Address}
		n.order(contracts.Order{Message: contracts.Call(j.wallet.Address, 3e8, transfer.Body())})
		require.Empty(t, rows(n.get("/pendingTraces?account="+faucet), "traces"), "no gateway sent it")
		for range 6 {
			n.advance(n.head() + 1)
			for _, trace := range rows(n.get("/pendingTraces?account="+faucet), "traces") {
				seen++
				require.Equal(t, "jetton_transfer", rows(trace, "actions")[0]["type"])
				require.Zero(t, dig(trace, "trace_info", "pending_messages"))
				for _, tx := range trace["transactions"].(map[string]any) {
					require.Equal(t, dig(tx, "emulated"), dig(tx, "finality") == "pending")
				}
			}
		}
		require.Empty(t, rows(n.get("/pendingTraces?account="+faucet), "traces"), "the trace is complete")
	}
	require.Positive(t, seen)
}

// During a flood of messages requests are served, and the limits hold.
func TestPendingFlood_LimitsHold(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	n.advance(n.head() + 3)
	n.openEmulating(t, lossy{n.node})
	const sent = 40
	group := &sync.WaitGroup{}
	for i := range sent {
		root := n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(unusedAddress(6), uint64(1e6+i), "again")})
		group.Go(func() {
			w := n.post("/message", "application/json", `{"boc":"`+boc(root)+`"}`)
			assertOK(t, w.Code)
		})
	}
	group.Wait()
	traces := rows(n.get("/pendingTraces?account="+url.QueryEscape(n.faucet.Address.StringRaw())), "traces")
	require.NotEmpty(t, traces)
	require.LessOrEqual(t, len(traces), 16, "messages to one account")
	require.Len(t, slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, trace := range traces {
			if hash, _ := trace["external_hash"].(string); !yield(hash) {
				return
			}
		}
	})), len(traces), "no message is listed twice")
}

// assertOK fails a test from any goroutine.
func assertOK(t *testing.T, code int) {
	t.Helper()
	if code != http.StatusOK {
		t.Errorf("status %d", code)
	}
}

// The actions of a message are listed before its block, and the time from sending to listing is logged.
func TestPendingActions_AreListedSoonAfterSending(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startQuiet(t)
	n.advance(n.head() + 3)
	const sends = 50
	took := make([]time.Duration, 0, sends)
	for i := range sends {
		root := n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(unusedAddress(byte(100+i%8)), 1e6, "quick")})
		began := time.Now()
		hash, _ := n.sendBy(root)
		require.Len(t, rows(n.get("/pendingActions?ext_msg_hash="+hash), "actions"), 1, "before the block")
		took = append(took, time.Since(began))
		n.seqno++
		n.advance(n.head() + 1)
	}
	slices.Sort(took)
	t.Logf("message to pending actions: median %s, 90th percentile %s, slowest %s", took[sends/2], took[sends*9/10], took[sends-1])
}
