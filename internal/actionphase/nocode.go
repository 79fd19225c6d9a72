package actionphase

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// exitNoCode is the exit code of an active account without code: the VM ends with a fatal exception before its first step.
const exitNoCode = -13

// selectorTick is the function that a tick or a tock calls.
const selectorTick = -2

// fail makes the compute phase of an active account that has no code. It costs the price of no gas.
func (t *transaction) fail(p *phase) {
	gas := p.config.gas(p.account.workchain == -1)
	t.gasFees = new(big.Int).SetUint64(gas.FlatGasPrice)
	limit := boughtGas(gas, p.balance.grams)
	if p.fundamental {
		t.gasFees, limit = new(big.Int), gas.SpecialGasLimit
	}
	if t.ordinary && (!p.fundamental || p.config.version < 5) {
		limit = min(limit, boughtGas(gas, p.inbound.grams))
	}
	p.gasFees, p.computeCode = t.gasFees, exitNoCode
	p.balance.grams = new(big.Int).Sub(p.balance.grams, t.gasFees)
	p.fine, p.fees = new(big.Int), new(big.Int)
	details := cell.BeginCell().MustStoreBigVarUInt(new(big.Int), 7).MustStoreBigVarUInt(new(big.Int).SetUint64(limit), 7).MustStoreBoolBit(false).
		MustStoreUInt(0, 8).MustStoreInt(exitNoCode, 32)
	if t.ordinary {
		details.MustStoreBoolBit(false)
	} else { // exit_arg, the top of the stack
		details.MustStoreBoolBit(true).MustStoreInt(selectorTick, 32)
	}
	details.MustStoreUInt(0, 32).MustStoreUInt(0, 64).MustStoreSlice(make([]byte, 56), 448)
	t.compute = cell.BeginCell().MustStoreUInt(0b1000, 4).MustStoreBigCoins(t.gasFees).MustStoreRef(details.EndCell())
}

// boughtGas returns the gas that an amount buys.
func boughtGas(c *tlb.ConfigGasLimitsPrices, grams *big.Int) uint64 {
	if grams.Cmp(new(big.Int).SetUint64(c.FlatGasPrice)) < 0 {
		return 0
	}
	left := new(big.Int).Sub(grams, new(big.Int).SetUint64(c.FlatGasPrice))
	left.Lsh(left, 16)
	left.Div(left, new(big.Int).SetUint64(max(1, c.GasPrice)))
	left.Add(left, new(big.Int).SetUint64(c.FlatGasLimit))
	if limit := new(big.Int).SetUint64(c.GasLimit); left.Cmp(limit) > 0 {
		return c.GasLimit
	}
	return left.Uint64()
}
