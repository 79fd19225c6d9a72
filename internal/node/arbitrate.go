package node

import (
	"context"
	"errors"

	"tonql/internal/chain"
)

// arbitrate decides by signatures when a block contradicts a block that policy fast accepted, for the given reason: one
// of the two may be an unsigned fork. It keeps the signed one and drops or refuses the other.
func (t *trust) arbitrate(ctx context.Context, s *server, id chain.BlockIDExt, reason error) error {
	if t.anchor.RootHash.IsZero() || id.Seqno <= t.anchor.Seqno || t.checkSigned(ctx, s, id) != nil {
		return reason
	}
	have, proven := t.proven(id.Seqno)
	head, _ := t.newest()
	switch {
	case proven && have == id: // another query has settled it meanwhile
	case proven, id.Seqno >= head.Seqno, !t.headSigned(ctx, s.pool, head):
		t.restart(id)
	default:
		t.remember(id) // the server is merely behind
	}
	return nil
}

// checkSigned checks the chain of signatures from the anchor to a block. It caches nothing.
func (t *trust) checkSigned(ctx context.Context, s *server, id chain.BlockIDExt) error {
	return walkLinks(ctx, s, t.anchor, id, nil)
}

// headSigned reports whether some server can prove the head by signatures.
func (t *trust) headSigned(ctx context.Context, p *Pool, head chain.BlockIDExt) bool {
	t.mu.Lock()
	done := t.signed == head
	t.mu.Unlock()
	if done {
		return true
	}
	w := want{what: "signatures of the head", seqno: head.Seqno}
	for _, s := range p.order(w) {
		err := t.checkSigned(ctx, s, head)
		if err == nil {
			t.mu.Lock()
			t.signed = head
			t.mu.Unlock()
			return true
		}
		var l *lieError
		if errors.As(err, &l) {
			s.blame(w, err)
		}
	}
	return false
}

// restart drops the blocks that were accepted without signatures, because one of them is a fork, and continues from a
// signed block.
func (t *trust) restart(id chain.BlockIDExt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids.Purge()
	t.remember(t.zerostate)
	t.remember(t.anchor)
	t.remember(id)
	t.head, t.key, t.signed = id, t.anchor, id
	t.restarts.Add(1)
}
