package node

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// Account reads an account from the state after a block, with the proof of its presence or absence.
func (c *Client) Account(ctx context.Context, at chain.BlockIDExt, account chain.Address) (*chain.RawAccount, error) {
	if at.Workchain != account.Workchain && !at.IsMaster() || at.Workchain == account.Workchain && !at.Shard.Contains(account.ID) {
		return nil, chain.Invalidf("account %s is not in the shard of block %s", account, at.BlockID)
	}
	if at.Seqno == 0 {
		return c.zeroAccount(ctx, at, account)
	}
	w := want{what: fmt.Sprintf("account %s after block %s", account, at.BlockID), seqno: c.mcSeqno(at), state: true}
	found, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (f foundAccount, err error) {
		state, err := call[ton.AccountState](ctx, s, ton.GetAccountState{
			ID: toTL(at), Account: ton.AccountID{Workchain: account.Workchain, ID: account.ID[:]},
		})
		if err != nil {
			return f, err
		}
		err = believable("an account state", func() error {
			f.account, f.zeroShard, err = c.states.checkAccount(at, account, state)
			return err
		})
		return f, err
	})
	if err == nil && found.account == nil { // the shard has no block yet
		return c.zeroAccount(ctx, found.zeroShard, account)
	}
	return found.account, err
}

// foundAccount is an account, or the zerostate that its shard is at.
type foundAccount struct {
	account   *chain.RawAccount
	zeroShard chain.BlockIDExt
}

// mcSeqno returns the masterchain block that committed a block; 0 when it is not cached.
func (c *Client) mcSeqno(id chain.BlockIDExt) uint32 {
	if id.IsMaster() {
		return id.Seqno
	}
	seqno, _ := c.committed.Get(id.RootHash)
	return seqno
}

// checkAccount follows the proofs from block to shard to account. When the shard proves to be at its zerostate, that
// is returned instead of an account.
func (h stateHashes) checkAccount(at chain.BlockIDExt, account chain.Address, a ton.AccountState) (*chain.RawAccount, chain.BlockIDExt, error) {
	var none chain.BlockIDExt
	if fromTL(a.ID) != at {
		return nil, none, lie(nil, "returned an account in another block than %s", at)
	}
	if err := cellgraph.CheckLevels(slices.Concat(a.ShardProof, a.Proof)...); err != nil {
		return nil, none, err
	}
	stateOf := at
	if account.Workchain != chain.MasterchainID && account.Workchain != chain.BasechainID {
		if there, err := hasWorkchain(at, a.ShardProof, account.Workchain); err != nil || !there {
			return &chain.RawAccount{}, none, err
		}
	}
	if at.Workchain != account.Workchain { // a masterchain block stands for the shard blocks it lists
		addr := address.NewAddress(0, byte(account.Workchain), account.ID[:])
		if err := ton.CheckShardInMasterProofForAccount(toTL(at), a.ShardProof, a.Shard, addr); err != nil {
			return nil, none, err
		}
		stateOf = fromTL(a.Shard)
		if stateOf.Seqno == 0 {
			return nil, stateOf, nil
		}
	}
	state, err := h.check(stateOf.RootHash, a.Proof)
	if err != nil {
		return nil, none, err
	}
	found, err := findAccount(state, account)
	if err != nil {
		return nil, none, err
	}
	if found.Root == nil {
		if a.State != nil {
			return nil, none, errors.New("it has a state although the proof shows that it does not exist")
		}
		return found, none, nil
	}
	// The proof may end at the account's hash; the account itself comes apart from it.
	if a.State == nil || a.State.HashKey() != found.Root.HashKey(0) {
		return nil, none, errors.New("the account is not the one of the proof")
	}
	if err := cellgraph.CheckLevels(a.State); err != nil {
		return nil, none, err
	}
	found.Root = a.State
	return found, none, nil
}

// hasWorkchain reports whether a masterchain block lists shards of a workchain, as a proof shows. Servers respond to a request for an account
// of another workchain with that proof and no shard.
func hasWorkchain(at chain.BlockIDExt, proof []*cell.Cell, workchain int32) (bool, error) {
	extra, err := ton.CheckShardMcStateExtraProof(toTL(at), proof)
	if err != nil {
		return false, fmt.Errorf("proof of the shards: %w", err)
	}
	if extra.ShardHashes == nil {
		return false, nil
	}
	_, err = extra.ShardHashes.LoadValue(cell.BeginCell().MustStoreInt(int64(workchain), 32).EndCell())
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("proof of the shards: %w", err)
	}
	return true, nil
}

// stateHashes are proven hashes of the states after blocks, by the root hash of the block.
type stateHashes struct {
	*lru.Cache[chain.Hash, chain.Hash]
}

func newStateHashes() stateHashes {
	cache, _ := lru.New[chain.Hash, chain.Hash](statesCacheSize) // errs only for a size of 0
	return stateHashes{cache}
}

// check follows the two proofs from a block to the part of the state after it that they show. The proof of the block is
// the same for all accounts of a block, so it is checked once: afterwards the hash of the state is proven.
func (h stateHashes) check(block chain.Hash, proof []*cell.Cell) (*tlb.ShardStateUnsplit, error) {
	hash, proven := h.Get(block)
	if !proven {
		state, err := ton.CheckBlockShardStateProof(proof, block[:])
		if err != nil {
			return nil, err
		}
		root, err := proof[1].PeekRef(0)
		if err == nil {
			h.Add(block, chain.Hash(root.HashKey(0)))
		}
		return state, err
	}
	if len(proof) != 2 {
		return nil, fmt.Errorf("%d proofs of a state instead of two", len(proof))
	}
	root, err := cell.UnwrapProof(proof[1], hash[:])
	if err != nil {
		return nil, fmt.Errorf("proof of the state: %w", err)
	}
	loader, err := root.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("proof of the state: %w", err)
	}
	var state tlb.ShardStateUnsplit
	if err := tlb.LoadFromCellAsProof(&state, loader, false); err != nil {
		return nil, fmt.Errorf("proof of the state: %w", err)
	}
	return &state, nil
}

// findAccount looks an account up in a shard state or in a proof of one. An account that does not exist has no Root.
func findAccount(state *tlb.ShardStateUnsplit, account chain.Address) (*chain.RawAccount, error) {
	if state.Accounts.ShardAccounts == nil {
		return nil, errors.New("the proof leaves the accounts out")
	}
	if state.Accounts.ShardAccounts.IsEmpty() {
		return &chain.RawAccount{}, nil
	}
	key := cell.BeginCell().MustStoreSlice(account.ID[:], 256).EndCell()
	value, _, err := state.Accounts.ShardAccounts.LoadValueExtra(key)
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		return &chain.RawAccount{}, nil // shown, not merely left out: a cut-off branch is another error
	}
	if err != nil {
		return nil, err
	}
	var found tlb.ShardAccount
	if err := tlb.LoadFromCell(&found, value); err != nil {
		return nil, err
	}
	return &chain.RawAccount{
		Root:       found.Account,
		LastTxHash: chain.HashFrom(found.LastTransHash),
		LastTxLT:   found.LastTransLT,
	}, nil
}

// zeroAccount reads an account from a zerostate. Liteservers prove no parts of zerostates, so it fetches the full state.
func (c *Client) zeroAccount(ctx context.Context, at chain.BlockIDExt, account chain.Address) (*chain.RawAccount, error) {
	root, err := c.zerostate(ctx, at)
	if err != nil {
		return nil, err
	}
	var found *chain.RawAccount
	err = believable("a zerostate", func() error {
		var state tlb.ShardStateUnsplit
		if err := tlb.Parse(&state, root); err != nil {
			return err
		}
		found, err = findAccount(&state, account)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("zerostate %s: %w", at, err)
	}
	return found, nil
}

// zerostate fetches the first state of a chain. Its id consists of the hashes of the state itself.
func (c *Client) zerostate(ctx context.Context, id chain.BlockIDExt) (*cell.Cell, error) {
	if root, ok := c.zerostates.Get(id.RootHash); ok {
		return root, nil
	}
	w := want{what: "zerostate of workchain " + fmt.Sprint(id.Workchain)}
	root, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (*cell.Cell, error) {
		state, err := call[ton.BlockState](ctx, s, ton.GetState{ID: toTL(id)})
		if err != nil {
			return nil, err
		}
		var root *cell.Cell
		err = believable("a zerostate", func() error {
			if fromTL(state.ID) != id || sha256.Sum256(state.Data) != id.FileHash {
				return errors.New("it does not have its file hash")
			}
			root, err = cellgraph.FromBOC(state.Data)
			if err == nil && chain.Hash(root.HashKey()) != id.RootHash {
				err = errors.New("it does not have its root hash")
			}
			return err
		})
		return root, err
	})
	if err == nil {
		c.zerostates.Add(id.RootHash, root)
	}
	return root, err
}

// Config reads the complete configuration in the state after a masterchain block.
func (c *Client) Config(ctx context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	if !at.IsMaster() {
		return nil, chain.Invalidf("block %s has no configuration: only masterchain blocks have one", at.BlockID)
	}
	if at.Seqno == 0 {
		return c.zeroConfig(ctx, at)
	}
	w := want{what: fmt.Sprintf("configuration after masterchain block %d", at.Seqno), seqno: at.Seqno, state: true}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (*cell.Cell, error) {
		info, err := call[ton.ConfigAll](ctx, s, ton.GetConfigAll{BlockID: toTL(at)})
		if err != nil {
			return nil, err
		}
		var root *cell.Cell
		err = believable("a configuration", func() error {
			root, err = checkConfig(at, info)
			return err
		})
		return root, err
	})
}

func checkConfig(at chain.BlockIDExt, info ton.ConfigAll) (*cell.Cell, error) {
	if fromTL(info.ID) != at {
		return nil, lie(nil, "returned the configuration of another block than %s", at)
	}
	header, err := parseProof(info.StateProof)
	if err != nil {
		return nil, err
	}
	state, err := parseProof(info.ConfigProof)
	if err != nil {
		return nil, err
	}
	extra, err := ton.CheckShardMcStateExtraProof(toTL(at), []*cell.Cell{header, state})
	if err != nil {
		return nil, err
	}
	return completeConfig(extra.ConfigParams.Config.Params)
}

// completeConfig refuses a configuration with pruned branches: its hash would be right, but parts would be missing.
func completeConfig(params *cell.Dictionary) (*cell.Cell, error) {
	if params == nil || params.AsCell() == nil {
		return nil, errors.New("the configuration is missing")
	}
	root := params.AsCell()
	if root.IsSpecial() || root.Level() != 0 {
		return nil, errors.New("a part of the configuration is cut off")
	}
	return root, nil
}

func (c *Client) zeroConfig(ctx context.Context, at chain.BlockIDExt) (*cell.Cell, error) {
	state, err := c.zerostate(ctx, at)
	if err != nil {
		return nil, err
	}
	var root *cell.Cell
	err = believable("a zerostate", func() error {
		var parsed tlb.ShardStateUnsplit
		if err := tlb.Parse(&parsed, state); err != nil {
			return err
		}
		if parsed.McStateExtra == nil {
			return errors.New("it has no configuration")
		}
		var extra tlb.McStateExtra
		if err := tlb.Parse(&extra, parsed.McStateExtra); err != nil {
			return err
		}
		root, err = completeConfig(extra.ConfigParams.Config.Params)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("zerostate %s: %w", at, err)
	}
	return root, nil
}
