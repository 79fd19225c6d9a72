package wallet

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract/multisig"
)

func init() {
	action.Register(action.Spec{
		Kind: "multisig_create_order", Phase: 7,
		Match: action.Call(multisig.OpNewOrder).Then(action.Call(multisig.OpOrderInit).As("order")),
		Build: buildMultisigCreate, OnlyPattern: true,
	})
}

// MultisigCreateData is a new order.
type MultisigCreateData struct {
	QueryID           uint64   `json:"query_id"`
	OrderSeqno        *big.Int `json:"order_seqno"`
	IsCreatedBySigner bool     `json:"is_created_by_signer"`
	IsSignedByCreator bool     `json:"is_signed_by_creator"`
	CreatorIndex      uint64   `json:"creator_index"`
	ExpirationDate    uint64   `json:"expiration_date"`
	OrderBOC          *string  `json:"order_boc"`
}

// Column implements [action.Payload].
func (*MultisigCreateData) Column() string { return "multisig_create_order_data" }

// buildMultisigCreate reads the request. An order that exists already takes it for an approval, which it can reject.
func buildMultisigCreate(c *action.Context, m *action.Match) *action.Result {
	order := m.Get("order")
	signers, ok := signers(c, order.Account())
	l := m.Start.Body()
	d := &MultisigCreateData{
		QueryID: l.Uint(64), OrderSeqno: l.BigUint(256), IsCreatedBySigner: l.Bool(), CreatorIndex: l.Uint(8),
		ExpirationDate: l.Uint(48), OrderBOC: action.EncodeBOC(l.Ref(), false),
	}
	if !ok || l.Err() != nil {
		return nil
	}
	d.IsSignedByCreator = signedAtOnce(order)
	return &action.Result{
		Also: signers, Failed: order.Aborted() || order.NextCall(multisig.OpApproveRejected) != nil,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), DestinationSecondary: action.AddressText(order.Account()),
			Payloads: []action.Payload{d},
		},
	}
}

// signedAtOnce reports whether the order contains the approval of its creator from the start.
//
//	order_init#9c73fba2 query_id:uint64 threshold:uint8 signers:^Cell expiration:uint48 order:^Cell
//	  signer_index:(Maybe uint8) = InternalMsgBody;
func signedAtOnce(init *action.Block) bool {
	l := init.Body()
	l.Uint(64)
	l.Uint(8)
	l.Ref()
	l.Uint(48)
	l.Ref()
	return l.Bool()
}
