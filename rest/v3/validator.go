package v3

import (
	"strconv"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// validatorsLimit is the default page size of lists about validators.
const validatorsLimit = 10

// appendKey appends a public key, an ADNL id or a hash that routes about validators print as upper-case hex.
func appendKey(b []byte, key *chain.Hash) []byte {
	return append(appendID(append(b, '"'), *key), '"')
}

func appendUintIf(b []byte, name string, v *uint32) []byte {
	if v == nil {
		return b
	}
	return handler.AppendUint(append(b, name...), *v)
}

func validatorCycles(c *call) (func() error, error) {
	f := chain.ValidatorCycleFilter{
		Start: c.q.Utime("cycle_start"), ElectionID: c.q.Utime("election_id"), StakeHolder: c.q.Address("stake_holder_address"),
		ADNL: c.q.Hash("adnl_address"), PublicKey: c.q.Hash("validator_pubkey"),
	}
	validators := c.q.Bool("return_validators", false)
	f.StartUtime, f.EndUtime = c.stakingTimes()
	limit := c.q.Limit(validatorsLimit)
	return func() error {
		rows, err := c.svc.ValidatorCycles(c.ctx, f, limit, validators)
		return listing[chain.ValidatorCycle]{
			key: "cycles", about: []*chain.Address{f.StakeHolder},
			name: func(named *addresses, y *chain.ValidatorCycle) {
				for i := range y.Validators {
					named.add(y.Validators[i].StakeHolder)
					for j := range y.Validators[i].Complaints {
						named.add(&y.Validators[i].Complaints[j].RewardAddress)
					}
				}
			},
			print: appendValidatorCycle,
		}.write(c, rows, err)
	}, nil
}

func appendValidatorCycle(b []byte, y *chain.ValidatorCycle) []byte {
	b = handler.AppendUint(append(b, `{"cycle_start":`...), y.Start)
	b = handler.AppendUint(append(b, `,"cycle_end":`...), y.End)
	b = appendUintIf(b, `,"election_id":`, y.ElectionID)
	b = handler.AppendUint(append(b, `,"total":`...), y.Total)
	b = handler.AppendUint(append(b, `,"main":`...), y.Main)
	b = handler.AppendDecimal(append(b, `,"total_weight":`...), y.TotalWeight)
	b = appendBigIf(b, `,"total_stake":`, y.TotalStake)
	b = appendBigIf(b, `,"min_stake":`, y.MinStake)
	b = appendBigIf(b, `,"max_stake":`, y.MaxStake)
	p := &y.Params
	b = handler.AppendUint(append(b, `,"validators_elected_for":`...), p.ValidatorsElectedFor)
	b = handler.AppendUint(append(b, `,"elections_start_before":`...), p.ElectionsStartBefore)
	b = handler.AppendUint(append(b, `,"elections_end_before":`...), p.ElectionsEndBefore)
	b = handler.AppendUint(append(b, `,"stake_held_for":`...), p.StakeHeldFor)
	b = handler.AppendUint(append(b, `,"max_validators":`...), p.MaxValidators)
	b = handler.AppendUint(append(b, `,"max_main_validators":`...), p.MaxMainValidators)
	b = handler.AppendUint(append(b, `,"min_validators":`...), p.MinValidators)
	b = handler.AppendBig(append(b, `,"min_stake_limit":`...), p.MinStake)
	b = handler.AppendBig(append(b, `,"max_stake_limit":`...), p.MaxStake)
	b = handler.AppendBig(append(b, `,"min_total_stake":`...), p.MinTotalStake)
	b = handler.AppendUint(append(b, `,"max_stake_factor":`...), p.MaxStakeFactor)
	if len(y.Validators) == 0 {
		return append(b, '}')
	}
	b = append(b, `,"validators":[`...)
	for i := range y.Validators {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCycleValidator(b, &y.Validators[i])
	}
	return append(b, "]}"...)
}

func appendCycleValidator(b []byte, v *chain.CycleValidator) []byte {
	b = handler.AppendUint(append(b, `{"validator_index":`...), v.Index)
	b = appendKey(append(b, `,"validator_pubkey":`...), &v.Key)
	b = appendKey(append(b, `,"adnl_addr":`...), &v.ADNL)
	b = handler.AppendDecimal(append(b, `,"weight":`...), v.Weight)
	if v.StakeHolder != nil {
		b = handler.AppendAddress(append(b, `,"stake_holder_address":`...), v.StakeHolder)
	}
	b = appendBigIf(b, `,"stake":`, v.Stake)
	b = appendUintIf(b, `,"max_factor":`, v.MaxFactor)
	b = append(b, `,"complaints":[`...)
	for i := range v.Complaints {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendComplaint(b, &v.Complaints[i])
	}
	return append(b, "]}"...)
}

func validatorElections(c *call) (func() error, error) {
	f := chain.ValidatorElectionFilter{
		ID: c.q.Utime("election_id"), Finished: c.q.BoolIf("finished"), StakeHolder: c.q.Address("stake_holder_address"),
		ADNL: c.q.Hash("adnl_address"), PublicKey: c.q.Hash("validator_pubkey"),
	}
	participants := c.q.Bool("return_participants", false)
	f.StartUtime, f.EndUtime = c.stakingTimes()
	limit := c.q.Limit(validatorsLimit)
	return func() error {
		rows, err := c.svc.ValidatorElections(c.ctx, f, limit, participants)
		return listing[chain.ValidatorElection]{
			key: "elections", about: []*chain.Address{f.StakeHolder},
			name: func(named *addresses, e *chain.ValidatorElection) {
				for i := range e.Participants {
					named.add(&e.Participants[i].StakeHolder)
				}
			},
			print: appendElection,
		}.write(c, rows, err)
	}, nil
}

func appendElection(b []byte, e *chain.ValidatorElection) []byte {
	b = handler.AppendUint(append(b, `{"election_id":`...), e.ID)
	b = handler.AppendUint(append(b, `,"elect_close":`...), e.Close)
	b = handler.AppendBig(append(b, `,"min_stake":`...), e.MinStake)
	b = handler.AppendBig(append(b, `,"total_stake":`...), e.TotalStake)
	b = handler.AppendInt(append(b, `,"total_participants":`...), e.ParticipantCount)
	b = handler.AppendBool(append(b, `,"failed":`...), e.Failed)
	b = handler.AppendBool(append(b, `,"finished":`...), e.Finished)
	if len(e.Participants) == 0 {
		return append(b, '}')
	}
	b = append(b, `,"participants":[`...)
	for i := range e.Participants {
		p := &e.Participants[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendKey(append(b, `{"validator_pubkey":`...), &p.Key)
		b = appendUintIf(b, `,"validator_index":`, p.Index)
		b = handler.AppendBig(append(b, `,"stake":`...), p.Stake)
		b = handler.AppendUint(append(b, `,"max_factor":`...), p.MaxFactor)
		b = handler.AppendAddress(append(b, `,"stake_holder_address":`...), &p.StakeHolder)
		b = append(appendKey(append(b, `,"adnl_addr":`...), &p.ADNL), '}')
	}
	return append(b, "]}"...)
}

// stakeEventTypes are the kinds of events between validators and the elector.
var stakeEventTypes = []chain.StakeEventType{
	chain.StakeAccepted, chain.StakeRejected, chain.StakeRecoverRequested, chain.StakeRecovered, chain.StakeRecoverFailed,
}

func stakeEvents(c *call) (func() error, error) {
	f := chain.StakeEventFilter{
		StakeHolder: c.q.Address("stake_holder_address"), PublicKey: c.q.Hash("validator_pubkey"), Type: kindOf(c, "type", stakeEventTypes),
	}
	f.StartUtime, f.EndUtime = c.stakingTimes()
	limit := c.q.Limit(validatorsLimit)
	return func() error {
		rows, err := c.svc.StakeEvents(c.ctx, f, limit)
		return listing[chain.StakeEvent]{
			head: appendTimes(nil, f.StartUtime, f.EndUtime), key: "events", about: []*chain.Address{f.StakeHolder},
			name:  func(named *addresses, e *chain.StakeEvent) { named.add(&e.StakeHolder) },
			print: appendStakeEvent,
		}.write(c, rows, err)
	}, nil
}

func appendStakeEvent(b []byte, e *chain.StakeEvent) []byte {
	b = appendEventHead(b, &e.TxHash, e.TxLT, e.Now)
	b = handler.AppendString(append(b, `,"type":`...), e.Type.String())
	b = handler.AppendAddress(append(b, `,"stake_holder_address":`...), &e.StakeHolder)
	if e.Key != nil {
		b = appendKey(append(b, `,"validator_pubkey":`...), e.Key)
	}
	if e.ADNL != nil {
		b = appendKey(append(b, `,"adnl_addr":`...), e.ADNL)
	}
	b = appendUintIf(b, `,"election_id":`, e.ElectionID)
	b = handler.AppendDecimal(append(b, `,"query_id":`...), e.QueryID)
	b = handler.AppendDecimal(append(b, `,"amount":`...), e.Amount)
	if e.Reason != nil {
		b = handler.AppendInt(append(b, `,"reason":`...), *e.Reason)
	}
	return append(b, '}')
}

func validatorComplaints(c *call) (func() error, error) {
	f := chain.ValidatorComplaintFilter{
		CycleStart: c.q.Utime("cycle_start"), ElectionID: c.q.Utime("election_id"), StakeHolder: c.q.Address("stake_holder_address"),
		ADNL: c.q.Hash("adnl_address"), PublicKey: c.q.Hash("validator_pubkey"),
	}
	f.StartUtime, f.EndUtime = c.stakingTimes()
	limit := c.q.Limit(validatorsLimit)
	return func() error {
		rows, err := c.svc.ValidatorComplaints(c.ctx, f, limit)
		return listing[chain.ValidatorComplaint]{
			key: "complaints", about: []*chain.Address{f.StakeHolder},
			name: func(named *addresses, m *chain.ValidatorComplaint) {
				named.add(m.StakeHolder)
				named.add(&m.RewardAddress)
			},
			print: appendComplaint,
		}.write(c, rows, err)
	}, nil
}

func appendComplaint(b []byte, m *chain.ValidatorComplaint) []byte {
	b = handler.AppendUint(append(b, `{"cycle_start":`...), m.CycleStart)
	b = handler.AppendUint(append(b, `,"election_id":`...), m.ElectionID)
	b = appendKey(append(b, `,"complaint_hash":`...), &m.Hash)
	b = appendKey(append(b, `,"validator_pubkey":`...), &m.Key)
	b = append(b, `,"adnl_addr":`...)
	if m.ADNL == nil {
		b = append(b, "null"...)
	} else {
		b = appendKey(b, m.ADNL)
	}
	if m.StakeHolder != nil {
		b = handler.AppendAddress(append(b, `,"stake_holder_address":`...), m.StakeHolder)
	}
	b = handler.AppendBytes(append(b, `,"description_boc":`...), m.Description)
	b = handler.AppendUint(append(b, `,"created_at":`...), m.CreatedAt)
	b = handler.AppendUint(append(b, `,"severity":`...), m.Severity)
	b = handler.AppendAddress(append(b, `,"reward_address":`...), &m.RewardAddress)
	b = handler.AppendBig(append(b, `,"paid":`...), m.Paid)
	b = handler.AppendBig(append(b, `,"suggested_fine":`...), m.SuggestedFine)
	b = handler.AppendUint(append(b, `,"suggested_fine_part":`...), m.SuggestedFinePart)
	b = append(b, `,"voted_validators":[`...)
	for i := range m.Votes {
		v := &m.Votes[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendUint(append(b, `{"validator_index":`...), v.Index)
		if v.Key != nil {
			b = appendKey(append(b, `,"validator_pubkey":`...), v.Key)
			b = appendKey(append(b, `,"adnl_addr":`...), v.ADNL)
			b = handler.AppendDecimal(append(b, `,"weight":`...), *v.Weight)
		}
		b = append(b, '}')
	}
	b = appendKey(append(b, `],"vset_id":`...), &m.SetHash)
	b = append(strconv.AppendInt(append(b, `,"weight_remaining":"`...), m.WeightRemaining, 10), '"')
	b = strconv.AppendFloat(append(b, `,"approved_percent":`...), m.ApprovedPercent, 'f', -1, 64)
	return append(handler.AppendBool(append(b, `,"is_passed":`...), m.Passed), '}')
}
