package scenario

import (
	"fmt"

	"tonql/internal/devnet/contracts"
)

// The actions of a visitor, in masterchain blocks after the block of the first payment to the visitor.
const (
	deployAge      = 4  // deploys the wallet and pays a part back
	deployAgainAge = 8  // the same, if the payment arrived too late for the first try
	payAge         = 12 // pays once more
	leaveAge       = 24 // every third visitor closes the account
)

// visit pays a new visitor: at most one for each masterchain block.
func (t *batch) visit() bool {
	w := t.actor()
	if w == nil {
		return false
	}
	visitor, err := visitorWallet(t.cast.seed, t.cast.globalID, t.last)
	if err != nil {
		t.failed = err
		return false
	}
	if t.look(visitor.Address).exists {
		return false
	}
	return t.call(w, contracts.Transfer(visitor.Address, t.between(oneTON/2, 2*oneTON), "welcome"))
}

// visitors sends the messages of earlier visitors. The chain's state shows which blocks had a visitor.
func (t *batch) visitors() {
	for k := t.first; k <= t.last; k++ {
		for _, age := range []uint32{deployAge, deployAgainAge, payAge, leaveAge} {
			if k > age {
				t.visitor(k-age, age)
			}
		}
	}
}

func (t *batch) visitor(born, age uint32) {
	w, err := visitorWallet(t.cast.seed, t.cast.globalID, born)
	if err != nil {
		t.failed = err
		return
	}
	acc := t.look(w.Address)
	if !acc.exists {
		return
	}
	host := t.cast.actors[born%actorCount].Address
	switch {
	case age == leaveAge && acc.active && born%3 == 0:
		t.post(w, contracts.Order{
			Message: contracts.Transfer(host, 0, "good bye"),
			Mode:    contracts.ModeAllBalance | contracts.ModeCloseAccount | contracts.ModeIgnoreErrors,
		})
	case age == payAge && acc.active, age < payAge && !acc.active:
		t.call(w, contracts.Transfer(host, oneTON/10, fmt.Sprintf("visitor %d says hello", born)))
	}
}
