package lite

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// Bits of a block proof request.
const (
	proofToTarget = 1      // target_block is given; otherwise the target is the newest block
	proofFromBase = 0x1000 // prove from the state of the newer of the two blocks, not of the head
)

// maxProofLinks limits a chain of proofs; the client requests the rest.
const maxProofLinks = 16

// Configuration parameters a client needs to check the signatures of the blocks
// after a key block: catchain options, the consensus, and the validator sets.
var signerParams = []int32{28, 30, 32, 33, 34, 35, 36, 37}

// proofChain builds a chain of links between two masterchain blocks. Forward links
// start at key blocks only, because the last key block before a block lists its
// validators; a chain that goes forward from elsewhere first steps back.
type proofChain struct {
	a     *api
	view  masterInfo // earlier blocks in the state of the reference block
	base  *ledger.Block
	steps []any
}

func (a *api) getBlockProof(ctx context.Context, q ton.GetBlockProof) (tl.Serializable, error) {
	from, to := q.KnownBlock, q.TargetBlock
	if !validMaster(from) {
		return nil, fail(codeBadRequest, "source block is not a valid masterchain block id")
	}
	base, err := a.head()
	if err != nil {
		return nil, err
	}
	if q.Mode&proofToTarget == 0 {
		to = base.ID.Copy()
	} else if !validMaster(to) {
		return nil, fail(codeBadRequest, "destination block is not a valid masterchain block id")
	}
	if q.Mode&proofFromBase != 0 && q.Mode&proofToTarget != 0 {
		newer := to
		if from.SeqNo > to.SeqNo {
			newer = from
		}
		if base, err = a.masterOf(newer); err != nil {
			return nil, err
		}
	}
	c := &proofChain{a: a, base: base}
	if err := c.look(from, to); err != nil {
		return nil, err
	}
	end, err := c.build(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return ton.PartialBlockProof{Complete: end.Equals(to), From: from, To: end, Steps: c.steps}, nil
}

func validMaster(id *ton.BlockIDExt) bool {
	return validFull(id) && id.Workchain == masterWorkchain && id.Shard == rootShard
}

// look opens the state of the reference block and checks that it lists both ends.
func (c *proofChain) look(from, to *ton.BlockIDExt) error {
	state, err := c.a.stateOf(c.base)
	if err != nil {
		return err
	}
	master, err := openStateMaster(state)
	if err != nil {
		return err
	}
	if c.view, err = openMasterInfo(master.info); err != nil {
		return err
	}
	for _, id := range []*ton.BlockIDExt{from, to} {
		if id.SeqNo > c.base.ID.SeqNo {
			return fail(codeNotReady, "client knows block %s newer than the reference masterchain block %s",
				idString(*id), idString(c.base.ID))
		}
		masterBlock, _, err := c.masterBlock(id.SeqNo)
		if err != nil {
			return err
		}
		if masterBlock == nil || !masterBlock.Equals(id) {
			return fail(codeBadRequest, "masterchain block %s is unknown from the perspective of reference block %s",
				idString(*id), idString(c.base.ID))
		}
	}
	return nil
}

// masterBlock returns the masterchain block of a seqno and whether it is a key block.
func (c *proofChain) masterBlock(seqno uint32) (*ton.BlockIDExt, bool, error) {
	if seqno == c.base.ID.SeqNo {
		return c.base.ID.Copy(), c.base.KeyBlock, nil
	}
	id, key, found, err := c.view.oldBlock(seqno)
	if err != nil || !found {
		return nil, false, err
	}
	return id, key || seqno == 0, nil // the zerostate lists validators as a key block does
}

// build appends links until the chain reaches to or is long enough.
func (c *proofChain) build(ctx context.Context, from, to *ton.BlockIDExt) (*ton.BlockIDExt, error) {
	at := from
	for at.SeqNo != to.SeqNo && len(c.steps) < maxProofLinks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := to
		if to.SeqNo > at.SeqNo {
			key, err := c.keyAtOrBefore(at.SeqNo)
			if err != nil {
				return nil, err
			}
			if key.SeqNo == at.SeqNo {
				if next, err = c.keyAfter(at.SeqNo, to); err != nil {
					return nil, err
				}
				if err := c.forward(at, next); err != nil {
					return nil, err
				}
				at = next
				continue
			}
			next = key
		}
		if err := c.back(at, next); err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// keyAtOrBefore returns the newest key block up to seqno; the zerostate when there is none.
func (c *proofChain) keyAtOrBefore(seqno uint32) (*ton.BlockIDExt, error) {
	if seqno > 0 {
		b, err := c.a.chain.BySeqno(masterWorkchain, rootShard, seqno)
		if err != nil {
			return nil, prefixed("cannot compute previous key block : ", err)
		}
		if b.KeyBlock {
			return b.ID.Copy(), nil
		}
		if seqno, err = prevKeySeqno(b); err != nil {
			return nil, err
		}
	}
	id, key, err := c.masterBlock(seqno)
	if err != nil {
		return nil, err
	}
	if id == nil || !key {
		return nil, fail(codeBadRequest, "block %d cannot be a previous key block", seqno)
	}
	return id, nil
}

// keyAfter returns the first key block after seqno, or to when that comes first. It
// walks back from to, because blocks refer only to the key block before them.
func (c *proofChain) keyAfter(seqno uint32, to *ton.BlockIDExt) (*ton.BlockIDExt, error) {
	next := to
	for {
		b, err := c.a.chain.BySeqno(masterWorkchain, rootShard, next.SeqNo)
		if err != nil {
			return nil, prefixed("cannot compute next key block : ", err)
		}
		prev, err := prevKeySeqno(b)
		if err != nil {
			return nil, err
		}
		if prev <= seqno || prev >= next.SeqNo {
			return next, nil
		}
		if next, err = c.keyAtOrBefore(prev); err != nil {
			return nil, err
		}
	}
}

// prevKeySeqno returns the seqno of the key block before a masterchain block, from its header.
func prevKeySeqno(b *ledger.Block) (uint32, error) {
	h, _, err := openHeader(b.Root)
	if err != nil {
		return 0, err
	}
	return h.PrevKeyBlockSeqno, nil
}

// forward links a key block to a later block by the signatures of the validators
// which the key block lists.
func (c *proofChain) forward(from, to *ton.BlockIDExt) error {
	dest, destProof, err := c.destination(to)
	if err != nil {
		return err
	}
	configProof, err := c.signersProof(from)
	if err != nil {
		return err
	}
	signatures, err := c.a.chain.Signatures(to.SeqNo)
	if err != nil {
		return fmt.Errorf("signatures of block %d: %w", to.SeqNo, err)
	}
	c.steps = append(c.steps, ton.BlockLinkForward{
		ToKeyBlock:   dest.KeyBlock,
		From:         from,
		To:           to,
		DestProof:    destProof,
		ConfigProof:  configProof,
		SignatureSet: signatures,
	})
	return nil
}

// signersProof proves the validators a key block, or the zerostate, lists.
func (c *proofChain) signersProof(from *ton.BlockIDExt) ([]byte, error) {
	if from.SeqNo == 0 {
		state, err := c.a.chain.ZerostateCell(masterWorkchain)
		if err != nil {
			return nil, fmt.Errorf("zerostate: %w", err)
		}
		return proveParams(state, signerParams, func(root *cell.Cell) (*cell.Cell, error) {
			master, err := openStateMaster(root)
			return master.config, err
		})
	}
	b, err := c.a.masterOf(from)
	if err != nil {
		return nil, err
	}
	return proveParams(b.Root, signerParams, openKeyConfig)
}

// openKeyConfig opens a key block down to its configuration.
func openKeyConfig(root *cell.Cell) (*cell.Cell, error) {
	if _, _, err := openHeader(root); err != nil {
		return nil, err
	}
	master, err := openBlockMaster(root)
	if err != nil {
		return nil, err
	}
	if master.config == nil {
		return nil, fail(codeBadRequest, "not a key block")
	}
	return master.config, nil
}

// back links a block to any earlier one through the list of previous blocks in its state.
func (c *proofChain) back(from, to *ton.BlockIDExt) error {
	b, err := c.a.masterOf(from)
	if err != nil {
		return err
	}
	state, err := c.a.stateOf(b)
	if err != nil {
		return err
	}
	link := ton.BlockLinkBackward{From: from, To: to}
	if to.SeqNo == 0 {
		link.ToKeyBlock = true // a zerostate has no header to prove
	} else {
		dest, proof, err := c.destination(to)
		if err != nil {
			return err
		}
		link.ToKeyBlock, link.DestProof = dest.KeyBlock, proof
	}
	first, err := c.a.stateRootProof(b)
	if err != nil {
		return err
	}
	if link.Proof, err = boc(first); err != nil {
		return err
	}
	second, err := ancestorProof(state, *to)
	if err != nil {
		return err
	}
	if link.StateProof, err = boc(second); err != nil {
		return err
	}
	c.steps = append(c.steps, link)
	return nil
}

// destination proves the header of the block a link leads to.
func (c *proofChain) destination(id *ton.BlockIDExt) (*ledger.Block, []byte, error) {
	b, err := c.a.masterOf(id)
	if err != nil {
		return nil, nil, err
	}
	proof, err := headerProof(b)
	return b, proof, err
}

// ancestorProof proves that a masterchain state lists id among the earlier blocks.
func ancestorProof(state *cell.Cell, id ton.BlockIDExt) (*cell.Cell, error) {
	return prove(state, func(root *cell.Cell) error {
		master, err := openStateMaster(root)
		if err != nil {
			return err
		}
		info, err := openMasterInfo(master.info)
		if err != nil {
			return err
		}
		masterBlock, _, found, err := info.oldBlock(id.SeqNo)
		if err != nil {
			return err
		}
		if !found || !masterBlock.Equals(&id) {
			return fail(codeBadRequest, "cannot prove that %s is in the previous block set", idString(id))
		}
		return nil
	})
}
