package graphql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/chain"
)

const (
	codeTooLarge        = "TOO_LARGE"
	codeBadRequest      = "BAD_REQUEST"
	codeUnauthenticated = "UNAUTHENTICATED"
	codeTooMany         = "TOO_MANY_SUBSCRIPTIONS"
	codeRateLimited     = "RATE_LIMITED"
)

// presenter converts errors for clients: chain errors to their message and kind, request errors of the library to their
// text. Other errors are logged and masked.
func presenter(log *slog.Logger, requestID func(context.Context) string) graphql.ErrorPresenterFunc {
	return func(ctx context.Context, err error) *gqlerror.Error {
		noteTransient(ctx, err)
		var shown *gqlerror.Error
		if errors.As(err, &shown) && shown.Err == nil {
			return withCode(shown, errcode.ValidationFailed)
		}
		out := gqlerror.Errorf("%s", chain.PublicMessage(err))
		out.Path = graphql.GetPath(ctx)
		if shown != nil {
			out.Path, out.Locations = shown.Path, shown.Locations
		}
		out.Extensions = map[string]any{"code": chain.KindOf(err).String()}
		if id := requestID(ctx); id != "" {
			out.Extensions["requestId"] = id
		}
		if chain.KindOf(err) == chain.Internal {
			log.ErrorContext(ctx, "graphql resolver failed", "field", out.Path.String(), "err", err, "request_id", requestID(ctx))
		}
		return out
	}
}

func withCode(e *gqlerror.Error, code string) *gqlerror.Error {
	if e.Extensions == nil {
		e.Extensions = map[string]any{}
	}
	if _, ok := e.Extensions["code"]; !ok {
		e.Extensions["code"] = code
	}
	return e
}

// recovered converts a panic to an internal error, which the presenter logs with its stack.
func recovered(_ context.Context, v any) error {
	return &chain.Error{Kind: chain.Internal, Message: "panic in a resolver", Err: fmt.Errorf("%v\n%s", v, debug.Stack())}
}

// maxMessage bounds the length of an error message, which may quote the document, in bytes.
const maxMessage = 400

// bounded returns at most maxErrors errors, in the order of their paths, and shortens their messages. Resolvers run concurrently and
// fail in any order.
func bounded(errs gqlerror.List) gqlerror.List {
	slices.SortStableFunc(errs, func(a, b *gqlerror.Error) int { return slices.CompareFunc(a.Path, b.Path, comparePath) })
	errs = errs[:min(len(errs), maxErrors)]
	for i, e := range errs {
		if len(e.Message) > maxMessage {
			short := *e
			short.Message = strings.ToValidUTF8(e.Message[:maxMessage], "") + "…"
			errs[i] = &short
		}
	}
	return errs
}

// comparePath orders elements of paths: indexes by number, before names.
func comparePath(a, b ast.PathElement) int {
	x, isIndex := a.(ast.PathIndex)
	y, isIndexToo := b.(ast.PathIndex)
	switch {
	case isIndex && isIndexToo:
		return cmp.Compare(x, y)
	case isIndex:
		return -1
	case isIndexToo:
		return 1
	}
	name, _ := a.(ast.PathName)
	other, _ := b.(ast.PathName)
	return cmp.Compare(name, other)
}
