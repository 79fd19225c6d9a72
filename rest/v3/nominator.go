package v3

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

const (
	// stakingLimit is the default page size of lists of events and rewards.
	stakingLimit = 100
	// positionsLimit is the default page size of the positions of a nominator.
	positionsLimit = 1000
)

func nominatorPool(c *call) (func() error, error) {
	pool := c.q.Address("pool")
	return func() error {
		if pool == nil {
			return chain.Invalidf("pool parameter is required")
		}
		p, err := c.svc.NominatorPool(c.ctx, *pool)
		if err != nil {
			return err
		}
		var named addresses
		if c.addressBook {
			named.add(pool)
			named.add(&p.Validator)
			for i := range p.Nominators {
				named.add(&p.Nominators[i].Address)
			}
		}
		rows, _, err := c.readNames(&named, false)
		if err != nil {
			return err
		}
		c.out.B = c.appendAddressBook(append(appendNominatorPool(c.out.B, p), `,"address_book":`...), rows)
		c.out.B = append(c.out.B, '}')
		return nil
	}, nil
}

// appendNominatorPool appends the members of a pool without the end of the object.
func appendNominatorPool(b []byte, p *chain.NominatorPool) []byte {
	b = handler.AppendBig(append(b, `{"stake_amount_sent":`...), p.StakeAmountSent)
	b = handler.AppendBig(append(b, `,"validator_amount":`...), p.ValidatorAmount)
	b = handler.AppendAddress(append(b, `,"validator_address":`...), &p.Validator)
	b = handler.AppendUint(append(b, `,"validator_reward_share":`...), p.ValidatorRewardShare)
	b = handler.AppendUint(append(b, `,"state":`...), p.State)
	b = handler.AppendUint(append(b, `,"nominators_count":`...), p.NominatorCount)
	b = handler.AppendUint(append(b, `,"max_nominators_count":`...), p.MaxNominatorCount)
	b = handler.AppendBig(append(b, `,"min_validator_stake":`...), p.MinValidatorStake)
	b = handler.AppendBig(append(b, `,"min_nominator_stake":`...), p.MinNominatorStake)
	b = append(b, `,"active_nominators":[`...)
	for i := range p.Nominators {
		n := &p.Nominators[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendAddress(append(b, `{"address":`...), &n.Address)
		b = appendPoolBalances(b, n.Balance, n.PendingBalance)
	}
	return append(b, ']')
}

func appendPoolBalances(b []byte, balance, pending *big.Int) []byte {
	b = handler.AppendBig(append(b, `,"balance":`...), balance)
	return append(handler.AppendBig(append(b, `,"pending_balance":`...), pending), '}')
}

func nominatorPositions(c *call) (func() error, error) {
	who := c.q.Address("nominator")
	p := c.cursored(chain.Page{Limit: c.q.Limit(positionsLimit), Offset: c.q.Offset(), Sort: chain.Ascending}, chain.NominatorPositionList)
	return func() error {
		if who == nil {
			return chain.Invalidf("nominator parameter is required")
		}
		rows, err := c.svc.NominatorPositions(c.ctx, *who, p)
		return listing[chain.NominatorPosition]{
			key: "nominator_pools", about: []*chain.Address{who},
			name: func(named *addresses, p *chain.NominatorPosition) { named.add(&p.Pool) },
			print: func(b []byte, p *chain.NominatorPosition) []byte {
				return appendPoolBalances(handler.AppendAddress(append(b, `{"pool_address":`...), &p.Pool), p.Balance, p.PendingBalance)
			},
		}.write(c, rows, err)
	}, nil
}

// stakingTimes reads the times of lists of events. Unlike other lists, these refuse times that cannot be.
func (c *call) stakingTimes() (start, end *uint32) {
	start, end = c.q.Utime("start_utime"), c.q.Utime("end_utime")
	if start != nil && end != nil && *start > *end {
		c.q.Refuse(chain.Invalidf("start_utime must be less than or equal to end_utime"))
	}
	return start, end
}

func (c *call) stakingPage(kind chain.ListKind) chain.Page {
	return c.cursored(chain.Page{Limit: c.q.Limit(stakingLimit), Sort: chain.Descending}, kind)
}

// appendTimes appends the times of the request as members of the response.
func appendTimes(b []byte, start, end *uint32) []byte {
	if start != nil {
		b = append(handler.AppendUint(append(b, `"start_utime":`...), *start), ',')
	}
	if end != nil {
		b = append(handler.AppendUint(append(b, `"end_utime":`...), *end), ',')
	}
	return b
}

func (c *call) poolEventFilter() (f chain.PoolEventFilter, pool *chain.Address) {
	pool, f.Nominator = c.q.Address("pool"), c.q.Address("nominator")
	f.StartUtime, f.EndUtime = c.stakingTimes()
	if pool != nil {
		f.Pool = *pool
	}
	return f, pool
}

func nominatorEvents(c *call) (func() error, error) {
	f, pool := c.poolEventFilter()
	p := c.stakingPage(chain.PoolEventList)
	return func() error {
		if pool == nil {
			return chain.Invalidf("pool parameter is required")
		}
		rows, err := c.svc.PoolEvents(c.ctx, f, p)
		return listing[chain.PoolEvent]{
			head: appendTimes(nil, f.StartUtime, f.EndUtime), key: "events", about: []*chain.Address{pool, f.Nominator},
			name:  func(named *addresses, e *chain.PoolEvent) { named.add(new(e.Nominator())) },
			print: appendPoolEvent,
		}.write(c, rows, err)
	}, nil
}

func appendEventHead(b []byte, hash *chain.Hash, lt uint64, now uint32) []byte {
	b = handler.AppendHash(append(b, `{"tx_hash":`...), hash)
	b = handler.AppendDecimal(append(b, `,"tx_lt":`...), lt)
	return handler.AppendUint(append(b, `,"utime":`...), now)
}

func appendPoolEvent(b []byte, e *chain.PoolEvent) []byte {
	b = appendEventHead(b, &e.TxHash, e.TxLT, e.Now)
	b = handler.AppendAddress(append(b, `,"pool_address":`...), &e.Pool)
	b = handler.AppendAddress(append(b, `,"nominator_address":`...), new(e.Nominator()))
	b = handler.AppendString(append(b, `,"type":`...), e.Type.String())
	b = handler.AppendBig(append(b, `,"amount":`...), e.Amount)
	b = handler.AppendBig(append(b, `,"balance_delta":`...), e.BalanceDelta())
	b = handler.AppendBig(append(b, `,"pending_balance_delta":`...), e.PendingBalanceDelta())
	b = handler.AppendBig(append(b, `,"balance_before":`...), e.Before.Balance)
	b = handler.AppendBig(append(b, `,"balance_after":`...), e.After.Balance)
	b = handler.AppendBig(append(b, `,"pending_balance_before":`...), e.Before.PendingBalance)
	b = handler.AppendBig(append(b, `,"pending_balance_after":`...), e.After.PendingBalance)
	b = handler.AppendBool(append(b, `,"withdraw_request_before":`...), e.Before.WithdrawalRequested)
	return append(handler.AppendBool(append(b, `,"withdraw_request_after":`...), e.After.WithdrawalRequested), '}')
}

func nominatorRewards(c *call) (func() error, error) {
	f, pool := c.poolEventFilter()
	f.Type = new(chain.PoolReward)
	p := c.stakingPage(chain.PoolEventList)
	return func() error {
		if pool == nil || f.Nominator == nil {
			return chain.Invalidf("nominator and pool parameters are required")
		}
		rows, err := c.svc.PoolEvents(c.ctx, f, p)
		total := new(big.Int)
		for i := range rows {
			total.Add(total, rows[i].Amount)
		}
		return listing[chain.PoolEvent]{
			head: appendTotal(appendTimes(nil, f.StartUtime, f.EndUtime), total), key: "rewards", about: []*chain.Address{f.Nominator, pool},
			name: func(*addresses, *chain.PoolEvent) {},
			print: func(b []byte, e *chain.PoolEvent) []byte {
				b = handler.AppendUint(append(b, `{"utime":`...), e.Now)
				b = handler.AppendBig(append(b, `,"reward":`...), e.Amount)
				b = handler.AppendBig(append(b, `,"stake_before":`...), e.Before.Balance)
				b = handler.AppendHash(append(b, `,"tx_hash":`...), &e.TxHash)
				return append(handler.AppendDecimal(append(b, `,"tx_lt":`...), e.TxLT), '}')
			},
		}.write(c, rows, err)
	}, nil
}

// appendTotal appends the sum of the rewards of a page.
func appendTotal(b []byte, total *big.Int) []byte {
	return append(handler.AppendBig(append(b, `"total_on_page":`...), total), ',')
}

func (c *call) poolValidatorFilter() (f chain.PoolValidatorEventFilter) {
	f.Validator, f.Pool = c.q.Address("validator"), c.q.Address("pool")
	f.StartUtime, f.EndUtime = c.stakingTimes()
	return f
}

// validatorEventTypes are the kinds of events of validators.
var validatorEventTypes = []chain.PoolEventType{chain.PoolReward, chain.PoolPenalty, chain.PoolDeposit, chain.PoolWithdrawal}

// kindOf reads one of some kinds by its name; nil when it was not sent.
func kindOf[T fmt.Stringer](c *call, name string, kinds []T) *T {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = kind.String()
	}
	text := c.q.Enum(name, names...)
	if text == "" {
		return nil
	}
	if i := slices.Index(names, text); i >= 0 {
		return &kinds[i]
	}
	c.q.Refuse(chain.Invalidf("%s should be one of: %s", name, strings.Join(names, ", ")))
	return nil
}

func poolValidatorEvents(c *call) (func() error, error) {
	f := c.poolValidatorFilter()
	f.Type = kindOf(c, "type", validatorEventTypes)
	p := c.stakingPage(chain.PoolValidatorEventList)
	return func() error {
		if f.Validator == nil && f.Pool == nil {
			return chain.Invalidf("validator or pool parameter is required")
		}
		rows, err := c.svc.PoolValidatorEvents(c.ctx, f, p)
		return listing[chain.PoolValidatorEvent]{
			head: appendTimes(nil, f.StartUtime, f.EndUtime), key: "events", about: []*chain.Address{f.Validator, f.Pool},
			name: func(named *addresses, e *chain.PoolValidatorEvent) {
				named.add(&e.Pool)
				named.add(&e.Validator)
			},
			print: appendPoolValidatorEvent,
		}.write(c, rows, err)
	}, nil
}

func appendPoolValidatorEvent(b []byte, e *chain.PoolValidatorEvent) []byte {
	b = appendEventHead(b, &e.TxHash, e.TxLT, e.Now)
	b = handler.AppendAddress(append(b, `,"pool_address":`...), &e.Pool)
	b = handler.AppendAddress(append(b, `,"validator_address":`...), &e.Validator)
	b = handler.AppendString(append(b, `,"type":`...), e.Type.String())
	b = handler.AppendBig(append(b, `,"amount":`...), e.Amount())
	b = handler.AppendBig(append(b, `,"balance_delta":`...), e.BalanceDelta())
	b = handler.AppendBig(append(b, `,"balance_before":`...), e.BalanceBefore)
	b = handler.AppendBig(append(b, `,"balance_after":`...), e.BalanceAfter)
	if e.QueryID != nil {
		b = handler.AppendDecimal(append(b, `,"query_id":`...), *e.QueryID)
	}
	if e.CycleStart != nil {
		b = handler.AppendUint(append(b, `,"cycle_start":`...), *e.CycleStart)
	}
	return append(handler.AppendUint(append(b, `,"validator_reward_share":`...), e.RewardShare), '}')
}

func poolValidatorRewards(c *call) (func() error, error) {
	f := c.poolValidatorFilter()
	f.Type = new(chain.PoolReward)
	p := c.stakingPage(chain.PoolValidatorEventList)
	return func() error {
		if f.Validator == nil || f.Pool == nil {
			return chain.Invalidf("validator and pool parameters are required")
		}
		rows, err := c.svc.PoolValidatorEvents(c.ctx, f, p)
		total := new(big.Int)
		for i := range rows {
			total.Add(total, rows[i].Amount())
		}
		return listing[chain.PoolValidatorEvent]{
			head: appendTotal(appendTimes(nil, f.StartUtime, f.EndUtime), total), key: "rewards", about: []*chain.Address{f.Validator, f.Pool},
			name: func(*addresses, *chain.PoolValidatorEvent) {},
			print: func(b []byte, e *chain.PoolValidatorEvent) []byte {
				b = handler.AppendUint(append(b, `{"utime":`...), e.Now)
				b = handler.AppendBig(append(b, `,"reward":`...), e.Amount())
				b = handler.AppendBig(append(b, `,"balance_before":`...), e.BalanceBefore)
				b = handler.AppendHash(append(b, `,"tx_hash":`...), &e.TxHash)
				b = handler.AppendDecimal(append(b, `,"tx_lt":`...), e.TxLT)
				if e.CycleStart != nil {
					b = handler.AppendUint(append(b, `,"cycle_start":`...), *e.CycleStart)
				}
				if e.QueryID != nil {
					b = handler.AppendDecimal(append(b, `,"query_id":`...), *e.QueryID)
				}
				return append(b, '}')
			},
		}.write(c, rows, err)
	}, nil
}
