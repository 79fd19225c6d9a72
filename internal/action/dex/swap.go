package dex

import (
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const typeSwap = "jetton_swap"

// JettonSwapData is a swap as a whole, and its hops when there are several.
type JettonSwapData struct {
	Dex       string         `json:"dex"`
	Sender    *chain.Address `json:"sender"`
	Incoming  DexTransfer    `json:"dex_incoming_transfer"`
	Outgoing  DexTransfer    `json:"dex_outgoing_transfer"` // what came back, when the swap failed
	PeerSwaps []PeerSwap     `json:"peer_swaps"`            // empty unless more than one hop was made
	// MinOut is filled for TONCO alone: what came out, or the minimum that a failed swap requested.
	MinOut *big.Int `json:"min_out_amount"`
}

// Column names the composite column.
func (*JettonSwapData) Column() string { return "jetton_swap_data" }

// PeerSwap is what one pool took and gave; a nil asset is TON.
type PeerSwap struct {
	AssetIn   *chain.Address `json:"asset_in"`
	AmountIn  *big.Int       `json:"amount_in"`
	AssetOut  *chain.Address `json:"asset_out"`
	AmountOut *big.Int       `json:"amount_out"`
}

// swap is what the exchanges' builders find out.
type swap struct {
	dex    string
	in     DexTransfer
	out    DexTransfer
	wanted *chain.Address // the asset that was asked for; it matters when the swap failed
	hops   []PeerSwap
	minOut *big.Int
	failed bool
	routed bool // through several pools, whichever of them swapped: hops are listed even when only one of them did
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

// swapped is the payload of a block that is a swap; nil for every other block.
func swapped(b *action.Block) *JettonSwapData {
	if b == nil || b.Type != typeSwap || len(b.Columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.Columns.Payloads[0].(*JettonSwapData)
	return d
}

// chained joins swaps of different exchanges, of which one pays the next one directly: a single swap of what the first took
// for what the last gave. The exchange with the earlier phase has taken the payment between the two as its own.
type chained struct {
	before, after *action.Block
}

// paidBy is the swap whose payment b's sender acts upon; nil when none precedes or it refused. Coins go through the wallet of
// a proxy, which notifies the sender.
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

// paidInto is the swap that a payment which follows pay went into: an order for a payment, or for coins the payment itself.
func paidInto(pay *action.Block) *action.Block {
	for _, n := range pay.Next {
		if d := swapped(n); d != nil && action.SameAddress(d.Incoming.Source, pay.Account()) {
			return n
		}
	}
	return nil
}

// lastPayment is the Jetton transfer by which a swap paid; nil when it paid otherwise.
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

// swapIn is what came into a router right before b, as payIn has it, or what another exchange paid; that payment is a part of
// the swap that made it.
func swapIn(b *action.Block) (in DexTransfer, parts []*action.Block) {
	if before := paidBy(b); before != nil {
		return swapped(before).Outgoing.unproxied(), []*action.Block{}
	}
	return payIn(b)
}

// join adds what the neighbours of a chain did.
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

// hops lists what the pools of a swap took and gave; a swap in a single pool is its own hop.
func (d *JettonSwapData) hops() []PeerSwap {
	if len(d.PeerSwaps) > 0 {
		return d.PeerSwaps
	}
	return []PeerSwap{{
		AssetIn: d.Incoming.Asset, AmountIn: d.Incoming.Amount, AssetOut: d.Outgoing.Asset, AmountOut: d.Outgoing.Amount,
	}}
}
