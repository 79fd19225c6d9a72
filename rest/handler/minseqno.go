package handler

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
)

// MinSeqnoWait is how long a request waits for the masterchain block that it needs.
const MinSeqnoWait = 5 * time.Second

// Await calls wait, which waits for a masterchain block that the client chose, and records how long it took: that time says nothing of
// the route. Safe for concurrent use.
func Await(ctx context.Context, wait func(context.Context) error) error {
	start := time.Now()
	defer func() { RecordOf(ctx).waited.Add(int64(time.Since(start))) }()
	return wait(ctx)
}

// MinSeqno reads the masterchain seqno that the index must have reached before a request runs: the header X-Min-Seqno, otherwise the
// parameter x_min_seqno of the URL; 0 if absent.
func MinSeqno(r *http.Request) (uint32, error) {
	text := r.Header.Get("X-Min-Seqno")
	if text == "" && strings.Contains(r.URL.RawQuery, "x_min_seqno") { // most requests need no parsing
		text = r.URL.Query().Get("x_min_seqno")
	}
	if text == "" {
		return 0, nil
	}
	return ParseMinSeqno(text)
}

// ParseMinSeqno parses a masterchain seqno.
func ParseMinSeqno(text string) (uint32, error) {
	seqno, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, chain.Invalidf("X-Min-Seqno is the seqno of a masterchain block, not %s", chain.Quote(text))
	}
	return uint32(seqno), nil
}
