package ledger

import (
	"crypto/ed25519"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// Signatures are the validator's signatures over a masterchain block. They are
// made on demand: the key is the chain's own and Ed25519 is deterministic.
func (c *Chain) Signatures(mcSeqno uint32) (ton.SignatureSet, error) {
	full := layout.FullShard
	b, err := c.BySeqno(layout.Masterchain, int64(full), mcSeqno)
	if err != nil {
		return ton.SignatureSet{}, err
	}
	payload, err := tl.Serialize(ton.BlockID{RootHash: b.ID.RootHash, FileHash: b.ID.FileHash}, true)
	if err != nil {
		return ton.SignatureSet{}, fmt.Errorf("signed block id: %w", err)
	}
	node, err := genesis.NodeIDShort(c.validator())
	if err != nil {
		return ton.SignatureSet{}, fmt.Errorf("validator id: %w", err)
	}
	listHash, err := genesis.ValidatorListHash(c.validator())
	if err != nil {
		return ton.SignatureSet{}, err
	}
	return ton.SignatureSet{
		ValidatorSetHash: int32(listHash),
		CatchainSeqno:    genesis.CatchainSeqno,
		Signatures:       []ton.Signature{{NodeIDShort: node, Signature: ed25519.Sign(c.key, payload)}},
	}, nil
}
