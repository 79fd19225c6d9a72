package replay

import (
	"context"
	"errors"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/chain"
)

// ConfigAfter is the configuration in force once a masterchain block is there; nil when the network no longer holds one
// that the TVM understands.
func (n *Network) ConfigAfter(ctx context.Context, b *chain.Block) (*tvm.PreparedBlockchainConfig, error) {
	epoch := keyBlockAfter(b)
	cfg, err := n.config(ctx, epoch, b.BlockIDExt)
	if errors.Is(err, errNoConfig) || err != nil && chain.KindOf(err) == chain.NotFound {
		return nil, nil
	}
	return cfg, err
}

func keyBlockAfter(b *chain.Block) uint32 {
	if b.KeyBlock {
		return b.Seqno
	}
	return b.PrevKeyBlockSeqno
}

// BlocksUpTo is c7's tuple of previous blocks for a run as of a masterchain block, which it begins with. The empty tuple
// stands for ids that nobody holds any more.
func (n *Network) BlocksUpTo(ctx context.Context, b *chain.Block, config *tvm.PreparedBlockchainConfig) (tuple.Tuple, error) {
	return n.prevBlocks(ctx, b.BlockIDExt, keyBlockAfter(b), config.GlobalVersion())
}
