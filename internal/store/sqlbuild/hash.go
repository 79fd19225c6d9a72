package sqlbuild

// HashKeyBytes is the length of the keys in the indexes of transactions, messages and actions by hash. Lookups by a prefix of a hash use
// them, too.
const HashKeyBytes = 7

// EqualHash is the condition that a column of hashes, indexed by keys, equals another.
func EqualHash(column, other string) string {
	return "substr(" + column + ", 1, 7) = substr(" + other + ", 1, 7) AND " + column + " = " + other
}
