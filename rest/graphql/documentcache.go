package graphql

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/weightedlru"
)

// Bounds of the cache of parsed documents. A parsed document takes many times the memory of its text, so the size of the
// texts bounds the cache besides their number.
const (
	maxDocuments     = 512
	maxDocumentBytes = 2 << 20 // of texts; some 50 MiB of memory when all of it is fields
	parsedOverhead   = 256     // bytes of a document besides its text
)

// documentCache implements gqlgen's cache of parsed documents by their text.
type documentCache struct {
	documents *weightedlru.Cache[string, *ast.QueryDocument]
}

func newDocumentCache() documentCache {
	return documentCache{weightedlru.New[string, *ast.QueryDocument](maxDocuments, maxDocumentBytes)}
}

// Get returns the document of a text.
func (c documentCache) Get(_ context.Context, text string) (*ast.QueryDocument, bool) {
	return c.documents.Get(text)
}

// Add caches the document of a text, unless the text is very long.
func (c documentCache) Add(_ context.Context, text string, document *ast.QueryDocument) {
	c.documents.Add(text, document, len(text)+parsedOverhead)
}
