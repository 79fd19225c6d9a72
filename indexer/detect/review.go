package detect

import (
	"context"
	"math"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Review looks at accounts apart from the blocks that touched them. It is owned by one goroutine.
type Review struct {
	d     *Detector
	zones zones
}

// NewReview begins a review.
func (d *Detector) NewReview() *Review { return &Review{d: d} }

// Look finds out what accounts are, as of a masterchain block and the states that snapshot gives of others. The records
// are parallel to states; seqnos, parallel too, are the masterchain blocks that committed the states.
func (v *Review) Look(ctx context.Context, block *chain.Block, snapshot contract.Snapshot, states []contract.State, seqnos []uint32) ([]chain.Contract, Stats, error) {
	scene, err := v.d.scene(ctx, block, snapshot, &v.zones)
	if err != nil {
		return nil, Stats{}, err
	}
	if scene == nil {
		return nil, Stats{}, chain.NotFoundf("the network holds no configuration as of block %s", block.BlockID)
	}
	// No block waits for a review: every account gets its whole budget.
	found, stats, err := v.d.look(ctx, scene, states, patience{math.MaxInt64, math.MaxInt64})
	if err != nil {
		return nil, stats, err
	}
	records := make([]chain.Contract, len(found))
	for i := range found {
		records[i] = found[i].Record(&states[i], seqnos[i])
	}
	return records, stats, nil
}

// Orders reads from transactions and their in-messages what genuine contracts were told to do, into m, whose Contracts,
// Transactions and Messages are given.
func Orders(m *chain.MasterBlock) {
	o := newOrders(m)
	m.JettonTransfers, m.JettonBurns, m.NFTTransfers = o.transfers, o.burns, o.moves
}
