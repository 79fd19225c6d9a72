package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of DeDust's swaps.
const (
	opDedustSwap        = 0xea06185d // coins, to the vault
	opDedustSwapPayload = 0xe3a0d482 // Jettons, in the payload of the transfer
	opDedustSwapPool    = 0x61ee542d
	opDedustSwapPeer    = 0x72aca8aa
	opDedustPayPool     = 0xad4eb6f5
	opDedustPayout      = 0x474f86cf
	logDedustSwap       = 0x9c610de3
)

func init() {
	action.Register(action.Spec{Kind: typeSwap, Phase: 19, Match: action.Call(opDedustSwapPool), Build: buildDedustSwap})
}

// buildDedustSwap follows the swap from pool to pool. A pool that swapped has written a log; a pool that rejected the swap
// returns its input.
func buildDedustSwap(c *action.Context, m *action.Match) *action.Result {
	s := swap{dex: dexDedust}
	route := dedustOrder(m, &s.in)
	if route == nil {
		return nil
	}
	pools := dedustPools{records: c.Records}
	var pay *action.Block
	for hop, n := m.Start, 0; hop != nil; n++ {
		if n == maxHops {
			return nil
		}
		m.Take(hop)
		if log := hop.NextLog(logDedustSwap); log != nil {
			m.Take(log)
			made := parseDedustSwap(log)
			pools.record(hop.Account(), made)
			s.hops = append(s.hops, made)
		} else {
			s.failed = true
		}
		pay = hop.NextCall(opDedustPayPool)
		hop = firstOf(hop.NextCall(opDedustSwapPeer), hop.NextCall(opDedustSwapPool))
	}
	var ok bool
	if s.wanted, ok = pools.wanted(s.in.Asset, route, s.failed); !ok || pay == nil || !dedustPayout(m, pay, &s.out) {
		return nil
	}
	return s.result()
}

// firstOf returns the first block that is not nil.
func firstOf(blocks ...*action.Block) *action.Block {
	for _, b := range blocks {
		if b != nil {
			return b
		}
	}
	return nil
}

// dedustOrder takes the payment before the first pool, sets the input and returns the route; nil when the message is not an
// order.
//
//	swap#ea06185d query_id:uint64 amount:Coins _:SwapStep swap_params:^SwapParams
//	swap#e3a0d482 _:SwapStep swap_params:^SwapParams
func dedustOrder(m *action.Match, in *Transfer) []*chain.Address {
	order := m.Start.Prev
	switch {
	case order == nil:
		return nil
	case order.Calls(opDedustSwap):
		l := order.Body()
		l.Uint(64)
		*in = Transfer{Amount: l.Coins(), Source: order.From(), Destination: order.Account()}
		m.Take(order)
		return dedustRoute(l)
	case order.Type == "jetton_transfer":
		d := action.JettonTransferOf(order)
		if d == nil || action.IsEmpty(d.ForwardCell) {
			return nil
		}
		l := contract.Load(d.ForwardCell)
		if l.Uint(32) != opDedustSwapPayload {
			return nil
		}
		*in = received(order)
		m.Take(order)
		return dedustRoute(l)
	}
	return nil
}

// dedustRoute returns the pools of the route that starts at l.
//
//	step#_ pool_addr:MsgAddressInt kind:SwapKind limit:Coins next:(Maybe ^SwapStep) = SwapStep;
func dedustRoute(l *contract.Loader) (pools []*chain.Address) {
	for range maxHops {
		pool := l.Address()
		l.Bool()
		l.Coins()
		next := l.MaybeRef()
		if l.Err() != nil || pool == nil {
			return nil
		}
		pools = append(pools, pool)
		if next == nil {
			return pools
		}
		l = contract.Load(next)
	}
	return nil
}

// dedustPools has the assets of pools, from records or from the logs of a swap.
type dedustPools struct {
	records action.Records
	logged  map[chain.Address]*action.DedustPool
}

func (p *dedustPools) record(pool *chain.Address, made PeerSwap) {
	if p.logged == nil {
		p.logged = map[chain.Address]*action.DedustPool{}
	}
	p.logged[*pool] = &action.DedustPool{Assets: [2]*chain.Address{made.AssetIn, made.AssetOut}}
}

func (p *dedustPools) pool(a chain.Address) *action.DedustPool {
	if ok := p.records.DedustPool(a); ok != nil {
		return ok
	}
	return p.logged[a]
}

// wanted returns the asset at the end of a route. ok is false when the assets of a pool do not include its input, or are missing. After a
// failed swap they may be missing: a pool that rejects a swap writes no log. The asset is unknown then.
func (p *dedustPools) wanted(asset *chain.Address, route []*chain.Address, failed bool) (wanted *chain.Address, ok bool) {
	for _, a := range route {
		pool := p.pool(*a)
		switch {
		case pool == nil:
			return nil, failed
		case equal(pool.Assets[0], asset):
			asset = pool.Assets[1]
		case equal(pool.Assets[1], asset):
			asset = pool.Assets[0]
		default:
			return nil, false
		}
	}
	return asset, len(route) > 0
}

// equal compares assets. Nil is TON.
func equal(a, b *chain.Address) bool { return a == nil && b == nil || action.SameAddress(a, b) }

// parseDedustSwap reads the log of a pool.
//
//	swap#9c610de3 asset_in:Asset asset_out:Asset amount_in:Coins amount_out:Coins more:^Cell
func parseDedustSwap(log *action.Block) PeerSwap {
	l := log.Body()
	return PeerSwap{AssetIn: dedustAsset(l), AssetOut: dedustAsset(l), AmountIn: l.Coins(), AmountOut: l.Coins()}
}

// dedustAsset reads an asset; nil is TON.
//
//	native$0000 = Asset; jetton$0001 workchain_id:int8 address:uint256 = Asset; extra_currency$0010 currency_id:int32 = Asset;
func dedustAsset(l *contract.Loader) *chain.Address {
	switch l.Uint(4) {
	case 1:
		a := chain.Address{Workchain: int32(int8(l.Uint(8))), ID: l.Hash()}
		return &a
	case 2:
		l.Uint(32)
	}
	return nil
}

// dedustPayout takes the payment of a vault for a pool: coins or Jettons. As in published rows, the amount is the one that the pool
// ordered, also when the wallet sends less.
//
//	pay_out_from_pool#ad4eb6f5 query_id:uint64 proof:^Cell amount:Coins recipient_addr:MsgAddress payload:(Maybe ^Cell)
func dedustPayout(m *action.Match, pay *action.Block, out *Transfer) bool {
	if coins := pay.NextCall(opDedustPayout); coins != nil {
		*out = Transfer{Source: coins.From(), Destination: coins.Account()}
		m.Take(pay, coins)
	} else if paid := pay.NextOf(typeJettonTransfer); paid != nil {
		*out = transferred(paid)
		m.Take(pay, paid)
	} else {
		return false
	}
	l := pay.Body()
	l.Uint(64)
	if n := l.Coins(); l.Err() == nil {
		out.Amount = n
	}
	return true
}

// dedustAmounts reads the two assets of a pool with their amounts.
func dedustAmounts(c *cell.Cell) (assets [2]*chain.Address, amounts [2]*big.Int) {
	l := contract.Load(c)
	for i := range assets {
		assets[i], amounts[i] = dedustAsset(l), l.Coins()
	}
	return assets, amounts
}
