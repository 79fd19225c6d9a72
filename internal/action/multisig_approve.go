package action

import "tonql/internal/contract/multisig"

func init() {
	answer := Call(multisig.OpApproveAccepted, multisig.OpApproveRejected).As("answer")
	Register(Spec{
		Kind: "multisig_approve", Phase: 8,
		Match: Either(Call(multisig.OpApprove).Then(answer), Where(saysApprove).Of(typeTonTransfer).Then(answer)),
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
