package scenario

import (
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

const (
	usernameMinBid = 2 * oneTON
	usernameGas    = oneTON / 10
)

// username is a name of .t.me. The first bid mints it; its owner sets records or auctions it.
type username string

func (n username) next(t *batch) string {
	if !t.look(t.contractSet.usernames.Address).active {
		return ""
	}
	at := contracts.TelemintItem(t.contractSet.usernames.Address, string(n)).Address
	acc := t.look(at)
	if !acc.active {
		return n.mint(t)
	}
	s, err := contracts.ReadTelemintName(acc.data)
	if err != nil {
		t.failed = err
	}
	if err != nil || s == nil {
		return ""
	}
	switch {
	case s.Auction && t.block.GenUtime >= s.EndTime:
		anybody := t.actor()
		return did("settled", anybody != nil && t.call(anybody, contracts.Transfer(at, usernameGas, "")))
	case s.Auction:
		return n.compete(t, at, s)
	default:
		return n.use(t, at, s)
	}
}

func (n username) mint(t *batch) string {
	bidder := t.another()
	if bidder == nil {
		return ""
	}
	content := contracts.OffchainContent("https://devnet.example/usernames/" + string(n) + ".json")
	body := contracts.TelemintDeploy(t.cast.operator.Key(), t.block.GenUtime, string(n), content, n.terms(t, t.cast.operator.Address))
	return did("minted", t.call(bidder, contracts.Call(t.contractSet.usernames.Address, usernameMinBid+usernameGas, body)))
}

func (n username) terms(t *batch, beneficiary *address.Address) contracts.TelemintTerms {
	return contracts.TelemintTerms{
		Beneficiary: beneficiary, MinBid: usernameMinBid, MaxBid: 500 * oneTON, MinStep: 5, MinExtendTime: 2, Duration: 3 * t.pace(),
	}
}

// compete makes a second bid in every auction. The owner of skipper cancels the auction before the first bid.
func (n username) compete(t *batch, at *address.Address, s *contracts.TelemintName) string {
	owner := t.actorAt(s.Owner)
	if n == "skipper" && owner != nil && s.Bidder == nil {
		return did("auction cancelled", t.call(owner, contracts.Call(at, usernameGas, contracts.TeleitemCancelAuction(t.nextQuery()))))
	}
	if s.MinBid > usernameMinBid*5/4 {
		return "" // the first bidder was outbid already
	}
	bidder := t.another(s.Owner, s.Bidder)
	step := "bid"
	if s.Bidder != nil {
		step = "outbid"
	}
	return did(step, bidder != nil && t.call(bidder, contracts.Transfer(at, s.MinBid*5/4, "")))
}

// use makes the owner set a record, transfer the name, or auction it.
func (n username) use(t *batch, at *address.Address, s *contracts.TelemintName) string {
	owner := t.actorAt(s.Owner)
	if owner == nil {
		return ""
	}
	switch t.round() % 3 {
	case 0:
		body := contracts.DNSChangeRecord(t.nextQuery(), "wallet", contracts.WalletRecord(owner.Address))
		return did("record set", t.call(owner, contracts.Call(at, usernameGas, body)))
	case 1:
		body := contracts.TeleitemStartAuction(t.nextQuery(), n.terms(t, owner.Address))
		return did("auction started", t.call(owner, contracts.Call(at, usernameGas, body)))
	default:
		order := contracts.NFTTransfer{QueryID: t.nextQuery(), NewOwner: t.other(owner), Response: owner.Address, ForwardValue: 1}
		return did("given away", t.call(owner, contracts.Call(at, 2*usernameGas, order.Body())))
	}
}
