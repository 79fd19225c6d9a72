package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The messages and states of transactions lie together in the indexes: the messages that an account sent, those it received from
// outside, and the states around are ranges of LTs that hold nothing else.
const (
	// RangesOfAccounts binds ranges of LTs, both ends inclusive, as k(account, first, last).
	RangesOfAccounts = `unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(account, first, last)`
	// MessagesBetween joins the messages m in the ranges k.
	MessagesBetween = ` JOIN messages m ON m.account = k.account AND m.lt >= k.first AND m.lt <= k.last`
)

var (
	// SelectMessagesBetween reads the messages in ranges of keys.
	SelectMessagesBetween = `SELECT ` + messageColumns + ` FROM ` + RangesOfAccounts + MessagesBetween

	// SelectStatesBetween reads the states in ranges of keys.
	SelectStatesBetween = `SELECT ` + StateColumns + ` FROM ` + RangesOfAccounts + `
		JOIN account_states s ON s.account = k.account AND s.lt >= k.first AND s.lt <= k.last`

	// SelectStatesOfAccount reads the states in one range, which is that of most pages, without a join.
	SelectStatesOfAccount = `SELECT ` + StateColumns + ` FROM account_states s
		WHERE s.account = $1 AND s.lt >= $2 AND s.lt <= $3`
)

// Full adds to each transaction its messages and the account's states before and after it, in one round trip. A state
// that is not in the index has only its hash.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	q := NewFullQuery(txs)
	if err := sqlbuild.SendBatch(ctx, r.pool, FullName, &q.Batch); err != nil {
		return nil, err
	}
	return q.Assemble(txs), nil
}

// FullName is the name of the query of messages and states in errors.
const FullName = "messages and states of transactions"

// FullQuery reads the messages and states of transactions.
type FullQuery struct {
	Batch    pgx.Batch
	Parts    Parts
	messages []chain.Message
	states   []chain.AccountState
}

// NewFullQuery returns the query for the messages and states of txs. The caller sends its batch.
func NewFullQuery(txs []chain.Transaction) *FullQuery {
	q := &FullQuery{Parts: PartsOf(txs)}
	q.Parts.QueueMessages(&q.Batch, &q.messages)
	q.Parts.queueStates(&q.Batch, len(txs), &q.states)
	return q
}

// Assemble returns txs with their messages and states, after the batch was sent.
func (q *FullQuery) Assemble(txs []chain.Transaction) []chain.FullTransaction {
	return assemble(txs, q.messages, q.states)
}

// rangeArrays are the columns of ranges of LTs of accounts.
type rangeArrays struct {
	sqlbuild.KeyArrays // account and first LT
	Last               []int64
}

func newRangeArrays(n int) rangeArrays {
	return rangeArrays{sqlbuild.NewKeyArrays(n), make([]int64, 0, n)}
}

func (r *rangeArrays) add(account *chain.Address, first, last uint64) {
	r.Add(account, first)
	r.Last = append(r.Last, int64(last))
}

// begin is the first n ranges.
func (r *rangeArrays) begin(n int) rangeArrays {
	return rangeArrays{sqlbuild.KeyArrays{Accounts: r.Accounts[:n:n], LTs: r.LTs[:n:n]}, r.Last[:n:n]}
}

// run is a number of transactions of one account without others between.
type run struct {
	account     chain.Address
	before      uint64 // LT of the transaction before, 0 for none
	first, last uint64
	sent        uint64 // messages sent by the last
	message     bool   // the account sent a message or received one from outside
	new         bool   // the account did not exist before
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
				r.before, r.first, r.new = t.PrevLT, t.LT, begins(t)
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
		runs = append(runs, run{t.Account, t.PrevLT, t.LT, t.LT, uint64(t.OutMsgCount), message, begins(t)})
	}
	return runs
}

func begins(t *chain.Transaction) bool { return t.OrigStatus == chain.Nonexist }

// Parts are the keys of the messages and states of transactions.
type Parts struct {
	messages rangeArrays // first those of own, then the other in-messages
	Own      rangeArrays // messages that their accounts sent, or received from outside
	states   rangeArrays
}

// PartsOf returns the keys of the messages and states of transactions.
func PartsOf(txs []chain.Transaction) Parts {
	runs := runsOf(txs)
	p := Parts{messages: newRangeArrays(len(runs) + len(txs)), states: newRangeArrays(len(runs))}
	for i := range runs {
		r := &runs[i]
		if r.message {
			p.messages.add(&r.account, r.first, r.last+r.sent)
		}
		first := r.before
		if first == 0 { // the index has nothing in between
			if !r.new {
				p.states.add(&r.account, 0, 0)
			}
			first = r.first
		}
		p.states.add(&r.account, first, r.last)
	}
	p.Own = p.messages.begin(p.messages.Len())
	sent := sentAmong(txs)
	for i := range txs {
		t := &txs[i]
		if t.InMsg == nil || sent[*t.InMsg] || t.InMsg.Account == t.Account && t.InMsg.LT == t.LT {
			continue
		}
		p.messages.add(&t.InMsg.Account, t.InMsg.LT, t.InMsg.LT)
	}
	return p
}

// InMessages are the keys of all messages that transactions received.
func InMessages(txs []chain.Transaction) sqlbuild.KeyArrays {
	k := sqlbuild.NewKeyArrays(len(txs))
	for i := range txs {
		if in := txs[i].InMsg; in != nil {
			k.Add(&in.Account, in.LT)
		}
	}
	return k
}

// QueueMessages queues the statement of messages, if there are any.
func (p *Parts) QueueMessages(b *pgx.Batch, place *[]chain.Message) {
	if m := &p.messages; m.Len() > 0 {
		sqlbuild.Queue(b, place, m.Len(), ScanMessage, SelectMessagesBetween, m.Accounts, m.LTs, m.Last)
	}
}

// queueStates queues the statement of the states around n transactions.
func (p *Parts) queueStates(b *pgx.Batch, n int, place *[]chain.AccountState) {
	k := &p.states
	if k.Len() == 1 {
		sqlbuild.Queue(b, place, n+1, ScanState, SelectStatesOfAccount, k.Accounts[0], k.LTs[0], k.Last[0])
		return
	}
	sqlbuild.Queue(b, place, 2*n, ScanState, SelectStatesBetween, k.Accounts, k.LTs, k.Last)
}

// sentAmong are the messages that txs send; they are read as out-messages, and need not be read again as in-messages.
// It is empty when txs send so many that the lookup would cost more than the read.
func sentAmong(txs []chain.Transaction) map[chain.MessageKey]bool {
	const maxSent = 4 // messages of a transaction
	total := 0
	for i := range txs {
		total += int(txs[i].OutMsgCount)
	}
	if len(txs) == 1 || total > maxSent*len(txs) {
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

// assemble returns transactions with their messages and states.
func assemble(txs []chain.Transaction, found []chain.Message, states []chain.AccountState) []chain.FullTransaction {
	messages := PlacesOf(found)
	at := make(map[chain.TransactionKey]*chain.AccountState, len(states))
	for i := range states {
		at[chain.TransactionKey{Account: states[i].Account, LT: states[i].LT}] = &states[i]
	}
	full := make([]chain.FullTransaction, len(txs))
	for i := range txs {
		t, f := &txs[i], &full[i]
		f.Transaction = *t
		if t.InMsg != nil {
			if place, ok := messages[*t.InMsg]; ok {
				f.InMessage = &found[place]
			}
		}
		f.OutMessages = outMessages(t, found, messages)
		f.StateBefore = stateOr(at[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}], t.Account, t.StateHashBefore)
		f.StateAfter = stateOr(at[t.Key()], t.Account, t.StateHashAfter)
	}
	return full
}

// PlacesOf returns the index of each message in a list.
func PlacesOf(messages []chain.Message) map[chain.MessageKey]int {
	places := make(map[chain.MessageKey]int, len(messages))
	for i := range messages {
		places[messages[i].Key] = i
	}
	return places
}

// outMessages are the messages that a transaction sent. They mostly stand next to each other, where they need no copy.
func outMessages(t *chain.Transaction, found []chain.Message, places map[chain.MessageKey]int) []chain.Message {
	if t.OutMsgCount == 0 {
		return nil
	}
	key := chain.MessageKey{Account: t.Account, LT: t.LT + 1}
	if first, ok := places[key]; ok && follow(found[first:], key, int(t.OutMsgCount)) {
		end := first + int(t.OutMsgCount)
		return found[first:end:end]
	}
	sent := make([]chain.Message, 0, t.OutMsgCount)
	for ; key.LT <= t.LT+uint64(t.OutMsgCount); key.LT++ {
		if place, ok := places[key]; ok {
			sent = append(sent, found[place])
		}
	}
	return sent
}

// follow reports whether a list begins with n messages of an account, from key on.
func follow(messages []chain.Message, key chain.MessageKey, n int) bool {
	if len(messages) < n {
		return false
	}
	for i := range n {
		if messages[i].Key.LT != key.LT+uint64(i) || messages[i].Key.Account != key.Account {
			return false
		}
	}
	return true
}

// stateOr is the state if it is the one with this hash, otherwise the hash alone. Along one account the same LT may name
// another state when the account was deleted and came back.
func stateOr(s *chain.AccountState, account chain.Address, hash chain.Hash) chain.AccountState {
	if s != nil && s.Hash == hash {
		return *s
	}
	return chain.AccountState{Account: account, Hash: hash}
}
