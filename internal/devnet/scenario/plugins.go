package scenario

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// pluginOrder sends an order of a v4 wallet about its plug-ins. It needs a separate external message: it fails when the
// wallet already sends in this batch, and the wallet sends nothing after it.
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

// sealOrder adds a signed message to the batch.
func (t *batch) sealOrder(ext *cell.Cell, err error) error {
	if err == nil {
		t.sealed = append(t.sealed, ext)
	}
	return err
}
