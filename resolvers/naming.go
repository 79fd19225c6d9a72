package resolvers

// NamesFrom counts the addresses whose rows of the address book or metadata came from memory and from the database.
func (s *Service) NamesFrom() (memory, database uint64) { return s.index.NamesFrom() }

// Naming says that the last question asked of a snapshot will be the address book of the transactions that come next, so
// that both can be asked at once.
func (s *Service) Naming() *Service {
	return s
}
