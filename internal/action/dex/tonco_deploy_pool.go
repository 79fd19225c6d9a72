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
		Build: buildToncoDeployPool,
	})
}

// ToncoDeployPoolData is the configuration of a new pool. Fees are in ten thousandths; the price is a square root times
// 2^96.
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

func buildToncoDeployPool(_ *action.Context, m *action.Match) *action.Result {
	l, d := m.Start.Body(), &ToncoDeployPoolData{}
	l.Uint(64)
	d.Wallet0, d.Wallet1 = l.Address(), l.Address()
	l.Ref() // content of the pool
	l.Ref() // content of its positions
	minters := contract.Load(l.Ref())
	d.Minter0, d.Minter1 = minters.Address(), minters.Address()
	init := m.Get("init")
	d.settings(init.Body())
	if l.Err() != nil || minters.Err() != nil {
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

// settings reads the message of the router to the pool. Each group of fields is optional.
func (d *ToncoDeployPoolData) settings(l *contract.Loader) {
	l.Uint(64)
	active := false // as of a pool whose state is not set
	if l.Bool() {
		active = l.Bool()
	}
	d.PoolActive = &active
	l.Address() // the administrator
	if l.Bool() {
		l.Address()
	}
	if l.Bool() {
		n := l.Uint(24)
		d.TickSpacing = &n
	}
	if l.Bool() {
		d.InitialPrice = l.BigUint(160)
	}
	if l.Bool() {
		protocol, base, current := l.Uint(16), l.Uint(16), l.Uint(16)
		d.ProtocolFee, d.LPFeeBase, d.LPFeeCurrent = &protocol, &base, &current
	}
	if l.Err() != nil {
		*d = ToncoDeployPoolData{Wallet0: d.Wallet0, Wallet1: d.Wallet1, Minter0: d.Minter0, Minter1: d.Minter1}
	}
}
