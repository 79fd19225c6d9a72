package resolvers

import (
	"context"
	"slices"

	"tonql/internal/chain"
)

// ValidatorComplaints lists complaints about validators of the cycles that [Service.ValidatorCycles] lists, newest first, at most limit. A complaint is
// as it was when the stakes of its cycle were returned; until then it is the present one.
func (s *Service) ValidatorComplaints(ctx context.Context, f chain.ValidatorComplaintFilter, limit int) ([]chain.ValidatorComplaint, error) {
	p, err := s.page(chain.Page{Limit: limit})
	if err != nil || p.Limit == 0 {
		return []chain.ValidatorComplaint{}, err
	}
	r := s.newCycleReader(earliest(f.EndUtime, f.CycleStart, f.ElectionID))
	floor := latest(f.CycleStart, f.ElectionID)
	rows := []chain.ValidatorComplaint{}
	err = r.walk.each(ctx, func(set *cycleSet) (bool, error) {
		if set.since < floor {
			return false, nil
		}
		if f.CycleStart != nil && set.since != *f.CycleStart {
			return true, nil
		}
		c := r.open(set)
		if c == nil {
			return true, nil
		}
		if err := c.fill(ctx); err != nil || c.past == nil || f.ElectionID != nil && c.past.ID != *f.ElectionID {
			return true, err
		}
		seqno, until, err := c.final(ctx)
		if err != nil {
			return false, err
		}
		// Complaints about older cycles are older than that.
		if f.StartUtime != nil && until < *f.StartUtime || len(rows) == p.Limit && until < rows[p.Limit-1].CreatedAt {
			return false, nil
		}
		more, err := c.complaints(ctx, seqno)
		if err != nil {
			return false, err
		}
		rows = append(rows, slices.DeleteFunc(more, func(m chain.ValidatorComplaint) bool { return !complains(&m, &f) })...)
		sortComplaints(rows)
		rows = rows[:min(len(rows), p.Limit)]
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, rows, nil, nil, f.EndUtime)
}

// complains reports whether a complaint matches a filter.
func complains(c *chain.ValidatorComplaint, f *chain.ValidatorComplaintFilter) bool {
	return (f.StakeHolder == nil || c.StakeHolder != nil && *c.StakeHolder == *f.StakeHolder) &&
		(f.ADNL == nil || c.ADNL != nil && *c.ADNL == *f.ADNL) && (f.PublicKey == nil || c.Key == *f.PublicKey) &&
		(f.StartUtime == nil || c.CreatedAt >= *f.StartUtime) && (f.EndUtime == nil || c.CreatedAt <= *f.EndUtime)
}
