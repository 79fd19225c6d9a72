package graphql

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Errors of concurrent resolvers are shown in the order of their paths, and only the first of them are shown.
func TestBounded_ErrorsAreInTheOrderOfTheirPaths(t *testing.T) {
	t.Parallel()
	at := func(path ...ast.PathElement) *gqlerror.Error { return &gqlerror.Error{Path: path} }
	name := func(s string) ast.PathElement { return ast.PathName(s) }
	want := gqlerror.List{
		at(), at(name("a")), at(name("a"), ast.PathIndex(2)), at(name("a"), ast.PathIndex(10), name("x")), at(name("a"), ast.PathIndex(10), name("y")),
		at(name("a"), name("b")), at(name("b")),
	}
	for shift := range want {
		got := append(append(gqlerror.List{}, want[shift:]...), want[:shift]...)
		require.Equal(t, want, bounded(got))
	}
	var many gqlerror.List
	for i := range 2 * maxErrors {
		many = append(many, at(ast.PathIndex(2*maxErrors-i)))
	}
	got := bounded(many)
	require.Len(t, got, maxErrors)
	require.Equal(t, ast.Path{ast.PathIndex(1)}, got[0].Path)
}
