package sqlbuild

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
)

// Cover is what one run of a request knows of blocks whose rows are on cold servers. A run reads the tables of the index alone, until a
// query could have rows there; then the request runs again and reads the rows of all servers. A statement that reads a table with moved
// rows needs all servers, unless its caller knows when its rows are all there are: see [Covered] and [Checked]. Safe for concurrent use.
type Cover struct {
	Complete bool // queries read the rows of all servers
	// Partial lets a complete run leave out servers that do not respond, as long as its statements need none of their rows.
	Partial bool

	cold    atomic.Pointer[Moved]
	missed  atomic.Bool
	failed  atomic.Bool
	mu      sync.Mutex
	chosen  bool
	without []string // servers that are left out
}

// Moved is the part of the index that a run does not read. Its rows are of masterchain blocks up to Last, and of transactions up to EndLT and GenUtime.
type Moved struct {
	chain.Dropped
	// First are the blocks that moved; FirstMcSeqno, FirstLT and FirstUtime are the lowest that a row of a transaction, message, trace, action or transfer
	// has, as traces have transactions of earlier blocks. Zero: any.
	First, FirstMcSeqno, FirstUtime uint32
	FirstLT                         uint64
}

type (
	coverKey   struct{}
	checkedKey struct{}
)

// WithCover returns the context of a run.
func WithCover(ctx context.Context, c *Cover) context.Context {
	return context.WithValue(ctx, coverKey{}, c)
}

// CoverOf returns the cover of a context; nil outside of a request, whose queries read the tables of the index alone.
func CoverOf(ctx context.Context) *Cover {
	c, _ := ctx.Value(coverKey{}).(*Cover)
	return c
}

// Divided reports whether a query is of a request whose rows may be on several servers, and which reads the tables of the index alone.
func Divided(ctx context.Context) bool {
	cover := CoverOf(ctx)
	return cover != nil && !cover.Complete
}

// Without returns the cold servers that a complete run leaves out: those that down returns when it is called first.
func (c *Cover) Without(down func() []string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.chosen && c.Partial {
		c.without = down()
	}
	c.chosen = true
	return c.without
}

// LeftOut returns the cold servers that the run leaves out, so far as it has begun.
func (c *Cover) LeftOut() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.without
}

// SetCold records what the run does not read, as a snapshot of it has it. Of several snapshots the newest block counts and the first one: with them no row
// that is missing in the others is taken for absent.
func (c *Cover) SetCold(d Moved) {
	for {
		before := c.cold.Load()
		if before != nil {
			if before.Last > d.Last {
				d.Dropped = before.Dropped
			}
			d.First, d.FirstMcSeqno = min(d.First, before.First), min(d.FirstMcSeqno, before.FirstMcSeqno)
			d.FirstLT, d.FirstUtime = min(d.FirstLT, before.FirstLT), min(d.FirstUtime, before.FirstUtime)
		}
		if before != nil && *before == d || c.cold.CompareAndSwap(before, &d) {
			return
		}
	}
}

// Cold returns what the run does not read; the zero value when it reads everything.
func (c *Cover) Cold() Moved {
	if c == nil {
		return Moved{}
	}
	if d := c.cold.Load(); d != nil {
		return *d
	}
	return Moved{}
}

// Missed reports whether the run has to be repeated with the rows of all servers.
func (c *Cover) Missed() bool { return c.missed.Load() }

// Miss records that rows may be missing, and returns the error that ends the run.
func (c *Cover) Miss() error {
	if c.Complete {
		return NoResponse(c.Cold(), nil)
	}
	c.missed.Store(true)
	return chain.Transientf(nil, "rows of this response are on another server; try again in a moment")
}

// NoResponse returns the error of a request whose rows can be on a server that does not respond. A zero value names no blocks.
func NoResponse(m Moved, err error) error {
	which := "old masterchain blocks"
	if m.Last > 0 {
		which = fmt.Sprintf("masterchain blocks %d to %d", m.First, m.Last)
	}
	return chain.Unavailablef(err, "%s are on another server, which does not respond now; requests that need other blocks alone are served", which)
}

// Fail records that a cold server did not respond to the run.
func (c *Cover) Fail() { c.failed.Store(true) }

// Failed reports whether the run may succeed without the servers that do not respond.
func (c *Cover) Failed() bool { return c.failed.Load() }

// Checked returns a context for statements whose caller knows that their rows are in the tables of the index, as those of what it has found there
// are, or checks what it gets, see [Found].
func Checked(ctx context.Context) context.Context {
	if cover := CoverOf(ctx); cover == nil || cover.Complete && !cover.Partial {
		return ctx
	}
	return context.WithValue(ctx, checkedKey{}, true)
}

// Check returns the error of a statement that may lack rows, unless its context says that its caller knows.
func (c *Cover) Check(ctx context.Context, text string) error {
	if c.Cold().Last == 0 || !ReadsMoved(text) || ctx.Value(checkedKey{}) != nil {
		return nil
	}
	return c.Miss()
}

var (
	movedTable = regexp.MustCompile(`\b(` + strings.Join(cold.Tables, "|") + `)\b`)
	readsMoved sync.Map // whether statements, by text, read moved tables
)

// maxMovedTexts bounds the memory for texts.
const maxMovedTexts = 4096

var movedTexts atomic.Int64

// ReadsMoved reports whether a statement reads a table whose rows are moved with blocks.
func ReadsMoved(text string) bool {
	if cached, ok := readsMoved.Load(text); ok {
		moved, _ := cached.(bool)
		return moved
	}
	moved := movedTable.MatchString(text)
	if movedTexts.Add(1) <= maxMovedTexts {
		readsMoved.Store(text, moved)
	}
	return moved
}

// Rule reports whether rows are all that a query has, though rows of blocks up to the given one may be on cold servers.
type Rule[T any] func(rows []T, cold Moved) bool

// Covered is [Collect] with a rule by which the rows that the tables of the index have are enough.
func Covered[T any](ctx context.Context, q Queryer, what string, expect int, rule Rule[T], scan func(*Row, *T), text string, args ...any) ([]T, error) {
	cover := CoverOf(ctx)
	if cover == nil || cover.Complete && !cover.Partial {
		return Collect(ctx, q, what, expect, scan, text, args...)
	}
	rows, err := Collect(Checked(ctx), q, what, expect, scan, text, args...)
	if err != nil {
		return nil, err
	}
	return rows, Suffices(ctx, rows, rule)
}

// Suffices returns the error of rows that are not enough.
func Suffices[T any](ctx context.Context, rows []T, rule Rule[T]) error {
	cover := CoverOf(ctx)
	if cold := cover.Cold(); cold.Last > 0 && !rule(rows, cold) {
		return cover.Miss()
	}
	return nil
}

// Found returns the error of a look-up that has found n rows of those wanted.
func Found(ctx context.Context, n, wanted int) error {
	if cover := CoverOf(ctx); cover.Cold().Last > 0 && n < wanted {
		return cover.Miss()
	}
	return nil
}

// EachFound is the rule of look-ups of n different keys.
func EachFound[T any](n int) Rule[T] {
	return func(rows []T, _ Moved) bool { return len(rows) >= n }
}

// ColdSlack is the number of seconds by which times of blocks of one masterchain block may differ.
const ColdSlack = clockSlack

// Bounds limit the positions that rows of a list can have; nil is no limit.
type Bounds struct {
	Span
	McSeqno *uint32 // the only one
}

// clear reports whether no row with a position can be among those that are not read.
func (b *Bounds) clear(cold *Moved) bool {
	return b.FromLT != nil && *b.FromLT > cold.EndLT || b.FromUtime != nil && *b.FromUtime > cold.GenUtime+ColdSlack ||
		b.ToLT != nil && *b.ToLT < cold.FirstLT || b.ToUtime != nil && *b.ToUtime < cold.FirstUtime ||
		b.McSeqno != nil && cold.ClearOf(*b.McSeqno)
}

// ClearOf reports whether the rows of a masterchain block are read.
func (m *Moved) ClearOf(mcSeqno uint32) bool { return mcSeqno > m.Last || mcSeqno < m.FirstMcSeqno }

// InOrder is the rule of a page whose rows are in the order of LTs, or of times, by which cursors name them, as at returns them: rows that are not read
// come after all others in the descending list and before them in the ascending one, or the other way round when the older ones are read. n is the number of such lists.
func InOrder[T any](l *List, within Bounds, n int, at func(*T) (lt uint64, utime uint32)) Rule[T] {
	return func(rows []T, cold Moved) bool {
		if within.clear(&cold) {
			return true
		}
		newer := func(lt uint64) bool { return lt > cold.EndLT }
		older := func(lt uint64) bool { return lt < cold.FirstLT }
		begins, passes, slack := older, older, func(utime uint32) bool { return utime < cold.FirstUtime }
		if l.Direction() {
			begins, passes, slack = newer, newer, func(utime uint32) bool { return utime > cold.GenUtime+ColdSlack }
		}
		cursors := l.Order[0].At == "?" // of the LTs that they have; a list by time can have older rows after them
		switch {
		case cursors && l.Before != nil && begins(l.Before.Major):
			return true
		case cursors && l.After != nil && l.Direction() && older(l.After.Major), cursors && l.After != nil && !l.Direction() && newer(l.After.Major):
			return true
		case len(rows) < n*l.Limit:
			return false
		}
		for i := range rows {
			if lt, utime := at(&rows[i]); !passes(lt) || !cursors && !slack(utime) {
				return false
			}
		}
		return true
	}
}
