package action

import "tonql/internal/contract/multisig"

func init() {
	answer := Call(multisig.OpApproveAccepted, multisig.OpApproveRejected).As("answer")
	Register(Spec{
		Kind: "multisig_approve", Phase: 8,
		Match: Either(Call(multisig.OpApprove).Then(answer), Where(saysApprove).Of(TypeTonTransfer).Then(answer)),
		Build: buildMultisigApprove,
	})
}

// MultisigApproveData is a signature. The index is -1 when it was given as a comment.
type MultisigApproveData struct {
	SignerIndex int64 `json:"signer_index"`
	ExitCode    int64 `json:"exit_code"`
}

// Column names the composite column.
func (*MultisigApproveData) Column() string { return "multisig_approve_data" }

// saysApprove is the form for wallets that can send comments only.
func saysApprove(b *Block) bool {
	if b.Type != TypeTonTransfer {
		return false
	}
	said, encrypted := Comment(b.Msg.Body)
	return said != nil && !encrypted && *said == "approve"
}

func buildMultisigApprove(c *Context, m *Match) *Result {
	signers, ok := signers(c, m.Start.Account())
	if !ok {
		return nil
	}
	answer, d := m.Get("answer"), &MultisigApproveData{SignerIndex: -1}
	if m.Start.Calls(multisig.OpApprove) {
		l := m.Start.Body()
		l.Uint(64)
		d.SignerIndex = int64(l.Uint(8))
	}
	rejected := answer.Calls(multisig.OpApproveRejected)
	if rejected {
		l := answer.Body()
		l.Uint(64)
		d.ExitCode = int64(int32(l.Uint(32)))
	}
	return &Result{
		Also: signers, Failed: rejected,
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), Payloads: []Payload{d},
		},
	}
}
