package main

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestTemplateFiles_SharedTemplatesExistInLibrary(t *testing.T) {
	t.Parallel()
	all, err := templateFiles()
	require.NoError(t, err)
	for _, name := range append([]string{"object.gotpl", "type.gotpl", "internal!.gotpl"}, shared...) {
		text, err := fs.ReadFile(all, name)
		require.NoError(t, err, name)
		require.NotContains(t, string(text), "MarshalSliceConcurrently", name)
	}
}

func TestInline_FollowsSchemaDirective(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		directive @goField(forceResolver: Boolean, inline: Boolean) on FIELD_DEFINITION
		type Query { a: Int b: Int @goField(forceResolver: true) c: Int @goField(inline: false) d: Int @goField(inline: true) }`})
	for name, want := range map[string]bool{"a": false, "b": false, "c": false, "d": true} {
		require.Equal(t, want, inline(schema.Query.Fields.ForName(name)), name)
	}
}
