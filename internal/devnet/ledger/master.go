package ledger

import (
	"crypto/ed25519"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// masterJob has the inputs of a masterchain block besides its messages.
type masterJob struct {
	shards []*layout.ShardDescr          // newest block of every shard, in the order of the tree
	blocks int                           // blocks of all shards that this one commits
	keys   map[string]ed25519.PrivateKey // of the validators
}

// feesImported returns the fees that the shard blocks of this round collected.
func (m *masterJob) feesImported() *big.Int {
	total := new(big.Int)
	for _, d := range m.shards {
		total.Add(total, d.FeesCollected)
	}
	return total
}

func (m *masterJob) fundsCreated() *big.Int {
	total := new(big.Int)
	for _, d := range m.shards {
		total.Add(total, d.FundsCreated)
	}
	return total
}

// nextConfig returns the parameter dictionary after this block, from the config contract's
// data, and whether it changed. The hash is that of the validator list in force after the block.
func (c *collator) nextConfig(extra *layout.McExtra) (params *cell.Cell, listHash uint32, changed bool, err error) {
	l := c.lanes[[32]byte(extra.ConfigAddr)]
	if l == nil {
		return extra.Config, extra.ValidatorListHash, false, nil
	}
	if params, err = genesis.ConfigParams(l.data()); err != nil {
		return nil, 0, false, err
	}
	if params.HashKey() == extra.Config.HashKey() {
		return extra.Config, extra.ValidatorListHash, false, nil
	}
	// Refuse a dictionary the next block could not be built with or signed by.
	if _, _, err := prepare(params.WithoutTrace()); err != nil {
		return extra.Config, extra.ValidatorListHash, false, nil //nolint:nilerr // an unusable proposal is ignored, as validators do
	}
	set, err := readValidators(params.WithoutTrace(), c.master.keys)
	if err != nil {
		return extra.Config, extra.ValidatorListHash, false, nil //nolint:nilerr // likewise
	}
	return params, set.listHash, true, nil
}

// nextLibraries publishes and withdraws libraries as accounts changed theirs.
func (c *collator) nextLibraries(lanes []*lane) (*cell.Cell, error) {
	if c.master == nil {
		return c.state.Libraries, nil
	}
	dict := cell.NewDict(256)
	if c.state.Libraries != nil {
		dict = c.state.Libraries.AsDict(256)
	}
	changed := false
	for _, l := range lanes {
		next := l.libraries()
		if dictHash(l.oldLibs) == dictHash(next) {
			continue
		}
		changed = true
		if err := layout.Publish(dict, l.key[:], l.oldLibs, next); err != nil {
			return nil, err
		}
	}
	if !changed {
		return c.state.Libraries, nil
	}
	return dict.AsCell(), nil
}

func dictHash(d *cell.Dictionary) (h cell.Hash) {
	if d == nil || d.IsEmpty() {
		return h
	}
	return d.AsCell().HashKey()
}

// masterExtras builds the masterchain's part of the state and of the block.
func (c *collator) masterExtras() (stateExtra, blockExtra *cell.Cell, keyBlock bool, err error) {
	extra, err := layout.ParseMcExtra(c.state.Extra)
	if err != nil {
		return nil, nil, false, err
	}
	config, listHash, changed, err := c.nextConfig(extra)
	if err != nil {
		return nil, nil, false, err
	}
	// The first block is a key block too: signed proofs start from a key block,
	// and a zerostate has no header to start from.
	keyBlock = changed || c.seqno == 1
	shards, err := layout.ShardHashes(c.master.shards)
	if err != nil {
		return nil, nil, false, err
	}
	if err := layout.AddOldMcBlock(extra.PrevBlocks, extra.AfterKeyBlock, c.ref.block); err != nil {
		return nil, nil, false, err
	}
	created, err := c.reward()
	if err != nil {
		return nil, nil, false, err
	}
	next := *extra
	next.Shards = shards
	next.Config = config
	next.AfterKeyBlock = keyBlock
	next.LastKeyBlock = &c.ref.keyBlock
	next.ValidatorListHash = listHash
	next.GlobalBalance = layout.Total(extra.GlobalBalance, c.minted, layout.Nano(layout.Sum(created, c.master.fundsCreated())))
	if next.CreateStats, err = c.nextCreateStats(extra.CreateStats); err != nil {
		return nil, nil, false, err
	}
	if stateExtra, err = next.Cell(); err != nil {
		return nil, nil, false, err
	}
	blockExtra, err = c.blockExtra(&next, keyBlock)
	return stateExtra, blockExtra, keyBlock, err
}

// blockExtra builds masterchain_block_extra#cca5.
func (c *collator) blockExtra(extra *layout.McExtra, keyBlock bool) (*cell.Cell, error) {
	fees, err := tlb.NewShardFeesAugDict()
	if err != nil {
		return nil, err
	}
	for _, d := range c.master.shards {
		value := cell.BeginCell()
		layout.StoreGrams(value, d.FeesCollected)
		layout.StoreGrams(value, d.FundsCreated)
		key := cell.BeginCell().MustStoreInt(int64(d.Workchain), 32).MustStoreUInt(d.Shard, 64).EndCell()
		if err := fees.Set(key, value.EndCell()); err != nil {
			return nil, fmt.Errorf("shard fees: %w", err)
		}
	}
	feesCell, err := fees.ToCell()
	if err != nil {
		return nil, err
	}
	details := cell.BeginCell().
		MustStoreBoolBit(false). // signatures of the previous block
		MustStoreMaybeRef(c.payout).
		MustStoreMaybeRef(c.mint).
		EndCell()
	b := cell.BeginCell().MustStoreUInt(0xcca5, 16).
		MustStoreBoolBit(keyBlock).
		MustStoreMaybeRef(extra.Shards).
		MustStoreBuilder(feesCell.ToBuilder()).
		MustStoreRef(details)
	if keyBlock {
		b.MustStoreSlice(extra.ConfigAddr, 256).MustStoreRef(extra.Config.WithoutTrace())
	}
	return b.EndCell(), nil
}
