package scenario

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// board is the index of a multisig wallet with three signers, a threshold of two, and a fourth actor as proposer.
type board int

// boardCount is the number of boards; each starts at another point of the same rotation of orders.
const boardCount = 2

const (
	boardGas   = oneTON / 2
	boardFunds = 50 * oneTON
	orderLife  = 3600 // seconds
	shortLife  = 6
)

// The rotation of orders of a board; the last one stays pending forever.
const (
	orderPays = iota
	orderOfMany
	orderExpires
	orderGoesStale // the signers change before it is approved
	orderChangesSigners
	orderWaits
	orderKinds
)

func newMultisigs(c *cast) []contracts.Contract {
	list := make([]contracts.Contract, boardCount)
	for i := range list {
		list[i] = contracts.Multisig(board(i).members(c, false))
	}
	return list
}

// members are the signers and proposers of a board; a larger circle has one signer more.
func (b board) members(c *cast, larger bool) contracts.MultisigMembers {
	first := 4 * int(b)
	m := contracts.MultisigMembers{Threshold: 2, Proposers: []*address.Address{c.actors[first+3].Address}}
	signers := 3
	if larger {
		signers = 5 // the proposer is the fourth and gets no second seat
	}
	for i := range signers {
		if i != 3 {
			m.Signers = append(m.Signers, c.actors[first+i].Address)
		}
	}
	return m
}

func (b board) kind(seqno uint64) uint64 { return (seqno + 3*uint64(b)) % orderKinds }

func (b board) next(t *batch) string {
	wallet := t.contractSet.multisigs[b]
	acc := t.look(wallet.Address)
	if !acc.active {
		return ""
	}
	if acc.balance < boardFunds/2 {
		t.call(t.cast.operator, contracts.Transfer(wallet.Address, boardFunds, "funds of the board"))
	}
	if k := t.contractSet.tokens[0]; !t.look(k.wallet(wallet.Address)).active {
		t.mintTo(k, wallet.Address, big.NewInt(1000*oneJetton))
	}
	seqno, err := contracts.MultisigNextOrder(acc.data)
	if err != nil {
		t.failed = err
		return ""
	}
	if seqno == 0 {
		return b.propose(t, seqno)
	}
	return b.proceed(t, seqno)
}

// proceed completes the newest order and then creates the next one.
func (b board) proceed(t *batch, next uint64) string {
	last := next - 1
	acc := t.look(b.order(t, last))
	if !acc.active {
		return ""
	}
	o, err := contracts.ReadMultisigOrder(acc.data)
	if err != nil {
		t.failed = err
		return ""
	}
	switch b.kind(last) {
	case orderPays, orderChangesSigners:
		if !o.Sent {
			return did("approved", b.approve(t, last, 1))
		}
	case orderOfMany:
		if !o.Sent { // one approves with a text comment
			comment := contracts.Transfer(b.order(t, last), boardGas, "approve")
			return did("approved by comment", t.call(b.signer(t, 0), comment) && b.approve(t, last, 2))
		}
	case orderExpires:
		if uint64(t.block.GenUtime) <= o.Expires {
			return ""
		}
		b.approve(t, last, 1)
	case orderWaits:
		b.approve(t, last, 0) // a second approval, which is refused
		if last >= 2 {
			b.approve(t, last-2, 1) // these are no longer signers of the wallet
		}
	}
	return b.propose(t, next)
}

func (b board) order(t *batch, seqno uint64) *address.Address {
	return contracts.MultisigOrder(t.contractSet.multisigs[b].Address, seqno).Address
}

func (b board) signer(t *batch, index int) *contracts.Wallet { return t.cast.actors[4*int(b)+index] }

func (b board) approve(t *batch, seqno uint64, index uint8) bool {
	body := contracts.MultisigApprove(t.nextQuery(), index)
	return t.call(b.signer(t, int(index)), contracts.Call(b.order(t, seqno), boardGas, body))
}

func (b board) propose(t *batch, seqno uint64) string {
	kind, life := b.kind(seqno), uint64(orderLife)
	if kind == orderExpires {
		life = shortLife
	}
	expires, names := uint64(t.block.GenUtime)+life, [orderKinds]string{
		"payment proposed", "many things proposed", "short-lived order proposed", "order proposed that goes stale",
		"other signers proposed", "order proposed that waits",
	}
	member, signer, index := b.signer(t, 0), true, uint8(0)
	if kind == orderOfMany {
		member, signer = b.signer(t, 3), false
	}
	body := contracts.MultisigNewOrder(t.nextQuery(), seqno, signer, index, expires, b.actions(t, kind, seqno)...)
	return did(names[kind], t.call(member, contracts.Call(t.contractSet.multisigs[b].Address, boardGas, body)))
}

// actions returns the actions of an order.
func (b board) actions(t *batch, kind, seqno uint64) []contracts.MultisigAction {
	pay := contracts.MultisigSend(1, contracts.Transfer(t.other(nil), oneTON, "voted by the board"))
	switch kind {
	case orderChangesSigners:
		larger := seqno/orderKinds%2 == 0
		return []contracts.MultisigAction{contracts.MultisigUpdate(b.members(t.cast, larger))}
	case orderOfMany:
		jetton := contracts.JettonTransfer{
			QueryID: t.nextQuery(), Amount: jettons(big.NewInt(oneJetton)), Destination: t.other(nil),
			Response: t.contractSet.multisigs[b].Address, ForwardValue: 1, ForwardPayload: contracts.Comment("from the board"),
		}
		strange := cell.BeginCell().MustStoreUInt(0x0badf00d, 32).MustStoreUInt(seqno, 64).EndCell()
		return []contracts.MultisigAction{
			pay,
			contracts.MultisigSend(1, contracts.Call(t.contractSet.tokens[0].wallet(t.contractSet.multisigs[b].Address), jettonGas, jetton.Body())),
			contracts.MultisigSend(3, contracts.Transfer(t.other(nil), oneTON/10, "")),
			contracts.MultisigSend(3, contracts.Call(t.contractSet.emitter.Address, oneTON/20, strange)),
		}
	default:
		return []contracts.MultisigAction{pay}
	}
}
