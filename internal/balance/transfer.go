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
// A bounced message is 0xffffffff followed by the first 256 bits of the sent body.
func parseTransfer(m *chain.Message) *transfer {
	const bounced = 0xffffffff
	if m == nil || m.Opcode == nil || len(m.Body) == 0 {
		return nil
	}
	if op := *m.Opcode; op != jetton.OpInternalTransfer && op != jetton.OpBurnNotification && op != bounced {
		return nil
	}
	body, err := cell.FromBOC(m.Body)
	if err != nil {
		return nil
	}
	l := contract.Load(body)
	move := &transfer{opcode: uint32(l.Uint(32))}
	if move.opcode == bounced {
		move.opcode, move.bounced = uint32(l.Uint(32)), true
	}
	l.Uint(64)
	move.amount = l.Coins()
	if l.Err() != nil || move.opcode != jetton.OpInternalTransfer && move.opcode != jetton.OpBurnNotification {
		return nil
	}
	return move
}
