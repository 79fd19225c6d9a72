package replay

import (
	"context"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// Prove adds the states of a block without executing it: for every account with transactions, the state after the last one,
// with a proof from the network. Transactions stay proven. The states in between are missing, and so are those that the
// network no longer has.
func (r *Replayer) Prove(ctx context.Context, m *decode.Master) (Stats, error) {
	reset(m)
	last := make(map[chain.Address]int, len(m.Transactions))
	for i := range m.Transactions {
		last[m.Transactions[i].Account] = i
	}
	states := make([]*decode.State, len(m.Transactions))
	parent := ctx // the group ends its own context
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Fetches)
	for account, i := range last {
		group.Go(func() error {
			s, _, err := r.fetch(ctx, m.Headers[m.BlockOf[i]].Block.BlockIDExt, account)
			if err != nil || s == nil || s.hash != m.Transactions[i].StateHashAfter {
				return err
			}
			tx := &m.Transactions[i]
			row, err := decode.Account(account, chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}, s.root())
			if err == nil {
				states[i] = &row
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return Stats{}, err
	}
	if err := r.librariesAfter(parent, m); err != nil {
		return Stats{}, err
	}
	rows := &rowWriter{m: m.MasterBlock, codes: r.codes}
	for _, s := range states {
		if s != nil {
			rows.add(s, nil)
			m.Final[s.Row.Account] = s
		}
	}
	m.Libraries, m.LibraryFacts = r.codes.commit()
	return Stats{Proven: map[string]int{"proof mode": len(m.Transactions)}, Fetched: len(last)}, nil
}
