package node

import (
	"time"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/chain"
)

// Classify returns the name of the class of a liteserver's error.
func Classify(code int32, text string) string {
	return [...]string{
		refused: "refused", busy: "busy", limited: "limited", behind: "behind", absent: "absent",
		nonexistent: "nonexistent", unsupported: "unsupported", invalid: "invalid",
	}[classify(code, text)]
}

// LSErrorText returns the text of a liteserver's error as logs and responses contain it.
func LSErrorText(text string) string { return fromLSError(ton.LSError{Text: text}).Error() }

// SendingError returns the error of a message to which a liteserver responds with an error.
func SendingError(code int32, text string) error {
	return sendingError(fromLSError(ton.LSError{Code: code, Text: text}))
}

// Absences is the memory of what a server lacks.
type Absences struct{ a absences }

// Miss, Hit, Lacks and Gaps are those of absences.
func (a *Absences) Miss(at, limit uint32, now time.Time) { a.a.miss(at, limit, now) }
func (a *Absences) Hit(at uint32)                        { a.a.hit(at) }
func (a *Absences) Lacks(at uint32, now time.Time) bool  { return a.a.lacks(at, now) }
func (a *Absences) Gaps() int                            { return len(a.a.gaps) }

// GapTime is how long a range is remembered, MaxGaps how many are.
const (
	GapTime = gapTime
	MaxGaps = maxGaps
)

// Pace is the rate of queries to a server that limits them.
type Pace struct{ p pace }

// NewPace makes one with its first pause.
func NewPace(first time.Duration) *Pace { return &Pace{pace{first: first}} }

// Reserve, Blocked, Limit and Passed are those of the pace.
func (p *Pace) Reserve(now time.Time) time.Duration { return p.p.reserve(now) }
func (p *Pace) Blocked(now time.Time) time.Duration { return p.p.blocked(now) }
func (p *Pace) Limit(now time.Time)                 { p.p.limit(now) }
func (p *Pace) Passed()                             { p.p.passed++ }

// Past reports whether a block, or an LT, is so old at a head that servers which lack it will not have it later. The other one is zero.
func Past(head, newestLT, seqno, lt uint32) bool {
	p := &Pool{}
	p.head.init()
	p.head.advance(chain.BlockIDExt{BlockID: master(head)}, 0)
	p.newestLT.Store(newestLT)
	return p.past(want{seqno: seqno, lt: lt})
}

// LimitLeft returns the time until one of the servers can be queried again. A server is usable and limits queries for a time.
func LimitLeft(now time.Time, usable []bool, limits []time.Duration) (time.Duration, bool) {
	p := &Pool{}
	for i := range usable {
		p.servers = append(p.servers, &server{pool: p, record: record{usable: usable[i], pace: pace{until: now.Add(limits[i])}}})
	}
	return p.limitLeft()
}
