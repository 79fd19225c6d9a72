package detect

import (
	"context"
	"errors"
	"math"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Review detects accounts independently of the blocks that touched them. It is not safe for concurrent use.
type Review struct {
	d     *Detector
	zones zones
}

// ErrTooMuch is the error of a review whose accounts have more facts, or need more memory, together than the index takes at once: review
// fewer of them.
var ErrTooMuch = errors.New("the accounts have too much to be reviewed together")

// NewReview returns a Review.
func (d *Detector) NewReview() *Review { return &Review{d: d} }

// Detect detects accounts at a masterchain block. Other accounts are read from snapshot. The records are parallel to
// states, and so are seqnos, the masterchain blocks that committed the states. Several accounts whose facts exceed those of a
// masterchain block are [ErrTooMuch]; one alone has no limit besides those of a contract.
func (v *Review) Detect(ctx context.Context, block *chain.Block, snapshot contract.Snapshot, states []contract.State, seqnos []uint32) ([]chain.Contract, Stats, error) {
	bc, err := v.d.blockContext(ctx, block, snapshot, &v.zones)
	if err != nil {
		return nil, Stats{}, err
	}
	if bc == nil {
		return nil, Stats{}, chain.NotFoundf("the network has no configuration at block %s", block.BlockID)
	}
	// No block waits for a review, so every account gets its full budget of gas and time.
	limit := budget{gas: math.MaxInt64, time: math.MaxInt64, bytes: v.d.opts.BlockBytes, libraries: math.MaxInt, refuse: true}
	if len(states) == 1 {
		limit.bytes = math.MaxInt
	}
	found, partial, stats, err := v.d.detectAll(ctx, bc, states, limit)
	if err != nil {
		return nil, stats, err
	}
	records := make([]chain.Contract, len(found))
	for i := range found {
		records[i] = found[i].Record(&states[i], seqnos[i])
		records[i].Partial = partial[i]
	}
	return records, stats, nil
}

// Orders sets JettonTransfers, JettonBurns and NFTTransfers of m from its Contracts, Transactions and Messages.
func Orders(m *chain.MasterBlock) {
	o := newOrders(m)
	m.JettonTransfers, m.JettonBurns, m.NFTTransfers = o.transfers, o.burns, o.moves
}
