package node

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// BlockSignatures returns the signatures in the link from the previous block, over the last key block, to masterchain
// block seqno. They are checked against the validators that the key block lists.
func (c *Client) BlockSignatures(ctx context.Context, seqno uint32) (*chain.BlockSignatures, error) {
	if seqno == 0 {
		return nil, chain.Invalidf("block 0 is the zerostate, which has no signatures")
	}
	id, err := c.MasterBlockID(ctx, seqno)
	if err != nil {
		return nil, err
	}
	before, err := c.MasterBlockID(ctx, seqno-1)
	if err != nil {
		return nil, err
	}
	w := want{what: fmt.Sprintf("signatures of masterchain block %d", seqno), seqno: seqno, state: true}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (*chain.BlockSignatures, error) {
		steps, err := blockLinks(ctx, s, before, id)
		if err != nil {
			return nil, err
		}
		link, ok := steps[len(steps)-1].(ton.BlockLinkForward)
		if !ok {
			return nil, lie(nil, "returned a proof of block %d that has no signatures", seqno)
		}
		return readSignatures(id, link.SignatureSet)
	})
}

func readSignatures(id chain.BlockIDExt, set any) (*chain.BlockSignatures, error) {
	b := &chain.BlockSignatures{ID: id}
	var list []ton.Signature
	switch set := set.(type) {
	case ton.SignatureSet:
		list = set.Signatures
	case ton.SignatureSetOrdinary:
		list = set.Signatures
	case ton.SignatureSetSimplex:
		list = set.Signatures
		session := chain.HashFrom(set.SessionID)
		b.SessionID, b.Slot, b.Candidate = &session, uint32(set.Slot), set.Candidate
	default:
		return nil, lie(nil, "returned signatures of type %T", set)
	}
	for _, s := range list {
		b.Signatures = append(b.Signatures, chain.BlockSignature{NodeIDShort: chain.HashFrom(s.NodeIDShort), Signature: s.Signature})
	}
	return b, nil
}
