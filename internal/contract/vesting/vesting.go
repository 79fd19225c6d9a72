// Package vesting reads wallets whose coins are released over time.
//
// Get-method:
//
//	get_vesting_data() -> (start_time, total_duration, unlock_period, cliff_duration, total_amount, sender, owner, whitelist)
//
// The whitelist is a dictionary of addresses without values that matter:
//
//	_ workchain:int8 hash:bits256 = Key;
//	_ (HashmapE 264 int1) = Whitelist;
//
// Any contract may return such data, and name anybody as the owner of coins that it does not have. So only contracts with published code are
// vesting wallets.
package vesting

import (
	"context"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	contract.Register(contract.Family{Name: "vesting", Detect: detect})
}

// Opcodes of the vesting wallet.
const (
	OpAddWhitelist         = 0x7258a69b
	OpAddWhitelistResponse = 0xf258a69b
	OpSend                 = 0xa7733acd
	OpSendResponse         = 0xf7733acd
)

// maxWhitelist is how many addresses are read, in the order of the dictionary. Whitelists name the pools and validators that locked coins
// may be staked with: the sender of the coins adds each of them, and none can be removed.
const maxWhitelist = 256

// published is the interface of contracts with the published code.
const published = "wallet_vesting"

// localCode is the code of vesting wallets on local chains: its source is published with this program (internal/devnet/contracts/tolk).
const localCode = "e41d3beb2cd051b297a65c2dfcc9b0a07a90d60f9f99ff68f98eaa8b1377f2e8"

// isTrusted reports whether the data of a vesting wallet with this code can be trusted.
func isTrusted(code chain.Hash) bool {
	name, _ := contract.CodeName(code)
	return name == published || code.Hex() == localCode
}

func detect(ctx context.Context, p *contract.Probe) error {
	if !isTrusted(p.CodeHash) || !p.Has("get_vesting_data") {
		return nil
	}
	r, err := p.Run(ctx, "get_vesting_data")
	if err != nil {
		return err
	}
	v := &chain.Vesting{
		Address: p.State.Address, StartTime: r.Uint64(64), TotalDuration: uint32(r.Uint64(32)),
		UnlockPeriod: uint32(r.Uint64(32)), CliffDuration: uint32(r.Uint64(32)), TotalAmount: r.Unsigned(127),
		Sender: r.NeedAddress(), Owner: r.NeedAddress(),
		CodeHash: p.CodeHash, DataHash: p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	list := r.CellOrNull()
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no vesting wallet
	}
	v.Whitelist = Whitelist(list)
	p.Facts.Vesting = v
	return nil
}

// Whitelist reads the dictionary of addresses, ascending; never nil.
func Whitelist(dict *cell.Cell) []chain.Address {
	list := []chain.Address{}
	if dict == nil || dict.IsSpecial() {
		return list
	}
	it, err := dict.AsDict(264).Iterator(false, false)
	if err != nil {
		return list
	}
	for n := 0; n < maxWhitelist && it.Next(); n++ {
		l := contract.Load(it.Item().Key)
		wc, id := int8(l.Uint(8)), l.Hash()
		if l.Err() == nil {
			list = append(list, chain.Address{Workchain: int32(wc), ID: id})
		}
	}
	slices.SortFunc(list, chain.Address.Compare)
	return list
}
