package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

const (
	provenCacheSize = 1 << 16 // proven masterchain ids in memory, about 10 MB
	// maxParts bounds the partial proofs one chain may take. From a network's first block there are about a thousand
	// key blocks a year, and a server puts several into each part.
	maxParts = 4096
)

// trust is what has been proven of the masterchain. With policy secure everything in it follows from the
// anchor, and nothing is ever removed but to save memory. It is safe for concurrent use.
type trust struct {
	policy    Proofs
	zerostate chain.BlockIDExt // zero when unknown
	anchor    chain.BlockIDExt // zero when unknown, with policy fast only
	ids       *lru.Cache[uint32, chain.BlockIDExt]
	file      *trustFile
	restarts  atomic.Uint32 // how often restart was needed

	mu     sync.Mutex
	head   chain.BlockIDExt // newest proven block; the anchor at first
	signed chain.BlockIDExt // policy fast: the head for which signatures were requested last
	key    chain.BlockIDExt // newest proven key block, or the anchor: the start of forward links
}

func newTrust(n *network, policy Proofs, file *trustFile) *trust {
	t := &trust{policy: policy, zerostate: n.zerostate, anchor: n.anchor, file: file}
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
		t.key = id
		t.file.save(t.anchor, t.head, t.key)
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
		err := t.link(ctx, s, head, id)
		if t.policy == Secure && declined(err) && key.Seqno < id.Seqno {
			err = t.link(ctx, s, key, id)
		}
		return err
	case t.policy == Secure:
		return t.link(ctx, s, key, id)
	default:
		// Without signatures: the new block's own state must list the previous head.
		err := walkLinks(ctx, s, id, head, func(chain.BlockIDExt, bool) {})
		if err == nil {
			t.add(id, false)
		}
		return err
	}
}

// link proves block to from a proven block and caches every block on the way.
func (t *trust) link(ctx context.Context, s *server, from, to chain.BlockIDExt) error {
	return walkLinks(ctx, s, from, to, t.add)
}

// walkLinks follows and checks the chain of links from one masterchain block to another and calls proven for every block
// it reaches. The blocks are proven only if from is.
func walkLinks(ctx context.Context, s *server, from, to chain.BlockIDExt, proven func(chain.BlockIDExt, bool)) error {
	forward := to.Seqno > from.Seqno
	for parts := 0; from != to; parts++ {
		if parts == maxParts {
			return lie(nil, "returned an endless proof of block %d", to.Seqno)
		}
		part, err := call[ton.PartialBlockProof](ctx, s, ton.GetBlockProof{Mode: 1, KnownBlock: toTL(from), TargetBlock: toTL(to)})
		if err != nil {
			return err
		}
		var reached chain.BlockIDExt
		if err := believable("a block proof", func() error {
			reached, err = checkPart(part, from, to, proven)
			return err
		}); err != nil {
			return err
		}
		if (reached.Seqno > from.Seqno) != forward || reached == from {
			return lie(nil, "returned a block proof that leads nowhere")
		}
		from = reached
	}
	return nil
}

// checkPart checks the links of one response and returns the block they end at.
func checkPart(part ton.PartialBlockProof, from, to chain.BlockIDExt, proven func(chain.BlockIDExt, bool)) (chain.BlockIDExt, error) {
	if fromTL(part.From) != from {
		return from, errors.New("it starts from another block than requested")
	}
	at := from
	for _, step := range part.Steps {
		var next chain.BlockIDExt
		var isKey bool
		var err error
		switch l := step.(type) {
		case ton.BlockLinkForward:
			next, isKey, err = checkForward(at, l)
		case ton.BlockLinkBackward:
			next, isKey, err = checkBackward(at, l)
		default:
			err = fmt.Errorf("link of type %T", step)
		}
		if err != nil {
			return at, err
		}
		if next.Seqno == to.Seqno && next != to {
			return at, fmt.Errorf("block %d on it is not the requested one", to.Seqno)
		}
		at = next
		proven(at, isKey)
	}
	if fromTL(part.To) != at || (part.Complete && at != to) {
		return at, errors.New("it ends at another block than it says")
	}
	return at, nil
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
