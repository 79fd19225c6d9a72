package resolvers

import (
	"context"
	"math"

	"tonql/internal/chain"
)

// page checks a page against the limits and returns the page to read.
func (s *Service) page(p chain.Page) (chain.Page, error) { return s.pageWithin(p, s.opts.Limits.Rows) }

// pageWithin is [Service.page] for a list whose pages may have up to rows rows.
func (s *Service) pageWithin(p chain.Page, rows int) (chain.Page, error) {
	l := s.opts.Limits
	p.Limit = max(0, p.Limit)
	if p.Limit > rows {
		return p, chain.Invalidf("limit is not allowed: %d > %d", p.Limit, rows)
	}
	p.Offset = max(0, p.Offset)
	if p.Offset > l.Offset {
		return p, chain.Invalidf("offset is not allowed: %d > %d; to read further, narrow the range (start_lt, end_lt, "+
			"start_utime, end_utime) to the last row you have, or use GraphQL, whose cursors reach any depth", p.Offset, l.Offset)
	}
	return p, nil
}

// several checks the length of a list of filter values.
func (s *Service) several(what string, n int) error {
	if most := s.opts.Limits.Addresses; n > most {
		return chain.Invalidf("%d values of %s are too many: at most %d are allowed in one request", n, what, most)
	}
	return nil
}

// list is the name of a list parameter and the number of its values.
type list struct {
	name string
	n    int
}

// lists checks a page and the lengths of list parameters.
func (s *Service) lists(p chain.Page, lists ...list) (chain.Page, error) {
	if err := s.checkLists(lists); err != nil {
		return p, err
	}
	return s.page(p)
}

func (s *Service) checkLists(lists []list) error {
	for _, l := range lists {
		if err := s.several(l.name, l.n); err != nil {
			return err
		}
	}
	return nil
}

// connect reads a page by cursor and makes a connection of it. It reads one row more than the page has, to know whether
// another page follows.
func connect[T any, P interface {
	*T
	chain.Positioned
}](ctx context.Context, s *Service, p chain.Page, read func(chain.Page) ([]T, error)) (*chain.Connection[P], error) {
	mcSeqno, err := s.pin(ctx, &p)
	if err != nil {
		return nil, err
	}
	wider := p
	wider.Limit++
	rows, err := read(wider)
	if err != nil {
		return nil, err
	}
	pointers := make([]P, len(rows))
	for i := range rows {
		pointers[i] = &rows[i]
	}
	return chain.Connect(pointers, p, mcSeqno), nil
}

// boundLT brings an LT range into the range LTs have on the chain (63 bits). none says that no row can match.
func boundLT(start, end **uint64) (none bool) {
	if *start != nil && **start > math.MaxInt64 {
		return true
	}
	if *end != nil && **end > math.MaxInt64 {
		*end = nil
	}
	return *start != nil && *end != nil && **start > **end
}

func emptyUtime(start, end *uint32) bool { return start != nil && end != nil && *start > *end }

// Parts is a page of a list whose rows are completed part by part, so that memory does not grow with the page. The zero value
// is an empty page.
type Parts[T any] struct {
	Rows int          // of the page
	Last chain.Cursor // of the last row

	ends []int // for each part, the number of rows up to its end
	read func(ctx context.Context, first, end int) ([]T, error)
}

// partTransactions is the number of transactions that a part is completed with. A row with more is a part by itself.
const partTransactions = 256

// PartsOf splits the rows of a page into parts. transactions returns the number of transactions that a row is completed with;
// read completes the rows from first to the one before end.
func PartsOf[R, T any](rows []R, transactions func(i int) int, read func(ctx context.Context, first, end int) ([]T, error)) Parts[T] {
	p := Parts[T]{Rows: len(rows), read: read}
	if len(rows) == 0 {
		return p
	}
	if last, ok := any(&rows[len(rows)-1]).(chain.Positioned); ok {
		p.Last = last.Cursor()
	}
	size := 0
	for i := range rows {
		n := max(1, transactions(i))
		if size > 0 && size+n > partTransactions {
			p.ends, size = append(p.ends, i), 0
		}
		size += n
	}
	p.ends = append(p.ends, len(rows))
	return p
}

// Len returns the number of parts.
func (p *Parts[T]) Len() int { return len(p.ends) }

// Read completes the rows of part i. Parts are read in order; none is cached.
func (p *Parts[T]) Read(ctx context.Context, i int) ([]T, error) {
	first := 0
	if i > 0 {
		first = p.ends[i-1]
	}
	return p.read(ctx, first, p.ends[i])
}
