package lending

import (
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// evaaTon is EVAA's asset id of TON.
const evaaTon = "0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a"

// evaaComments are the comments of the coins that EVAA returns.
var evaaComments = []string{"EVAA supply.", "EVAA withdraw.", "EVAA liquidation."}

// evaaUser matches a message to a user's contract. Its opcode follows a header: a version, an optional reference and two
// bits.
func evaaUser(op uint64) *action.Pattern {
	return action.Where(func(b *action.Block) bool {
		if !b.IsBasic() || b.IsLog() || b.Msg == nil {
			return false
		}
		l := contract.Load(b.Msg.Body.Cell())
		l.Coins()
		l.MaybeRef()
		l.Uint(2)
		return l.Uint(32) == op && l.Err() == nil
	})
}

// evaaRest matches the rest of the coins, which EVAA returns with one of its comments. Another transfer is no part of the action.
func evaaRest() *action.Pattern {
	return action.Where(func(b *action.Block) bool {
		if b.Type != action.TypeTonTransfer {
			return false
		}
		comment, encrypted := action.Comment(b.Msg.Body.Cell())
		return comment != nil && !encrypted && slices.Contains(evaaComments, *comment)
	}).Maybe()
}

// evaaRequest matches a request to the master contract: a call, or the payload of a Jetton transfer.
func evaaRequest(op uint32, then ...*action.Pattern) *action.Pattern {
	jettons := action.Where(func(b *action.Block) bool {
		l := evaaJettonRequest(b)
		return l != nil && l.Uint(32) == uint64(op) && l.Err() == nil
	})
	return action.Either(action.Call(op).Then(then...), jettons.Of("jetton_transfer").Then(then...))
}

// evaaJettonRequest returns a loader at the opcode of a request in a Jetton transfer; nil without one.
func evaaJettonRequest(b *action.Block) *contract.Loader {
	if b.Type != "jetton_transfer" {
		return nil
	}
	d := action.JettonTransferOf(b)
	if d == nil || d.ForwardCell == nil {
		return nil
	}
	return contract.Load(d.ForwardCell)
}

// evaaAssetID formats an asset id in hexadecimal without leading zeros.
func evaaAssetID(h chain.Hash) string { return "0x" + new(big.Int).SetBytes(h[:]).Text(16) }
