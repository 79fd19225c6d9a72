package sqlbuild

import (
	"context"
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
	// End is the newest block whose rows are on cold servers, of a complete run after one that was not.
	End chain.Dropped

	cold   atomic.Pointer[chain.Dropped]
	missed atomic.Bool
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

// SetCold records the newest block whose rows are on cold servers, as a snapshot of the run has it. Of several snapshots the newest block
// counts: with it no row that is missing in the others is taken for absent.
func (c *Cover) SetCold(d chain.Dropped) {
	for {
		before := c.cold.Load()
		if before != nil && before.Last >= d.Last || c.cold.CompareAndSwap(before, &d) {
			return
		}
	}
}

// Cold returns that block while the tables of the index may lack rows; the zero value otherwise.
func (c *Cover) Cold() chain.Dropped {
	if c == nil || c.Complete {
		return chain.Dropped{}
	}
	if d := c.cold.Load(); d != nil {
		return *d
	}
	return chain.Dropped{}
}

// Missed reports whether the run has to be repeated with the rows of all servers.
func (c *Cover) Missed() bool { return c.missed.Load() }

// Miss records that rows may be missing, and returns the error that ends the run.
func (c *Cover) Miss() error {
	c.missed.Store(true)
	return chain.Transientf(nil, "rows of this response are on another server; try again in a moment")
}

// Checked returns a context for statements whose caller knows that their rows are in the tables of the index, as those of what it has found there
// are, or checks what it gets, see [Found].
func Checked(ctx context.Context) context.Context {
	if cover := CoverOf(ctx); cover == nil || cover.Complete {
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
type Rule[T any] func(rows []T, cold chain.Dropped) bool

// Covered is [Collect] with a rule by which the rows that the tables of the index have are enough.
func Covered[T any](ctx context.Context, q Queryer, what string, expect int, rule Rule[T], scan func(*Row, *T), text string, args ...any) ([]T, error) {
	cover := CoverOf(ctx)
	if cover == nil || cover.Complete {
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
	return func(rows []T, _ chain.Dropped) bool { return len(rows) >= n }
}

// ColdSlack is the number of seconds by which times of blocks of one masterchain block may differ.
const ColdSlack = clockSlack

// After is the lowest position that rows of a list can have; nil has no limit.
type After struct {
	LT      *uint64
	Utime   *uint32
	McSeqno *uint32 // the only one
}

// clear reports whether no row with a position can be on a cold server.
func (a *After) clear(cold chain.Dropped) bool {
	return a.LT != nil && *a.LT > cold.EndLT || a.Utime != nil && *a.Utime > cold.GenUtime+ColdSlack || a.McSeqno != nil && *a.McSeqno > cold.Last
}

// AfterSpan returns the position of a span.
func AfterSpan(p *Span, mcSeqno *uint32) After {
	return After{LT: p.FromLT, Utime: p.FromUtime, McSeqno: mcSeqno}
}

// InOrder is the rule of a page whose rows are in the order of LTs, or of times, by which cursors name them, as at returns them: rows of moved
// blocks come after all others in the descending list and before them in the ascending one. n is the number of such lists.
func InOrder[T any](l *List, from After, n int, at func(*T) (lt uint64, utime uint32)) Rule[T] {
	return func(rows []T, cold chain.Dropped) bool {
		if from.clear(cold) {
			return true
		}
		byLT := func(lt uint64) bool { return lt > cold.EndLT }
		cursors := l.Order[0].At == "?" // of the LTs that they have; a list by time can have older rows after them
		if !l.Direction() {
			return cursors && l.After != nil && byLT(l.After.Major)
		}
		if cursors && l.Before != nil && byLT(l.Before.Major) {
			return true
		}
		if len(rows) < n*l.Limit {
			return false
		}
		for i := range rows {
			if lt, utime := at(&rows[i]); !byLT(lt) || !cursors && utime <= cold.GenUtime+ColdSlack {
				return false
			}
		}
		return true
	}
}
