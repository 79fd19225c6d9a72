package sqlbuild

import "tonql/internal/chain"

// MinorAddress is the address that a cursor of transactions, messages or accounts has beside its main value.
func MinorAddress(c *chain.Cursor) []byte { return []byte(c.Minor) }

// BindMajor and bindMinor bind the two values of a cursor, bindKey both of them as a natural key (account, lt).
func BindMajor(c *chain.Cursor) []any { return []any{int64(c.Major)} }

// BindMinor binds the minor value of a cursor.
func BindMinor(c *chain.Cursor) []any { return []any{MinorAddress(c)} }

// BindKey binds both values of a cursor as a natural key (account, lt).
func BindKey(c *chain.Cursor) []any { return []any{MinorAddress(c), int64(c.Major)} }
