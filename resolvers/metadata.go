package resolvers

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
)

// Metadata returns the metadata of the tokens among addresses, by address and kind; other addresses are left out. A Jetton
// wallet adds the entry of its master.
func (s *Service) Metadata(ctx context.Context, addresses []chain.Address) ([]chain.Metadata, error) {
	if len(addresses) == 0 {
		return nil, nil
	}
	rows, err := s.index.Metadata(ctx, addresses)
	return s.present(rows), err
}

// present sorts entries, applies the operator's corrections, and adds the addresses of images. What is not safe for work gets
// none: clients would show them to everyone.
func (s *Service) present(rows []chain.Metadata) []chain.Metadata {
	if correct := s.opts.Correct; correct != nil {
		for i, row := range rows {
			rows[i] = correct(row)
		}
	}
	if links := s.opts.ImageLinks; links != nil {
		for i := range rows {
			if m := &rows[i]; m.Image != "" && (m.NSFW == nil || !*m.NSFW) {
				m.Images = links(m.Address, m.Image)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b chain.Metadata) int {
		return cmp.Or(a.Address.Compare(b.Address), cmp.Compare(a.Kind, b.Kind))
	})
	return rows
}
