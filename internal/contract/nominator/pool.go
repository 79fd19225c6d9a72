// Package nominator reads pools in which nominators stake coins together with a validator.
//
// The data of a pool with the published code:
//
//	_ state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins config:^Config
//	  nominators:(HashmapE 256 Nominator) withdraw_requests:(HashmapE 256 True) stake_at:uint32
//	  saved_validator_set_hash:bits256 validator_set_changes_count:uint8 validator_set_change_time:uint32
//	  stake_held_for:uint32 config_proposal_votings:(HashmapE 256 Voting) = Data;
//	_ validator_address:bits256 validator_reward_share:uint16 max_nominators_count:uint16
//	  min_validator_stake:Coins min_nominator_stake:Coins = Config;
//	_ amount:Coins pending_deposit_amount:Coins = Nominator;
//
// Validators are in the masterchain, nominators in the basechain. Any contract may have such data, so only contracts with published code
// are pools. What their data began with was chosen by who deployed them.
package nominator

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	contract.Register(contract.Family{Name: "nominator", Detect: detect})
}

const (
	// publishedCode is the code of nominator pools.
	publishedCode = "9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf"
	// localCode is the code of nominator pools on local chains: its source is published with this program (internal/devnet/contracts/tolk).
	localCode = "fc969cf88fe64032462f1761ce7e78b4f346a9daf3a40e6c74facbc22afbf0b7"

	// maxNominators is how many nominators, or requests of them, a pool may have that is read. A pool computes the rewards of all nominators
	// in one transaction, whose gas suffices for some 150 of them; who deploys a pool may have written any number into its first data.
	maxNominators = 1024
)

// IsPool reports whether a code is one of nominator pools.
func IsPool(code chain.Hash) bool {
	hash := code.Hex()
	return hash == publishedCode || hash == localCode
}

func detect(_ context.Context, p *contract.Probe) error {
	if !IsPool(p.CodeHash) {
		return nil
	}
	pool, err := Parse(p.State.Data)
	if err != nil {
		return nil //nolint:nilerr // data of another layout mean that it is no pool
	}
	pool.Address, pool.CodeHash, pool.DataHash, pool.LastTxLT = p.State.Address, p.CodeHash, p.DataHash, p.State.LastTxLT
	p.Facts.NominatorPool = pool
	return nil
}

// Parse reads the data of a pool. The address, the hashes and the LT are left to the caller. The error is a [chain.Error] of kind Invalid.
func Parse(data *cell.Cell) (*chain.NominatorPool, error) {
	l := contract.Load(data)
	p := &chain.NominatorPool{
		State: uint16(l.Uint(8)), NominatorCount: uint16(l.Uint(16)), StakeAmountSent: l.Coins(), ValidatorAmount: l.Coins(),
	}
	config, nominators, requests := l.Ref(), l.MaybeRef(), l.MaybeRef()
	p.StakeAt = uint32(l.Uint(32))
	if l.Err() != nil {
		return nil, l.Err()
	}
	c := contract.Load(config)
	p.Validator = chain.Address{Workchain: chain.MasterchainID, ID: c.Hash()}
	p.ValidatorRewardShare, p.MaxNominatorCount = uint16(c.Uint(16)), uint16(c.Uint(16))
	p.MinValidatorStake, p.MinNominatorStake = c.Coins(), c.Coins()
	if c.Err() != nil {
		return nil, c.Err()
	}
	requested := map[chain.Hash]bool{}
	err := each(requests, func(id chain.Hash, _ *contract.Loader) { requested[id] = true })
	if err != nil {
		return nil, err
	}
	p.Nominators = []chain.PoolNominator{}
	err = each(nominators, func(id chain.Hash, l *contract.Loader) {
		n := chain.PoolNominator{
			Address: chain.Address{ID: id}, Balance: l.Coins(), PendingBalance: l.Coins(), WithdrawalRequested: requested[id],
		}
		if l.Err() == nil {
			p.Nominators = append(p.Nominators, n)
		}
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// each visits the entries of a dictionary with keys of 256 bits, ascending.
func each(root *cell.Cell, visit func(key chain.Hash, value *contract.Loader)) error {
	if root == nil {
		return nil
	}
	dict, err := cellgraph.Dict(root, 256, maxNominators)
	if err != nil {
		return chain.Invalidf("the pool has nominators that are not read: %v", err)
	}
	it, err := dict.Iterator(false, false)
	if err != nil {
		return chain.Invalidf("the pool's nominators are no dictionary")
	}
	for n := 0; n < maxNominators && it.Next(); n++ {
		item := it.Item()
		key := contract.Load(item.Key)
		if id := key.Hash(); key.Err() == nil {
			visit(id, contract.LoadSlice(item.Value))
		}
	}
	return nil
}
