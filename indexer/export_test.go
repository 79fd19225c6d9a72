package indexer

import "time"

// SetMove replaces how many rows of an earlier version one transaction moves, and how long the old tables stay after that.
func (x *Indexer) SetMove(rows int, keep time.Duration) { x.move = moveOptions{rows: rows, keep: keep} }
