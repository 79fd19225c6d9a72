package graphql

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// attempt is the state of one execution of an operation.
type attempt struct{ failed atomic.Pointer[error] }

type attemptKey struct{}

// noteTransient records an error of the execution that another one may not have.
func noteTransient(ctx context.Context, err error) {
	if a, ok := ctx.Value(attemptKey{}).(*attempt); ok && chain.IsTransient(err) {
		a.failed.Store(&err)
	}
}

// execute executes an operation with a single result. A query is executed again while it fails for a reason that passes. failed is
// that reason when it remains.
func (h *Handler) execute(
	ctx context.Context, exec graphql.GraphExecutor, op *graphql.OperationContext, minSeqno uint32,
) (resp *graphql.Response, failed error) {
	ctx, span := startSpan(ctx, op)
	defer func() { endSpan(span, resp, failed) }()
	again := func() bool { return op.Operation.Operation == ast.Query }
	failed = resolvers.Try(ctx, minSeqno, again, func(ctx context.Context) error {
		state := &attempt{}
		next, running := exec.DispatchOperation(h.opts.Prepare(context.WithValue(ctx, attemptKey{}, state)), op)
		resp = next(running)
		if err := state.failed.Load(); err != nil {
			return *err
		}
		return nil
	})
	return resp, failed
}

// minSeqnoName is the extension of a request that names the masterchain block which the index must have reached.
const minSeqnoName = "minSeqno"

// await waits for the masterchain block that a request needs: in its extensions, otherwise that of its headers or URL.
func (h *Handler) await(ctx context.Context, p *graphql.RawParams, ofRequest uint32) (uint32, error) {
	seqno := ofRequest
	if v := p.Extensions[minSeqnoName]; v != nil {
		var text string
		switch v := v.(type) {
		case string:
			text = v
		case interface{ String() string }: // a number of JSON
			text = v.String()
		case float64:
			text = strconv.FormatFloat(v, 'f', -1, 64)
		}
		var err error
		if seqno, err = handler.ParseMinSeqno(text); err != nil {
			return 0, err //nolint:wrapcheck // of kind Invalid
		}
	}
	if seqno == 0 || h.opts.Await == nil {
		return seqno, nil
	}
	return seqno, handler.Await(ctx, func(ctx context.Context) error { return h.opts.Await(ctx, seqno) })
}

// refuseSeqno responds to a request whose masterchain block is malformed or not there.
func refuseSeqno(w http.ResponseWriter, r *http.Request, media string, err error) {
	status := http.StatusServiceUnavailable
	if typed := (*chain.Error)(nil); errors.As(err, &typed) && typed.Kind == chain.Invalid {
		status = http.StatusBadRequest
	} else {
		w.Header().Set("Retry-After", "1")
	}
	resp := failure(chain.PublicMessage(err))
	for _, e := range resp.Errors {
		e.Extensions = map[string]any{"code": chain.KindOf(err).String()}
	}
	reply(w, r, media, status, resp)
}
