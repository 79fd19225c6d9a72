package graphql

import (
	"context"
	"fmt"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/rest/handler"
)

const (
	// parsedShare is the memory of a parsed document for each byte of its text, maxParsed that of the largest number of tokens.
	parsedShare = 24
	maxParsed   = 1 << 20
	// valueSize is the memory of a value of variables besides its text.
	valueSize = 64
)

// retained counts the memory of documents and variables for as long as their subscriptions last: see [handler.Retain]. Subscriptions with the
// same document share it. Safe for concurrent use.
type retained struct {
	mu        sync.Mutex
	documents map[string]*retainedDocument // by text
}

// retainedDocument is the document of running subscriptions.
type retainedDocument struct {
	parsed  *ast.QueryDocument
	text    string
	n       int    // subscriptions
	release func() // returns the memory
}

// retain takes memory for what a subscription retains until release is called, and lets op share the document of others. It fails with
// [handler.ErrRetained].
func (l *retained) retain(ctx context.Context, op *graphql.OperationContext) (release func(), err error) {
	variables, err := handler.Retain(ctx, sizeOf(op.Variables))
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.documents[op.RawQuery]
	if d == nil {
		free, err := handler.Retain(ctx, len(op.RawQuery)+min(parsedShare*len(op.RawQuery), maxParsed))
		if err != nil {
			variables()
			return nil, err
		}
		d = &retainedDocument{parsed: op.Doc, text: op.RawQuery, release: free}
		l.documents[d.text] = d
	}
	d.n++
	op.Doc, op.RawQuery, op.Operation = d.parsed, d.text, d.parsed.Operations.ForName(op.OperationName)
	return sync.OnceFunc(func() {
		variables()
		l.mu.Lock()
		defer l.mu.Unlock()
		if d.n--; d.n == 0 {
			delete(l.documents, d.text)
			d.release()
		}
	}), nil
}

// sizeOf is what a value of variables takes in memory, in bytes and about. The inspector has bounded the number of values.
func sizeOf(v any) int {
	n := valueSize
	switch v := v.(type) {
	case string:
		n += len(v)
	case fmt.Stringer: // a number
		n += len(v.String())
	case []any:
		for _, element := range v {
			n += sizeOf(element)
		}
	case map[string]any:
		for name, member := range v {
			n += len(name) + sizeOf(member)
		}
	}
	return n
}
