package replay

import (
	"context"
	"errors"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/chain"
)

// ConfigAfter returns the configuration in force after a masterchain block. It is nil when the network no longer has it or
// the TVM does not support it.
func (n *Network) ConfigAfter(ctx context.Context, b *chain.Block) (*tvm.PreparedBlockchainConfig, error) {
	epoch := keyBlockAfter(b)
	cfg, err := n.config(ctx, epoch, b.BlockIDExt)
	if errors.Is(err, errNoConfig) || err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return cfg.PreparedBlockchainConfig, nil
}

func keyBlockAfter(b *chain.Block) uint32 {
	if b.KeyBlock {
		return b.Seqno
	}
	return b.PrevKeyBlockSeqno
}

// BlocksUpTo returns the tuple of previous blocks in c7 for an execution at a masterchain block, beginning with that block.
// The tuple is empty when no server has the ids any more.
func (n *Network) BlocksUpTo(ctx context.Context, b *chain.Block, config *tvm.PreparedBlockchainConfig) (tuple.Tuple, error) {
	t, _, err := n.prevBlocks(ctx, b.BlockIDExt, keyBlockAfter(b), config.GlobalVersion())
	return t, err
}
