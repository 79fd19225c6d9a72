package lite

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/boundedvm"
)

// contextMagic starts SmartContractInfo, the first element of c7.
const contextMagic = 0x076ef1ea

// shortContextLen is the number of elements of c7 before the configuration.
const shortContextLen = 9

// Shape of the tuple of previous blocks: how many, and how far apart those of the
// third list are.
const (
	prevBlocksLen  = 16
	prevBlocksStep = 100
)

// methodContext is the part of the context that all get-methods in one masterchain block share.
type methodContext struct {
	config     *tvm.PreparedBlockchainConfig
	configRoot *cell.Cell
	libraries  []*cell.Cell
	prevBlocks tuple.Tuple
}

// methodContextFor finds the masterchain block whose configuration applies: the
// one the client named or, for a shard block, the one that block refers to.
func (a *api) methodContextFor(f *found) (*methodContext, error) {
	if f.base.ID.Workchain == masterWorkchain {
		return a.methodContextAt(&f.base.ID)
	}
	state, err := a.stateOf(f.block)
	if err != nil {
		return nil, err
	}
	parts, err := openState(state)
	if err != nil {
		return nil, err
	}
	ref, err := openMasterRef(parts.details)
	if err != nil {
		return nil, err
	}
	if ref == nil {
		return nil, fail(codeBadRequest, "masterchain ref block is not available")
	}
	return a.methodContextAt(ref)
}

func (a *api) methodContextAt(id *ton.BlockIDExt) (*methodContext, error) {
	key := [32]byte(id.RootHash)
	if mc, ok := a.contexts.Get(key); ok {
		return mc, nil
	}
	mc, err := a.newMethodContext(id)
	if err != nil {
		return nil, fmt.Errorf("context of block %s: %w", idString(*id), err)
	}
	a.contexts.Add(key, mc)
	return mc, nil
}

// masterStateAt returns the masterchain state after a block, or the zerostate, to which
// the first blocks of shards refer.
func (a *api) masterStateAt(id *ton.BlockIDExt) (root *cell.Cell, keyBlock bool, err error) {
	if id.SeqNo == 0 {
		root, err = a.chain.ZerostateCell(masterWorkchain)
		return root, true, err
	}
	b, err := a.masterOf(id)
	if err != nil {
		return nil, false, err
	}
	root, err = a.stateOf(b)
	return root, b.KeyBlock, err
}

func (a *api) newMethodContext(id *ton.BlockIDExt) (*methodContext, error) {
	state, keyBlock, err := a.masterStateAt(id)
	if err != nil {
		return nil, err
	}
	parts, err := openState(state)
	if err != nil {
		return nil, err
	}
	master, err := openStateMaster(state)
	if err != nil {
		return nil, err
	}
	info, err := openMasterInfo(master.info)
	if err != nil {
		return nil, err
	}
	mc := &methodContext{configRoot: master.config}
	if mc.config, err = a.prepared(master.config); err != nil {
		return nil, err
	}
	libs, err := openLibraries(parts.details)
	if err != nil {
		return nil, err
	}
	if libs != nil {
		mc.libraries = []*cell.Cell{libs}
	}
	mc.prevBlocks, err = prevBlocks(*id, keyBlock, info, mc.config.GlobalVersion())
	return mc, err
}

// prepared parses a configuration once for all blocks that share it.
func (a *api) prepared(root *cell.Cell) (*tvm.PreparedBlockchainConfig, error) {
	key := [32]byte(root.Hash())
	if c, ok := a.configs.Get(key); ok {
		return c, nil
	}
	c, err := boundedvm.PrepareConfig(root)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	a.configs.Add(key, c)
	return c, nil
}

// prevBlocks builds the PrevBlocksInfo of a block: the last masterchain blocks with
// that block first, the last key block and, since version 9, every hundredth block.
func prevBlocks(of ton.BlockIDExt, keyBlock bool, info masterInfo, version uint32) (tuple.Tuple, error) {
	at := func(seqno uint32) (any, error) {
		if seqno == of.SeqNo {
			return blockTuple(of), nil
		}
		id, _, found, err := info.oldBlock(seqno)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("previous block %d is unknown", seqno)
		}
		return blockTuple(*id), nil
	}
	last, err := countDown(of.SeqNo, 1, at)
	if err != nil {
		return tuple.Tuple{}, err
	}
	var key any
	switch {
	case keyBlock:
		key = blockTuple(of)
	case info.lastKeyBlock != nil:
		key = blockTuple(*info.lastKeyBlock)
	default: // none yet: the zerostate lists the configuration
		if key, err = at(0); err != nil {
			return tuple.Tuple{}, err
		}
	}
	vals := []any{last, key}
	if version >= 9 {
		hundreds, err := countDown(of.SeqNo/prevBlocksStep*prevBlocksStep, prevBlocksStep, at)
		if err != nil {
			return tuple.Tuple{}, err
		}
		vals = append(vals, hundreds)
	}
	return tuple.NewTupleOwned(vals), nil
}

// countDown lists up to 16 blocks from seqno down in steps, the zerostate included.
func countDown(seqno, step uint32, at func(uint32) (any, error)) (tuple.Tuple, error) {
	var vals []any
	for {
		v, err := at(seqno)
		if err != nil {
			return tuple.Tuple{}, err
		}
		vals = append(vals, v)
		if seqno < step || len(vals) == prevBlocksLen {
			return tuple.NewTupleOwned(vals), nil
		}
		seqno -= step
	}
}

// blockTuple is BlockId as contracts see it; the shard is unsigned there.
func blockTuple(id ton.BlockIDExt) tuple.Tuple {
	return tuple.NewTupleOwned([]any{
		big.NewInt(int64(id.Workchain)),
		new(big.Int).SetUint64(uint64(id.Shard)),
		new(big.Int).SetUint64(uint64(id.SeqNo)),
		new(big.Int).SetBytes(id.RootHash),
		new(big.Int).SetBytes(id.FileHash),
	})
}

// tuple builds SmartContractInfo for a run on an account, as long as the
// configuration's version makes it: 18 elements since version 11.
func (mc *methodContext) tuple(f *found, acc *account) (tuple.Tuple, error) {
	version := mc.config.GlobalVersion()
	var extra any
	if acc.extra != nil {
		extra = acc.extra
	}
	vals := []any{
		big.NewInt(contextMagic),
		new(big.Int), // actions
		new(big.Int), // msgs_sent
		new(big.Int).SetUint64(uint64(f.genUtime)),
		new(big.Int).SetUint64(f.genLT), // block_lt
		new(big.Int).SetUint64(f.genLT), // trans_lt
		runSeed(f),
		tuple.NewTupleOwned([]any{acc.balance, extra}),
		acc.address,
		mc.configRoot,
	}
	if version >= 4 {
		vals = append(vals,
			acc.code,
			tuple.NewTupleOwned([]any{new(big.Int), nil}), // in_msg_value
			new(big.Int), // storage_fees
			mc.prevBlocks,
		)
	}
	if version >= 6 {
		block, err := mc.config.NewBlockContext(tvm.BlockOptions{Now: f.genUtime})
		if err != nil {
			return tuple.Tuple{}, fmt.Errorf("configuration: %w", err)
		}
		var unpacked any
		if t, ok := block.UnpackedConfig(); ok {
			unpacked = t
		}
		// The last one would be the gas of a precompiled contract; none is configured.
		vals = append(vals, unpacked, acc.due, nil)
	}
	if version >= 11 {
		vals = append(vals, noMessage())
	}
	return tuple.NewTupleOwned(vals), nil
}

// noMessage returns the tuple of in-message parameters for runs without a message.
func noMessage() tuple.Tuple {
	return tuple.NewTupleOwned([]any{
		new(big.Int), new(big.Int), // bounce, bounced
		cell.BeginCell().MustStoreUInt(0, 2).ToSlice(), // source: addr_none
		new(big.Int), new(big.Int), new(big.Int), // fwd_fee, created_lt, created_at
		new(big.Int), new(big.Int), // original value, value
		nil, nil, // extra currencies, state init
	})
}

// runSeed returns the random seed of a run. Nodes draw a new one each time; here it is
// derived from the account's state, so that equal queries have equal results.
func runSeed(f *found) *big.Int {
	h := sha256.New()
	h.Write(f.block.ID.RootHash)
	h.Write(f.account.Hash())
	h.Write(binary.BigEndian.AppendUint64(nil, f.genLT))
	return new(big.Int).SetBytes(h.Sum(nil))
}

// shortContext removes the configuration and everything after it.
func shortContext(full tuple.Tuple) tuple.Tuple {
	vals := make([]any, 0, shortContextLen+1)
	for i := range shortContextLen {
		v, _ := full.RawIndex(i) // in range by construction
		vals = append(vals, v)
	}
	return tuple.NewTupleOwned(append(vals, nil))
}
