package resolvers

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/pending"
	"tonql/loaders"
)

// Bounds of one simulation, and of all at once.
const (
	maxSimulated  = 256             // transactions
	simulatedGas  = 20_000_000      // of all its transactions: twenty of the largest of the basechain
	simulateTime  = 2 * time.Second // for executing and classifying them
	simulateAtOne = 2               // simulations at once
)

// SimulationRequest asks what a message would do.
type SimulationRequest struct {
	Message         chain.SimulatedMessage
	IgnoreSignature bool    // checks of signatures by the receiver of the message succeed
	Seqno           *uint32 // as of this masterchain block; nil: the newest indexed one
}

// Simulate executes a message in the local TVM on the states of a block, and all that it causes, within bounds. That the
// receiver does not take the message is an answer. NotFound when the state of an account that takes part is not known.
func (s *Service) Simulate(ctx context.Context, q SimulationRequest) (*chain.Simulation, error) {
	x := s.exec
	v, err := x.view(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	first, err := simulated(q.Message, v)
	if err != nil {
		return nil, err
	}
	select {
	case x.simulations <- struct{}{}:
		defer func() { <-x.simulations }()
	case <-ctx.Done():
		return nil, chain.Unavailablef(ctx.Err(), "other simulations are at work; try again in a moment")
	}
	bounded, cancel := context.WithTimeout(ctx, simulateTime)
	defer cancel()
	w := x.newWorld(v, maxSimulated)
	w.maxGas, w.anySignature = simulatedGas, q.IgnoreSignature
	err = w.run(bounded, first)
	switch {
	case err == nil:
		return w.simulation(ctx, bounded)
	case ctx.Err() == nil && bounded.Err() != nil:
		return nil, chain.Unavailablef(err, "the message was not executed within %s", simulateTime)
	case chain.KindOf(err) == chain.Invalid && !contract.IsFault(err):
		return w.refusal(err), nil
	default:
		return nil, fmt.Errorf("simulation: %w", err)
	}
}

// refusal is a message that its receiver does not take.
func (w *world) refusal(why error) *chain.Simulation {
	text := chain.PublicMessage(why)
	sim := &chain.Simulation{McSeqno: w.view.master.Seqno, Fees: new(big.Int), GasUsed: uint64(w.gas)}
	if w.refused != nil {
		sim.ExitCode = new(int32(w.refused.ExitCode))
		text = fmt.Sprintf("the account does not accept the message: exit code %d after %d steps", w.refused.ExitCode, w.refused.Steps)
	}
	sim.Refusal = &text
	return sim
}

// simulation is what came of a message that its receiver took. It was executed under the context ran; what it means is found
// out in as much time again. When that is too short, the trace has no actions.
func (w *world) simulation(ctx, ran context.Context) (*chain.Simulation, error) {
	t := pending.Trace(nil, slices.Clone(w.done))
	sim := &chain.Simulation{McSeqno: w.view.master.Seqno, Accepted: true, GasUsed: uint64(w.gas), Trace: t, Fees: new(big.Int)}
	if c := w.done[0].Description.Compute; c != nil && !c.Skipped {
		sim.ExitCode = &c.ExitCode
	}
	for _, fees := range changesOf(t.Transactions, nil).fees {
		sim.Fees.Add(sim.Fees, fees)
	}
	if t.PendingMessages > 0 {
		sim.Stopped = new(w.stop(ran))
	}
	if t.PendingMessages == 0 {
		t.State = chain.TraceComplete
	}
	bounded, cancel := context.WithTimeout(ctx, simulateTime)
	defer cancel()
	err := w.conclude(bounded, w.view, t, w)
	if err == nil {
		t.Wallets, err = w.newWallets(bounded, t)
	}
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		w.svc.opts.Logger.Warn("a simulated trace was not classified in time", "transactions", len(t.Transactions))
		return sim, nil
	}
	return sim, err
}

// stop says which bound left messages in flight.
func (w *world) stop(ctx context.Context) chain.SimulationStop {
	var fault *contract.Fault
	switch {
	case ctx.Err() != nil, errors.As(w.stopped, &fault) && fault.Why == contract.TooLong:
		return chain.StoppedByTime
	case w.stopped != nil:
		return chain.StoppedByFault
	case w.gas > w.maxGas:
		return chain.StoppedByGas
	default:
		return chain.StoppedByTransactions
	}
}

// newWallets finds the Jetton wallets that this world deployed, among the accounts of a trace that move Jettons.
func (w *world) newWallets(ctx context.Context, t *chain.FullTrace) ([]chain.JettonWallet, error) {
	var wallets []chain.JettonWallet
	for _, a := range movers(t.Transactions) {
		if f := w.lanes[a]; f == nil || !f.fresh {
			continue
		}
		var r chain.TraceRecord
		if err := w.look(ctx, a, &r, false); err != nil {
			return nil, err
		}
		if r.JettonWallet != nil {
			wallets = append(wallets, *r.JettonWallet)
		}
	}
	return wallets, nil
}

// simulate runs a simulation and hands its trace to loaders that only what is asked of it sees: its transactions may have
// the keys of real ones, and of those of another simulation of the request.
func (r *Resolver) simulate(ctx context.Context, q SimulationRequest, at *chain.AtBlock) (*chain.Simulation, error) {
	var err error
	if q.Seqno, err = r.Service.SeqnoAt(ctx, at); err != nil {
		return nil, err
	}
	sim, err := r.Service.Simulate(ctx, q)
	if err != nil || sim.Trace == nil {
		return sim, err
	}
	own := loaders.New(r.Service.index)
	prime(own, sim.Trace)
	loaders.Part(ctx, own)
	return sim, nil
}

// limits are the limits in force, with those of the Service.
func (r *Resolver) limits() *chain.ServiceConfig {
	l := r.Limits
	l.MaxSimulatedTransactions, l.MaxSimulatedGas, l.MaxSimulationMs = maxSimulated, simulatedGas, int(simulateTime.Milliseconds())
	return &l
}
