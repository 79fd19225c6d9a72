package dex

import (
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const typeSwap = "jetton_swap"

// JettonSwapData is a complete swap, with its hops when there are several.
type JettonSwapData struct {
	Dex       string         `json:"dex"`
	Sender    *chain.Address `json:"sender"`
	Incoming  Transfer       `json:"dex_incoming_transfer"`
	Outgoing  Transfer       `json:"dex_outgoing_transfer"` // the returned asset, when the swap failed
	PeerSwaps []PeerSwap     `json:"peer_swaps"`            // empty unless there was more than one hop
	// MinOut is set for TONCO: the amount paid out, or the requested minimum of a failed swap; and for DeDust v2: the requested
	// minimum.
	MinOut *big.Int `json:"min_out_amount"`
}

// Column implements [action.Payload].
func (*JettonSwapData) Column() string { return "jetton_swap_data" }

// PeerSwap is the swap in one pool. A nil asset is TON.
type PeerSwap struct {
	AssetIn   *chain.Address `json:"asset_in"`
	AmountIn  *big.Int       `json:"amount_in"`
	AssetOut  *chain.Address `json:"asset_out"`
	AmountOut *big.Int       `json:"amount_out"`
}

// swap collects the values that the builders of the exchanges find.
type swap struct {
	dex    string
	in     Transfer
	out    Transfer
	wanted *chain.Address // the requested asset; used when the swap failed
	hops   []PeerSwap
	minOut *big.Int
	failed bool
	routed bool // route of several pools: hops are listed even when only one pool swapped
}

func (s *swap) result() *action.Result {
	asset := s.out.Asset
	if s.failed {
		asset = s.wanted
	}
	if len(s.hops) < 2 && !s.routed || s.hops == nil {
		s.hops = []PeerSwap{}
	}
	return &action.Result{
		Failed: s.failed,
		Columns: action.Columns{
			Source: action.AddressText(s.in.Source), SourceSecondary: action.AddressText(s.in.SourceWallet), Destination: action.AddressText(s.out.Destination),
			DestinationSecondary: action.AddressText(s.out.DestinationWallet), Asset: action.AddressText(s.in.Asset), Asset2: action.AddressText(asset),
			Payloads: []action.Payload{&JettonSwapData{
				Dex: s.dex, Sender: s.in.Source, Incoming: s.in, Outgoing: s.out, PeerSwaps: s.hops, MinOut: s.minOut,
			}},
		},
	}
}

// swapped returns the payload of a swap; nil for other blocks.
func swapped(b *action.Block) *JettonSwapData {
	if b == nil || b.Type != typeSwap || len(b.Columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.Columns.Payloads[0].(*JettonSwapData)
	return d
}

// chained are the neighboring swaps on other exchanges: one exchange pays the next one directly, which makes a single swap
// from the input of the first to the output of the last. The exchange with the earlier phase has taken the payment between
// the two.
type chained struct {
	before, after *action.Block
}

// paidBy returns the swap whose payment started b; nil when there is none or it failed. Coins go through the wallet of a
// proxy, which notifies the sender.
func paidBy(b *action.Block) *action.Block {
	p, payee := b.Prev, b.From()
	if p != nil && p.Calls(opNotification) {
		p, payee = p.Prev, p.From()
	}
	if d := swapped(p); d != nil && p.Success && action.SameAddress(d.Outgoing.Destination, payee) {
		return p
	}
	return nil
}

// paidInto returns the swap that received the payment pay, as an order or, for coins, as the payment itself.
func paidInto(pay *action.Block) *action.Block {
	for _, n := range pay.Next {
		if d := swapped(n); d != nil && action.SameAddress(d.Incoming.Source, pay.Account()) {
			return n
		}
	}
	return nil
}

// lastPayment returns the Jetton transfer with which a swap paid; nil for other payments.
func lastPayment(b *action.Block) *action.Block {
	d := swapped(b)
	if d == nil {
		return nil
	}
	for _, p := range slices.Backward(b.Parts) {
		if p.Type == "jetton_transfer" && action.SameAddress(transferred(p).Destination, d.Outgoing.Destination) {
			return p
		}
		if paid := lastPayment(p); paid != nil && action.SameAddress(transferred(paid).Destination, d.Outgoing.Destination) {
			return paid
		}
	}
	return nil
}

// swapIn returns the payment into a router directly before b, like payIn, or the output of another exchange. That payment is
// a part of the swap that made it.
func swapIn(b *action.Block) (in Transfer, parts []*action.Block) {
	if before := paidBy(b); before != nil {
		return swapped(before).Outgoing.unproxied(), []*action.Block{}
	}
	return payIn(b)
}

// join adds the swaps before and after.
func (s *swap) join(m *action.Match, with chained) {
	if with.before != nil {
		for p := m.Start; p != with.before; p = p.Prev {
			m.Take(p)
		}
		m.Take(with.before)
		d := swapped(with.before)
		s.dex, s.in = d.Dex, d.Incoming
		s.hops = append(d.hops(), s.hops...)
	}
	if with.after != nil {
		m.Take(with.after)
		d := swapped(with.after)
		s.out = d.Outgoing
		if with.after.Success {
			s.hops = append(s.hops, d.hops()...)
		} else {
			s.failed, s.wanted, s.hops = true, parsed(with.after.Columns.Asset2), append(s.hops, d.PeerSwaps...)
		}
	}
	if s.dex == dexTonco {
		s.minOut = s.out.Amount
	}
}

// hops returns the swaps in each pool. A swap in a single pool is its own hop.
func (d *JettonSwapData) hops() []PeerSwap {
	if len(d.PeerSwaps) > 0 {
		return d.PeerSwaps
	}
	return []PeerSwap{{
		AssetIn: d.Incoming.Asset, AmountIn: d.Incoming.Amount, AssetOut: d.Outgoing.Asset, AmountOut: d.Outgoing.Amount,
	}}
}
