package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// What transactions bring along lies together in the indexes: the messages that an account sent, those it received from
// outside, and the states around are ranges of LTs that hold nothing else.
const (
	rangesOfAccounts = `unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(account, first, last)`

	messagesBetween = ` JOIN messages m ON m.account = k.account AND m.lt >= k.first AND m.lt <= k.last`
)

var (
	selectMessagesBetween = `SELECT ` + messageColumns + ` FROM ` + rangesOfAccounts + messagesBetween

	selectStatesBetween = `SELECT ` + stateColumns + ` FROM ` + rangesOfAccounts + `
		JOIN account_states s ON s.account = k.account AND s.lt >= k.first AND s.lt <= k.last`
)

// Full adds to each transaction its messages and the account's states before and after it, in one round trip. A state
// that is not in the index has only its hash.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	p := partsOf(txs)
	var received, own []chain.Message
	var around []chain.AccountState
	b := &pgx.Batch{}
	p.askMessages(b, len(txs), &received, &own)
	queue(b, &around, 2*len(txs), scanState, selectStatesBetween, p.states.accounts, p.states.lts, p.states.last)
	if s, ok := r.pool.(*snapshot); ok && s.naming {
		s.foresee(b, txs, &p)
	}
	if err := r.pipeline(ctx, "messages and states of transactions", b); err != nil {
		return nil, err
	}
	return assemble(txs, received, own, around), nil
}

// rangeArrays are the columns of ranges of LTs of accounts.
type rangeArrays struct {
	keyArrays // account and first LT
	last      []int64
}

func newRangeArrays(n int) rangeArrays { return rangeArrays{newKeyArrays(n), make([]int64, 0, n)} }

func (r *rangeArrays) add(account *chain.Address, first, last uint64) {
	r.keyArrays.add(account, first)
	r.last = append(r.last, int64(last))
}

// run is a number of transactions of one account without others between.
type run struct {
	account     chain.Address
	before      uint64 // LT of the transaction before, 0 for none
	first, last uint64
	sent        uint64 // messages sent by the last
	message     bool   // the account sent a message or received one from outside
}

// runsOf finds the runs of a list, in whichever direction it goes.
func runsOf(txs []chain.Transaction) []run {
	runs := make([]run, 0, len(txs))
	newest := make(map[chain.Address]int, len(txs)) // place of an account's last run
	for i := range txs {
		t := &txs[i]
		message := t.OutMsgCount > 0 || t.InMsg != nil && t.InMsg.Account == t.Account
		if at, ok := newest[t.Account]; ok {
			r := &runs[at]
			switch {
			case r.before == t.LT:
				r.before, r.first = t.PrevLT, t.LT
			case r.last == t.PrevLT:
				r.last, r.sent = t.LT, uint64(t.OutMsgCount)
			default:
				ok = false
			}
			if r.message = r.message || message; ok {
				continue
			}
		}
		newest[t.Account] = len(runs)
		runs = append(runs, run{t.Account, t.PrevLT, t.LT, t.LT, uint64(t.OutMsgCount), message})
	}
	return runs
}

// parts are the keys of what transactions bring along.
type parts struct {
	own      rangeArrays // messages that their accounts sent, or received from outside
	received keyArrays   // the other in-messages
	states   rangeArrays
}

func partsOf(txs []chain.Transaction) parts {
	runs := runsOf(txs)
	p := parts{own: newRangeArrays(len(runs)), received: newKeyArrays(len(txs)), states: newRangeArrays(len(runs))}
	for i := range runs {
		r := &runs[i]
		if r.message {
			p.own.add(&r.account, r.first, r.last+r.sent)
		}
		first := r.before
		if first == 0 { // nothing is known of what lies between
			p.states.add(&r.account, 0, 0)
			first = r.first
		}
		p.states.add(&r.account, first, r.last)
	}
	sent := sentAmong(txs)
	for i := range txs {
		t := &txs[i]
		if t.InMsg == nil || sent[*t.InMsg] || t.InMsg.Account == t.Account && t.InMsg.LT == t.LT {
			continue
		}
		p.received.add(&t.InMsg.Account, t.InMsg.LT)
	}
	return p
}

// inMessages are the keys of all messages that transactions received.
func inMessages(txs []chain.Transaction) keyArrays {
	k := newKeyArrays(len(txs))
	for i := range txs {
		if in := txs[i].InMsg; in != nil {
			k.add(&in.Account, in.LT)
		}
	}
	return k
}

// askMessages queues the statements of messages, as far as there are any.
func (p *parts) askMessages(b *pgx.Batch, expect int, received, own *[]chain.Message) {
	if p.received.len() > 0 {
		queue(b, received, p.received.len(), scanMessage, selectMessagesByKey, p.received.accounts, p.received.lts)
	}
	if p.own.len() > 0 {
		queue(b, own, expect, scanMessage, selectMessagesBetween, p.own.accounts, p.own.lts, p.own.last)
	}
}

// sentAmong are the messages that txs send; they are read as such, and need not be read once more where they arrive.
// It is empty when txs send so many that looking would cost more than reading.
func sentAmong(txs []chain.Transaction) map[chain.MessageKey]bool {
	const most = 4 // messages a transaction
	total := 0
	for i := range txs {
		total += int(txs[i].OutMsgCount)
	}
	if len(txs) == 1 || total > most*len(txs) {
		return nil
	}
	sent := make(map[chain.MessageKey]bool, total)
	for i := range txs {
		for n := range uint64(txs[i].OutMsgCount) {
			sent[chain.MessageKey{Account: txs[i].Account, LT: txs[i].LT + 1 + n}] = true
		}
	}
	return sent
}

// assemble puts the parts of transactions together.
func assemble(txs []chain.Transaction, received, own []chain.Message, states []chain.AccountState) []chain.FullTransaction {
	messages := make(map[chain.MessageKey]*chain.Message, len(received)+len(own))
	for i := range received {
		messages[received[i].Key] = &received[i]
	}
	for i := range own {
		messages[own[i].Key] = &own[i]
	}
	at := make(map[chain.TransactionKey]*chain.AccountState, len(states))
	for i := range states {
		at[chain.TransactionKey{Account: states[i].Account, LT: states[i].LT}] = &states[i]
	}
	full := make([]chain.FullTransaction, len(txs))
	for i := range txs {
		t, f := &txs[i], &full[i]
		f.Transaction = *t
		if t.InMsg != nil {
			f.InMessage = messages[*t.InMsg]
		}
		if t.OutMsgCount > 0 {
			f.OutMessages = make([]chain.Message, 0, t.OutMsgCount)
		}
		for n := range uint64(t.OutMsgCount) {
			if m := messages[chain.MessageKey{Account: t.Account, LT: t.LT + 1 + n}]; m != nil {
				f.OutMessages = append(f.OutMessages, *m)
			}
		}
		f.StateBefore = stateOr(at[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}], t.Account, t.StateHashBefore)
		f.StateAfter = stateOr(at[t.Key()], t.Account, t.StateHashAfter)
	}
	return full
}

// stateOr is the state if it is the one with this hash, otherwise the hash alone. Along one account the same LT may name
// another state when the account was deleted and came back.
func stateOr(s *chain.AccountState, account chain.Address, hash chain.Hash) chain.AccountState {
	if s != nil && s.Hash == hash {
		return *s
	}
	return chain.AccountState{Account: account, Hash: hash}
}
