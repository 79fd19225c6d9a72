package actionphase

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Correct makes the transaction of an execution again with [Redo]. It returns res itself if that is what the network makes, also for
// what is not supported here. message is nil for tick and tock. The returned result shares with res what does not differ.
func Correct(config *Config, before *tvm.PreparedAccount, to *address.Address, message *cell.Cell, res *tvm.TransactionExecutionResult) (*tvm.TransactionExecutionResult, error) {
	if res == nil || res.TransactionCell == nil || res.NextAccount == nil {
		return res, nil
	}
	in := Input{
		Account: before.ShardAccount().Account, Message: message, Transaction: res.TransactionCell, After: res.NextAccount.ShardAccount().Account,
		Actions: res.Actions, Data: res.Data,
	}
	if in.Actions == nil {
		in.Actions = cell.BeginCell().EndCell()
	}
	done, err := Redo(config, in)
	if err != nil || done == nil || done.Transaction.HashKey() == res.TransactionCell.HashKey() {
		return res, nil //nolint:nilerr // not supported: the execution stands
	}
	out := *res
	out.TransactionCell = done.Transaction
	var parsed tlb.Transaction
	if err := tlb.Parse(&parsed, done.Transaction); err != nil {
		return nil, fmt.Errorf("transaction that was made again: %w", err)
	}
	shard := &tlb.ShardAccount{Account: done.Account, LastTransHash: done.Transaction.Hash(), LastTransLT: parsed.LT}
	if out.NextAccount, err = tvm.PrepareAccount(shard, to); err != nil {
		return nil, fmt.Errorf("account that was made again: %w", err)
	}
	if done.Account.HashKey() != in.After.HashKey() {
		out.AccountStorageStat = nil // of the other account: it is counted again
	}
	if done.EndLT == 0 { // only the account differs
		return &out, nil
	}
	out.EndLT, out.OutMessages = done.EndLT, make([]tvm.OutMessage, len(done.Messages))
	for i, c := range done.Messages {
		message := &tlb.Message{}
		if err := tlb.Parse(message, c); err != nil {
			return nil, fmt.Errorf("message that was made again: %w", err)
		}
		out.OutMessages[i] = tvm.OutMessage{Cell: c, Msg: message}
	}
	return &out, nil
}
