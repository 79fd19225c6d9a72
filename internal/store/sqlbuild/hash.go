package sqlbuild

import "strconv"

// HashKeyBytes is the length of the keys in the indexes of transactions, messages and actions by hash, and of what indexes of traces have of
// ids. Lookups by a prefix of a hash use them, too.
const HashKeyBytes = 7

// EqualHash is the condition that a column of hashes, indexed by keys, equals another.
func EqualHash(column, other string) string {
	return HashKey(column) + " = " + HashKey(other) + " AND " + column + " = " + other
}

// HashKey is the expression of the key of a hash, of which the indexes are made.
func HashKey(hash string) string {
	return "substr(" + hash + ", 1, " + strconv.Itoa(HashKeyBytes) + ")"
}
