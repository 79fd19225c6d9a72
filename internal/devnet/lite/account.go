package lite

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/ledger"
)

// found is an account in a state, with the proofs of its presence or absence.
type found struct {
	base       *ledger.Block // the block the client named
	block      *ledger.Block // the newest block of the account's shard; nil when there is no such shard
	shardProof []*cell.Cell  // that block belongs to base; empty when they are the same
	proof      []*cell.Cell  // the account's entry in the state after block
	account    *cell.Cell    // nil when the account does not exist
	genUtime   uint32        // of the state
	genLT      uint64        // of the state
}

func (a *api) getAccountState(id *ton.BlockIDExt, acc ton.AccountID, pruned bool) (tl.Serializable, error) {
	f, err := a.findAccount(id, acc)
	if err != nil {
		return nil, err
	}
	response := ton.AccountState{
		ID:         f.base.ID.Copy(),
		Shard:      unknownID(),
		ShardProof: f.shardProof,
		Proof:      f.proof,
		State:      f.account,
	}
	if f.block != nil {
		response.Shard = f.block.ID.Copy()
	}
	if pruned && f.account != nil {
		if response.State, err = prove(f.account, openAccountPruned); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// findAccount finds an account in the state after a masterchain block or a block of its own shard.
func (a *api) findAccount(id *ton.BlockIDExt, acc ton.AccountID) (*found, error) {
	base, err := a.referenceBlock(id, acc)
	if err != nil {
		return nil, err
	}
	f := &found{base: base, block: base}
	if base.ID.Workchain == masterWorkchain && acc.Workchain != masterWorkchain {
		if err := a.descend(f, acc); err != nil {
			return nil, err
		}
		if f.block == nil {
			return f, nil
		}
	}
	state, err := a.stateOf(f.block)
	if err != nil {
		return nil, err
	}
	f.proof, err = a.stateProof(f.block, state, func(root *cell.Cell) error {
		parts, err := openState(root)
		if err != nil {
			return err
		}
		f.genUtime, f.genLT = parts.genUtime, parts.genLT
		f.account, err = openAccountEntry(parts.accounts, acc.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// referenceBlock finds the block that a client named and checks that its state covers the account.
func (a *api) referenceBlock(id *ton.BlockIDExt, acc ton.AccountID) (*ledger.Block, error) {
	if id == nil || id.Shard == 0 {
		return nil, fail(codeBadRequest, "reference block id for a getAccountState() is invalid")
	}
	if id.Workchain != masterWorkchain && id.Workchain != acc.Workchain {
		return nil, fail(codeBadRequest, "reference block for a getAccountState() must belong to the masterchain")
	}
	if id.Workchain == acc.Workchain && !contains(id.Shard, accountPrefix(acc.ID)) {
		return nil, fail(codeBadRequest, "requested account id is not contained in the shard of the reference block")
	}
	if id.Workchain == masterWorkchain && id.SeqNo == ^uint32(0) {
		return a.head() // in the protocol this id means the newest block
	}
	b, err := a.blockOf(id)
	if err != nil {
		return nil, prefixed("cannot load block "+idString(*id)+" : ", err)
	}
	return b, nil
}

// descend goes from the masterchain block to the block of the account's shard.
func (a *api) descend(f *found, acc ton.AccountID) error {
	leaf, proof, err := a.shardTop(f.base, acc.Workchain, accountPrefix(acc.ID))
	if err != nil {
		return err
	}
	f.shardProof = proof
	if leaf == nil {
		f.block = nil
		return nil
	}
	if leaf.id.SeqNo == 0 {
		return fail(codeNotReady, "no block of shard (%d,%016x) yet", leaf.id.Workchain, uint64(leaf.id.Shard))
	}
	f.block, err = a.blockOf(&leaf.id)
	return err
}

// openAccountEntry looks an account up in ShardAccounts and returns its cell unopened.
func openAccountEntry(accounts *cell.Cell, id []byte) (*cell.Cell, error) {
	s, err := accounts.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("shard accounts: %w", err)
	}
	root, err := loadMaybeRef(s)
	if err != nil || root == nil {
		return nil, err
	}
	entry, err := lookup(root, bytesKey(id), 256)
	if err != nil || entry == nil {
		return nil, err
	}
	// The augmentation: split depth and balance.
	if err := entry.SkipBits(5); err != nil {
		return nil, fmt.Errorf("shard account: %w", err)
	}
	if err := skipCurrencies(entry); err != nil {
		return nil, fmt.Errorf("shard account: %w", err)
	}
	account, err := entry.LoadRefCell()
	if err != nil {
		return nil, fmt.Errorf("shard account: %w", err)
	}
	account = untraced(account)
	if account.BitsSize() == 1 { // account_none$0 left behind by a deletion
		return nil, nil
	}
	return account, nil
}

// openAccountPruned opens the cells of an account's pruned form: all but code, data and
// libraries. Of these, only the extra currencies are in further cells.
func openAccountPruned(root *cell.Cell) error {
	acc, err := openAccount(root)
	if err != nil {
		return err
	}
	return visit(acc.extra)
}
