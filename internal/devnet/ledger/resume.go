package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/archive"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

const genesisBlob = "genesis.json"

// beginning stores the fixed options of a chain.
type beginning struct {
	GlobalID    int32  `json:"global_id"`
	GenesisTime uint32 `json:"genesis_time"`
	Validator   []byte `json:"validator"` // public key, to detect another seed
	Masterchain []byte `json:"masterchain"`
	Basechain   []byte `json:"basechain"`
}

// begin finds the zerostates: those of the archive, or new ones.
func (c *Chain) begin() error {
	data, err := c.arch.Blob(genesisBlob)
	if errors.Is(err, archive.ErrNoBlob) {
		if len(c.index.rounds) > 0 {
			return &chain.Error{Kind: chain.Internal, Message: fmt.Sprintf("the archive has blocks but no usable %s", genesisBlob)}
		}
		return c.create()
	}
	if err != nil {
		return err
	}
	var b beginning
	if err := json.Unmarshal(data, &b); err != nil {
		return fmt.Errorf("%s: %w", genesisBlob, err)
	}
	if !bytes.Equal(b.Validator, c.validator()) {
		return &chain.Error{Kind: chain.Invalid, Message: "the stored chain was begun with another seed"}
	}
	if b.GlobalID != c.opts.GlobalID {
		return &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("the stored chain has global id %d, not %d", b.GlobalID, c.opts.GlobalID)}
	}
	c.opts.GenesisTime = b.GenesisTime
	if c.zero.Masterchain, err = loadZerostate(b.Masterchain); err != nil {
		return err
	}
	c.zero.Basechain, err = loadZerostate(b.Basechain)
	return err
}

func (c *Chain) create() error {
	if c.opts.GenesisTime == 0 {
		c.opts.GenesisTime = c.opts.Clock()
	}
	zero, err := genesis.Build(genesis.Options{
		Seed: c.opts.Seed, Time: c.opts.GenesisTime, GlobalID: c.opts.GlobalID, Consensus: c.opts.Consensus,
		Accounts: c.opts.Genesis, DNSRoot: c.opts.DNSRoot, Minter: c.opts.Minter, Mint: c.opts.Mint,
		GlobalVersion: c.opts.GlobalVersion, Special: c.opts.Special,
	})
	if err != nil {
		return fmt.Errorf("genesis: %w", err)
	}
	c.zero = *zero
	data, err := json.Marshal(beginning{
		GlobalID: c.opts.GlobalID, GenesisTime: c.opts.GenesisTime, Validator: c.validator(),
		Masterchain: zero.Masterchain.Data, Basechain: zero.Basechain.Data,
	})
	if err != nil {
		return err
	}
	return c.arch.PutBlob(genesisBlob, data)
}

func loadZerostate(data []byte) (genesis.Zerostate, error) {
	root, err := cell.FromBOC(data)
	if err != nil {
		return genesis.Zerostate{}, fmt.Errorf("stored zerostate: %w", err)
	}
	sum := sha256.Sum256(data)
	return genesis.Zerostate{Root: root, Data: data, RootHash: root.Hash(), FileHash: sum[:]}, nil
}

// resume takes the chain to its newest stored round: from the last snapshot, or
// the zerostates, through the updates of all later blocks.
func (c *Chain) resume(ctx context.Context) error {
	mc, err := newTip(c.ZerostateID(layout.Masterchain), 0, c.zero.Masterchain.Root)
	if err != nil {
		return err
	}
	base, err := newTip(c.ZerostateID(layout.Basechain), 0, c.zero.Basechain.Root)
	if err != nil {
		return err
	}
	c.mcTip, c.tips = mc, []*tip{base}
	if n := len(c.index.rounds); n > 0 {
		if err := c.replay(ctx, uint32(n)); err != nil {
			return err
		}
	}
	c.ref, err = newReference(c.mcTip.ref(), c.mcTip.root, nil)
	return err
}

func (c *Chain) replay(ctx context.Context, last uint32) error {
	states := c.snapshotBefore(last)
	from := uint32(1)
	for k := range states {
		if k.wc == layout.Masterchain {
			from = k.seqno + 1
		}
	}
	if states == nil {
		states = map[blockKey]*cell.Cell{
			keyOf(c.mcTip.id):   c.zero.Masterchain.Root,
			keyOf(c.tips[0].id): c.zero.Basechain.Root,
		}
	}
	for n := from; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := map[blockKey]*cell.Cell{}
		for _, e := range c.index.rounds[n-1].Entries {
			b, err := c.read(e)
			if err != nil {
				return err
			}
			root, err := applyBlock(b, func(id ton.BlockIDExt) *cell.Cell {
				if root := next[keyOf(id)]; root != nil { // an earlier block of the round
					return root
				}
				return states[keyOf(id)]
			})
			if err != nil {
				return err
			}
			next[keyOf(b.ID)] = root
			c.states.keep(b.ID, root, n)
		}
		states = next
		c.states.trim(n)
	}
	return c.land(last, states)
}

// land sets the blocks of the last round as the tips.
func (c *Chain) land(last uint32, states map[blockKey]*cell.Cell) error {
	c.tips = nil
	entries := c.index.rounds[last-1].Entries
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].Workchain == e.Workchain && entries[i+1].Shard == e.Shard {
			continue // the next block of the round follows it
		}
		b, err := c.load(e)
		if err != nil {
			return err
		}
		root := states[keyOf(b.ID)]
		if root == nil {
			return fmt.Errorf("state of %s is missing", blockName(b.ID))
		}
		t, err := newTip(b.ID, b.EndLT, root)
		if err != nil {
			return err
		}
		c.states.keep(b.ID, root, last)
		if e.Workchain == layout.Masterchain {
			c.mcTip, c.head = t, b
		} else {
			c.tips = append(c.tips, t)
		}
	}
	slices.SortFunc(c.tips, func(a, b *tip) int { return compare(a.shard(), b.shard()) })
	return nil
}
