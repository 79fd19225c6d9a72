package resolvers

import (
	"context"

	"tonql/internal/chain"
)

// Reputation returns what the operator states about an account: the scam flag of an override, or else the entry of a list. An
// override that clears the flag leaves VERIFIED of a list.
func (s *Service) Reputation(a chain.Address) chain.Reputation {
	listed := chain.ReputationUnknown
	if s.opts.Reputation != nil {
		listed = s.opts.Reputation(a)
	}
	if s.opts.Correct == nil {
		return listed
	}
	switch flag := s.opts.Correct(chain.Metadata{Address: a}).Scam; {
	case flag == nil:
		return listed
	case *flag:
		return chain.ReputationScam
	case listed == chain.ReputationScam:
		return chain.ReputationUnknown
	default:
		return listed
	}
}

// itemReputation returns that of an item, or else that of its collection, which confirmed the item.
func (s *Service) itemReputation(item *chain.NFTItem) chain.Reputation {
	own := s.Reputation(item.Address)
	if own == chain.ReputationUnknown && item.CollectionInfo != nil {
		return s.Reputation(item.CollectionInfo.Address)
	}
	return own
}

// imagePath returns the path of an image on this server; nil when it serves none.
func (s *Service) imagePath(m *chain.Metadata, size int) (*string, error) {
	if s.opts.ImagePath == nil || m.Image == "" {
		return nil, nil
	}
	path, err := s.opts.ImagePath(m.Address, m.Image, size)
	if path == "" {
		return nil, err
	}
	return &path, err
}

// ImageOf returns the address of the image in the metadata of an account, empty when it has none.
func (s *Service) ImageOf(ctx context.Context, a chain.Address) (string, error) {
	rows, err := s.index.Metadata(ctx, []chain.Address{a})
	if err != nil {
		return "", err
	}
	own := rows[:0:0]
	for _, row := range rows {
		if row.Address == a {
			own = append(own, row)
		}
	}
	if m := shownMetadata(s.present(own)); m != nil {
		return m.Image, nil
	}
	return "", nil
}
