package replay

import (
	"sync"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
)

// blockConfig is the configuration of blocks, with what it demands that is not executed.
type blockConfig struct {
	*tvm.PreparedBlockchainConfig

	version uint32 // global version; the executor takes the newest that it knows for a newer one
	limits  boundedvm.MessageLimits
	actions func() (*actionphase.Config, error) // read once
}

// newBlockConfig prepares the dictionary of parameters.
func newBlockConfig(root *cell.Cell) (*blockConfig, error) {
	prepared, err := boundedvm.PrepareConfig(root)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the block
	}
	c := &blockConfig{PreparedBlockchainConfig: prepared, limits: boundedvm.TotalMessageLimits(root)}
	c.actions = sync.OnceValues(func() (*actionphase.Config, error) { return actionphase.NewConfig(prepared.Root()) })
	if v, err := (tlb.BlockchainConfig{Root: root}).GetGlobalVersion(); err == nil {
		c.version = v.Version
	}
	return c, nil
}

// Rules of the newest global versions that are not executed. A transaction that another result may be due to is left proven.
const (
	newerVersion  = "its global version is newer than those that are executed"
	totalMessages = "the limit of all messages of a transaction is not executed"
)

// limitsMessages is the first global version that limits the messages of a transaction together.
const limitsMessages = 15

// lacksNew returns the rule that a result may differ by, which is res or, with nil, no transaction at all; empty: none.
func (c *blockConfig) lacksNew(res *tvm.TransactionExecutionResult) string {
	switch {
	case c.version > vm.MaxSupportedGlobalVersion:
		return newerVersion
	case c.version >= limitsMessages && res != nil && c.exceedsTotal(res):
		return totalMessages
	default:
		return ""
	}
}

// exceedsTotal reports whether the messages that an execution sent may exceed the limits of all messages together. How the cells
// of headers count is left open, so a transaction close to the limits may exceed them.
func (c *blockConfig) exceedsTotal(res *tvm.TransactionExecutionResult) bool {
	const maxMessages, cellBits = 256, 1023
	parsed, err := res.ParseTransaction()
	if err != nil {
		return false
	}
	phase := actionPhase(parsed)
	if phase == nil {
		return false
	}
	cells, bits := phase.TotalMsgSize.Cells, phase.TotalMsgSize.Bits
	return cells.Uint64()+maxMessages > c.limits.Cells || bits.Uint64()+maxMessages*cellBits > c.limits.Bits
}

func actionPhase(tx *tlb.Transaction) *tlb.ActionPhase {
	switch d := tx.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		return d.ActionPhase
	case tlb.TransactionDescriptionTickTock:
		return d.ActionPhase
	}
	return nil
}
