package replay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/indexer/decode"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// blockContext is the execution context of the transactions of one block.
type blockContext struct {
	header *decode.Header
	at     chain.BlockIDExt // the masterchain block whose state the block builds on
	config *blockConfig
	libs   *LibraryView // at the block at
	prev   tuple.Tuple
	noPrev bool   // no server has the ids of the previous blocks any more
	why    string // why the block cannot be executed; empty: it can

	second sync.Once // initializes the next two fields, see secondTry
	fresh  *blockContext
	failed error
}

// newContext returns the context of a block with its configuration; build completes it. The configuration is the one in
// force at the masterchain block that the block refers to, or, for a masterchain block, at the previous one. The header
// names the key block that put it in force. The public libraries are those of the same masterchain block.
func (r *Replayer) newContext(ctx context.Context, h *decode.Header) (*blockContext, error) {
	bc := &blockContext{header: h, at: h.Parents[0]}
	if h.MasterRef != nil {
		bc.at = *h.MasterRef
	}
	bc.libs = r.net.LibrariesAt(bc.at)
	var err error
	bc.config, err = r.net.config(ctx, h.Block.PrevKeyBlockSeqno, bc.at)
	if errors.Is(err, errNoConfig) || chain.KindOf(err) == chain.NotFound {
		bc.why = "no configuration to execute with"
		return bc, nil
	}
	return bc, err
}

// build adds the previous blocks in the form that the global version of the configuration requires.
func (bc *blockContext) build(ctx context.Context, n *Network) (err error) {
	if bc.config != nil {
		var complete bool
		bc.prev, complete, err = n.prevBlocks(ctx, bc.at, bc.header.Block.PrevKeyBlockSeqno, bc.config.GlobalVersion())
		bc.noPrev = !complete
	}
	return err
}

// within returns the execution context of one transaction with a configuration. It gives our opcodes access to run.
func (bc *blockContext) within(run *boundedvm.Run, config *tvm.PreparedBlockchainConfig) (*tvm.BlockContext, error) {
	h := bc.header
	exec, err := config.NewBlockContext(tvm.BlockOptions{
		Now:        h.Block.GenUtime,
		BlockLT:    int64(h.Block.StartLT),
		RandSeed:   h.Block.RandSeed.Bytes(),
		PrevBlocks: bc.prev,
		Libraries:  run.Libraries(bc.libs.collection()),
	})
	if err != nil {
		return nil, fmt.Errorf("execution context of block %s: %w", h.Block.BlockID, err)
	}
	return exec, nil
}

// parentOf returns the block before h that has the state of an account: after a merge, the block of its half.
func parentOf(h *decode.Header, a chain.Address) chain.BlockIDExt {
	for _, p := range h.Parents {
		if p.Shard.Contains(a.ID) {
			return p
		}
	}
	return h.Parents[0]
}
