package loaders

import "tonql/internal/store"

func (s *Set) addNominators(index *store.Reader) {
	s.NominatorPositions = Pages(index.NominatorPositionsOf)
}
