package sqlbuild

import "tonql/internal/chain"

// MinorAddress returns the address that a cursor of transactions, messages or accounts has beside its main value.
func MinorAddress(c *chain.Cursor) []byte { return []byte(c.Minor) }

// BindMajor binds the main value of a cursor.
func BindMajor(c *chain.Cursor) []any { return []any{int64(c.Major)} }

// BindMinor binds the minor value of a cursor.
func BindMinor(c *chain.Cursor) []any { return []any{MinorAddress(c)} }

// BindKey binds both values of a cursor as a natural key (account, lt).
func BindKey(c *chain.Cursor) []any { return []any{MinorAddress(c), int64(c.Major)} }
