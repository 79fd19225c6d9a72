package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Traces lists the traces that match f by their end, newest first unless p says otherwise: by end LT, or by end time
// when f restricts time, then by id. Lists hold complete traces; a hash finds its trace in every state. A masterchain
// seqno that is not indexed is NotFound.
func (s *Service) Traces(ctx context.Context, f chain.TraceFilter, p chain.Page) ([]chain.Trace, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.traces(ctx, f, p)
}

func (s *Service) traces(ctx context.Context, f chain.TraceFilter, p chain.Page) ([]chain.Trace, error) {
	return listTraces(ctx, s, f, func(f chain.TraceFilter) ([]chain.Trace, error) { return s.index.Traces(ctx, f, p) })
}

// listTraces checks a filter before read lists what matches it.
func listTraces(
	ctx context.Context, s *Service, f chain.TraceFilter, read func(chain.TraceFilter) ([]chain.Trace, error),
) ([]chain.Trace, error) {
	if err := s.checkLists([]list{{"trace_id", len(f.IDs)}, {"tx_hash", len(f.TxHashes)}, {"msg_hash", len(f.MsgHashes)}}); err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime) {
		return nil, nil
	}
	rows, err := read(f)
	if err == nil {
		err = s.ofBlock(ctx, f.McSeqno)
	}
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}

// FullTraces is [Service.Traces] with transactions, their tree, and the members that with requests.
func (s *Service) FullTraces(
	ctx context.Context, f chain.TraceFilter, p chain.Page, with chain.TraceInclude,
) (parts Parts[chain.FullTrace], err error) {
	if p, err = s.page(p); err != nil {
		return parts, err
	}
	_, err = listTraces(ctx, s, f, func(f chain.TraceFilter) ([]chain.Trace, error) {
		page, err := s.index.TracesInFull(ctx, f, p, with)
		if err != nil {
			return nil, err
		}
		parts = PartsOf(page.Traces, page.Size, page.Full)
		return page.Traces, nil
	})
	return parts, err
}
