package scenario

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
)

const (
	keyBlockPeriod = 60    // masterchain blocks between two changes of the configuration
	keyBlockOffset = 20    // of these blocks in the period
	storyParam     = -1001 // negative parameters are free for private use
)

// reconfigure changes the scenario's config parameter, which makes the next masterchain block a key block.
//
//	_ mc_seqno:uint32 = ConfigParam -1001;
func (t *batch) reconfigure() {
	if !t.crosses(keyBlockPeriod, keyBlockOffset) {
		return
	}
	acc := t.look(genesis.ConfigAddress)
	if !acc.active {
		return
	}
	value := cell.BeginCell().MustStoreUInt(uint64(t.last), 32).EndCell()
	seqno, err := genesis.ConfigSeqno(acc.data)
	if err == nil {
		var order *cell.Cell
		if order, err = genesis.ConfigChange(t.cast.seed, seqno, t.block.GenUtime+externalLife, storyParam, value); err == nil {
			t.sealed = append(t.sealed, order)
		}
	}
	if err != nil {
		t.failed = fmt.Errorf("config change: %w", err)
	}
}
