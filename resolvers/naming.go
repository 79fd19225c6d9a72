package resolvers

// NamesFrom returns the number of addresses whose address book rows or metadata came from the cache and from the database.
func (s *Service) NamesFrom() (memory, database uint64) { return s.index.NamesFrom() }
