package scenario

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
	"tonql/internal/devnet/ledger"
)

// Chain is the part of the ledger that the scenario uses.
type Chain interface {
	// Head returns the newest masterchain block; nil before the first.
	Head() *ledger.Block
	BySeqno(wc int32, shard int64, seqno uint32) (*ledger.Block, error)
	State(id ton.BlockIDExt) (*cell.Cell, error)
	WaitSeqno(ctx context.Context, seqno uint32) error
	SendExternal(ctx context.Context, msg *cell.Cell) error
	RequestSplit(wc int32, shard int64) error
	RequestMerge(wc int32, parent int64) error
}

// account has the parts of an account that the scenario uses.
type account struct {
	exists  bool
	active  bool
	balance uint64
	extra   map[uint32]*big.Int // of extra currencies by id; nil when there are none
	code    *cell.Cell          // nil unless active
	data    *cell.Cell          // nil unless active
	libs    *cell.Dictionary
}

// view is the state of all shards after one masterchain block. Shard states are opened on first use.
type view struct {
	chain  Chain
	block  *ledger.Block // the masterchain block
	master *layout.State
	shards []*layout.ShardDescr // of the basechain, left to right
	opened map[uint64]*tlb.ShardAccountsAugDict
}

func newView(chain Chain, block *ledger.Block) (*view, error) {
	root, err := chain.State(block.ID)
	if err != nil {
		return nil, fmt.Errorf("state of masterchain block %d: %w", block.ID.SeqNo, err)
	}
	master, err := layout.ParseState(root)
	if err != nil {
		return nil, fmt.Errorf("state of masterchain block %d: %w", block.ID.SeqNo, err)
	}
	extra, err := layout.ParseMcExtra(master.Extra)
	if err != nil {
		return nil, fmt.Errorf("state of masterchain block %d: %w", block.ID.SeqNo, err)
	}
	all, err := layout.ParseShardHashes(extra.Shards)
	if err != nil {
		return nil, fmt.Errorf("shards of masterchain block %d: %w", block.ID.SeqNo, err)
	}
	v := &view{chain: chain, block: block, master: master, opened: map[uint64]*tlb.ShardAccountsAugDict{}}
	for _, d := range all {
		if d.Workchain == layout.Basechain {
			v.shards = append(v.shards, d)
		}
	}
	return v, nil
}

// account reads an account; the zero value when it does not exist.
func (v *view) account(a *address.Address) (account, error) {
	accounts, err := v.accountsOf(a)
	if err != nil {
		return account{}, err
	}
	value, err := accounts.LoadValue(cell.BeginCell().MustStoreSlice(a.Data(), 256).EndCell())
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		return account{}, nil
	}
	if err != nil {
		return account{}, fmt.Errorf("account %s: %w", a.StringRaw(), err)
	}
	var shard tlb.ShardAccount
	if err = tlb.LoadFromCell(&shard, value); err != nil {
		return account{}, fmt.Errorf("account %s: %w", a.StringRaw(), err)
	}
	var state tlb.AccountState
	if err = tlb.Parse(&state, shard.Account); err != nil {
		return account{}, fmt.Errorf("account %s: %w", a.StringRaw(), err)
	}
	if !state.IsValid {
		return account{}, nil
	}
	acc := account{exists: true, balance: state.Balance.Nano().Uint64()}
	if state.ExtraCurrencies != nil {
		if acc.extra, err = layout.LoadExtra(cell.BeginCell().MustStoreDict(state.ExtraCurrencies).ToSlice()); err != nil {
			return account{}, fmt.Errorf("account %s: %w", a.StringRaw(), err)
		}
	}
	if state.Status == tlb.AccountStatusActive {
		acc.active = true
		acc.code, acc.data, acc.libs = state.StateInit.Code, state.StateInit.Data, state.StateInit.Lib
	}
	return acc, nil
}

// accountsOf returns the dictionary of accounts of the address's shard.
func (v *view) accountsOf(a *address.Address) (*tlb.ShardAccountsAugDict, error) {
	if a.Workchain() == layout.Masterchain {
		return v.open(0, func() (*layout.State, error) { return v.master, nil })
	}
	prefix := layout.AccountPrefix(a.Data())
	for _, d := range v.shards {
		if layout.ShardContains(d.Shard, prefix) {
			return v.open(d.Shard, func() (*layout.State, error) { return v.shardState(d) })
		}
	}
	return nil, fmt.Errorf("account %s: no shard contains it", a.StringRaw())
}

func (v *view) shardState(d *layout.ShardDescr) (*layout.State, error) {
	id := ton.BlockIDExt{Workchain: d.Workchain, Shard: int64(d.Shard), SeqNo: d.Seqno, RootHash: d.RootHash, FileHash: d.FileHash}
	root, err := v.chain.State(id)
	if err != nil {
		return nil, fmt.Errorf("state of shard %016x block %d: %w", d.Shard, d.Seqno, err)
	}
	return layout.ParseState(root)
}

// open returns a shard's accounts and caches them; the key of the masterchain's is 0, which is no shard id.
func (v *view) open(key uint64, load func() (*layout.State, error)) (*tlb.ShardAccountsAugDict, error) {
	if dict := v.opened[key]; dict != nil {
		return dict, nil
	}
	state, err := load()
	if err != nil {
		return nil, err
	}
	s, err := state.Accounts.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	dict := new(tlb.ShardAccountsAugDict)
	if err = dict.LoadFromCell(s); err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	v.opened[key] = dict
	return dict, nil
}
