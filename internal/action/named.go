package action

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Named lists accounts that orders to exchanges name, and those that a wallet was asked to send to, be they in the trace or
// not: classification asks for their records, too. An account may be listed more than once.
func Named(t *Trace) []chain.Address {
	named := wished(t)
	for _, tx := range t.Transactions {
		if tx.In == nil || tx.In.Opcode == nil {
			continue
		}
		for _, a := range namedBy(&Block{Msg: tx.In}, *tx.In.Opcode) {
			if a != nil {
				named = append(named, *a)
			}
		}
	}
	return named
}

// Auctioned lists the items of the auctions in the trace: bids name neither item nor collection, so that their records are
// asked for, too.
func Auctioned(t *Trace, records Records) []chain.Address {
	var items []chain.Address
	for _, tx := range t.Transactions {
		if a := records.NFTAuction(tx.Account); a != nil && a.Item != nil {
			items = append(items, *a.Item)
		}
	}
	return items
}

func namedBy(b *Block, op uint32) []*chain.Address {
	switch op {
	case jetton.OpTransfer:
		if t, err := jetton.ParseTransfer(b.Msg.Body); err == nil {
			return namedIn(t.ForwardPayload)
		}
	case opNotice:
		return namedIn(noticePayload(b))
	case opStonfiV2Pay:
		return []*chain.Address{parseStonfiV2Pay(b).wallet}
	case opToncoPay:
		p := parseToncoPay(b)
		return p.wallets[:]
	case opDedustSwap:
		l := b.body()
		l.Uint(64)
		l.Coins()
		return dedustRoute(l)
	}
	return nil
}

// namedIn reads an order that a payment came with.
func namedIn(order *cell.Cell) []*chain.Address {
	if empty(order) {
		return nil
	}
	l := contract.Load(order)
	switch l.Uint(32) {
	case opStonfiSwap, opToncoFund:
		return []*chain.Address{l.Address()}
	case opStonfiV2Swap:
		return stonfiV2Route(order)
	case opToncoSwap:
		var wallets []*chain.Address
		for _, step := range toncoRoute(order) {
			wallets = append(wallets, step.wallet)
		}
		return wallets
	case opDedustSwapPayload:
		return dedustRoute(l)
	}
	return nil
}
