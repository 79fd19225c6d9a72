package store

import "tonql/internal/chain"

// minorAddress is the address that a cursor of transactions, messages or accounts has beside its main value.
func minorAddress(c *chain.Cursor) []byte { return []byte(c.Minor) }

// bindMajor and bindMinor bind the two values of a cursor, bindKey both of them as a natural key (account, lt).
func bindMajor(c *chain.Cursor) []any { return []any{int64(c.Major)} }

func bindMinor(c *chain.Cursor) []any { return []any{minorAddress(c)} }

func bindKey(c *chain.Cursor) []any { return []any{minorAddress(c), int64(c.Major)} }
