package lite

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/ledger"
)

// Codes of liteServer.error as nodes use them: clients decide by these numbers
// whether to query another server.
const (
	codeBadRequest = -400 // the query is invalid or names data that never existed
	codeTimeout    = -503 // the query's own deadline passed
	codeInternal   = -500 // a defect of this server
	codeNotReady   = 651  // no such block here (yet); another server may have it
	codeWaited     = 652  // waitMasterchainSeqno ran out of time
	codeProtocol   = 621  // not a query of this protocol
	codeExternal   = 0    // an external message was refused
)

// fail returns a liteServer.error.
func fail(code int32, format string, args ...any) ton.LSError {
	return ton.LSError{Code: code, Text: fmt.Sprintf(format, args...)}
}

// asLSError converts an error to the liteServer.error that the client receives.
func asLSError(err error) ton.LSError {
	var ls ton.LSError
	switch {
	case errors.As(err, &ls):
		return ls
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fail(codeTimeout, "timeout")
	case ledger.IsNotFound(err):
		return fail(codeNotReady, "%v", err)
	default:
		return fail(codeInternal, "%v", err)
	}
}
