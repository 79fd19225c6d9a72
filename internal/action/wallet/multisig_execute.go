package wallet

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/multisig"
)

func init() {
	action.Register(action.Spec{Kind: "multisig_execute", Phase: 9, Match: action.Call(multisig.OpExecute), Build: buildMultisigExecute})
}

// MultisigExecuteData is an order with enough approvals.
type MultisigExecuteData struct {
	QueryID        uint64     `json:"query_id"`
	OrderSeqno     *big.Int   `json:"order_seqno"`
	ExpirationDate uint64     `json:"expiration_date"`
	ApprovalsNum   uint64     `json:"approvals_num"`
	SignersHash    chain.Hash `json:"signers_hash"`
	OrderBOC       *string    `json:"order_boc"`
}

// Column implements [action.Payload].
func (*MultisigExecuteData) Column() string { return "multisig_execute_data" }

func buildMultisigExecute(c *action.Context, m *action.Match) *action.Result {
	signers, ok := signers(c, m.Start.From())
	l := m.Start.Body()
	d := &MultisigExecuteData{
		QueryID: l.Uint(64), OrderSeqno: l.BigUint(256), ExpirationDate: l.Uint(48), ApprovalsNum: l.Uint(8),
		SignersHash: l.Hash(), OrderBOC: action.EncodeBOC(l.Ref(), false),
	}
	if !ok || l.Err() != nil {
		return nil
	}
	return &action.Result{
		Also: signers, Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}
