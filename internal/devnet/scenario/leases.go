package scenario

import (
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

// lease is a short name of .ton: it is auctioned, used for a while, and released when its owner does not renew it.
type lease string

func (n lease) next(t *batch) string {
	if !t.look(t.contractSet.domains.Address).active {
		return ""
	}
	at := contracts.DNSItem(t.contractSet.domains.Address, string(n)).Address
	acc := t.look(at)
	if !acc.active {
		bidder := t.another()
		return did("first bid", bidder != nil && t.call(bidder, contracts.Call(t.contractSet.domains.Address, oneTON+nameGas, contracts.DNSRegister(string(n)))))
	}
	s, err := contracts.ReadDNSName(acc.data)
	if err != nil {
		t.failed = err
	}
	if err != nil || s == nil {
		return ""
	}
	if s.Bidder != nil {
		return n.bid(t, at, s)
	}
	return n.use(t, at, s)
}

// bid outbids the first bidder once; the winner settles the auction by setting the first record.
func (n lease) bid(t *batch, at *address.Address, s *contracts.DNSName) string {
	if uint64(t.block.GenUtime) >= s.EndTime {
		winner := t.actorAt(s.Bidder)
		if winner == nil {
			return ""
		}
		body := contracts.DNSChangeRecord(t.nextQuery(), "wallet", contracts.WalletRecord(winner.Address))
		return did("won", t.call(winner, contracts.Call(at, nameGas, body)))
	}
	if s.Bid > 2*oneTON {
		return ""
	}
	bidder := t.another(s.Bidder)
	return did("outbid", bidder != nil && t.call(bidder, contracts.Call(at, 3*oneTON, nil)))
}

// use renews the lease of buoy most of the time. pier is not renewed, and another actor auctions it again.
func (n lease) use(t *batch, at *address.Address, s *contracts.DNSName) string {
	if owner := t.actorAt(s.Owner); owner != nil && n == "buoy" && t.round()%4 != 3 {
		return did("renewed", t.call(owner, contracts.Call(at, nameGas, contracts.DNSRenew(t.nextQuery()))))
	}
	if uint64(t.block.GenUtime) > s.LastFillUp+contracts.DNSLease {
		heir := t.another(s.Owner)
		return did("released", heir != nil && t.call(heir, contracts.Call(at, oneTON+nameGas, contracts.DNSBalanceRelease(t.nextQuery()))))
	}
	return ""
}
