package actionphase

import (
	"bytes"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// normalize makes the account again in the form that the network stores it in. It returns nil if it has that form.
func (t *transaction) normalize(config *Config, in Input, before, after *account) (*Result, error) {
	if after.status == statusNonexist {
		return nil, nil
	}
	if t.changed && before.status == statusActive && after.status != statusActive { // frozen
		state := cell.BeginCell()
		before.state.store(state, config.version)
		hash := state.EndCell().Hash()
		after.status, after.frozen = statusFrozen, hash
		if bytes.Equal(hash, after.id) {
			after.status = statusUninit
		}
	}
	storage, err := after.buildStorage(config.version)
	if err != nil || storage.HashKey() == after.storage.HashKey() {
		return nil, err
	}
	after.bits += uint64(storage.BitsSize()) - uint64(after.storage.BitsSize())
	after.storage = storage
	account := after.cell()
	description := in.Transaction.MustPeekRef(int(in.Transaction.RefsNum()) - 1)
	return &Result{Transaction: t.replaced(in.Transaction, account, description), Account: account}, nil
}
