package trace

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Orders to a JVault pool or stake wallet. Their classification needs the data of these contracts.
const (
	opJVaultUnstake        = 0x499a9262
	opJVaultUnstakeRequest = 0x0168d4b7
)

func isJVault(opcode *uint32) bool {
	return opcode != nil && (*opcode == opJVaultUnstake || *opcode == opJVaultUnstakeRequest)
}

// stakeWalletsPool returns the pool in the data of a JVault stake wallet; nil when the data have another layout.
//
//	pool:MsgAddressInt minter:MsgAddressInt owner:MsgAddressInt state:^Cell
func stakeWalletsPool(data chain.BOC) *chain.Address {
	const bits = 3 * 267
	l := load(data, bits, 1)
	if l == nil {
		return nil
	}
	pool := l.Address()
	for range 2 {
		l.Address()
	}
	if l.Err() != nil {
		return nil
	}
	return pool
}

// poolsLockWallet returns the Jetton wallet for deposits in the data of a JVault pool; nil when the data have another layout.
//
//	inited:Bool pool_id:uint32 admin:MsgAddressInt creator:MsgAddressInt lock_wallet:MsgAddressInt flag:Bool
//	and three references
func poolsLockWallet(data chain.BOC) *chain.Address {
	const bits = 1 + 32 + 3*267 + 1
	l := load(data, bits, 3)
	if l == nil {
		return nil
	}
	l.Bool()
	l.Uint(32)
	for range 2 {
		l.Address()
	}
	lock := l.Address()
	if l.Err() != nil {
		return nil
	}
	return lock
}

// load returns a loader for data of exactly this size; nil for any other.
func load(data chain.BOC, bits, refs uint) *contract.Loader {
	if len(data) == 0 {
		return nil
	}
	c, err := cell.FromBOC(data)
	if err != nil || c.BitsSize() != bits || c.RefsNum() != refs {
		return nil
	}
	return contract.Load(c)
}
