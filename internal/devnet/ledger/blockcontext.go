package ledger

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
)

// blockContext is what the transactions of a block are executed with.
type blockContext struct {
	config  *tvm.PreparedBlockchainConfig
	options tvm.BlockOptions
	plain   *tvm.BlockContext // of accounts without extra currencies
}

func newBlockContext(config *tvm.PreparedBlockchainConfig, options tvm.BlockOptions) (*blockContext, error) {
	plain, err := config.NewBlockContext(options)
	if err != nil {
		return nil, fmt.Errorf("block context: %w", err)
	}
	return &blockContext{config: config, options: options, plain: plain}, nil
}

// of returns the context of one transaction, by which code reads the extra currencies of its account. message is nil for tick and tock.
func (b *blockContext) of(acc *tvm.PreparedAccount, message *cell.Cell) (*tvm.BlockContext, error) {
	extra := actionphase.Credited(acc, message)
	if extra == nil {
		return b.plain, nil
	}
	run := boundedvm.Start(context.Background(), boundedvm.Limits{}) // ends with the code's gas
	run.ShowExtra(extra)
	options := b.options
	options.Libraries = run.Libraries(options.Libraries)
	c, err := b.config.NewBlockContext(options)
	if err != nil {
		return nil, fmt.Errorf("block context: %w", err)
	}
	return c, nil
}
