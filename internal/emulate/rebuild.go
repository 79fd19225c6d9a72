package emulate

import (
	"context"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// rebuild builds the cell of an account from its row.
func rebuild(acc *Account, endLT uint64) (*cell.Cell, error) {
	row := &acc.State
	st := tlb.AccountState{
		IsValid: true, Address: stdAddress(row.Account),
		StorageInfo: tlb.StorageInfo{
			StorageUsed: tlb.StorageUsed{
				CellsUsed: new(big.Int).SetUint64(row.UsedCells), BitsUsed: new(big.Int).SetUint64(row.UsedBits),
			},
			StorageExtra: tlb.StorageExtraNone{}, LastPaid: row.LastPaid,
		},
		AccountStorage: tlb.AccountStorage{
			LastTransactionLT: endLT, Balance: tlb.FromNanoTONU(uint64(row.Balance)), ExtraCurrencies: storeExtra(row.Extra),
		},
	}
	if row.DuePayment != nil {
		st.StorageInfo.DuePayment = new(tlb.FromNanoTONU(uint64(*row.DuePayment)))
	}
	switch {
	case row.FrozenHash != nil:
		st.Status, st.StateHash = tlb.AccountStatusFrozen, row.FrozenHash[:]
	case acc.Contract.Code != nil || acc.Contract.Data != nil:
		st.Status = tlb.AccountStatusActive
		st.StateInit = &tlb.StateInit{Code: acc.Contract.Code, Data: acc.Contract.Data}
	default:
		st.Status = tlb.AccountStatusUninit
	}
	return st.ToCell()
}

// feesUnaccepted estimates the fees of a message that the account's code does not accept: no gas, the import fee by the size
// of the message, and the storage fee that a small internal message would collect.
func (x *Emulator) feesUnaccepted(ctx context.Context, run *executed, message *cell.Cell) (Fees, error) {
	account := run.target.prepared.Address()
	var f Fees
	config := tlb.BlockchainConfig{Root: run.context.config.Root()}
	if prices, err := config.GetMsgForwardPrices(account.Workchain() == -1); err == nil {
		cells, bits := tail(message)
		f.InFwd = prices.ComputeForwardFee(cells, bits).Uint64()
	}
	probe, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: account, DstAddr: account, Amount: tlb.FromNanoTONU(1_000_000_000), Body: cell.BeginCell().EndCell(),
	})
	if err != nil {
		return f, err
	}
	m, err := tvm.PrepareMessage(probe)
	if err != nil {
		return f, err
	}
	res, err := x.emulate(ctx, run.target, m, &execution{})
	if err != nil {
		return f, err
	}
	if res.TransactionCell != nil {
		paid, err := feesOf(res, false)
		f.Storage = paid.Storage
		return f, err
	}
	return f, nil
}

// tail counts the distinct cells of a message without the root, which is free.
func tail(message *cell.Cell) (cells, bits uint64) {
	seen := map[cell.Hash]struct{}{}
	todo := []*cell.Cell{message}
	for first := true; len(todo) > 0; first = false {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, again := seen[c.HashKey()]; again {
			continue
		}
		seen[c.HashKey()] = struct{}{}
		if !first {
			cells, bits = cells+1, bits+uint64(c.BitsSize())
		}
		for i := range int(c.RefsNum()) {
			if ref, err := c.PeekRef(i); err == nil {
				todo = append(todo, ref)
			}
		}
	}
	return cells, bits
}
