package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Messages lists the messages that match f, newest first unless p says otherwise. One row per message, whichever of its
// sides are indexed.
func (s *Service) Messages(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Message, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.messages(ctx, f, p)
}

func (s *Service) messages(ctx context.Context, f chain.MessageFilter, p chain.Page) ([]chain.Message, error) {
	if err := s.several("msg_hash", len(f.Hashes)); err != nil {
		return nil, err
	}
	if boundLT(&f.StartLT, &f.EndLT) || emptyUtime(f.StartUtime, f.EndUtime) || contradicts(f) {
		return nil, nil
	}
	rows, err := s.index.Messages(ctx, f, p)
	return listed(ctx, s, rows, err, f.EndLT, f.EndUtime)
}

// contradicts says that no message can match f: both a source and none, or only and no external-in messages.
func contradicts(f chain.MessageFilter) bool {
	return f.Source != nil && f.NoSource ||
		f.Destination != nil && f.NoDestination ||
		f.NoSource && f.NoDestination ||
		f.ExcludeExternals && (f.OnlyExternals || f.NoSource) ||
		f.OnlyExternals && (f.Source != nil || f.NoDestination)
}
