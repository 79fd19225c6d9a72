package transactions

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// The messages of transactions lie together in the indexes: the messages that an account sent, and those it received from outside,
// are ranges of LTs that hold nothing else.
const (
	rangesOfAccounts = `unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(account, first, last)` // both ends inclusive
	messagesBetween  = ` JOIN messages m ON m.account = k.account AND m.lt >= k.first AND m.lt <= k.last`
)

// rangeArrays are the columns of ranges of LTs of accounts.
type rangeArrays struct {
	sqlbuild.KeyArrays // account and first LT
	last               []int64
}

func newRangeArrays(n int) rangeArrays {
	return rangeArrays{sqlbuild.NewKeyArrays(n), make([]int64, 0, n)}
}

func (r *rangeArrays) add(account *chain.Address, first, last uint64) {
	r.Add(account, first)
	r.last = append(r.last, int64(last))
}

// run is a number of transactions of one account without others between, and the range of those of their messages that are needed.
type run struct {
	account     chain.Address
	before      uint64 // LT of the transaction before, 0 for none
	newest      uint64 // LT of the last transaction
	first, last uint64 // of messages; last is 0 when none is needed
}

// extend adds the messages from first to last, unless last is 0.
func (r *run) extend(first, last uint64) {
	switch {
	case last == 0:
	case r.last == 0:
		r.first, r.last = first, last
	default:
		r.first, r.last = min(r.first, first), max(r.last, last)
	}
}

// addRuns adds, for each run of a list, in whichever direction the list goes, the range of the messages that needed returns for its
// transactions: LTs, both inclusive, the last one 0 for none.
func (r *rangeArrays) addRuns(txs []chain.FullTransaction, needed func(*chain.FullTransaction) (first, last uint64)) {
	runs := make([]run, 0, len(txs))
	newest := make(map[chain.Address]int, len(txs)) // place of an account's last run
	for i := range txs {
		t := &txs[i]
		first, last := needed(t)
		if at, ok := newest[t.Account]; ok {
			run := &runs[at]
			switch {
			case run.before == t.LT:
				run.before = t.PrevLT
			case run.newest == t.PrevLT:
				run.newest = t.LT
			default:
				ok = false
			}
			if ok {
				run.extend(first, last)
				continue
			}
		}
		newest[t.Account] = len(runs)
		runs = append(runs, run{account: t.Account, before: t.PrevLT, newest: t.LT, first: first, last: last})
	}
	for i := range runs {
		if run := &runs[i]; run.last != 0 {
			r.add(&run.account, run.first, run.last)
		}
	}
}
