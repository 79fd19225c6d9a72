package scenario

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// pluginOrder lets a v4 wallet order its plug-ins, which takes an external message of its own: not in a turn in which
// the wallet sends already, and nothing else after it.
func (t *batch) pluginOrder(n subscriber, order func(*contracts.Wallet, contracts.Ticket) error) bool {
	w := t.cast.actors[n]
	if _, busy := t.outbox[w]; busy || !t.look(w.Address).active {
		return false
	}
	l := t.letterOf(w)
	if l == nil {
		return false
	}
	l.room = 0
	if err := order(w, l.ticket); err != nil {
		t.failed = err
		return false
	}
	return true
}

// sealOrder keeps a signed message that is ready to go.
func (t *batch) sealOrder(ext *cell.Cell, err error) error {
	if err == nil {
		t.sealed = append(t.sealed, ext)
	}
	return err
}
