package scenario

import "tonql/internal/devnet/contracts"

const (
	poolMinimum = 10 * oneTON
	poolMember  = 8 // the actor who deposits and withdraws
)

// deposit deposits coins into the pool, or withdraws them.
func (t *batch) deposit() string {
	acc, w := t.look(t.contractSet.pool.Address), t.cast.actors[poolMember]
	if !acc.active {
		return ""
	}
	if contracts.PoolHolds(acc.data, w.Address) {
		return did("withdrawn", t.call(w, contracts.Call(t.contractSet.pool.Address, nameGas, contracts.Comment(contracts.PoolWithdraw))))
	}
	return did("deposited", t.call(w, contracts.Call(t.contractSet.pool.Address, 2*poolMinimum, contracts.Comment(contracts.PoolDeposit))))
}
