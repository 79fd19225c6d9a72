package streaming

import "tonql/internal/chain"

// levelOf returns the published level of a transaction or an action.
func levelOf(f chain.Finality) finality {
	switch f {
	case chain.Finalized:
		return finalized
	case chain.Confirmed:
		return confirmed
	case chain.Pending, chain.Invalidated:
		return pending
	default:
		return pending
	}
}

// Opcodes of messages that only notify their receiver: jetton transfer notification (TEP-74), NFT ownership assigned (TEP-62), excesses (TEP-74).
const (
	opTransferNotification = 0x7362d09c
	opOwnershipAssigned    = 0x05138d91
	opExcesses             = 0xd53276db
)

// finalityOf returns the level of a trace: the lowest of its transactions, and pending while messages are in flight. With leaves false, transactions
// that only receive a notification do not count, as published for actions and traces.
func finalityOf(t *chain.FullTrace, leaves bool) finality {
	if t.State == chain.TracePending && t.PendingMessages > 0 {
		return pending
	}
	level := finalized
	for i := range t.Transactions {
		if tx := &t.Transactions[i]; leaves || !isLeaf(tx) {
			level = min(level, levelOf(tx.Finality))
		}
	}
	return level
}

func isLeaf(tx *chain.FullTransaction) bool {
	if len(tx.OutMessages) > 0 || tx.InMessage == nil || tx.InMessage.Opcode == nil {
		return false
	}
	switch *tx.InMessage.Opcode {
	case opTransferNotification, opOwnershipAssigned, opExcesses:
		return true
	default:
		return false
	}
}
