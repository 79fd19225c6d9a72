package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// newerDecides requests a block proof from the state of the newer of the two blocks, not from the head.
const newerDecides = 0x1001

// Shards lists the newest block of every shard after a masterchain block, by workchain and shard.
func (c *Client) Shards(ctx context.Context, master chain.BlockIDExt) ([]chain.BlockIDExt, error) {
	tops, err := c.topsAfter(ctx, master)
	return slices.Clone(tops), err
}

// ShardBlockProof proves a block from a masterchain block that the caller trusts.
func (c *Client) ShardBlockProof(ctx context.Context, id, from chain.BlockIDExt) (*chain.ShardBlockProof, error) {
	w := want{what: "proof of block " + id.String(), seqno: from.Seqno, state: true}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (*chain.ShardBlockProof, error) {
		p := &chain.ShardBlockProof{From: from, Master: id}
		if !id.IsMaster() {
			var err error
			if p, err = c.shardProof(ctx, s, id); err != nil {
				return nil, err
			}
			if err = c.checkCommits(ctx, p.Master, id); err != nil {
				return nil, err
			}
			p.From = from
		}
		var err error
		switch {
		case p.Master.Seqno > from.Seqno:
			return nil, chain.Invalidf("block %s was committed by masterchain block %d, which is newer than %d",
				id.BlockID, p.Master.Seqno, from.Seqno)
		case p.Master != from:
			p.Back, err = backLink(ctx, s, from, p.Master)
		}
		return p, err
	})
}

// shardProof queries one server for the masterchain block that committed a shard block and follows the links from there.
func (c *Client) shardProof(ctx context.Context, s *server, id chain.BlockIDExt) (*chain.ShardBlockProof, error) {
	response, err := call[ton.ShardBlockProof](ctx, s, ton.GetShardBlockProof{ID: toTL(id)})
	if err != nil {
		return nil, err
	}
	p := &chain.ShardBlockProof{Master: fromTL(response.MasterchainID)}
	if err := c.trust.prove(ctx, s, p.Master); err != nil {
		return nil, err
	}
	err = believable("a proof of a shard block", func() error {
		at := p.Master
		for _, l := range response.Links {
			next := fromTL(l.ID)
			if err := checkShardLink(at, next, l.Proof); err != nil {
				return err
			}
			p.Links = append(p.Links, chain.ShardBlockLink{ID: next, Proof: l.Proof})
			at = next
		}
		if at != id {
			return errors.New("it ends at another block")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.committed.Add(id.RootHash, p.Master.Seqno)
	return p, nil
}

// checkCommits checks that a masterchain block, from which links lead to a shard block, is the one that committed it: links lead from later
// ones, too.
func (c *Client) checkCommits(ctx context.Context, master, id chain.BlockIDExt) error {
	if master.Seqno <= 1 {
		return nil
	}
	before, err := c.MasterBlockID(ctx, master.Seqno-1)
	if err != nil {
		return err
	}
	tops, ok := c.tops.Get(before.RootHash)
	if !ok { // from the block, which servers have longer than the state after it
		b, err := c.block(ctx, before, before.Seqno)
		if err != nil {
			return err
		}
		tops = b.tops
		c.tops.Add(before.RootHash, tops)
	}
	for _, top := range tops {
		if top.Workchain == id.Workchain && overlap(top.Shard, id.Shard) && top.Seqno >= id.Seqno {
			return lie(nil, "proved block %s by masterchain block %d, which did not commit it", id.BlockID, master.Seqno)
		}
	}
	return nil
}

// checkShardLink checks that a masterchain block names next among its shards, or a shard block among its parents.
func checkShardLink(at, next chain.BlockIDExt, boc []byte) error {
	proof, err := parseProof(boc)
	if err != nil {
		return err
	}
	if !at.IsMaster() {
		b, err := ton.CheckBlockProof(proof, at.RootHash[:])
		if err != nil {
			return err
		}
		if err := checkPlace(&b.BlockInfo, at); err != nil {
			return err
		}
		parents, err := ton.GetParentBlocks(&b.BlockInfo)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(parents, func(p *ton.BlockIDExt) bool { return fromTL(p) == next }) {
			return fmt.Errorf("block %s does not follow %s", at.BlockID, next)
		}
		return nil
	}
	body, err := cell.UnwrapProof(proof, at.RootHash[:])
	if err != nil {
		return err
	}
	shards, err := shardHashesOfBlock(body)
	if err != nil || shards == nil {
		return errors.Join(errors.New("the masterchain block shows no shards"), err)
	}
	shown, err := ton.LoadShardsFromHashes(shards.AsDict(32), true)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(shown, func(p *ton.BlockIDExt) bool { return fromTL(p) == next }) {
		return fmt.Errorf("masterchain block %d does not name %s", at.Seqno, next)
	}
	return nil
}

// backLink fetches the single link from a masterchain block to an older one.
func backLink(ctx context.Context, s *server, from, to chain.BlockIDExt) (*chain.BlockLinkBack, error) {
	steps, err := blockLinks(ctx, s, from, to)
	if err != nil {
		return nil, err
	}
	if len(steps) != 1 {
		return nil, lie(nil, "returned %d links back to an older block, where one is enough", len(steps))
	}
	l, ok := steps[0].(ton.BlockLinkBackward)
	if !ok {
		return nil, lie(nil, "returned a link of type %T to an older block", steps[0])
	}
	if err := believable("a link to an older block", func() error { return checkDestination(to, l) }); err != nil {
		return nil, err
	}
	return &chain.BlockLinkBack{
		ToKeyBlock: l.ToKeyBlock, From: from, To: to, DestProof: l.DestProof, Proof: l.Proof, StateProof: l.StateProof,
	}, nil
}

// checkDestination checks the header of the older block in a link, which proves nothing that the link does not prove, but goes to clients
// with it. The zerostate has none.
func checkDestination(to chain.BlockIDExt, l ton.BlockLinkBackward) error {
	if to.Seqno == 0 {
		return nil
	}
	proof, err := parseProof(l.DestProof)
	if err != nil {
		return fmt.Errorf("header proof: %w", err)
	}
	block, err := ton.CheckBlockProof(proof, to.RootHash[:])
	if err != nil {
		return fmt.Errorf("header proof: %w", err)
	}
	if err := checkPlace(&block.BlockInfo, to); err != nil {
		return err
	}
	if block.BlockInfo.KeyBlock != l.ToKeyBlock {
		return errors.New("the older block is of another kind than the link says")
	}
	return nil
}

// blockLinks fetches and checks the links between two masterchain blocks when they fit into one response.
func blockLinks(ctx context.Context, s *server, from, to chain.BlockIDExt) ([]any, error) {
	part, err := call[ton.PartialBlockProof](ctx, s, ton.GetBlockProof{
		Mode: newerDecides, KnownBlock: toTL(from), TargetBlock: toTL(to),
	})
	if err != nil {
		return nil, err
	}
	err = believable("a block proof", func() error {
		blocks, err := checkPart(part, from, to, nil)
		if err == nil && (len(blocks) == 0 || blocks[len(blocks)-1].id != to) {
			return errors.New("it ends too early")
		}
		return err
	})
	return part.Steps, err
}
