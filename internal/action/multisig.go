package action

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract/multisig"
)

func init() {
	Register(Spec{
		Kind: "multisig_create_order", Phase: 7,
		Match: Call(multisig.OpNewOrder).Then(Call(multisig.OpOrderInit).As("order")),
		Build: buildMultisigCreate,
	})
	Register(Spec{
		Kind: "multisig_approve", Phase: 8,
		Match: Where(approves).Then(Call(multisig.OpApproveAccepted, multisig.OpApproveRejected).As("answer")),
		Build: buildMultisigApprove,
	})
	Register(Spec{Kind: "multisig_execute", Phase: 9, Match: Call(multisig.OpExecute), Build: buildMultisigExecute})
}

// MultisigCreateData is a proposal.
type MultisigCreateData struct {
	QueryID           uint64   `json:"query_id"`
	OrderSeqno        *big.Int `json:"order_seqno"`
	IsCreatedBySigner bool     `json:"is_created_by_signer"`
	IsSignedByCreator bool     `json:"is_signed_by_creator"`
	CreatorIndex      uint64   `json:"creator_index"`
	ExpirationDate    uint64   `json:"expiration_date"`
	OrderBOC          *string  `json:"order_boc"`
}

// Column names the composite column.
func (*MultisigCreateData) Column() string { return "multisig_create_order_data" }

// MultisigApproveData is a signature. The index is -1 when it was given as a comment.
type MultisigApproveData struct {
	SignerIndex int64 `json:"signer_index"`
	ExitCode    int64 `json:"exit_code"`
}

// Column names the composite column.
func (*MultisigApproveData) Column() string { return "multisig_approve_data" }

// MultisigExecuteData is a proposal with enough signatures.
type MultisigExecuteData struct {
	QueryID        uint64     `json:"query_id"`
	OrderSeqno     *big.Int   `json:"order_seqno"`
	ExpirationDate uint64     `json:"expiration_date"`
	ApprovalsNum   uint64     `json:"approvals_num"`
	SignersHash    chain.Hash `json:"signers_hash"`
	OrderBOC       *string    `json:"order_boc"`
}

// Column names the composite column.
func (*MultisigExecuteData) Column() string { return "multisig_execute_data" }

// signers are the accounts an order concerns; nil without its record.
func (c *Context) signers(order *chain.Address) ([]chain.Address, bool) {
	if order == nil {
		return nil, false
	}
	o := c.Records.MultisigOrder(*order)
	if o == nil {
		return nil, false
	}
	return o.Signers, true
}

func buildMultisigCreate(c *Context, m *Match) *Result {
	order := m.Get("order")
	signers, ok := c.signers(order.account())
	l := m.Start.body()
	d := &MultisigCreateData{
		QueryID: l.Uint(64), OrderSeqno: l.BigUint(256), IsCreatedBySigner: l.Bool(), CreatorIndex: l.Uint(8),
		ExpirationDate: l.Uint(48), OrderBOC: boc(l.Ref(), false),
	}
	if !ok || l.Err() != nil {
		return nil
	}
	d.IsSignedByCreator = d.IsCreatedBySigner
	return &Result{
		Also: signers,
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), DestinationSecondary: text(order.account()),
			Payloads: []Payload{d},
		},
	}
}

func approves(b *Block) bool {
	if b.calls(multisig.OpApprove) {
		return true
	}
	if b.Type != typeTonTransfer {
		return false
	}
	said, encrypted := comment(b.Msg.Body)
	return said != nil && !encrypted && *said == "approve"
}

func buildMultisigApprove(c *Context, m *Match) *Result {
	signers, ok := c.signers(m.Start.account())
	if !ok {
		return nil
	}
	answer, d := m.Get("answer"), &MultisigApproveData{SignerIndex: -1}
	if m.Start.calls(multisig.OpApprove) {
		l := m.Start.body()
		l.Uint(64)
		d.SignerIndex = int64(l.Uint(8))
	}
	rejected := answer.calls(multisig.OpApproveRejected)
	if rejected {
		l := answer.body()
		l.Uint(64)
		d.ExitCode = int64(int32(l.Uint(32)))
	}
	return &Result{
		Also: signers, Failed: rejected,
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Payloads: []Payload{d},
		},
	}
}

func buildMultisigExecute(c *Context, m *Match) *Result {
	signers, ok := c.signers(m.Start.from())
	l := m.Start.body()
	d := &MultisigExecuteData{
		QueryID: l.Uint(64), OrderSeqno: l.BigUint(256), ExpirationDate: l.Uint(48), ApprovalsNum: l.Uint(8),
		SignersHash: l.Hash(), OrderBOC: boc(l.Ref(), false),
	}
	if !ok || l.Err() != nil {
		return nil
	}
	return &Result{
		Also: signers, Failed: m.Start.aborted(),
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Payloads: []Payload{d},
		},
	}
}
