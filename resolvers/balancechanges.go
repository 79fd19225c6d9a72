package resolvers

import (
	"context"
	"encoding/json"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// BalanceChanges is what a trace, or one action of any trace, changed on accounts; exactly one of the hashes is given.
// NotFound when the index does not have it.
func (s *Service) BalanceChanges(ctx context.Context, traceID, actionID *chain.Hash) (*chain.BalanceChanges, error) {
	var txs []chain.FullTransaction
	var err error
	switch {
	case actionID != nil:
		txs, err = s.actionsTransactions(ctx, *actionID)
	case traceID != nil:
		txs, err = s.tracesTransactions(ctx, *traceID)
	default:
		return nil, chain.Invalidf("trace_id or action_id is required")
	}
	if err != nil {
		return nil, err
	}
	wallets, err := s.orderedWallets(ctx, txs)
	if err != nil {
		return nil, err
	}
	c := changesOf(txs, wallets)
	err = c.credit(ctx, func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error) {
		points, err := s.index.JettonBalancesOf(ctx, []chain.Address{wallet}, p)
		return points[wallet], err
	})
	if err != nil {
		return nil, err
	}
	return c.result(), nil
}

// changesOf sums up what transactions moved; wallets are the Jetton wallets among their accounts.
func changesOf(txs []chain.FullTransaction, wallets map[chain.Address]*chain.JettonWallet) *changes {
	c := newChanges(wallets)
	for i := range txs {
		c.coins(&txs[i])
		c.tokens(&txs[i])
	}
	return c
}

func (s *Service) actionsTransactions(ctx context.Context, id chain.Hash) ([]chain.FullTransaction, error) {
	actions, err := s.index.Actions(ctx, chain.ActionFilter{IDs: []chain.Hash{id}}.EveryType(), chain.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(actions) == 0 {
		return nil, chain.NotFoundf("action_id not found")
	}
	txs, err := s.index.TransactionsByHash(ctx, actions[0].TxHashes)
	return s.full(ctx, txs, err)
}

func (s *Service) tracesTransactions(ctx context.Context, id chain.Hash) ([]chain.FullTransaction, error) {
	traces, err := s.FullTraces(ctx, chain.TraceFilter{IDs: []chain.Hash{id}}, chain.Page{Limit: 1}, chain.TraceInclude{})
	if err != nil {
		return nil, err
	}
	if len(traces) == 0 {
		return nil, chain.NotFoundf("trace_id not found")
	}
	if traces[0].TooLarge {
		return nil, chain.Invalidf("trace is too large: it has %d transactions", traces[0].Trace.Transactions)
	}
	return traces[0].Transactions, nil
}

// orderedWallets finds the Jetton wallets among the accounts that sent or received what moves Jettons.
func (s *Service) orderedWallets(ctx context.Context, txs []chain.FullTransaction) (map[chain.Address]*chain.JettonWallet, error) {
	accounts := movers(txs)
	wallets := make(map[chain.Address]*chain.JettonWallet, len(accounts))
	for len(accounts) > 0 {
		n := min(len(accounts), s.opts.Limits.Addresses)
		rows, err := s.index.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: accounts[:n]}, chain.Page{Limit: n})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			wallets[rows[i].Address] = &rows[i]
		}
		accounts = accounts[n:]
	}
	return wallets, nil
}

// movers lists the accounts that sent or received what moves Jettons, each once.
func movers(txs []chain.FullTransaction) []chain.Address {
	var accounts []chain.Address
	seen := map[chain.Address]bool{}
	for i := range txs {
		if !seen[txs[i].Account] && movesTokens(&txs[i]) {
			seen[txs[i].Account] = true
			accounts = append(accounts, txs[i].Account)
		}
	}
	return accounts
}

func movesTokens(tx *chain.FullTransaction) bool {
	if moved(tx.InMessage) != nil {
		return true
	}
	for i := range tx.OutMessages {
		if moved(&tx.OutMessages[i]) != nil {
			return true
		}
	}
	return false
}

// tokenMove is an order between Jetton wallets, or between a wallet and its master.
type tokenMove struct {
	opcode  uint32
	amount  *big.Int
	bounced bool // it comes back
}

// moved reads a message that moves Jettons, nil for any other.
//
//	internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) …
//	burn_notification#7bdd97de query_id:uint64 amount:(VarUInteger 16) …
//
// A bounced message is 0xffffffff and the first 256 bits of what was sent.
func moved(m *chain.Message) *tokenMove {
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
	move := &tokenMove{opcode: uint32(l.Uint(32))}
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

// changes sums up what transactions moved.
type changes struct {
	wallets map[chain.Address]*chain.JettonWallet
	nano    map[chain.Address]*big.Int
	fees    map[chain.Address]*big.Int
	jettons map[chain.Address]map[chain.Address]*big.Int // owner, then master
	claims  []claim
}

func newChanges(wallets map[chain.Address]*chain.JettonWallet) *changes {
	return &changes{
		wallets: wallets, nano: map[chain.Address]*big.Int{}, fees: map[chain.Address]*big.Int{},
		jettons: map[chain.Address]map[chain.Address]*big.Int{},
	}
}

func add(sums map[chain.Address]*big.Int, a chain.Address, n *big.Int) {
	if sums[a] == nil {
		sums[a] = new(big.Int)
	}
	sums[a].Add(sums[a], n)
}

// coins adds what a transaction did to its account: the value that came, less fees and what was sent. A part of the
// forwarding fees is among the transaction's own, the rest is written in each message.
func (c *changes) coins(tx *chain.FullTransaction) {
	fees := new(big.Int).SetUint64(uint64(tx.TotalFees))
	change := new(big.Int)
	if m := tx.InMessage; m != nil {
		addCoins(change, m.Value)
		addCoins(change, m.IHRFee)
	}
	for i := range tx.OutMessages {
		m := &tx.OutMessages[i]
		addCoins(fees, m.FwdFee)
		sent := new(big.Int)
		addCoins(sent, m.Value)
		addCoins(sent, m.IHRFee)
		change.Sub(change, sent)
	}
	add(c.nano, tx.Account, change.Sub(change, fees))
	add(c.fees, tx.Account, fees)
}

func addCoins(sum *big.Int, n *chain.Coins) {
	if n != nil {
		sum.Add(sum, new(big.Int).SetUint64(uint64(*n)))
	}
}

// tokens adds what a transaction did to a Jetton wallet's balance: what it accepted, less what it sent on.
func (c *changes) tokens(tx *chain.FullTransaction) {
	w := c.wallets[tx.Account]
	if w == nil || tx.Description.Aborted {
		return
	}
	sum := new(big.Int)
	if in := moved(tx.InMessage); in != nil && (in.bounced || in.opcode == jetton.OpInternalTransfer) {
		sum.Add(sum, in.amount)
	}
	for i := range tx.OutMessages {
		if out := moved(&tx.OutMessages[i]); out != nil && !out.bounced {
			sum.Sub(sum, out.amount)
		}
	}
	if amount := claimed(tx.InMessage, w); amount != nil {
		c.claims = append(c.claims, claim{tx: tx, wallet: w, amount: amount, moved: new(big.Int).Set(sum)})
	}
	c.change(w, sum)
}

// change adds to what the owner of a wallet holds.
func (c *changes) change(w *chain.JettonWallet, sum *big.Int) {
	if sum.Sign() == 0 {
		return
	}
	if c.jettons[w.Owner] == nil {
		c.jettons[w.Owner] = map[chain.Address]*big.Int{}
	}
	add(c.jettons[w.Owner], w.Jetton, sum)
}

func (c *changes) result() *chain.BalanceChanges {
	out := &chain.BalanceChanges{
		Changes: amounts(c.nano), Fees: amounts(c.fees), Jettons: make(map[chain.Address]map[chain.Address]chain.Amount, len(c.jettons)),
	}
	for owner, sums := range c.jettons {
		out.Jettons[owner] = amounts(sums)
	}
	return out
}

func amounts(sums map[chain.Address]*big.Int) map[chain.Address]chain.Amount {
	out := make(map[chain.Address]chain.Amount, len(sums))
	for a, n := range sums {
		out[a] = json.Number(n.String())
	}
	return out
}
