package transactions

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The messages of transactions lie together in the indexes: the messages that an account sent, and those it received from outside,
// are ranges of LTs that hold nothing else.
const (
	// RangesOfAccounts binds ranges of LTs, both ends inclusive, as k(account, first, last).
	RangesOfAccounts = `unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(account, first, last)`
	// MessagesBetween joins the messages m in the ranges k.
	MessagesBetween = ` JOIN messages m ON m.account = k.account AND m.lt >= k.first AND m.lt <= k.last`
)

// SelectMessagesBetween reads the messages in ranges of keys.
var SelectMessagesBetween = `SELECT ` + messageColumns + ` FROM ` + RangesOfAccounts + MessagesBetween

// Full adds to each transaction its messages and the account's states before and after it, in one round trip. A state
// that is not in the index has only its hash.
func (r *Reader) Full(ctx context.Context, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	if len(txs) == 0 {
		return nil, nil
	}
	q := NewFullQuery(txs)
	if q.Batch.Len() > 0 {
		if err := sqlbuild.SendBatch(ctx, r.pool, FullName, &q.Batch); err != nil {
			return nil, err
		}
	}
	return q.Assemble(ctx, r)
}

// FullName is the name of the query of messages and states in errors.
const FullName = "messages and states of transactions"

// FullQuery reads the messages of transactions, and the states that are not in their rows.
type FullQuery struct {
	Batch    pgx.Batch
	Parts    Parts
	full     []chain.FullTransaction
	messages []chain.Message
	states   stateQuery
	err      error
}

// NewFullQuery returns the query for the messages and states of txs. The caller sends its batch, if it is not empty.
func NewFullQuery(txs []chain.Transaction) *FullQuery {
	q := &FullQuery{Parts: PartsOf(txs), full: make([]chain.FullTransaction, len(txs))}
	q.Parts.QueueMessages(&q.Batch, &q.messages)
	for i := range txs {
		q.err = errors.Join(q.err, q.start(&q.full[i], &txs[i]))
	}
	q.states.queue(&q.Batch)
	return q
}

// start begins f with what the row of a transaction has, and requests the states that it lacks.
func (q *FullQuery) start(f *chain.FullTransaction, t *chain.Transaction) (err error) {
	f.Transaction = *t
	var given bool // the state before
	if len(t.States) > 0 {
		f.StateBefore, f.StateAfter, given, err = readStates(t)
	} else {
		f.StateAfter = chain.AccountState{Account: t.Account, Hash: t.StateHashAfter}
		f.StateBefore = chain.AccountState{Account: t.Account, Hash: t.StateHashBefore}
		q.states.keys.Add(&t.Account, t.LT)
		given = t.OrigStatus == chain.Nonexist && t.PrevLT == 0
	}
	if !given {
		q.states.keys.Add(&t.Account, t.PrevLT)
	}
	return err
}

// Assemble returns the transactions with their messages and states, after the batch was sent. A state that is not in the index has only
// its hash. r must be the reader of the transactions.
func (q *FullQuery) Assemble(ctx context.Context, r *Reader) ([]chain.FullTransaction, error) {
	states, err := q.states.finish(ctx, r)
	if err = errors.Join(q.err, err); err != nil {
		return nil, sqlbuild.Fault(ctx, FullName, err)
	}
	at := make(map[chain.TransactionKey]*chain.AccountState, len(states))
	for i := range states {
		at[chain.TransactionKey{Account: states[i].Account, LT: states[i].LT}] = &states[i]
	}
	messages := PlacesOf(q.messages)
	for i := range q.full {
		f := &q.full[i]
		t := &f.Transaction
		if t.InMsg != nil {
			if place, ok := messages[*t.InMsg]; ok {
				f.InMessage = &q.messages[place]
			}
		}
		f.OutMessages = outMessages(t, q.messages, messages)
		setState(&f.StateBefore, at[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}])
		setState(&f.StateAfter, at[t.Key()])
		f.StateBefore.Rest, f.StateAfter.Rest = nil, nil
	}
	return q.full, nil
}

// setState completes a state of which only the hash is given by the one that was found, if it has this hash. Along one account the same
// LT may name another state when the account was deleted and came back.
func setState(s, found *chain.AccountState) {
	if found != nil && found.Hash == s.Hash {
		*s = *found
	}
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

// Parts are the keys of the messages of transactions.
type Parts struct {
	messages rangeArrays // first those of own, then the other in-messages
	Own      rangeArrays // messages that their accounts sent, or received from outside
}

// PartsOf returns the keys of the messages of transactions.
func PartsOf(txs []chain.Transaction) Parts {
	runs := runsOf(txs)
	p := Parts{messages: newRangeArrays(len(runs) + len(txs))}
	for i := range runs {
		r := &runs[i]
		if r.message {
			p.messages.add(&r.account, r.first, r.last+r.sent)
		}
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
