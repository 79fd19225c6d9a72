package resolvers

// NamesFrom counts the addresses whose rows of the address book or metadata came from memory and from the database.
func (s *Service) NamesFrom() (memory, database uint64) { return s.index.NamesFrom() }
