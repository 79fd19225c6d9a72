package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	opToncoCreatePool = 0x2e3034ef
	opToncoPoolInit   = 0x441c39ed
)

func init() {
	action.Register(action.Spec{
		Kind: "tonco_deploy_pool", Phase: 63,
		Match: action.Call(opToncoCreatePool).Then(action.Call(opToncoPoolInit).As("init").Then(action.Call(action.OpExcesses).Maybe())),
		Build: buildToncoDeployPool, OnlyPattern: true,
	})
}

// ToncoDeployPoolData is the configuration of a new pool. The price is a square root times 2^96.
type ToncoDeployPoolData struct {
	Wallet0      *chain.Address `json:"jetton0_router_wallet"`
	Wallet1      *chain.Address `json:"jetton1_router_wallet"`
	Minter0      *chain.Address `json:"jetton0_minter"`
	Minter1      *chain.Address `json:"jetton1_minter"`
	TickSpacing  *uint64        `json:"tick_spacing"`
	InitialPrice *big.Int       `json:"initial_price_x96"`
	ProtocolFee  *uint64        `json:"protocol_fee"`
	LPFeeBase    *uint64        `json:"lp_fee_base"`
	LPFeeCurrent *uint64        `json:"lp_fee_current"`
	PoolActive   *bool          `json:"pool_active"`
}

// Column implements [action.Payload].
func (*ToncoDeployPoolData) Column() string { return "tonco_deploy_pool_data" }

// buildToncoDeployPool reads the request to the router, and whether the pool is active from the router's message to it. Published
// rows have the fees from directly behind the price. Routers write a bit there first.
//
//	create_pool#2e3034ef query_id:uint64 jetton_wallet0:MsgAddress jetton_wallet1:MsgAddress tick_spacing:int24
//	  initial_price_x96:uint160 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16
//	  content:^Cell item_content:^Cell minters:^[ jetton0_minter:MsgAddress jetton1_minter:MsgAddress … ]
func buildToncoDeployPool(_ *action.Context, m *action.Match) *action.Result {
	init := m.Get("init")
	l, active := m.Start.Body(), toncoActive(init)
	l.Uint(64)
	d := &ToncoDeployPoolData{Wallet0: l.Address(), Wallet1: l.Address(), PoolActive: active}
	spacing := l.Uint(tickBits)
	d.InitialPrice = l.BigUint(160)
	protocol, base, current := l.Uint(16), l.Uint(16), l.Uint(16)
	d.TickSpacing, d.ProtocolFee, d.LPFeeBase, d.LPFeeCurrent = &spacing, &protocol, &base, &current
	l.Ref()
	l.Ref()
	minters := contract.Load(l.Ref())
	d.Minter0, d.Minter1 = minters.Address(), minters.Address()
	if l.Err() != nil || minters.Err() != nil || active == nil {
		return nil
	}
	return &action.Result{
		Failed: m.Start.Aborted() || init.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), DestinationSecondary: action.AddressText(init.Account()),
			Payloads: []action.Payload{d},
		},
	}
}

// toncoActive reports whether a new pool is active; nil when the message cannot be read.
//
//	init#441c39ed query_id:uint64 from_admin:Bool has_admin:Bool admin:MsgAddress has_controller:Bool controller:MsgAddress
//	  set_spacing:Bool tick_spacing:int24 set_price:Bool initial_price_x96:uint160 set_active:Bool pool_active:Bool …
func toncoActive(init *action.Block) *bool {
	l := init.Body()
	l.Uint(64)
	l.Uint(2)
	l.Address()
	l.Bool()
	l.Address()
	l.Bool()
	l.Uint(tickBits)
	l.Bool()
	l.BigUint(160)
	l.Bool()
	active := l.Bool()
	if l.Err() != nil {
		return nil
	}
	return &active
}
