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
	by      map[*use]struct{}
	payer   *use   // the subscription whose client the memory counts for
	release func() // returns the memory
}

// use is a subscription of a document, with the context of its request.
type use struct{ ctx context.Context } //nolint:containedctx // its values identify the client

func (d *retainedDocument) size() int {
	return len(d.text) + min(parsedShare*len(d.text), maxParsed)
}

// maxPayers bounds the clients that are tried for a document whose payer has ended.
const maxPayers = 16

// end removes a subscription. The memory of its document counts for the client of another one from then on, if it was that of the one that ends; for no
// client, and with that of all, where those that are tried have no more.
func (d *retainedDocument) end(u *use) {
	delete(d.by, u)
	if u != d.payer {
		return
	}
	d.release()
	tried := 0
	for other := range d.by {
		if free, err := handler.Retain(other.ctx, d.size()); err == nil {
			d.payer, d.release = other, free
			return
		}
		if tried++; tried == maxPayers {
			break
		}
	}
	d.payer = nil
	free, err := handler.Retain(context.Background(), d.size())
	if err != nil { // others have taken what was free a moment ago
		free = func() {}
	}
	d.release = free
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
	u, d := &use{ctx}, l.documents[op.RawQuery]
	if d == nil {
		d = &retainedDocument{parsed: op.Doc, text: op.RawQuery, by: map[*use]struct{}{}, payer: u}
		if d.release, err = handler.Retain(ctx, d.size()); err != nil {
			variables()
			return nil, err
		}
		l.documents[d.text] = d
	}
	d.by[u] = struct{}{}
	op.Doc, op.RawQuery, op.Operation = d.parsed, d.text, d.parsed.Operations.ForName(op.OperationName)
	return sync.OnceFunc(func() {
		variables()
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(d.by) == 1 {
			delete(l.documents, d.text)
			d.release()
			return
		}
		d.end(u)
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
