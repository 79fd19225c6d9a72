package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/elector"
	"tonql/internal/validator"
)

// ValidatorCycles lists validation cycles whose validators key blocks of the index name, newest first, at most limit. Validators are included
// if validators is set. What the elector has of a cycle follows from its states, where the index has them. It is Invalid when the time has too
// many validators for a list.
func (s *Service) ValidatorCycles(ctx context.Context, f chain.ValidatorCycleFilter, limit int, validators bool) ([]chain.ValidatorCycle, error) {
	p, err := s.page(chain.Page{Limit: limit})
	if err != nil {
		return nil, err
	}
	r := s.newCycleReader(earliest(f.EndUtime, f.Start, f.ElectionID))
	floor := latest(f.StartUtime, f.Start, f.ElectionID)
	rows := []chain.ValidatorCycle{}
	err = r.walk.each(ctx, func(set *cycleSet) (bool, error) {
		if set.since < floor || len(rows) == p.Limit {
			return false, nil
		}
		if f.EndUtime != nil && set.since > *f.EndUtime || f.Start != nil && set.since != *f.Start {
			return true, nil
		}
		c := r.open(set)
		if c == nil || !c.matches(f.ADNL, f.PublicKey) {
			return true, nil
		}
		if err := c.fill(ctx); err != nil {
			return false, err
		}
		if f.ElectionID != nil && (c.row.ElectionID == nil || *c.row.ElectionID != *f.ElectionID) || f.StakeHolder != nil && !c.stakes(*f.StakeHolder) {
			return true, nil
		}
		if !validators {
			c.row.Validators = nil
		} else if err := c.addDetails(ctx); err != nil {
			return false, err
		}
		rows = append(rows, c.row)
		return len(rows) < p.Limit, nil
	})
	if err != nil {
		return nil, err
	}
	return listed(ctx, s, rows, nil, nil, f.EndUtime)
}

// earliest is the smallest of the times that are given; nil if none is.
func earliest(times ...*uint32) (first *uint32) {
	for _, t := range times {
		if t != nil && (first == nil || *t < *first) {
			first = t
		}
	}
	return first
}

// latest is the largest of the times that are given; 0 if none is.
func latest(times ...*uint32) (last uint32) {
	for _, t := range times {
		if t != nil {
			last = max(last, *t)
		}
	}
	return last
}

// cycleReader reads cycles with what the elector has of them.
type cycleReader struct {
	walk    setWalk
	elector *electorReader
}

func (s *Service) newCycleReader(seek *uint32) *cycleReader {
	m := &meter{s: s}
	return &cycleReader{setWalk{s: s, meter: m, seek: seek}, s.newElectorReader(m)}
}

// cycle is a cycle that is being read.
type cycle struct {
	*cycleReader

	set  *cycleSet
	row  chain.ValidatorCycle
	past *elector.PastElection // nil when the index has no state of the elector with it
}

// open reads the validators of a set; nil when it is none.
func (r *cycleReader) open(set *cycleSet) *cycle {
	v, err := validator.ParseFull(set.root)
	if err != nil {
		return nil
	}
	c := &cycle{cycleReader: r, set: set}
	c.row = chain.ValidatorCycle{
		Start: v.Since, End: v.Until, SetHash: set.hash, Total: uint32(v.Total), Main: uint32(v.Signing), Params: electionParams(set.first),
		Validators: make([]chain.CycleValidator, len(v.Main)),
	}
	for i := range v.Main {
		m := &v.Main[i]
		c.row.TotalWeight += m.Weight
		c.row.Validators[i] = chain.CycleValidator{Index: uint32(i), Key: m.Key, ADNL: m.ADNL, Weight: m.Weight}
	}
	return c
}

// electionParams reads the parameters of elections at a key block.
func electionParams(k *keyBlock) (p chain.ElectionParams) {
	l := contract.Load(k.param(paramElectionTimes))
	p.ValidatorsElectedFor, p.ElectionsStartBefore = uint32(l.Uint(32)), uint32(l.Uint(32))
	p.ElectionsEndBefore, p.StakeHeldFor = uint32(l.Uint(32)), uint32(l.Uint(32))
	l = contract.Load(k.param(paramSetSizes))
	p.MaxValidators, p.MaxMainValidators, p.MinValidators = uint32(l.Uint(16)), uint32(l.Uint(16)), uint32(l.Uint(16))
	l = contract.Load(k.param(paramStakes))
	p.MinStake, p.MaxStake, p.MinTotalStake, p.MaxStakeFactor = l.Coins(), l.Coins(), l.Coins(), uint32(l.Uint(32))
	return p
}

// matches reports whether the cycle has a validator with the ADNL id, and one with the key; nil ones count as present.
func (c *cycle) matches(adnl, key *chain.Hash) bool {
	has := func(is func(*chain.CycleValidator) bool) bool {
		return slices.ContainsFunc(c.row.Validators, func(v chain.CycleValidator) bool { return is(&v) })
	}
	return (adnl == nil || has(func(v *chain.CycleValidator) bool { return v.ADNL == *adnl })) &&
		(key == nil || has(func(v *chain.CycleValidator) bool { return v.Key == *key }))
}

// stakes reports whether an account has the stake of a validator.
func (c *cycle) stakes(who chain.Address) bool {
	return slices.ContainsFunc(c.row.Validators, func(v chain.CycleValidator) bool { return v.StakeHolder != nil && *v.StakeHolder == who })
}

// fill adds what the elector had of the cycle when key blocks named it first, or has of it now.
func (c *cycle) fill(ctx context.Context) error {
	seqnos := []uint32{c.set.first.seqno}
	if c.set.current != nil {
		seqnos = append(seqnos, c.set.current.seqno)
	}
	for _, seqno := range append(seqnos, c.walk.head) {
		state, err := c.elector.at(ctx, seqno, c.set.first.elector())
		if err != nil {
			return err
		}
		if state == nil {
			continue
		}
		if c.past = state.Of(c.set.hash); c.past != nil {
			break
		}
	}
	if c.past == nil {
		return nil
	}
	c.row.ElectionID, c.row.TotalStake = &c.past.ID, c.past.TotalStake
	var least, most *big.Int
	for i := range c.row.Validators {
		v := &c.row.Validators[i]
		f, ok := c.past.Frozen[v.Key]
		if !ok {
			continue
		}
		v.StakeHolder, v.Stake = &f.StakeHolder, f.Stake
		if least == nil || f.Stake.Cmp(least) < 0 {
			least = f.Stake
		}
		if most == nil || f.Stake.Cmp(most) > 0 {
			most = f.Stake
		}
	}
	if !slices.ContainsFunc(c.row.Validators, func(v chain.CycleValidator) bool { return v.Stake == nil }) {
		c.row.MinStake, c.row.MaxStake = least, most
	}
	return nil
}

// addDetails adds what participants declared, and complaints.
func (c *cycle) addDetails(ctx context.Context) error {
	if c.past == nil {
		return nil
	}
	// The elector has the list of participants until it sees the set in a key block.
	state, err := c.elector.at(ctx, c.set.first.seqno, c.set.first.elector())
	if err != nil {
		return err
	}
	if state != nil && state.Election != nil && state.Election.ID == c.past.ID {
		declared := make(map[chain.Hash]*uint32, len(state.Election.Participants))
		for i := range state.Election.Participants {
			p := &state.Election.Participants[i]
			declared[p.Key] = &p.MaxFactor
		}
		for i := range c.row.Validators {
			c.row.Validators[i].MaxFactor = declared[c.row.Validators[i].Key]
		}
	}
	seqno, _, err := c.final(ctx)
	if err != nil {
		return err
	}
	complaints, err := c.complaints(ctx, seqno)
	if err != nil {
		return err
	}
	byKey := map[chain.Hash][]chain.ValidatorComplaint{}
	for i := range complaints {
		byKey[complaints[i].Key] = append(byKey[complaints[i].Key], complaints[i])
	}
	for i := range c.row.Validators {
		c.row.Validators[i].Complaints = byKey[c.row.Validators[i].Key]
	}
	return nil
}

// final is the last masterchain block after which the elector has the cycle's stakes: it returns them a while after another set became current.
// Complaints are made up to the time until.
func (c *cycle) final(ctx context.Context) (seqno, until uint32, err error) {
	const always = 1<<32 - 1
	if c.set.ended == nil {
		return c.walk.head, always, nil
	}
	// The elector sees the new set in the block after the key block.
	blocks, err := c.walk.s.index.BlocksByID(ctx, []chain.BlockID{chain.MasterBlockID(c.set.ended.seqno + 1)})
	if err != nil || len(blocks) == 0 {
		return c.walk.head, always, err
	}
	until = uint32(min(uint64(blocks[0].GenUtime)+uint64(c.past.FrozenFor), always))
	last, err := c.walk.s.masterAt(ctx, until-1)
	if err != nil || last == nil {
		return c.walk.head, until, err
	}
	return min(last.Seqno, c.walk.head), until, nil
}

// complaints lists the complaints about the cycle, newest first, as they are after a masterchain block.
func (c *cycle) complaints(ctx context.Context, seqno uint32) ([]chain.ValidatorComplaint, error) {
	state, err := c.elector.at(ctx, seqno, c.set.first.elector())
	if err != nil {
		return nil, err
	}
	past := c.past
	if state != nil && state.Of(c.set.hash) != nil {
		past = state.Of(c.set.hash)
	}
	rows := make([]chain.ValidatorComplaint, len(past.Complaints))
	for i := range past.Complaints {
		rows[i] = c.complaint(&past.Complaints[i])
	}
	sortComplaints(rows)
	return rows, nil
}

// sortComplaints brings complaints into the order of lists.
func sortComplaints(rows []chain.ValidatorComplaint) {
	slices.SortFunc(rows, func(a, b chain.ValidatorComplaint) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), bytes.Compare(a.Hash[:], b.Hash[:]), cmp.Compare(b.ElectionID, a.ElectionID))
	})
}

func (c *cycle) complaint(from *elector.Complaint) chain.ValidatorComplaint {
	row := chain.ValidatorComplaint{
		CycleStart: c.row.Start, ElectionID: c.past.ID, Hash: from.Hash, Key: from.Key, Description: from.Description.ToBOC(), CreatedAt: from.CreatedAt,
		Severity: uint32(from.Severity), RewardAddress: from.RewardAddress, Paid: from.Paid, SuggestedFine: from.SuggestedFine,
		SuggestedFinePart: from.SuggestedFinePart, SetHash: from.SetHash, Votes: make([]chain.ComplaintVote, len(from.Voters)),
		WeightRemaining: from.WeightRemaining, Passed: from.WeightRemaining < 0,
	}
	for i := range c.row.Validators {
		if v := &c.row.Validators[i]; v.Key == from.Key {
			row.ADNL = &v.ADNL
		}
	}
	if f, ok := c.past.Frozen[from.Key]; ok {
		row.StakeHolder = &f.StakeHolder
	}
	voting := c.voting(from)
	weights := c.row.Validators
	if voting != nil {
		weights = voting
	}
	for i, index := range from.Voters {
		vote := &row.Votes[i]
		if vote.Index = uint32(index); int(index) < len(voting) {
			v := &voting[index]
			vote.Key, vote.ADNL, vote.Weight = &v.Key, &v.ADNL, &v.Weight
		}
	}
	total := uint64(0)
	for i := range weights {
		total += weights[i].Weight
	}
	needed := int64(total/3*2 + total%3*2/3)
	if len(from.Voters) == 0 {
		row.WeightRemaining = needed
	}
	row.ApprovedPercent = percent(needed, row.WeightRemaining, total)
	return row
}

// percent is the share of the weight that voted, in percent with three digits.
func percent(needed, left int64, total uint64) float64 {
	voted := new(big.Float).Sub(new(big.Float).SetInt64(needed), new(big.Float).SetInt64(left))
	share, _ := voted.Quo(voted, new(big.Float).SetUint64(total)).Float64()
	return math.Round(share*100_000) / 1000
}

// voting is the set whose validators vote about a complaint: the one of the first vote, before that the one that is current; nil when it is not at hand.
func (c *cycle) voting(from *elector.Complaint) []chain.CycleValidator {
	set := c.walk.byHash(from.SetHash)
	if from.SetHash.IsZero() && len(from.Voters) == 0 {
		if c.set.ended == nil {
			return c.row.Validators
		}
		if root := c.set.ended.param(validator.ParamCurrent); root != nil {
			set = c.walk.byHash(chain.Hash(root.HashKey()))
		}
	}
	if set == nil {
		return nil
	}
	if set == c.set {
		return c.row.Validators
	}
	if other := c.open(set); other != nil {
		return other.row.Validators
	}
	return nil
}
