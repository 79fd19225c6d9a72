package exec_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/stretchr/testify/require"

	"tonql/graph/exec"
)

type fieldTimer struct{}

func (fieldTimer) ExtensionName() string                   { return "FieldTimer" }
func (fieldTimer) Validate(graphql.ExecutableSchema) error { return nil }
func (fieldTimer) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	return next(ctx)
}

func TestCheckExtension_FieldInterceptorIsRefusedByName(t *testing.T) {
	t.Parallel()
	require.NoError(t, exec.CheckExtension(extension.Introspection{}))
	require.ErrorContains(t, exec.CheckExtension(fieldTimer{}), "extension FieldTimer implements FieldInterceptor")
}
