package dex

import (
	"cmp"
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Opcodes of TONCO's liquidity. A pool has a contract for each user, which waits for the assets of a position; the position
// is an NFT item.
const (
	opToncoFund    = 0x4468de77
	opToncoAdd     = 0x3ebe5431
	opToncoMint    = 0x81702ef8
	opToncoInit    = 0xd5ecca2a
	opToncoBurn    = 0x530b5f2c
	opToncoBurnNFT = 0x46ca335a
	opToncoBurnt   = 0xd73ac09d

	tickBits = 24
)

func init() {
	action.Register(action.Spec{
		Kind: kindDeposit, Type: "tonco_deposit_liquidity", Phase: 62,
		Match: action.Call(opToncoAdd).After(action.Call(opToncoFund).As("pool")).Then(
			action.Call(opToncoMint).Then(action.Is("nft_mint").As("item"), action.Call(opToncoPay).As("refund").Maybe()).Maybe()),
		Build: buildToncoDeposit,
	})
	action.Register(action.Spec{
		Kind: kindWithdraw, Type: "tonco_withdraw_liquidity", Phase: 64,
		Match: action.Call(opToncoBurn).Then(action.Call(opToncoBurnNFT).As("item").Then(
			action.Call(opToncoBurnt).Then(action.Call(opToncoPay).As("pay")))),
		Build: buildToncoWithdraw,
	})
}

// buildToncoDeposit reads the message to the user's contract: query id, the paid amounts of both assets, the amounts that
// the position needs, its liquidity (128 bits) and its ticks.
func buildToncoDeposit(c *action.Context, m *action.Match) *action.Result {
	pool := m.Get("pool")
	in, parts := payIn(pool)
	if parts == nil {
		return nil
	}
	m.Take(parts...)
	in.Source = toncoPayer(pool.Prev, in.Source)
	d := &DepositLiquidityData{Dex: dexTonco, VaultExcesses: []AssetAmount{}, Amount1: in.Amount, Asset1: in.Asset}
	l := m.Start.Body()
	l.Uint(64)
	paid1 := l.Coins()
	l.Coins()
	d.TargetAmount1, d.TargetAmount2 = l.Coins(), l.Coins()
	l.BigUint(128)
	d.TickLower, d.TickUpper = signed(l, tickBits), signed(l, tickBits)
	if l.Err() != nil {
		return nil
	}
	other := realAsset(c, toncoOther(pool))
	if paid1.Sign() > 0 {
		d.TargetAsset1, d.TargetAsset2, d.UserWallet1 = in.Asset, other, in.SourceWallet
	} else {
		d.TargetAsset1, d.TargetAsset2, d.UserWallet2 = other, in.Asset, in.SourceWallet
	}
	if item := m.Get("item"); item != nil {
		var ok bool
		if d.LPMinted, ok = toncoMinted(item); !ok {
			return nil
		}
		d.NFTAddress, d.NFTIndex = item.Account(), mintedIndex(item)
	}
	refund, refused := m.Get("refund"), toncoRefused(m.Start)
	if refused != nil {
		m.Take(refused)
		if refund = refused.NextCall(opToncoPay); refund != nil {
			m.Take(refund)
		}
	}
	for _, out := range toncoPaid(m, refund) {
		d.VaultExcesses = append(d.VaultExcesses, AssetAmount{Asset: out.Asset, Amount: out.Amount})
	}
	return &action.Result{Failed: m.Start.Aborted() || refused != nil, Columns: action.Columns{
		Source: action.AddressText(in.Source), SourceSecondary: action.AddressText(in.SourceWallet), Destination: action.AddressText(pool.Account()),
		DestinationSecondary: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
	}}
}

// toncoRefused returns the request for a position that the pool rejected: it failed, or orders to return the assets and makes no item. Nil
// for others, such as one whose item has no record.
func toncoRefused(account *action.Block) *action.Block {
	mint := account.NextCall(opToncoMint)
	if mint == nil || !mint.Aborted() && (mint.NextCall(opToncoPay) == nil || mint.NextCall(opToncoInit) != nil || mint.NextOf("nft_mint") != nil) {
		return nil
	}
	return mint
}

// toncoOther returns the router's wallet of the other asset, which is in the payload of the payment behind the opcode.
func toncoOther(pool *action.Block) *chain.Address {
	l := contract.Load(toncoOrder(pool.Prev))
	l.Opcode(opToncoFund)
	return l.Address()
}

// toncoPayer returns the account that the router was notified of as the sender of a payment. For coins, that is the account in the
// request to the proxy's wallet, which can be another one than the sender of the request.
func toncoPayer(paid *action.Block, source *chain.Address) *chain.Address {
	if !paid.Calls(opNotification) {
		return source
	}
	l := paid.Body()
	l.Uint(64)
	l.Coins()
	return cmp.Or(l.Address(), source)
}

// toncoMinted returns the liquidity of a position from the message to its new item.
//
//	position_init#d5ecca2a query_id:uint64 user_address:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24 …
func toncoMinted(item *action.Block) (liquidity *big.Int, ok bool) {
	l := item.Body()
	l.Uint(64)
	l.Address()
	liquidity = l.BigUint(128)
	return liquidity, l.Err() == nil
}

// mintedIndex returns the index of a minted NFT item; nil for other blocks.
func mintedIndex(item *action.Block) *big.Int {
	if len(item.Columns.Payloads) == 0 {
		return nil
	}
	if d, ok := item.Columns.Payloads[0].(*action.NFTMintData); ok {
		return d.Index
	}
	return nil
}

// toncoPaid takes the payments, at most two, that a pool ordered from the router.
func toncoPaid(m *action.Match, pay *action.Block) (paid []Transfer) {
	if pay == nil {
		return nil
	}
	for _, b := range pay.Next {
		if len(paid) < 2 && b.Type == "jetton_transfer" {
			out, parts := payOut(b)
			m.Take(parts...)
			paid = append(paid, out)
		}
	}
	return paid
}

// buildToncoWithdraw reads the request: query id, index of the item, liquidity (128 bits), ticks. The message of the pool to
// the router has both sides in the order of the pool; a side without a payment has the amount zero.
func buildToncoWithdraw(c *action.Context, m *action.Match) *action.Result {
	d := &WithdrawLiquidityData{Dex: dexTonco, BurnedNFTAddress: m.Get("item").Account()}
	l := m.Start.Body()
	l.Uint(64)
	d.BurnedNFTIndex, d.LPBurnt = l.BigUint(64), l.BigUint(128)
	d.TickLower, d.TickUpper = signed(l, tickBits), signed(l, tickBits)
	pay := m.Get("pay")
	p := parseToncoPay(pay)
	if l.Err() != nil {
		return nil
	}
	paid := [2]Transfer{toncoUnpaid(c, pay, &p, 0), toncoUnpaid(c, pay, &p, 1)}
	var sent [2]bool
	for _, b := range pay.Next {
		if b.Type != "jetton_transfer" {
			continue
		}
		for i, wallet := range p.wallets {
			if !sent[i] && action.SameAddress(wallet, b.Account()) {
				out, parts := payOut(b)
				m.Take(parts...)
				paid[i], sent[i] = out, true
				break
			}
		}
	}
	d.first(paid[0])
	d.second(paid[1])
	return &action.Result{
		Failed: p.code != toncoPlain && p.code != toncoBurnt,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}

// toncoUnpaid returns a side of a withdrawal that the router did not pay, with the router's wallet and the receiver in the
// message of the pool. The wallet of a proxy represents TON, which has no wallet.
func toncoUnpaid(c *action.Context, pay *action.Block, p *toncoPay, side int) Transfer {
	t := Transfer{Amount: p.amounts[side], Source: pay.From(), DestinationWallet: p.receivers[side]}
	wallet := p.wallets[side]
	if wallet == nil {
		return t
	}
	if w := c.Records.JettonWallet(*wallet); w != nil && action.IsProxy(&w.Jetton) {
		return t
	}
	t.SourceWallet, t.Asset = wallet, realAsset(c, wallet)
	return t
}
