package lite

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/ledger"
)

// Codes of liteServer.error as nodes use them: clients decide by these numbers
// whether to ask another server, so they matter more than the texts.
const (
	codeBadRequest = -400 // the question makes no sense or asks for what was never there
	codeTimeout    = -503 // the query's own deadline passed
	codeInternal   = -500 // ours to repair
	codeNotReady   = 651  // no such block here (yet); another server may have it
	codeWaited     = 652  // waitMasterchainSeqno ran out of time
	codeProtocol   = 621  // not a query of this protocol
	codeExternal   = 0    // an external message was refused
)

// fail makes a liteServer.error.
func fail(code int32, format string, args ...any) ton.LSError {
	return ton.LSError{Code: code, Text: fmt.Sprintf(format, args...)}
}

// asLSError translates whatever went wrong into the answer the client gets.
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
