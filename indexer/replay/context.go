package replay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tvm"

	"tonql/indexer/decode"
	"tonql/internal/chain"
)

// blockContext is what the transactions of one block are executed in.
type blockContext struct {
	header *decode.Header
	at     chain.BlockIDExt // the masterchain block whose state the block builds on
	config *tvm.PreparedBlockchainConfig
	exec   *tvm.BlockContext // nil when the block cannot be executed
	why    string            // then: why not

	second sync.Once // guards what follows: see secondTry
	fresh  *tvm.BlockContext
	failed error
}

// newContext finds the configuration a block is executed with; build completes it. The configuration is the one in force at the masterchain block it refers to,
// or, for a masterchain block, at the one before; the header names the key block that put it in force.
func (r *Replayer) newContext(ctx context.Context, h *decode.Header) (*blockContext, error) {
	bc := &blockContext{header: h, at: h.Parents[0]}
	if h.MasterRef != nil {
		bc.at = *h.MasterRef
	}
	var err error
	bc.config, err = r.net.config(ctx, h.Block.PrevKeyBlockSeqno, bc.at)
	if errors.Is(err, errNoConfig) || chain.KindOf(err) == chain.NotFound {
		bc.why = "no configuration to execute with"
		return bc, nil
	}
	return bc, err
}

// build makes the execution context from config and what is known of libraries now.
func (bc *blockContext) build(ctx context.Context, n *Network) error {
	if bc.config == nil {
		return nil
	}
	h := bc.header
	prev, err := n.prevBlocks(ctx, bc.at, h.Block.PrevKeyBlockSeqno, bc.config.GlobalVersion())
	if err != nil {
		return err
	}
	bc.exec, err = bc.config.NewBlockContext(tvm.BlockOptions{
		Now:        h.Block.GenUtime,
		BlockLT:    int64(h.Block.StartLT),
		RandSeed:   h.Block.RandSeed.Bytes(),
		PrevBlocks: prev,
		Libraries:  n.libraryDict(),
	})
	if err != nil {
		return fmt.Errorf("execution context of block %s: %w", h.Block.BlockID, err)
	}
	return nil
}

// parentOf is the block before h that holds an account's state: after a merge the half the account lived in.
func parentOf(h *decode.Header, a chain.Address) chain.BlockIDExt {
	for _, p := range h.Parents {
		if p.Shard.Contains(a.ID) {
			return p
		}
	}
	return h.Parents[0]
}
