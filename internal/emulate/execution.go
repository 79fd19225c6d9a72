package emulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// ltStep is the distance between the first logical times of consecutive blocks.
const ltStep = 1_000_000

// execution is a message to execute on an account.
type execution struct {
	account      chain.Address
	message      *cell.Cell
	anySignature bool
	lt           uint64     // lower bound of the transaction's logical time; 0: set by the account's state alone
	funded       bool       // execute as if the account had the balance ample
	stat         *cell.Cell // storage statistics after the previous transaction; nil: count them
}

// executed is the result of an execution.
type executed struct {
	context *executionContext
	target  *target
	result  *tvm.TransactionExecutionResult // without TransactionCell when the contract did not accept
}

// target is an account prepared for execution in the next block.
type target struct {
	prepared *tvm.PreparedAccount
	config   *networkConfig
	block    tvm.BlockOptions
	lt       int64
	rich     bool // the balance covers the import of any message and all gas
}

// within returns the block context of one run of the bounded VM.
func (t *target) within(run *boundedvm.Run) (*tvm.BlockContext, error) {
	options := t.block
	options.Libraries = run.Libraries(options.Libraries)
	block, err := t.config.NewBlockContext(options)
	if err != nil {
		return nil, fmt.Errorf("block context: %w", err)
	}
	return block, nil
}

// execute executes a message. The code is untrusted and runs within the machine's bounds.
func (x *Emulator) execute(ctx context.Context, v *View, e *execution) (*executed, error) {
	if err := executable(e.message); err != nil {
		return nil, err
	}
	ec, t, err := x.target(ctx, v, e)
	if err != nil {
		return nil, err
	}
	message, err := tvm.PrepareMessage(e.message)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "this is not a message that a transaction can begin with", Err: err}
	}
	result, err := x.emulate(ctx, t, message, e)
	if err != nil {
		return nil, err
	}
	return &executed{context: ec, target: t, result: result}, nil
}

// emulate executes a message that is [executable].
func (x *Emulator) emulate(ctx context.Context, t *target, m *tvm.PreparedMessage, e *execution) (*tvm.TransactionExecutionResult, error) {
	opts := tvm.TransactionOptions{
		LogicalTime: max(t.lt, int64(e.lt)), SignatureCheckAlwaysSucceed: e.anySignature, AccountStorageStat: e.stat,
	}
	var result *tvm.TransactionExecutionResult
	err := x.machine.Execute(ctx, "emulation", func(run *boundedvm.Run) error {
		run.ShowExtra(actionphase.Credited(t.prepared, m.Cell()))
		block, err := t.within(run)
		if err == nil {
			result, err = x.tvm.EmulateTransaction(block, t.prepared, m, opts)
		}
		if err == nil {
			err = t.config.noActions
		}
		if err == nil {
			result, err = actionphase.Correct(t.config.actions, t.prepared, stdAddress(e.account), m.Cell(), result)
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

// target prepares an account for execution.
func (x *Emulator) target(ctx context.Context, v *View, e *execution) (*executionContext, *target, error) {
	a, message := e.account, e.message
	ec, err := x.executionContext(ctx, v, a)
	if err != nil {
		return nil, nil, err
	}
	acc, err := x.Account(ctx, v, a)
	if err != nil {
		return nil, nil, err
	}
	root, err := x.AccountCell(ctx, v, acc)
	if err != nil {
		return nil, nil, err
	}
	if e.funded {
		if root, err = fund(root, a); err != nil {
			return nil, nil, err
		}
	}
	roots := []*cell.Cell{acc.Contract.Code, acc.Contract.Data, message}
	if err := x.fetchLibraries(ctx, v, roots...); err != nil {
		return nil, nil, err
	}
	var libraries []*cell.Cell
	if dict := contract.LibraryDict(v.libraries, roots...); dict != nil {
		libraries = []*cell.Cell{dict}
	}
	lt := int64((ec.at.EndLT/ltStep + 1) * ltStep)
	block := tvm.BlockOptions{
		Now: ec.at.GenUtime, BlockLT: lt, RandSeed: ec.at.RootHash[:], PrevBlocks: ec.prev, Libraries: libraries,
	}
	shard := &tlb.ShardAccount{Account: root, LastTransHash: acc.State.TxHash[:], LastTransLT: acc.State.LT}
	prepared, err := tvm.PrepareAccount(shard, stdAddress(a))
	if err != nil {
		return nil, nil, fmt.Errorf("account %s: %w", a, err)
	}
	if err := cellgraph.CheckAccount(prepared.State()); err != nil {
		return nil, nil, &chain.Error{Kind: chain.TooLarge, Message: "the account cannot be emulated: " + err.Error(), Err: err}
	}
	return ec, &target{prepared: prepared, config: ec.config, block: block, lt: lt + 1, rich: e.funded || acc.State.Balance >= enough}, nil
}

// AccountCell returns the account's cell. The index stores everything but the account's own libraries, the fixed
// prefix, the special flags and the hash of the storage statistics. If the hash of the rebuilt cell differs from the
// chain's, the node's cell is used; without a node, the rebuilt cell, which yields the same fees.
func (x *Emulator) AccountCell(ctx context.Context, v *View, acc *Account) (*cell.Cell, error) {
	if acc.root != nil {
		return acc.root, nil
	}
	if acc.State.Status == chain.Nonexist {
		return cell.BeginCell().MustStoreUInt(0, 1).EndCell(), nil
	}
	endLT, err := x.endLT(ctx, &acc.State)
	if err != nil {
		return nil, err
	}
	root, err := rebuild(acc, endLT)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", acc.State.Account, err)
	}
	if chain.Hash(root.HashKey()) == acc.State.Hash || x.node == nil {
		return root, nil
	}
	raw, err := x.node.Account(ctx, v.Master.BlockIDExt, acc.State.Account)
	if err != nil || raw.Root == nil {
		x.log.Debug("reading the account from the node failed", "account", acc.State.Account, "err", err)
		return root, nil
	}
	return raw.Root, nil
}

// endLT returns the logical time after a state's last transaction. Rows hold the transaction's own LT.
func (x *Emulator) endLT(ctx context.Context, row *chain.AccountState) (uint64, error) {
	if row.LT == 0 {
		return 0, nil
	}
	txs, err := x.index.TransactionsByKey(ctx, []chain.TransactionKey{{Account: row.Account, LT: row.LT}})
	if err != nil {
		return 0, err
	}
	if len(txs) == 0 {
		return row.LT + 1, nil
	}
	return row.LT + 1 + uint64(txs[0].OutMsgCount), nil
}

// standardAddress converts a standard address: 256 bits, without anycast. False for any other form.
func standardAddress(a *address.Address) (chain.Address, bool) {
	if a == nil || a.Type() != address.StdAddress || len(a.Data()) != len(chain.Hash{}) {
		return chain.Address{}, false
	}
	return chain.Address{Workchain: int32(int8(a.Workchain())), ID: chain.HashFrom(a.Data())}, true
}

// stdAddress converts an address to the library's form.
func stdAddress(a chain.Address) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID[:])
}
