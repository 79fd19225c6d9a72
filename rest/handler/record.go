package handler

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
)

// Record is what is known of a request while it is served: its id, and what doors note for the log line and metrics.
// Only the goroutine that serves the request writes it.
type Record struct {
	ID    string
	Route string // pattern, such as /api/v3/transactions: a small closed set, for metrics
	Err   error  // what went wrong, with all its causes; for the log only
}

type recordKey struct{}

// RecordOf gives the request's record. Outside [Observe] it is a fresh one that nobody reads.
func RecordOf(ctx context.Context) *Record {
	if r, ok := ctx.Value(recordKey{}).(*Record); ok {
		return r
	}
	return &Record{}
}

// RequestID gives the id of the request that ctx belongs to, "" outside a request.
func RequestID(ctx context.Context) string { return RecordOf(ctx).ID }

const maxRequestID = 64

// requestID takes over the client's X-Request-Id when it is short and plain, else makes one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if id != "" && len(id) <= maxRequestID && plain(id) {
		return id
	}
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// plain says that s can stand in a header and a log line as it is.
func plain(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}
