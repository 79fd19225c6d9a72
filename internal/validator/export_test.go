package validator

// ListHashAs is the hash of the session's validators under another catchain seqno.
func (s *Session) ListHashAs(catchainSeqno uint32) uint32 {
	return listHash(catchainSeqno, s.Validators)
}
