package scenario

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

const oneJetton = 1_000_000_000 // nine decimals

// Values that pay for the messages of a Jetton transfer.
const (
	jettonGas  = oneTON / 8
	mintGas    = oneTON / 5
	mintWallet = oneTON / 10
)

func jettons(v *big.Int) tlb.Coins { return tlb.FromNanoTON(v) }

// holding is an actor's Jetton wallet with a balance.
type holding struct {
	owner   *contracts.Wallet
	wallet  *address.Address
	balance *big.Int
}

// holder returns a random actor that can send and owns some of a random Jetton.
func (t *batch) holder() (holding, bool) {
	k := t.contractSet.tokens[t.rand.IntN(len(t.contractSet.tokens))]
	start := t.rand.IntN(actorCount)
	for i := range actorCount {
		w := t.cast.actors[(start+i)%actorCount]
		at := k.wallet(w.Address)
		acc := t.look(at)
		if !acc.active {
			continue
		}
		balance, err := contracts.JettonBalance(acc.data)
		if err != nil {
			t.failed = err
			return holding{}, false
		}
		if l := t.letterOf(w); balance.Sign() > 0 && l != nil && l.room > 0 {
			return holding{owner: w, wallet: at, balance: balance}, true
		}
	}
	return holding{}, false
}

// part returns a random share of the balance: at least one unit, at most 1/divisor of it.
func (t *batch) part(balance *big.Int, divisor int64) *big.Int {
	share := new(big.Int).Div(balance, big.NewInt(divisor))
	share.Mul(share, big.NewInt(int64(1+t.rand.IntN(1000))))
	share.Div(share, big.NewInt(1000))
	return share.Add(share, big.NewInt(1))
}

func (t *batch) jettonTransfer() bool {
	h, ok := t.holder()
	if !ok {
		return false
	}
	order := contracts.JettonTransfer{
		QueryID:     t.nextQuery(),
		Amount:      jettons(t.part(h.balance, 10)),
		Destination: t.other(h.owner),
		Response:    h.owner.Address,
	}
	if t.chance(10) {
		order.Destination = t.nobody() // the transfer still deploys the Jetton wallet
	}
	if !t.chance(4) {
		order.ForwardValue = t.between(1, oneTON/50)
		order.ForwardPayload = t.forwardPayload()
	}
	return t.call(h.owner, contracts.Call(h.wallet, jettonGas, order.Body()))
}

// forwardPayload returns a comment, sometimes binary data, sometimes nothing.
func (t *batch) forwardPayload() *cell.Cell {
	switch t.rand.IntN(6) {
	case 0:
		return nil
	case 1:
		return cell.BeginCell().MustStoreUInt(0xfeedc0de, 32).MustStoreUInt(t.rand.Uint64(), 64).EndCell()
	default:
		return contracts.Comment(t.comment())
	}
}

// jettonOverdraft transfers more than the balance; the Jetton wallet refuses and the message bounces.
func (t *batch) jettonOverdraft() bool {
	h, ok := t.holder()
	if !ok {
		return false
	}
	order := contracts.JettonTransfer{
		QueryID:     t.nextQuery(),
		Amount:      jettons(new(big.Int).Add(h.balance, big.NewInt(oneJetton))),
		Destination: t.other(h.owner),
		Response:    h.owner.Address,
	}
	return t.call(h.owner, contracts.Call(h.wallet, jettonGas, order.Body()))
}

func (t *batch) jettonBurn() bool {
	h, ok := t.holder()
	if !ok {
		return false
	}
	body := contracts.JettonBurn(t.nextQuery(), jettons(t.part(h.balance, 20)), h.owner.Address)
	return t.call(h.owner, contracts.Call(h.wallet, jettonGas, body))
}

func (t *batch) jettonMint() bool {
	k := t.contractSet.tokens[t.rand.IntN(len(t.contractSet.tokens))]
	amount := big.NewInt(int64(1+t.rand.IntN(10_000)) * oneJetton)
	return t.mintTo(k, t.other(nil), amount)
}

func (t *batch) mintTo(k token, to *address.Address, amount *big.Int) bool {
	if !t.look(k.master.Address).active {
		return false
	}
	mint := contracts.JettonMint{
		QueryID: t.nextQuery(), Recipient: to, Amount: jettons(amount), Value: mintWallet,
		Response: t.cast.operator.Address, ForwardValue: oneTON / 100, ForwardPayload: contracts.Comment("minted"),
	}
	return t.call(t.cast.operator, contracts.Call(k.master.Address, mintGas, mint.Body()))
}

// jettonDiscovery requests the address of an actor's Jetton wallet from the master.
func (t *batch) jettonDiscovery() bool {
	k := t.contractSet.tokens[t.rand.IntN(len(t.contractSet.tokens))]
	w := t.actor()
	if w == nil || !t.look(k.master.Address).active {
		return false
	}
	body := contracts.ProvideWalletAddress(t.nextQuery(), t.other(w), t.chance(2))
	return t.call(w, contracts.Call(k.master.Address, jettonGas, body))
}
