package emulate

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"tonql/internal/balance"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Limits of one simulation.
const (
	MaxSimulatedTransactions = 256
	MaxSimulatedGas          = 20_000_000      // of all transactions together: twenty of the largest of the basechain
	SimulationTime           = 2 * time.Second // for execution, and again for classification
	maxSimulations           = 2               // at the same time, one of a client
)

// SimulationRequest describes a message to simulate.
type SimulationRequest struct {
	Message         chain.SimulatedMessage
	IgnoreSignature bool    // signature checks by the message's receiver succeed
	Cells           bool    // with the code and the data of all states, which count for [MaxTraceBytes]
	Tokens          bool    // with what the deployed tokens say of themselves
	Seqno           *uint32 // the masterchain block at which it executes; nil: the newest indexed one
}

// MaxTraceBytes bounds emulations, see [Limits]: anyone can send a message that causes larger ones, and pays nothing
// unless a block accepts it. The rest of the trace stays in flight.
const MaxTraceBytes = 12 << 20

// Simulate executes a message and the messages that it causes in the local TVM, within limits. A message that its receiver
// does not accept is a result, not an error. NotFound when the state of a participating account cannot be determined.
func (x *Emulator) Simulate(ctx context.Context, q SimulationRequest) (*chain.Simulation, error) {
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	first, err := simulated(q.Message, v)
	if err != nil {
		return nil, err
	}
	end, err := x.simulations.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	bounded, cancel := context.WithTimeout(ctx, SimulationTime)
	defer cancel()
	e := x.NewEmulation(v, Limits{Transactions: MaxSimulatedTransactions, Bytes: MaxTraceBytes})
	e.maxGas, e.anySignature = MaxSimulatedGas, q.IgnoreSignature
	if q.Cells {
		e.cells = map[chain.Hash]chain.BOC{}
	}
	err = e.Run(bounded, first)
	switch {
	case err == nil:
		return e.simulation(ctx, bounded, q.Tokens)
	case ctx.Err() == nil && bounded.Err() != nil:
		return nil, chain.Unavailablef(err, "the message was not executed within %s", SimulationTime)
	case chain.KindOf(err) == chain.Invalid && !contract.IsFault(err):
		return e.rejection(err), nil
	default:
		return nil, fmt.Errorf("simulation: %w", err)
	}
}

// rejection returns the simulation of a message that its receiver does not accept.
func (e *Emulation) rejection(why error) *chain.Simulation {
	text := chain.PublicMessage(why)
	sim := &chain.Simulation{McSeqno: e.view.Master.Seqno, Fees: new(big.Int), GasUsed: uint64(e.gas)}
	switch {
	case e.rejected == nil:
	case e.rejected.Steps == 0 && e.rejected.ExitCode == 0:
		text = "the account does not accept the message: no code was executed, because the account has none or too few coins"
	default:
		sim.ExitCode = new(int32(e.rejected.ExitCode))
		text = fmt.Sprintf("the account does not accept the message: exit code %d after %d steps", e.rejected.ExitCode, e.rejected.Steps)
	}
	sim.Refusal = &text
	return sim
}

// simulation returns the simulation of an accepted message that executed under the context ran. Classification may take
// another [SimulationTime]; after that, the trace has no actions, and no deployed tokens are listed.
func (e *Emulation) simulation(ctx, ran context.Context, tokens bool) (*chain.Simulation, error) {
	t := Trace(nil, slices.Clone(e.done))
	sim := &chain.Simulation{
		McSeqno: e.view.Master.Seqno, Seed: e.view.BlockOf(e.done[0].Account).RootHash, Accepted: true, GasUsed: uint64(e.gas), Trace: t, Cells: e.cells, Fees: balance.Of(t.Transactions, nil).Fees(),
	}
	if c := e.done[0].Description.Compute; c != nil && !c.Skipped {
		sim.ExitCode = &c.ExitCode
	}
	if t.PendingMessages > 0 {
		sim.Stopped = new(e.stop(ran))
	}
	if t.PendingMessages == 0 {
		t.State = chain.TraceComplete
	}
	bounded, cancel := context.WithTimeout(ctx, SimulationTime)
	defer cancel()
	err := e.Classify(bounded, t)
	if err == nil {
		t.Wallets, err = e.createdWallets(bounded, t)
	}
	if err == nil && tokens {
		sim.Tokens, err = e.createdTokens(bounded)
	}
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		e.x.log.Warn("classifying a simulated trace timed out", "transactions", len(t.Transactions))
		return sim, nil
	}
	return sim, err
}

// stop returns the limit that left messages in flight.
func (e *Emulation) stop(ctx context.Context) chain.SimulationStop {
	var fault *contract.Fault
	switch {
	case ctx.Err() != nil, errors.As(e.stopped, &fault) && fault.Reason == contract.TooLong:
		return chain.StoppedByTime
	case e.stopped != nil:
		return chain.StoppedByFault
	case e.maxGas > 0 && e.gas > e.maxGas:
		return chain.StoppedByGas
	case e.Full():
		return chain.StoppedBySize
	default:
		return chain.StoppedByTransactions
	}
}

// createdWallets returns the Jetton wallets that this Emulation deployed, among the accounts of a trace that move Jettons.
func (e *Emulation) createdWallets(ctx context.Context, t *chain.FullTrace) ([]chain.JettonWallet, error) {
	var wallets []chain.JettonWallet
	for _, a := range balance.JettonAccounts(t.Transactions) {
		if emulated := e.accounts[a]; emulated == nil || !emulated.created {
			continue
		}
		var r chain.TraceRecord
		if err := e.detect(ctx, a, &r, false); err != nil {
			return nil, err
		}
		if r.JettonWallet != nil {
			wallets = append(wallets, *r.JettonWallet)
		}
	}
	return wallets, nil
}
