package action

import (
	"math/big"

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
	// MinOut is filled for TONCO alone: what came out, or the least that a failed swap asked for.
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

func (s *swap) result() *Result {
	asset := s.out.Asset
	if s.failed {
		asset = s.wanted
	}
	if len(s.hops) < 2 && !s.routed || s.hops == nil {
		s.hops = []PeerSwap{}
	}
	return &Result{
		Failed: s.failed,
		Columns: Columns{
			Source: text(s.in.Source), SourceSecondary: text(s.in.SourceWallet), Destination: text(s.out.Destination),
			DestinationSecondary: text(s.out.DestinationWallet), Asset: text(s.in.Asset), Asset2: text(asset),
			Payloads: []Payload{&JettonSwapData{
				Dex: s.dex, Sender: s.in.Source, Incoming: s.in, Outgoing: s.out, PeerSwaps: s.hops, MinOut: s.minOut,
			}},
		},
	}
}

// take adds blocks to the match.
func (m *Match) take(blocks ...*Block) {
	for _, b := range blocks {
		m.Take(b)
	}
}
