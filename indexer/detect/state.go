package detect

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// StateOf converts a decoded account state into the form that package contract runs.
func StateOf(s *decode.State) contract.State {
	st := contract.State{
		Address: s.Row.Account, Code: s.Code, Data: s.Data, Balance: s.Row.Balance, Extra: extraDict(s.Row.Extra),
		LastTxLT: s.Row.LT,
	}
	if s.Row.DuePayment != nil {
		st.DuePayment = *s.Row.DuePayment
	}
	return st
}

// extraDict serializes extra currencies as in an account: id to VarUInteger 32.
func extraDict(extra chain.ExtraCurrencies) *cell.Cell {
	if len(extra) == 0 {
		return nil
	}
	dict := cell.NewDict(32)
	for id, amount := range extra {
		value := cell.BeginCell()
		if value.StoreBigVarUInt(amount, 32) != nil {
			continue // amounts of the chain fit by construction
		}
		key := cell.BeginCell().MustStoreUInt(uint64(id), 32).EndCell()
		if dict.Set(key, value.EndCell()) != nil {
			continue
		}
	}
	return dict.AsCell()
}

// detach copies the cells of a state, so that a cached state does not retain the block it was decoded from. Code that equals
// that of before is shared with it.
func detach(s contract.State, before *contract.State) (contract.State, error) {
	var err error
	if before != nil && before.Code != nil && s.Code != nil && before.CodeHash() == s.CodeHash() {
		s.Code = before.Code
	} else if s.Code, err = copyCell(s.Code); err != nil {
		return s, err
	}
	s.Data, err = copyCell(s.Data)
	return s, err
}

func copyCell(c *cell.Cell) (*cell.Cell, error) {
	if c == nil {
		return nil, nil
	}
	return cell.FromBOC(c.ToBOCWithOptions(cell.BOCSerializeOptions{}))
}
