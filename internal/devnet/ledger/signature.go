package ledger

import (
	"crypto/ed25519"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// Signatures returns the validators' signatures over a masterchain block: a
// [ton.SignatureSet] or a [ton.SignatureSetSimplex], as the key block before it demands. They are
// made on demand: the keys are the chain's own and Ed25519 is deterministic.
func (c *Chain) Signatures(mcSeqno uint32) (any, error) {
	full := layout.FullShard
	b, err := c.BySeqno(layout.Masterchain, int64(full), mcSeqno)
	if err != nil {
		return nil, err
	}
	c.sessions.mu.Lock()
	defer c.sessions.mu.Unlock()
	s, err := c.sessionOf(b)
	if err != nil {
		return nil, fmt.Errorf("validator session: %w", err)
	}
	if s.consensus == genesis.Simplex {
		return c.finalize(s, b)
	}
	payload, err := tl.Serialize(ton.BlockID{RootHash: b.ID.RootHash, FileHash: b.ID.FileHash}, true)
	if err != nil {
		return nil, fmt.Errorf("signed block id: %w", err)
	}
	return ton.SignatureSet{
		ValidatorSetHash: int32(s.set.listHash),
		CatchainSeqno:    genesis.CatchainSeqno,
		Signatures:       sign(s.set.signers, payload),
	}, nil
}

func sign(signers []signer, payload []byte) []ton.Signature {
	out := make([]ton.Signature, len(signers))
	for i, v := range signers {
		out[i] = ton.Signature{NodeIDShort: v.node, Signature: ed25519.Sign(v.key, payload)}
	}
	return out
}
