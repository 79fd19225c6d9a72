package wallet

import (
	"tonql/internal/action"
	"tonql/internal/contract/multisig"
)

func init() {
	reply := action.Call(multisig.OpApproveAccepted, multisig.OpApproveRejected).As("reply")
	action.Register(action.Spec{
		Kind: "multisig_approve", Phase: 8,
		Match: action.Either(action.Call(multisig.OpApprove).Then(reply), action.Where(isApproveComment).Of(action.TypeTonTransfer).Then(reply)),
		Build: buildMultisigApprove, OnlyPattern: true,
	})
}

// MultisigApproveData is an approval. The index is -1 when it was sent as a comment.
type MultisigApproveData struct {
	SignerIndex int64 `json:"signer_index"`
	ExitCode    int64 `json:"exit_code"`
}

// Column implements [action.Payload].
func (*MultisigApproveData) Column() string { return "multisig_approve_data" }

// isApproveComment reports whether the block is an approval as a comment, for wallets that can only send comments.
func isApproveComment(b *action.Block) bool {
	if b.Type != action.TypeTonTransfer {
		return false
	}
	comment, encrypted := action.Comment(b.Msg.Body.Cell())
	return comment != nil && !encrypted && *comment == "approve"
}

func buildMultisigApprove(c *action.Context, m *action.Match) *action.Result {
	signers, ok := signers(c, m.Start.Account())
	if !ok {
		return nil
	}
	reply, d := m.Get("reply"), &MultisigApproveData{SignerIndex: -1}
	if m.Start.Calls(multisig.OpApprove) {
		l := m.Start.Body()
		l.Uint(64)
		d.SignerIndex = int64(l.Uint(8))
	}
	rejected := reply.Calls(multisig.OpApproveRejected)
	if rejected {
		l := reply.Body()
		l.Uint(64)
		d.ExitCode = int64(int32(l.Uint(32)))
	}
	return &action.Result{
		Also: signers, Failed: rejected,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Payloads: []action.Payload{d},
		},
	}
}
