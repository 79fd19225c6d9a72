package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/emulate"
	"tonql/loaders"
)

// simulate runs a simulation. Its trace goes into loaders that only the fields below this simulation read: its transactions
// may have the keys of real ones, or of those of another simulation in the same request.
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
	own.PrimeTrace(sim.Trace)
	loaders.Part(ctx, own)
	return sim, nil
}

// limits returns the limits in force, including those of simulations.
func (r *Resolver) limits() *chain.ServiceConfig {
	l := r.Limits
	l.MaxSimulatedTransactions, l.MaxSimulatedGas = emulate.MaxSimulatedTransactions, emulate.MaxSimulatedGas
	l.MaxSimulationMs = int(emulate.SimulationTime.Milliseconds())
	return &l
}
