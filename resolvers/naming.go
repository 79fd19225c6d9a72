package resolvers

// Naming says that the last question asked of a snapshot will be the address book of the transactions that come next, so
// that both can be asked at once.
func (s *Service) Naming() *Service {
	s.index.Naming()
	return s
}
