package jetton

import (
	"context"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/content"
)

func init() {
	contract.Register(contract.Family{Name: "jetton", Detect: detect})
}

// supplyBits is the largest amount a contract may name: what the TVM's integers hold.
const supplyBits = 256

func detect(ctx context.Context, p *contract.Probe) error {
	if p.Has("get_jetton_data", "get_wallet_address") {
		if err := detectMaster(ctx, p); err != nil {
			return err
		}
	}
	if p.Has("get_wallet_data") {
		return detectWallet(ctx, p)
	}
	return nil
}

func detectMaster(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_jetton_data")
	if err != nil {
		return err
	}
	m := &chain.JettonMaster{
		Address: p.State.Address, TotalSupply: r.Unsigned(supplyBits), Mintable: r.Bool(), Admin: r.Address(),
		CodeHash: p.CodeHash, DataHash: p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	full, code := r.Cell(), r.Cell()
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no master
	}
	m.WalletCodeHash = chain.Hash(code.HashKey())
	var gas int64
	m.Content, gas = content.ReadFor(full, p.GasLeft())
	p.Pay(gas)
	api, gas := content.AttributeFor(full, "custom_payload_api_uri", p.GasLeft())
	if p.Pay(gas); api != "" {
		m.MintlessAPIs = strings.Fields(api)
	}
	if p.Has("get_mintless_airdrop_hashmap_root") {
		if r, err = p.Run(ctx, "get_mintless_airdrop_hashmap_root"); err != nil {
			return err
		}
		if root := r.Unsigned(256); r.Err() == nil && root.Sign() != 0 {
			h := chain.Hash(root.FillBytes(make([]byte, 32)))
			m.MintlessRoot = &h
		}
	}
	p.Facts.JettonMaster = m
	return nil
}

func detectWallet(ctx context.Context, p *contract.Probe) error {
	r, err := p.Run(ctx, "get_wallet_data")
	if err != nil {
		return err
	}
	w := &chain.JettonWallet{
		Address: p.State.Address, Balance: r.Unsigned(supplyBits), Owner: r.NeedAddress(), Jetton: r.NeedAddress(),
		CodeHash: &p.CodeHash, DataHash: &p.DataHash, LastTxLT: p.State.LastTxLT,
	}
	_ = r.Cell() // the wallet's code
	if r.Err() != nil {
		return nil //nolint:nilerr // a failing get-method means that it is no wallet
	}
	ok, err := p.Confirm(ctx, w.Jetton, "get_wallet_address", w.Owner)
	if err != nil || !ok {
		return err
	}
	if p.Has("is_claimed") {
		if r, err = p.Run(ctx, "is_claimed"); err != nil {
			return err
		}
		if claimed := r.Bool(); r.Err() == nil {
			w.Claimed = &claimed
		}
	}
	p.Facts.JettonWallet = w
	return nil
}
