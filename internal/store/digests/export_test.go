package digests

// DigestVersion is digestVersion.
const DigestVersion = digestVersion

// TablesOfRangeDigest lists the tables of a range's digest except those of traces.
func TablesOfRangeDigest() (list []string) {
	for _, t := range rangeTables {
		list = append(list, t.table)
	}
	return list
}

// DigestedWithin lists the tables of which a digest covers the rows of a range.
func DigestedWithin() (list []string) {
	for _, t := range digested {
		if t.within != "" {
			list = append(list, t.table)
		}
	}
	return list
}
