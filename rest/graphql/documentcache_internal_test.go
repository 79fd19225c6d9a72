package graphql

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
)

// A client that sends different documents, each with a megabyte of white space, does not fill the memory.
func TestDocumentCache_IsBoundedByBytes(t *testing.T) {
	t.Parallel()
	c := newDocumentCache()
	ctx := t.Context()
	c.Add(ctx, "{ __typename }", &ast.QueryDocument{})
	for i := range 1000 {
		c.Add(ctx, strings.Repeat(" ", i%2*1_000_000+i)+"{ __typename }", &ast.QueryDocument{})
		_, _ = c.Get(ctx, "{ __typename }")
	}
	entries, bytes := c.documents.Size()
	require.LessOrEqual(t, entries, maxDocuments)
	require.LessOrEqual(t, bytes, maxDocumentBytes)
	_, ok := c.Get(ctx, "{ __typename }")
	require.True(t, ok, "the document that is used stays")
}

func TestPersisted_IsBoundedByBytes(t *testing.T) {
	t.Parallel()
	d := newPersisted(nil, false)
	for i := range maxPersisted {
		d.cached.Add(hashOf(strings.Repeat(" ", i)), strings.Repeat(" ", maxPersistedText), maxPersistedText)
	}
	_, bytes := d.cached.Size()
	require.LessOrEqual(t, bytes, maxPersistedBytes)
}
