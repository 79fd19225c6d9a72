package graphql

import (
	"context"
	"net/http"
	"regexp"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/jsontext"
)

// describing is a transport whose operations have the errors of [typedErrors].
type describing struct{ graphql.Transport }

// Do implements [graphql.Transport].
func (t describing) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	t.Transport.Do(w, r, typedErrors{exec})
}

// typedErrors describes values of variables that have a wrong type in terms of JSON and of the schema. The library names kinds of Go, and calls numbers strings.
type typedErrors struct{ graphql.GraphExecutor }

// CreateOperationContext implements [graphql.GraphExecutor].
func (e typedErrors) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, errs := e.GraphExecutor.CreateOperationContext(ctx, p)
	for i, one := range errs {
		if len(one.Path) > 1 && one.Path[0] == ast.PathName("variable") {
			errs[i] = described(one, p.Variables)
		}
	}
	return op, errs
}

// wrongScalar and wrongInput are the errors of the library about a value of another type than a scalar, and than an input object; wrongEnum is that of a
// value of an enum.
var (
	wrongScalar = regexp.MustCompile(`^cannot use .* as (\w+)$`)
	wrongInput  = regexp.MustCompile(`^must be a (\w+), not a \w+$`)
)

const wrongEnum = "enums must be ints or strings"

// described returns an error of the library with a text for clients. Others are returned unchanged.
func described(e *gqlerror.Error, variables map[string]any) *gqlerror.Error {
	var expected string
	if name := wrongScalar.FindStringSubmatch(e.Message); name != nil {
		expected = name[1]
	} else if name := wrongInput.FindStringSubmatch(e.Message); name != nil {
		expected = name[1] + ", an object"
	} else if e.Message == wrongEnum {
		expected = "a value of an enum, a string"
	} else {
		return e
	}
	shown := *e
	shown.Message = "expected " + expected + ", not " + jsontext.Kind(at(variables, e.Path[1:]))
	return &shown
}

// at returns the value at a path. A value in place of a list of one has the path of its element.
func at(v any, path ast.Path) any {
	for _, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			members, _ := v.(map[string]any)
			v = members[string(step)]
		case ast.PathIndex:
			if list, ok := v.([]any); ok && int(step) < len(list) {
				v = list[step]
			}
		}
	}
	return v
}
