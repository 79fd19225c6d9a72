package v3_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
	"tonql/resolvers"
)

// traceResult holds the members of a trace that do not depend on its blocks.
type traceResult struct {
	Hash             string
	State            string
	TransactionCount int
	Transactions     struct {
		Nodes []struct {
			Hash, Lt, Finality, TotalFees string
			Account                       struct{ Address string }
			Description                   struct {
				Aborted bool
				Compute *struct {
					ExitCode int
					GasUsed  string
					VmSteps  int
				}
			}
			OutMessages []struct {
				Hash          string
				BodyHash      string
				DecodedOpcode *string
				Destination   *struct{ Address string }
			}
			StateAfter *struct{ CodeHash *string }
		}
	}
	Actions struct {
		Nodes []struct {
			Type, Finality string
			Success        bool
			BalanceChanges []balanceChange
		}
	}
	Tree           *struct{ Transaction struct{ Hash string } }
	BalanceChanges []balanceChange
}

type balanceChange struct {
	Account     struct{ Address string }
	Coins, Fees string
	Jettons     []struct {
		JettonAccount struct{ Address string }
		Amount        string
	}
}

const traceFields = ` { hash state transactionCount
	transactions(first: 100) { nodes { hash lt finality totalFees account { address }
		description { aborted compute { exitCode gasUsed vmSteps } }
		outMessages { hash bodyHash decodedOpcode destination { address } } stateAfter { codeHash } } }
	actions { nodes { type success finality ` + changeFields + ` } } tree { transaction { hash } } ` + changeFields + ` }`

const changeFields = `balanceChanges { account { address } coins fees jettons { jettonAccount { address } amount } }`

type simulation struct {
	McSeqno            uint32
	Accepted           bool
	Refusal, Stopped   *string
	ExitCode           *int
	GasUsed, TotalFees string
	Trace              *traceResult
}

const simulationFields = ` { mcSeqno accepted refusal exitCode gasUsed totalFees stopped trace` + traceFields + ` }`

// shape describes every transaction, in order.
func (t *traceResult) shape() (list []string) {
	for _, tx := range t.Transactions.Nodes {
		var line strings.Builder
		fmt.Fprint(&line, tx.Account.Address, " ", tx.Description.Aborted)
		if c := tx.Description.Compute; c != nil {
			fmt.Fprint(&line, " ", c.ExitCode, " ", c.GasUsed, " ", c.VmSteps)
		}
		for _, m := range tx.OutMessages {
			fmt.Fprint(&line, " ", m.BodyHash, m.DecodedOpcode != nil, m.Destination)
		}
		list = append(list, line.String())
	}
	return list
}

func (t *traceResult) actions() (list []string) {
	for _, a := range t.Actions.Nodes {
		list = append(list, fmt.Sprint(a.Type, a.Success))
	}
	return list
}

// jettonsMoved returns the changes of Jettons by owner.
func jettonsMoved(changes []balanceChange) map[string]string {
	found := map[string]string{}
	for _, c := range changes {
		for _, j := range c.Jettons {
			found[c.Account.Address+" "+j.JettonAccount.Address] = j.Amount
		}
	}
	return found
}

// A simulation has the same transactions, actions and balances as the chain, and the balance changes of each trace are
// equal in GraphQL and v3.
func TestSimulation_AgreesWithTheChain(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	j := n.mint()
	query := n.past()
	thrower := contracts.Thrower(0, 1)
	n.order(contracts.Order{Message: thrower.Deploy(1e9, nil)})
	n.advance(n.head() + 3)
	transfer := contracts.JettonTransfer{
		Amount: tlb.FromNanoTONU(5e9), Destination: unusedAddress(1), Response: n.faucet.Address, ForwardValue: 1,
		ForwardPayload: contracts.Comment("for you"),
	}
	for _, flow := range []struct {
		name  string
		order contracts.Order
		kind  string // kind of an expected action; "" for none
		moves int    // balances of Jettons
	}{
		{"coins", contracts.Order{Message: contracts.Transfer(unusedAddress(2), 3e9, "hello")}, "ton_transfer", 0},
		{"jettons to somebody new", contracts.Order{Message: contracts.Call(j.wallet.Address, 3e8, transfer.Body())}, "jetton_transfer", 2},
		{"jettons again", contracts.Order{Message: contracts.Call(j.wallet.Address, 3e8, transfer.Body())}, "jetton_transfer", 2},
		{"burn", contracts.Order{Message: contracts.Call(j.wallet.Address, 3e8, contracts.JettonBurn(1, tlb.FromNanoTONU(7), n.faucet.Address))}, "jetton_burn", 1},
		{"bounce", contracts.Order{Message: contracts.Call(thrower.Address, 1e9, contracts.ThrowCode(77))}, "", 0},
	} {
		root := n.sign(n.seqno, flow.order)
		var got struct{ Simulate simulation }
		query(t, `{ simulate(message: {boc: "`+boc(root)+`"})`+simulationFields+` }`, &got)
		sim := got.Simulate
		require.True(t, sim.Accepted, flow.name)
		require.Nil(t, sim.Refusal)
		require.Nil(t, sim.Stopped)
		require.Equal(t, 0, *sim.ExitCode)
		require.Equal(t, n.head(), sim.McSeqno)
		require.Equal(t, "COMPLETE", sim.Trace.State)
		require.Equal(t, sim.Trace.Hash, sim.Trace.Tree.Transaction.Hash)
		for _, tx := range sim.Trace.Transactions.Nodes {
			require.Equal(t, "PENDING", tx.Finality)
		}

		require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, root))
		n.seqno++
		n.advance(n.head() + 8)
		var indexed struct{ Trace *traceResult }
		query(t, fmt.Sprintf(`{ trace(by: {message: "%x"})%s }`, root.Hash(), traceFields), &indexed)
		require.NotNil(t, indexed.Trace, flow.name)
		require.Equal(t, "COMPLETE", indexed.Trace.State)
		require.Equal(t, indexed.Trace.shape(), sim.Trace.shape(), flow.name)
		require.Equal(t, indexed.Trace.actions(), sim.Trace.actions(), flow.name)
		if flow.kind != "" {
			require.Contains(t, strings.Join(sim.Trace.actions(), " "), flow.kind)
		}
		require.Equal(t, jettonsMoved(indexed.Trace.BalanceChanges), jettonsMoved(sim.Trace.BalanceChanges), flow.name)
		require.Len(t, jettonsMoved(sim.Trace.BalanceChanges), flow.moves, flow.name)
		fees, gas := new(big.Int), int64(0)
		require.Len(t, sim.Trace.BalanceChanges, len(indexed.Trace.BalanceChanges))
		for i, c := range indexed.Trace.BalanceChanges {
			s := sim.Trace.BalanceChanges[i]
			require.Equal(t, c.Account, s.Account)
			require.InDelta(t, number(c.Coins), number(s.Coins), 1e6, "storage fees grow every second")
			require.InDelta(t, number(c.Fees), number(s.Fees), 1e6)
			fees.Add(fees, big.NewInt(number(s.Fees)))
		}
		for _, tx := range sim.Trace.Transactions.Nodes {
			if tx.Description.Compute != nil {
				gas += number(tx.Description.Compute.GasUsed)
			}
		}
		require.Equal(t, fees.String(), sim.TotalFees)
		require.Equal(t, fmt.Sprint(gas), sim.GasUsed)
		agreeOnChanges(t, n, indexed.Trace)
	}
}

// agreeOnChanges compares the balance changes of a trace with those of v3.
func agreeOnChanges(t *testing.T, n *network, trace *traceResult) {
	t.Helper()
	escape := strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace
	w := n.do("/balanceChanges?trace_id=" + escape(trace.Hash))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	var v3 struct {
		Changes, Fees map[string]json.Number
		Jettons       map[string]map[string]string
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v3))
	owned := 0
	for _, c := range trace.BalanceChanges {
		if change, listed := v3.Changes[c.Account.Address]; listed {
			require.Equal(t, change.String(), c.Coins)
			require.Equal(t, v3.Fees[c.Account.Address].String(), c.Fees)
		} else {
			require.Equal(t, "0", c.Coins)
		}
		for _, jetton := range c.Jettons {
			owned++
			require.Equal(t, v3.Jettons[c.Account.Address][jetton.JettonAccount.Address], jetton.Amount)
		}
	}
	require.GreaterOrEqual(t, len(trace.BalanceChanges), len(v3.Changes))
	all := 0
	for _, of := range v3.Jettons {
		all += len(of)
	}
	require.Equal(t, all, owned)
}

// spinner sends the value it receives to itself, less the fees.
var spinner = contractOf(contracttest.Asm("ff00" + // SETCP0
	"8018c8cb05" + // the head of a bounceable message with no source
	"f82801ce" + // to MYADDR
	"70fa02" + // 0 coins
	"7001cb6a" + // no currencies, fees, times, state; the body in place
	"c98040fb00")) // ENDC, SENDRAWMSG with the rest of the value

// Errors, limits and side effects of simulations.
//
//nolint:tparallel // the subtests query one network at one block
func TestSimulation_ReportsErrorsWithinItsLimits(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	before := n.head()
	j := n.mint()
	n.order(contracts.Order{Message: spinner.Deploy(1e9, nil)})
	n.advance(n.head() + 3)
	query := n.past()
	simulate := func(t *testing.T, arguments string) simulation {
		t.Helper()
		var got struct{ Simulate simulation }
		query(t, `{ simulate(`+arguments+`)`+simulationFields+` }`, &got)
		return got.Simulate
	}
	parts := func(to contracts.Contract, value uint64, body *cell.Cell) string {
		text := fmt.Sprintf(`message: {internal: {source: %q, destination: %q, value: "%d"`, n.faucet.Address.StringRaw(), to.Address.StringRaw(), value)
		if body != nil {
			text += `, body: "` + boc(body) + `"`
		}
		return text + `}}`
	}
	payment := contracts.Order{Message: contracts.Transfer(unusedAddress(2), 3e9, "hello")}
	transfer := contracts.JettonTransfer{Amount: tlb.FromNanoTONU(5e9), Destination: unusedAddress(1), Response: n.faucet.Address, ForwardValue: 1}

	t.Run("an invalid signature", func(t *testing.T) {
		var m tlb.ExternalMessage
		require.NoError(t, tlb.Parse(&m, n.sign(n.seqno, payment)))
		m.Body = cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreBuilder(rest(t, m.Body, 512)).EndCell()
		unsigned, err := tlb.ToCell(&m)
		require.NoError(t, err)
		refused := simulate(t, `message: {boc: "`+boc(unsigned)+`"}`)
		require.False(t, refused.Accepted)
		require.Nil(t, refused.Trace)
		require.NotNil(t, refused.ExitCode)
		require.NotZero(t, *refused.ExitCode)
		require.Contains(t, *refused.Refusal, "exit code")
		require.Equal(t, "0", refused.TotalFees)
		taken := simulate(t, `ignoreSignature: true, message: {boc: "`+boc(unsigned)+`"}`)
		require.True(t, taken.Accepted)
		require.Equal(t, simulate(t, `message: {boc: "`+boc(n.sign(n.seqno, payment))+`"}`).Trace.shape(), taken.Trace.shape())
	})
	t.Run("a used seqno", func(t *testing.T) {
		refused := simulate(t, `message: {boc: "`+boc(n.sign(n.seqno-1, payment))+`"}`)
		require.False(t, refused.Accepted)
		require.Equal(t, 33, *refused.ExitCode)
	})
	t.Run("an account without code", func(t *testing.T) {
		refused := simulate(t, `message: {boc: "`+boc(contracts.External(unusedAddress(9), nil, cell.BeginCell().EndCell()))+`"}`)
		require.False(t, refused.Accepted)
		require.NotEmpty(t, *refused.Refusal)
	})
	t.Run("an internal message by its parts, and as a cell", func(t *testing.T) {
		sim := simulate(t, parts(j.wallet, 3e8, transfer.Body()))
		require.True(t, sim.Accepted)
		require.Len(t, jettonsMoved(sim.Trace.BalanceChanges), 2)
		require.Contains(t, strings.Join(sim.Trace.actions(), " "), "jetton_transfer")
		complete, err := tlb.ToCell(&tlb.InternalMessage{
			IHRDisabled: true, Bounce: true, SrcAddr: n.faucet.Address, DstAddr: j.wallet.Address, Amount: tlb.FromNanoTONU(3e8),
			CreatedLT: 5, Body: transfer.Body(),
		})
		require.NoError(t, err)
		require.Equal(t, sim.Trace.shape(), simulate(t, `message: {boc: "`+boc(complete)+`"}`).Trace.shape())
	})
	t.Run("a past block", func(t *testing.T) {
		sim := simulate(t, fmt.Sprintf(`at: {seqno: %d}, `, before)+parts(j.wallet, 3e8, transfer.Body()))
		require.Equal(t, before, sim.McSeqno)
		require.True(t, sim.Trace.Transactions.Nodes[0].Description.Aborted, "there was no Jetton wallet then")
		require.Empty(t, jettonsMoved(sim.Trace.BalanceChanges))
		require.Len(t, sim.Trace.Transactions.Nodes, 2, "it bounces")
	})
	t.Run("two in one request, with the chain", func(t *testing.T) {
		var got struct {
			One, Two simulation
			Trace    *traceResult
			Account  struct{ State struct{ Balance string } }
		}
		var last struct {
			Transactions struct{ Nodes []struct{ Hash string } }
			Account      struct{ State struct{ Balance string } }
		}
		faucet := n.faucet.Address.StringRaw()
		query(t, `{ transactions(first: 1) { nodes { hash } } account(address: "`+faucet+`") { state { balance } } }`, &last)
		query(t, `{ one: simulate(`+parts(j.wallet, 3e8, transfer.Body())+`)`+simulationFields+`
			two: simulate(`+parts(j.wallet, 4e8, nil)+`)`+simulationFields+`
			trace(by: {transaction: "`+last.Transactions.Nodes[0].Hash+`"})`+traceFields+`
			account(address: "`+faucet+`") { state { balance } } }`, &got)
		require.NotEqual(t, got.One.Trace.Hash, got.Two.Trace.Hash)
		require.Greater(t, len(got.One.Trace.Transactions.Nodes), len(got.Two.Trace.Transactions.Nodes))
		require.Equal(t, got.One.Trace.Transactions.Nodes[0].Lt, got.Two.Trace.Transactions.Nodes[0].Lt, "they are executed at the same LT")
		require.NotNil(t, got.Trace)
		require.Equal(t, "FINALIZED", got.Trace.Transactions.Nodes[0].Finality)
		require.Equal(t, last.Account.State.Balance, got.Account.State.Balance)
	})
	t.Run("an endless trace", func(t *testing.T) {
		sim := simulate(t, parts(spinner, 1e12, nil))
		require.True(t, sim.Accepted)
		require.NotNil(t, sim.Stopped)
		require.Contains(t, []string{"TRANSACTIONS", "TIME"}, *sim.Stopped)
		require.Equal(t, "PENDING", sim.Trace.State)
		var config struct {
			ServiceConfig struct{ MaxSimulatedTransactions, MaxSimulatedGas, MaxSimulationMs int }
		}
		query(t, `{ serviceConfig { maxSimulatedTransactions maxSimulatedGas maxSimulationMs } }`, &config)
		require.Positive(t, config.ServiceConfig.MaxSimulatedGas)
		require.LessOrEqual(t, sim.Trace.TransactionCount, config.ServiceConfig.MaxSimulatedTransactions)
		if *sim.Stopped == "TRANSACTIONS" {
			require.Equal(t, config.ServiceConfig.MaxSimulatedTransactions, sim.Trace.TransactionCount)
		}
	})
	t.Run("refused", func(t *testing.T) {
		from := `source: "` + n.faucet.Address.StringRaw() + `", destination: "` + j.wallet.Address.StringRaw() + `", value: "1"`
		for arguments, want := range map[string]string{
			`message: {boc: "AAAA"}`:                                                                   "boc is not a bag of cells",
			`message: {boc: "` + boc(cell.BeginCell().EndCell()) + `"}`:                                "boc is not a message",
			`message: {internal: {` + from + `, initCode: "AAAA"}}`:                                    "initCode is not a bag of cells",
			`message: {internal: {` + from + `, initCode: "` + boc(cell.BeginCell().EndCell()) + `"}}`: "initCode and initData must be given together",
			`at: {seqno: 99999}, ` + parts(j.wallet, 1, nil):                                           "NOT_FOUND",
		} {
			require.Contains(t, query(t, `{ simulate(`+arguments+`) { accepted } }`, nil), want, arguments)
		}
		var many strings.Builder
		for i := range 12 {
			fmt.Fprintf(&many, `s%d: simulate(%s) { accepted } `, i, parts(j.wallet, 1, nil))
		}
		require.Contains(t, query(t, `{ `+many.String()+`}`, nil), "costs too much")
		require.Contains(t, query(t, `{ simulate(message: {}) { accepted } }`, nil), "errors")
	})
	t.Run("an unknown account", func(t *testing.T) {
		y := n.young(t)
		svc := resolvers.New(y.db.Reader(), nil, resolvers.Options{Network: "devnet"})
		t.Cleanup(svc.Close)
		require.Contains(t, queryService(svc)(t, `{ simulate(`+parts(j.wallet, 3e8, transfer.Body())+`) { accepted } }`, nil), "NOT_FOUND")
	})
}
