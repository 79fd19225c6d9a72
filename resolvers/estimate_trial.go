package resolvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// ltStep is how far apart the first logical times of blocks are.
const ltStep = 1_000_000

// trial is a message to be executed on an account, on paper.
type trial struct {
	account      chain.Address
	message      *cell.Cell
	anySignature bool
	lt           uint64     // the transaction is not before this; 0: as soon as the account's state allows
	funded       bool       // as if the account held ample coins
	stat         *cell.Cell // statistics of the account's storage after the transaction before; nil: to be counted
}

// tried is how a trial ended.
type tried struct {
	scene  *scene
	lane   *lane
	result *tvm.TransactionExecutionResult // without TransactionCell when the contract did not accept
}

// lane is an account prepared for execution in the block that would be next.
type lane struct {
	prepared *tvm.PreparedAccount
	config   *tvm.PreparedBlockchainConfig
	block    tvm.BlockOptions
	lt       int64
	rich     bool // the account holds enough coins for any import and any gas
}

// within makes the block of one run, whose opcodes find the run in it.
func (l *lane) within(run *boundedvm.Run) (*tvm.BlockContext, error) {
	options := l.block
	options.Libraries = run.Libraries(options.Libraries)
	block, err := l.config.NewBlockContext(options)
	if err != nil {
		return nil, fmt.Errorf("block context: %w", err)
	}
	return block, nil
}

// try executes a message. The code is a stranger's: it runs within the machine's bounds.
func (x *executor) try(ctx context.Context, v *view, t *trial) (*tried, error) {
	if err := executable(t.message); err != nil {
		return nil, err
	}
	sc, l, err := x.lane(ctx, v, t)
	if err != nil {
		return nil, err
	}
	message, err := tvm.PrepareMessage(t.message)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "this is not a message that a transaction can begin with", Err: err}
	}
	result, err := x.emulate(ctx, l, message, t)
	if err != nil {
		return nil, err
	}
	return &tried{scene: sc, lane: l, result: result}, nil
}

// emulate executes a message that is [executable].
func (x *executor) emulate(ctx context.Context, l *lane, m *tvm.PreparedMessage, t *trial) (*tvm.TransactionExecutionResult, error) {
	opts := tvm.TransactionOptions{
		LogicalTime: max(l.lt, int64(t.lt)), SignatureCheckAlwaysSucceed: t.anySignature, AccountStorageStat: t.stat,
	}
	var result *tvm.TransactionExecutionResult
	err := x.machine.Guard(ctx, "emulation", func(run *boundedvm.Run) error {
		block, err := l.within(run)
		if err == nil {
			result, err = x.tvm.EmulateTransaction(block, l.prepared, m, opts)
		}
		return err
	})
	switch {
	case err == nil && result != nil:
		return result, nil
	case err == nil:
		return &tvm.TransactionExecutionResult{}, nil
	case ctx.Err() != nil || contract.IsFault(err) || errors.Is(err, context.Canceled):
		return nil, err
	default:
		return nil, &chain.Error{Kind: chain.Invalid, Message: "the message cannot be executed: " + err.Error(), Err: err}
	}
}

// lane prepares an account and its block.
func (x *executor) lane(ctx context.Context, v *view, t *trial) (*scene, *lane, error) {
	a, message := t.account, t.message
	sc, err := x.scene(ctx, v, a)
	if err != nil {
		return nil, nil, err
	}
	acc, err := x.account(ctx, v, a)
	if err != nil {
		return nil, nil, err
	}
	root, err := x.accountCell(ctx, v, acc)
	if err != nil {
		return nil, nil, err
	}
	if t.funded {
		if root, err = fund(root, a); err != nil {
			return nil, nil, err
		}
	}
	roots := []*cell.Cell{acc.state.Code, acc.state.Data, message}
	if err := x.fetchLibraries(ctx, v, roots...); err != nil {
		return nil, nil, err
	}
	var libraries []*cell.Cell
	if dict := contract.LibraryDict(v.libraries, roots...); dict != nil {
		libraries = []*cell.Cell{dict}
	}
	lt := int64((sc.at.EndLT/ltStep + 1) * ltStep)
	block := tvm.BlockOptions{
		Now: sc.at.GenUtime, BlockLT: lt, RandSeed: sc.at.RootHash[:], PrevBlocks: sc.prev, Libraries: libraries,
	}
	shard := &tlb.ShardAccount{Account: root, LastTransHash: acc.row.TxHash[:], LastTransLT: acc.row.LT}
	prepared, err := tvm.PrepareAccount(shard, stdAddress(a))
	if err != nil {
		return nil, nil, fmt.Errorf("account %s: %w", a, err)
	}
	if err := cellgraph.CheckAccount(prepared.State()); err != nil {
		return nil, nil, &chain.Error{Kind: chain.TooLarge, Message: "the account cannot be emulated: " + err.Error(), Err: err}
	}
	return sc, &lane{prepared: prepared, config: sc.config, block: block, lt: lt + 1, rich: t.funded || acc.row.Balance >= enough}, nil
}

// accountCell is the account as the chain stores it. The index keeps all of it but libraries of the account's own, the
// fixed prefix, the special flags and the hash of the storage statistics; where the rebuilt cell does not have the
// hash it should, the node's is taken, and without a node the rebuilt one, on which fees come out the same.
func (x *executor) accountCell(ctx context.Context, v *view, acc *actor) (*cell.Cell, error) {
	if acc.root != nil {
		return acc.root, nil
	}
	if acc.row.Status == chain.Nonexist {
		return cell.BeginCell().MustStoreUInt(0, 1).EndCell(), nil
	}
	endLT, err := x.endLT(ctx, &acc.row)
	if err != nil {
		return nil, err
	}
	root, err := rebuild(acc, endLT)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", acc.row.Account, err)
	}
	if chain.Hash(root.HashKey()) == acc.row.Hash || x.svc.node == nil {
		return root, nil
	}
	raw, err := x.svc.node.Account(ctx, v.master.BlockIDExt, acc.row.Account)
	if err != nil || raw.Root == nil {
		x.svc.opts.Logger.Debug("account from the node", "account", acc.row.Account, "err", err)
		return root, nil
	}
	return raw.Root, nil
}

// endLT is the logical time after a state's transaction, which the state holds; rows name the beginning.
func (x *executor) endLT(ctx context.Context, row *chain.AccountState) (uint64, error) {
	if row.LT == 0 {
		return 0, nil
	}
	txs, err := x.svc.index.TransactionsByKey(ctx, []chain.TransactionKey{{Account: row.Account, LT: row.LT}})
	if err != nil {
		return 0, err
	}
	if len(txs) == 0 {
		return row.LT + 1, nil
	}
	return row.LT + 1 + uint64(txs[0].OutMsgCount), nil
}

// standardAddress reads an address of 256 bits without anycast.
func standardAddress(a *address.Address) (chain.Address, bool) {
	if a == nil || a.Type() != address.StdAddress || len(a.Data()) != len(chain.Hash{}) {
		return chain.Address{}, false
	}
	return chain.Address{Workchain: int32(int8(a.Workchain())), ID: chain.HashFrom(a.Data())}, true
}

// stdAddress is the library's form of an address.
func stdAddress(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID[:])
}
