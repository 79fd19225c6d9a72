package scenario

import (
	"fmt"
	"strings"

	"tonql/internal/devnet/contracts"
)

var phrases = []string{
	"for the ferry", "thanks for lunch", "rent", "invoice 2041", "happy birthday", "lost bet", "two coffees",
	"за кофе", "晚餐", "☕️ and cake", "repayment, second part", "donation", "tip", "concert tickets",
}

// comment returns a random comment: mostly short, sometimes none, sometimes longer than one cell.
func (t *batch) comment() string {
	phrase := phrases[t.rand.IntN(len(phrases))]
	switch {
	case t.chance(8):
		return ""
	case t.chance(16):
		return strings.TrimSpace(strings.Repeat(phrase+", ", 12)) + fmt.Sprintf(" no. %d", t.last)
	default:
		return phrase
	}
}

// transfer pays TON from one actor to another.
func (t *batch) transfer() bool {
	w := t.actor()
	if w == nil {
		return false
	}
	return t.call(w, contracts.Transfer(t.other(w), t.between(oneTON/20, 5*oneTON), t.comment()))
}

// batch pays several actors at once.
func (t *batch) batch() bool {
	w := t.actor()
	if w == nil {
		return false
	}
	n := min(2+t.rand.IntN(11), t.letterOf(w).room)
	var orders []contracts.Order
	for range n {
		orders = append(orders, contracts.Order{Message: contracts.Transfer(t.other(w), t.between(oneTON/100, oneTON), t.comment())})
	}
	return t.post(w, orders...)
}

// payroll sends a highload wallet's batch: the orders run in a second transaction of the wallet with itself.
func (t *batch) payroll() bool {
	if l := t.letterOf(t.cast.highload); l == nil || len(l.orders) > 0 {
		return false
	}
	n := 10 + t.rand.IntN(31)
	var orders []contracts.Order
	for range n {
		orders = append(orders, contracts.Order{Message: contracts.Transfer(t.other(nil), t.between(oneTON/100, oneTON/10), "wages")})
	}
	return t.post(t.cast.highload, orders...)
}

// masterchain sends coins between the workchains, in either direction.
func (t *batch) masterchain() bool {
	if t.chance(2) {
		w := t.sender(t.cast.masters)
		return w != nil && t.call(w, contracts.Transfer(t.other(nil), t.between(oneTON/10, oneTON), t.comment()))
	}
	w := t.actor()
	if w == nil {
		return false
	}
	to := t.cast.masters[t.rand.IntN(len(t.cast.masters))].Address
	return t.call(w, contracts.Transfer(to, t.between(oneTON/10, 2*oneTON), t.comment()))
}

// bounce sends a bounceable message to an address without an account: the value comes back, less the fees, in each of the
// forms in turn.
func (t *batch) bounce() bool {
	w := t.actor()
	if w == nil {
		return false
	}
	msg := contracts.Call(t.nobody(), t.between(oneTON/10, oneTON), contracts.Comment(t.comment()))
	return t.call(w, withExtraFlags(msg, []uint64{0, 1, 3}[t.last%3]))
}
