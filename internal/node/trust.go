package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tonql/internal/chain"
)

const (
	provenCacheSize = 1 << 16     // proven masterchain ids in memory, about 10 MB
	saveInterval    = time.Second // between writes of the file while a chain of links is checked
)

// trust is what has been proven of the masterchain. With policy secure everything in it follows from the
// anchor, and nothing is ever removed but to save memory. It is safe for concurrent use.
type trust struct {
	policy    Proofs
	zerostate chain.BlockIDExt // zero when unknown
	anchor    chain.BlockIDExt // zero when unknown, with policy fast only
	ids       *lru.Cache[uint32, chain.BlockIDExt]
	file      *trustFile
	progress  *chainProgress
	restarts  atomic.Uint32 // how often restart was needed
	checking  sync.Mutex    // held while signed links are checked, so that servers in parallel do not check the same ones

	mu      sync.Mutex
	head    chain.BlockIDExt // newest proven block; the anchor at first
	signed  chain.BlockIDExt // policy fast: the head for which signatures were requested last
	key     chain.BlockIDExt // newest proven key block, or the anchor: the start of forward links
	saved   time.Time        // last write of the file
	unsaved bool             // key is newer than in the file
}

func newTrust(n *network, o Options) *trust {
	file := newTrustFile(o.TrustFile, o.Proofs, o.Logger)
	t := &trust{policy: o.Proofs, zerostate: n.zerostate, anchor: n.anchor, file: file, progress: newChainProgress(o.Logger, time.Now)}
	t.ids, _ = lru.New[uint32, chain.BlockIDExt](provenCacheSize) // errs only for a size of 0
	t.head, t.key = n.anchor, n.anchor
	t.remember(n.zerostate)
	t.remember(n.anchor)
	if saved, ok := file.load(n.anchor); ok {
		t.head, t.key = saved.head, saved.key
		t.remember(saved.head)
		t.remember(saved.key)
	}
	return t
}

func (t *trust) remember(id chain.BlockIDExt) {
	if !id.RootHash.IsZero() {
		t.ids.Add(id.Seqno, id)
	}
}

// proven returns the proven masterchain block of a seqno, if it is cached.
func (t *trust) proven(seqno uint32) (chain.BlockIDExt, bool) { return t.ids.Get(seqno) }

// newest returns the head and the start of forward links.
func (t *trust) newest() (head, key chain.BlockIDExt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.head, t.key
}

// add caches a proven block.
func (t *trust) add(id chain.BlockIDExt, isKey bool) {
	t.remember(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if id.Seqno > t.head.Seqno || t.head.RootHash.IsZero() {
		t.head = id
	}
	if isKey && (id.Seqno > t.key.Seqno || t.key.RootHash.IsZero()) {
		t.key, t.unsaved = id, true
		if time.Since(t.saved) >= saveInterval {
			t.save()
		}
	}
}

// isProven reports whether a block is proven and cached. Nothing is proven without a trust.
func (t *trust) isProven(id chain.BlockIDExt) bool {
	if t == nil {
		return false
	}
	have, ok := t.ids.Peek(id.Seqno)
	return ok && have == id
}

// save writes the file. The caller holds mu.
func (t *trust) save() {
	t.saved, t.unsaved = time.Now(), false
	t.file.save(t.anchor, t.head, t.key)
}

// saveNew writes the file if a newer key block is proven than it contains.
func (t *trust) saveNew() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unsaved {
		t.save()
	}
}

// close saves what the next run can start from.
func (t *trust) close() {
	head, key := t.newest()
	if !head.RootHash.IsZero() {
		t.file.save(t.anchor, head, key)
	}
}

// agrees compares an id with the proven block of its seqno, if there is one.
func (t *trust) agrees(id chain.BlockIDExt) (proven bool, err error) {
	have, ok := t.proven(id.Seqno)
	if !ok {
		return false, nil
	}
	if have != id {
		return true, lie(nil, "returned a masterchain block %d that is not the proven one", id.Seqno)
	}
	return true, nil
}

// prove proves that id is a block of the chain, by links that the server returns.
func (t *trust) prove(ctx context.Context, s *server, id chain.BlockIDExt) error {
	if id.BlockID != master(id.Seqno) {
		return lie(nil, "returned an id %s where a masterchain block belongs", id.BlockID)
	}
	proven, err := t.agrees(id)
	if proven && err == nil {
		return nil
	}
	if err == nil {
		err = t.proveNew(ctx, s, id)
	}
	if t.policy == Fast && err != nil && unlinked(err) {
		err = t.arbitrate(ctx, s, id, err)
	}
	if err != nil {
		return fmt.Errorf("proof of masterchain block %d: %w", id.Seqno, err)
	}
	return nil
}

// proveNew links an uncached block to the proven ones.
func (t *trust) proveNew(ctx context.Context, s *server, id chain.BlockIDExt) error {
	head, key := t.newest()
	switch {
	case head.RootHash.IsZero(): // policy fast without an anchor
		t.add(id, false) // there is no block to link the first one to; takeHead has compared the network's zerostate
		return nil
	case id.Seqno < head.Seqno:
		// The newest state lists all older blocks. A server that is behind does not have that state, but it has the
		// signatures that prove the block from its own past.
		err := walkLinks(ctx, s, head, id, t)
		if t.policy == Secure && declined(err) && key.Seqno < id.Seqno {
			err = walkLinks(ctx, s, key, id, t)
		}
		return err
	case t.policy == Secure:
		return walkLinks(ctx, s, key, id, t)
	default:
		// Without signatures: the new block's own state must list the previous head.
		err := walkLinks(ctx, s, id, head, nil)
		if err == nil {
			t.add(id, false)
		}
		return err
	}
}

// declined reports that a server responded without a proof: it lacks the data, or it refuses to prove its own claim.
func declined(err error) bool {
	var a *absentError
	var r *refusalError
	return errors.As(err, &a) || errors.As(err, &r)
}

// unlinked reports that a block could not be linked to a proven block: the server lied or returned no proof.
func unlinked(err error) bool {
	var l *lieError
	return errors.As(err, &l) || declined(err)
}
