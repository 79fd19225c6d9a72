package chain

import (
	"strconv"
	"strings"
	"time"
)

// Retention is how much of the index is retained: the blocks of a time before the newest block, or the newest transactions. The zero
// value retains everything.
type Retention struct {
	Age          time.Duration
	Transactions uint64
}

// Unlimited reports whether everything is retained.
func (r Retention) Unlimited() bool { return r == Retention{} }

// String returns the text that [ParseRetention] reads.
func (r Retention) String() string {
	switch {
	case r.Unlimited():
		return "all"
	case r.Transactions > 0:
		return strconv.FormatUint(r.Transactions, 10) + "tx"
	case r.Age%(hoursPerDay*time.Hour) == 0:
		return strconv.FormatInt(int64(r.Age/(hoursPerDay*time.Hour)), 10) + "d"
	default:
		return r.Age.String()
	}
}

const (
	hoursPerDay   = 24
	maxRetainDays = 100 * 365
)

// ParseRetention parses a number of days (90d), another duration (36h), a number of transactions (50000000tx), or all; an empty
// string is all.
func ParseRetention(s string) (Retention, error) {
	refused := Invalidf("%s is not a number of days such as 90d, a duration such as 36h, a number of transactions such as 50000000tx, or all", Quote(s))
	if s == "" || s == "all" {
		return Retention{}, nil
	}
	if digits, ok := strings.CutSuffix(s, "tx"); ok {
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || n == 0 {
			return Retention{}, refused
		}
		return Retention{Transactions: n}, nil
	}
	if digits, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(digits, 10, 32)
		if err != nil || n == 0 || n > maxRetainDays {
			return Retention{}, refused
		}
		return Retention{Age: time.Duration(n) * hoursPerDay * time.Hour}, nil
	}
	age, err := time.ParseDuration(s)
	if err != nil || age < time.Second || age > maxRetainDays*hoursPerDay*time.Hour {
		return Retention{}, refused
	}
	return Retention{Age: age}, nil
}

// Dropped is the newest masterchain block that the index does not retain any more, with all before it; the zero value while
// nothing was dropped.
type Dropped struct {
	Last     uint32 // masterchain seqno
	EndLT    uint64 // of that block
	GenUtime uint32
	Gap      uint32 // the newest masterchain block up to Last that was never indexed; 0: there is none
	GapLT    uint64 // EndLT of the indexed block before that gap
}

// Error is the error about a masterchain block that was dropped.
func (d Dropped) Error(what string) error {
	return &Error{Kind: RangeDropped, Message: what + " was dropped: the index retains masterchain blocks from " +
		strconv.FormatUint(uint64(d.Last)+1, 10) + " on"}
}
