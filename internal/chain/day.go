package chain

import "math/big"

const (
	// SecondsPerDay is the length of a day: days are UTC dates, in which unix time has no leap seconds.
	SecondsPerDay = 86400
	// MaxDays bounds the days of one request.
	MaxDays = 400
	// DefaultDays is the number of days of a request without a beginning.
	DefaultDays = 30
)

// DayRange is a range of days as their numbers since 1970-01-01; both ends are included.
type DayRange struct{ First, Last uint32 }

// DaysBetween returns the days of two times in unix seconds. Without an end it is last, without a beginning there are [DefaultDays].
func DaysBetween(from, to *uint32, last uint32) (DayRange, error) {
	var r DayRange
	r.Last = last / SecondsPerDay
	if to != nil {
		r.Last = *to / SecondsPerDay
	}
	r.First = r.Last - min(r.Last, DefaultDays-1)
	if from != nil {
		r.First = *from / SecondsPerDay
	}
	switch {
	case r.First > r.Last:
		return r, Invalidf("the range of days is empty; from must be at or before to")
	case r.Last-r.First >= MaxDays:
		return r, Invalidf("%d days are requested; a request takes at most %d", r.Last-r.First+1, MaxDays)
	}
	return r, nil
}

// DayBlocks returns the masterchain blocks whose sums are computed together with those of a block, up to a last one.
func DayBlocks(number uint32, last uint32) SeqnoRange {
	r := DigestRange(number * DigestBlocks)
	return SeqnoRange{First: r.First, Last: min(r.Last, last)}
}

// DaySpan is a time in which every transaction is part of the sums: those later than From and earlier than Until, in unix seconds.
type DaySpan struct{ From, Until uint32 }

// Holds reports whether the span has all transactions of a day.
func (s DaySpan) Holds(day uint32) bool {
	return uint64(s.From) < uint64(day)*SecondsPerDay && uint64(s.Until) >= (uint64(day)+1)*SecondsPerDay
}

// NetworkDay has the sums of one day.
type NetworkDay struct {
	Date           uint32 // unix time at which the day begins
	Complete       bool   // all transactions of the day are part of the sums
	Transactions   int64
	Fees           *big.Int // in nanotons
	ActiveAccounts *int64   // nil until the day is complete
}

// NetworkDays are the days of a chart, ascending.
type NetworkDays struct {
	Days          []NetworkDay
	CompleteFrom  *uint32 // nil while there are no sums
	CompleteUntil *uint32
}

// JettonDay has the sums of one Jetton on one day.
type JettonDay struct {
	Date      uint32 // unix time at which the day begins
	Transfers int64
	Amount    *big.Int // of the transfers
	Holders   *int64   // wallets with a balance at the end of the day; nil until earlier days are computed
	Supply    *big.Int // sum of the balances then
}

// JettonDays are the days of a Jetton's chart, ascending: complete days only.
type JettonDays struct {
	Days          []JettonDay
	CompleteUntil *uint32 // end of the last complete day; nil without one
}
