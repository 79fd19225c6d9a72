package balance

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// JettonAccounts lists the accounts that sent or received a message that moves Jettons, each once, in the order of their
// first transaction.
func JettonAccounts(txs []chain.FullTransaction) []chain.Address {
	var accounts []chain.Address
	seen := map[chain.Address]bool{}
	for i := range txs {
		if !seen[txs[i].Account] && movesJettons(&txs[i]) {
			seen[txs[i].Account] = true
			accounts = append(accounts, txs[i].Account)
		}
	}
	return accounts
}

func movesJettons(tx *chain.FullTransaction) bool {
	if parseTransfer(tx.InMessage) != nil {
		return true
	}
	for i := range tx.OutMessages {
		if parseTransfer(&tx.OutMessages[i]) != nil {
			return true
		}
	}
	return false
}

// transfer is a message between Jetton wallets, or between a wallet and its master.
type transfer struct {
	opcode  uint32
	amount  *big.Int
	bounced bool
}

// parseTransfer parses a message that moves Jettons; nil for any other.
//
//	internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) …
//	burn_notification#7bdd97de query_id:uint64 amount:(VarUInteger 16) …
//
// A bounced message has the beginning of the sent body. Its flag counts, not its opcode: anyone can send such a body.
func parseTransfer(m *chain.Message) *transfer {
	if m == nil || m.Opcode == nil {
		return nil
	}
	op, bounced := *m.Opcode, m.Bounced != nil && *m.Bounced
	if bounced != contract.IsBounce(op) || !bounced && !movesAmount(op) {
		return nil
	}
	body, err := cell.FromBOC(m.BodyBOC())
	if err != nil {
		return nil
	}
	l := contract.Load(body)
	if bounced {
		l = contract.LoadBounced(body)
	}
	move := &transfer{opcode: uint32(l.Uint(32)), bounced: bounced}
	l.Uint(64)
	move.amount = l.Coins()
	if l.Err() != nil || !movesAmount(move.opcode) {
		return nil
	}
	return move
}

func movesAmount(op uint32) bool {
	return op == jetton.OpInternalTransfer || op == jetton.OpBurnNotification
}
