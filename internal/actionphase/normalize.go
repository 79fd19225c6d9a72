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
	update := cell.BeginCell().MustStoreUInt(0x72, 8).MustStoreSlice(t.oldHash, 256).MustStoreSlice(account.Hash(), 256).EndCell()
	old := in.Transaction
	b := cell.BeginCell().MustStoreSlice(old.MustBeginParse().MustPreloadSlice(old.BitsSize()), old.BitsSize())
	for i := range int(old.RefsNum()) {
		ref := old.MustPeekRef(i)
		if i == int(old.RefsNum())-2 { // before the description
			ref = update
		}
		b.MustStoreRef(ref)
	}
	return &Result{Transaction: b.EndCell(), Account: account}, nil
}
