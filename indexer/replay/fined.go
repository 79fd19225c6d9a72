package replay

import (
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// In versions 4 to 7 an ignored message leaves one more mark: the account pays for its cells. To leave the message out
// leaves out the payment. Version 8 takes it, and differs in little else, so such a transaction is executed under version 8,
// with the random seed of its own, and without the count of skipped messages. Its hash shows whether that was right.

// countingConfig is the configuration of a block with the first global version that counts ignored messages.
type countingConfig struct {
	once   sync.Once
	config *tvm.PreparedBlockchainConfig
	err    error
}

func (c *countingConfig) of(config *tvm.PreparedBlockchainConfig) (*tvm.PreparedBlockchainConfig, error) {
	c.once.Do(func() { c.config, c.err = withVersion(config, countsIgnored) })
	return c.config, c.err
}

// withVersion returns a configuration with another global version (parameter 8).
func withVersion(config *tvm.PreparedBlockchainConfig, version uint32) (*tvm.PreparedBlockchainConfig, error) {
	param, err := tlb.ToCell(&tlb.GlobalVersion{Version: version, Capabilities: config.Capabilities()})
	if err != nil {
		return nil, fmt.Errorf("parameter 8: %w", err)
	}
	dict := config.Root().AsDict(32)
	key := cell.BeginCell().MustStoreUInt(uint64(tlb.ConfigParamGlobalVersion), 32).EndCell()
	if _, err := dict.SetBuilderWithMode(key, cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet); err != nil {
		return nil, fmt.Errorf("parameter 8: %w", err)
	}
	return tvm.PrepareBlockchainConfig(dict.AsCell())
}

// fined returns the result of an execution under version 8 as of an earlier version: ignored messages are not counted.
func fined(res *tvm.TransactionExecutionResult) (executed, error) {
	var parsed tlb.Transaction
	if err := tlb.Parse(&parsed, res.TransactionCell); err != nil {
		return executed{}, fmt.Errorf("transaction: %w", err)
	}
	phase := actionPhase(&parsed)
	if phase == nil {
		return executed{}, fmt.Errorf("transaction without action phase")
	}
	phase.SkippedActions = 0
	description, err := tlb.ToCell(parsed.Description)
	if err != nil {
		return executed{}, fmt.Errorf("description: %w", err)
	}
	tx, err := withRef(res.TransactionCell, int(res.TransactionCell.RefsNum())-1, description)
	return executed{TransactionExecutionResult: res, tx: tx, dropped: true}, err
}
