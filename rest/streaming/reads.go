package streaming

import "tonql/rest/live"

const (
	// maxReads bounds the reads of the index for all sessions, at a time, and maxReadsOfClient those for one client.
	maxReads         = 16
	maxReadsOfClient = 4
)

func newReads() *live.Workers { return live.NewWorkers(maxReads, maxReadsOfClient) }
