package resolvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/emulate"
	"tonql/loaders"
)

// simulate runs a simulation. Its trace goes into loaders that only the fields below this simulation read: its transactions
// may have the keys of real ones, or of those of another simulation in the same request.
func (r *Resolver) simulate(ctx context.Context, q SimulationRequest, at *chain.AtBlock) (*chain.Simulation, error) {
	if err := q.Message.Validate(); err != nil {
		return nil, err
	}
	var err error
	if q.Seqno, err = r.Service.SeqnoAt(ctx, at); err != nil {
		return nil, err
	}
	if q.Message.Hash != nil {
		if err := r.Service.readMessage(ctx, &q); err != nil {
			return nil, err
		}
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

// readMessage replaces the hash of a message by the message itself, as the transaction that received it has it. Without a block,
// the simulation is on the states before that transaction.
func (s *Service) readMessage(ctx context.Context, q *SimulationRequest) error {
	rows, err := s.index.Messages(ctx, chain.MessageFilter{Hashes: []chain.Hash{*q.Message.Hash}, Direction: chain.In}, chain.Page{Limit: 1})
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0].ReceivedBy == nil || rows[0].Destination == nil {
		return chain.NotFoundf("no indexed transaction received the message")
	}
	key := chain.TransactionKey{Account: *rows[0].Destination, LT: rows[0].ReceivedBy.LT}
	txs, err := s.index.TransactionsByKey(ctx, []chain.TransactionKey{key})
	if err != nil || len(txs) == 0 {
		return err
	}
	bocs, err := s.index.TransactionBOCs(ctx, []chain.TransactionKey{key})
	if err != nil {
		return err
	}
	if q.Message.BOC, err = incoming(bocs[key]); err != nil {
		return fmt.Errorf("transaction %s: %w", txs[0].Hash, err)
	}
	q.Message.Hash = nil
	if q.Seqno == nil && txs[0].McSeqno > 0 {
		before := txs[0].McSeqno - 1
		q.Seqno = &before
	}
	return nil
}

// incoming returns the message that a transaction received.
//
//	transaction$0111 … ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] …
func incoming(transaction chain.BOC) (chain.BOC, error) {
	root, err := cell.FromBOC(transaction)
	if err != nil {
		return nil, fmt.Errorf("bag of cells: %w", err)
	}
	messages, err := root.PeekRef(0)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	s, err := messages.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	message, err := s.LoadMaybeRef()
	if err != nil || message == nil {
		return nil, errors.Join(chain.NotFoundf("the transaction has no message"), err)
	}
	c, err := message.ToCell()
	if err != nil {
		return nil, fmt.Errorf("message: %w", err)
	}
	return c.ToBOC(), nil
}
