package v3_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// network is a devnet with traffic, an index that follows it, and the API on that index. Tests produce the blocks.
type network struct {
	*testClient
	ctx    context.Context
	devnet *devnettest.Network
	db     *store.DB
	node   *node.Client
	lite   *ton.APIClient
	faucet *contracts.Wallet
	seqno  uint32 // of the faucet's next order
}

// Contracts that tests deploy: one returns its execution context, one has hostile get-methods.
var (
	probe  = contractOf(contracttest.Asm("ff0030ed476f10")) // SETCP0, DROP the method's id, PUSH c7, its INDEX 0
	looper = contractOf(contracttest.Code(map[string]*cell.Cell{
		"loop":    contracttest.Asm("90ea"),           // PUSHCONT of nothing, AGAIN
		"builder": contracttest.Asm("c8"),             // NEWC
		"nan":     contracttest.Asm("83ff"),           // PUSHNAN
		"pair":    contracttest.Asm("7172" + "6f02"),  // 1 2 PAIR
		"list":    contracttest.Asm("71726d6f026f02"), // 1 2 NULL, PAIR twice
		"deep":    contracttest.Asm("6d926f01ea"),     // NULL, then SINGLE for ever
	}))
)

func contractOf(code *cell.Cell) contracts.Contract {
	init := &tlb.StateInit{Code: code, Data: cell.BeginCell().EndCell()}
	return contracts.Contract{Address: init.CalcAddress(0), Init: init}
}

// startNetwork produces the first blocks, in which the scenario deploys its contracts.
func startNetwork(tb testing.TB, blocks uint32) *network {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), pacetest.Slow*4*time.Minute)
	tb.Cleanup(cancel)
	d := devnettest.Start(ctx, tb, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xe5}, Scenario: true, ActionsPerMinute: 120, ShardPeriod: 24},
	})
	config, err := d.GlobalConfig()
	require.NoError(tb, err)
	n := &network{ctx: ctx, devnet: d, db: testdb.NewSingle(tb), node: d.Client, faucet: d.FaucetWallet}
	n.connect(tb, config)
	d.Index(tb, n.db, indexer.Options{})
	n.open(tb, d.Client)
	n.order(contracts.Order{Message: probe.Deploy(1e9, nil)}, contracts.Order{Message: looper.Deploy(1e9, nil)})
	n.advance(blocks)
	return n
}

// connect opens a client library's connection to the liteserver, for comparison.
func (n *network) connect(tb testing.TB, config *liteclient.GlobalConfig) {
	tb.Helper()
	pool := liteclient.NewConnectionPool()
	pool.SetOnDisconnect(nil) // its own reconnection continues after Stop
	tb.Cleanup(pool.Stop)
	require.NoError(tb, pool.AddConnectionsFromConfig(n.ctx, config))
	n.lite = ton.NewAPIClient(pool, ton.ProofCheckPolicyUnsafe)
}

// open opens the API on the index. source is nil for a service without a node.
func (n *network) open(tb testing.TB, source chain.Node) {
	tb.Helper()
	svc := resolvers.New(n.db.Reader(), source, resolvers.Options{Network: "devnet", TestOnly: true, HeadTTL: time.Nanosecond})
	tb.Cleanup(svc.Close)
	n.testClient = &testClient{t: tb, handler: v3.New(svc, v3.Options{Version: "1.4.0", Timeout: pacetest.Slow * 10 * time.Second})}
}

// young returns the same network with an index that starts at the latest block.
func (n *network) young(tb testing.TB) *network {
	tb.Helper()
	y := *n
	y.db = testdb.New(tb)
	from, err := indexer.ParseFrom("latest")
	require.NoError(tb, err)
	y.devnet.Index(tb, y.db, indexer.Options{From: from})
	y.open(tb, n.node)
	y.advance(n.head() + 1)
	return &y
}

// order sends messages from the faucet's wallet, directly to the chain.
func (n *network) order(orders ...contracts.Order) {
	n.t.Helper()
	require.NoError(n.t, n.devnet.Chain.SendExternal(n.ctx, n.sign(n.seqno, orders...)))
	n.seqno++
}

func (n *network) sign(seqno uint32, orders ...contracts.Order) *cell.Cell {
	n.t.Helper()
	c, err := n.faucet.External(contracts.Ticket{Seqno: seqno, ValidUntil: n.devnet.Chain.Now() + 600}, orders...)
	require.NoError(n.t, err)
	return c
}

// advance produces blocks up to a seqno and waits until they are indexed.
func (n *network) advance(seqno uint32) {
	n.t.Helper()
	n.devnet.AdvanceTo(n.t, seqno)
	n.devnet.WaitIndexed(n.t, n.db)
}

func (n *network) head() uint32 { return n.devnet.Head() }

// method is the response of runGetMethod.
type method struct {
	GasUsed  int64 `json:"gas_used"`
	ExitCode int   `json:"exit_code"`
	Stack    []entry
}

type entry struct {
	Type  string
	Value json.RawMessage
}

// run sends a get-method call. seqno 0 is the latest block.
func (n *network) run(a chain.Address, name string, seqno uint32, args ...any) (int, method, string) {
	n.t.Helper()
	stack := []map[string]string{}
	for _, arg := range args {
		stack = append(stack, argument(arg))
	}
	query := map[string]any{"address": a.String(), "method": name, "stack": stack}
	if seqno != 0 {
		query["seqno"] = seqno
	}
	body, err := json.Marshal(query)
	require.NoError(n.t, err)
	w := n.post("/runGetMethod", "application/json", string(body))
	var m method
	require.NoError(n.t, json.Unmarshal(w.Body.Bytes(), &m), w.Body)
	return w.Code, m, w.Body.String()
}

func argument(arg any) map[string]string {
	switch v := arg.(type) {
	case *big.Int:
		return map[string]string{"type": "num", "value": v.String()}
	case *cell.Slice:
		return map[string]string{"type": "slice", "value": base64.StdEncoding.EncodeToString(v.MustToCell().ToBOC())}
	case *cell.Cell:
		return map[string]string{"type": "cell", "value": base64.StdEncoding.EncodeToString(v.ToBOC())}
	default:
		panic(arg)
	}
}

// shown formats a stack of this API for comparison.
func shown(t testing.TB, entries []entry) []string {
	t.Helper()
	var list []string
	for _, e := range entries {
		switch e.Type {
		case "tuple", "list":
			var inner []entry
			require.NoError(t, json.Unmarshal(e.Value, &inner))
			list = append(list, e.Type+"(")
			list = append(append(list, shown(t, inner)...), ")")
		default:
			var text string
			require.NoError(t, json.Unmarshal(e.Value, &text))
			if e.Type != "num" {
				data, err := base64.StdEncoding.DecodeString(text)
				require.NoError(t, err)
				c, err := cell.FromBOC(data)
				require.NoError(t, err)
				text = chain.Hash(c.HashKey()).Hex()
			}
			list = append(list, e.Type+" "+text)
		}
	}
	return list
}

// expected prints a stack of the client library in the same way.
func expected(t testing.TB, values []any) []string {
	t.Helper()
	var list []string
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			list = append(list, "list(", ")")
		case *big.Int:
			list = append(list, "num "+signed(v))
		case *cell.Cell:
			list = append(list, "cell "+chain.Hash(v.HashKey()).Hex())
		case *cell.Slice:
			list = append(list, "slice "+chain.Hash(v.Copy().MustToCell().HashKey()).Hex())
		case []any:
			if len(v) == 2 && v[1] == nil {
				list = append(append(append(list, "list("), expected(t, v[:1])...), ")")
				continue
			}
			list = append(append(append(list, "tuple("), expected(t, v)...), ")")
		default:
			require.Fail(t, "a value that is not compared", "%T", v)
		}
	}
	return list
}

func signed(v *big.Int) string {
	if v.Sign() < 0 {
		return "-0x" + new(big.Int).Neg(v).Text(16)
	}
	return "0x" + v.Text(16)
}

func std(a chain.Address) *address.Address { return address.NewAddress(0, byte(a.Workchain), a.ID[:]) }

func own(a *address.Address) chain.Address {
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
}
