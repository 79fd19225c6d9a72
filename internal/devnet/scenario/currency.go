package scenario

import (
	"math/big"
	"slices"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/layout"
)

const (
	currencyID     = 100     // of the extra currency that the operator has in the zerostate
	currencySupply = 1 << 40 // its amount
	currencyPart   = 1000    // amount of one message of the flow
)

// currency moves an extra currency: the operator issues some to an actor, who sends a part to another one, who sends a part to
// an address without an account, from which it bounces in the new form.
func (t *batch) currency() string {
	holder, friend := t.cast.actors[3], t.cast.actors[5]
	switch t.round() % 3 {
	case 0:
		return did("issued", t.call(t.cast.operator, carrying(contracts.Transfer(holder.Address, oneTON/10, "currency"), 2*currencyPart)))
	case 1:
		if t.look(holder.Address).extra[currencyID] == nil {
			return ""
		}
		return did("sent", t.call(holder, carrying(contracts.Transfer(friend.Address, oneTON/10, ""), currencyPart)))
	default:
		if t.look(friend.Address).extra[currencyID] == nil {
			return ""
		}
		msg := carrying(contracts.Call(unused, oneTON/5, contracts.Comment("nobody")), currencyPart)
		return did("came back", t.call(friend, withExtraFlags(msg, 3)))
	}
}

// unused is an address without an account.
var unused = address.NewAddress(0, 0, slices.Repeat([]byte{0xee}, 32))

func carrying(m *tlb.InternalMessage, n int64) *tlb.InternalMessage {
	m.ExtraCurrencies = layout.Currencies{Extra: map[uint32]*big.Int{currencyID: big.NewInt(n)}}.ExtraCell().AsDict(32)
	return m
}

// withExtraFlags requests the form in which a message bounces: 1 the new form with the root of its body, 3 with all of it. The
// flags are where the IHR fee was.
func withExtraFlags(m *tlb.InternalMessage, flags uint64) *tlb.InternalMessage {
	m.IHRFee = tlb.FromNanoTONU(flags)
	return m
}
