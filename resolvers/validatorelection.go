package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract/elector"
)

// ValidatorElections lists elections, newest first, at most limit: the current one, and those that made the validators of the cycles that
// [Service.ValidatorCycles] lists, as the elector had them when key blocks named the validators first. Participants are included if
// participants is set.
func (s *Service) ValidatorElections(
	ctx context.Context, f chain.ValidatorElectionFilter, limit int, participants bool,
) ([]chain.ValidatorElection, error) {
	p, err := s.page(chain.Page{Limit: limit})
	if err != nil || p.Limit == 0 {
		return []chain.ValidatorElection{}, err
	}
	r := s.newCycleReader(earliest(f.EndUtime, f.ID))
	floor := latest(f.StartUtime, f.ID)
	rows := []chain.ValidatorElection{}
	seen := map[uint32]bool{}
	add := func(e *chain.ValidatorElection) {
		if seen[e.ID] || !elects(e, &f) {
			return
		}
		seen[e.ID] = true
		row := *e
		row.Participants = slices.Clone(e.Participants)
		slices.SortFunc(row.Participants, func(a, b chain.ElectionParticipant) int {
			return cmp.Or(b.Stake.Cmp(a.Stake), bytes.Compare(a.Key[:], b.Key[:]))
		})
		row.ParticipantCount = len(row.Participants)
		if !participants {
			row.Participants = nil
		}
		rows = append(rows, row)
	}
	err = r.walk.each(ctx, func(set *cycleSet) (bool, error) {
		if set.since < floor || len(rows) == p.Limit {
			return false, nil
		}
		state, err := r.elector.at(ctx, set.first.seqno, set.first.elector())
		if err != nil || state == nil || state.Election == nil {
			return true, err
		}
		past := state.Of(set.hash)
		if past == nil || past.ID != state.Election.ID {
			return true, nil
		}
		if c := r.open(set); c != nil {
			indexes := make(map[chain.Hash]*uint32, len(c.row.Validators))
			for i := range c.row.Validators {
				indexes[c.row.Validators[i].Key] = &c.row.Validators[i].Index
			}
			for i := range state.Election.Participants {
				state.Election.Participants[i].Index = indexes[state.Election.Participants[i].Key]
			}
		}
		add(state.Election)
		return len(rows) < p.Limit, nil
	})
	if err != nil {
		return nil, err
	}
	state, err := r.now(ctx)
	if err != nil {
		return nil, err
	}
	if state != nil && state.Election != nil {
		add(state.Election)
	}
	slices.SortFunc(rows, func(a, b chain.ValidatorElection) int { return cmp.Compare(b.ID, a.ID) })
	return listed(ctx, s, rows[:min(len(rows), p.Limit)], nil, nil, f.EndUtime)
}

// now is the newest state of the elector; nil when the index lacks it.
func (r *cycleReader) now(ctx context.Context) (*elector.State, error) {
	k, err := r.walk.s.newestConfig(ctx)
	if err != nil || k == nil {
		return nil, err
	}
	return r.elector.at(ctx, r.walk.head, k.elector())
}

// elects reports whether an election matches a filter.
func elects(e *chain.ValidatorElection, f *chain.ValidatorElectionFilter) bool {
	if f.ID != nil && e.ID != *f.ID || f.Finished != nil && e.Finished != *f.Finished || f.StartUtime != nil && e.ID < *f.StartUtime ||
		f.EndUtime != nil && e.ID > *f.EndUtime {
		return false
	}
	if f.StakeHolder == nil && f.ADNL == nil && f.PublicKey == nil {
		return true
	}
	return slices.ContainsFunc(e.Participants, func(p chain.ElectionParticipant) bool {
		return (f.StakeHolder == nil || p.StakeHolder == *f.StakeHolder) && (f.ADNL == nil || p.ADNL == *f.ADNL) && (f.PublicKey == nil || p.Key == *f.PublicKey)
	})
}
