package graphql

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/weightedlru"
)

// Error codes of persisted and trusted documents. Clients match on the first and its message.
const (
	codeNotPersisted = "PERSISTED_QUERY_NOT_FOUND"
	codeNotTrusted   = "DOCUMENT_NOT_TRUSTED"
	codeWrongHash    = "PERSISTED_QUERY_HASH_MISMATCH"
)

const (
	// maxPersisted bounds the number of documents that clients have registered, and maxPersistedText the size of each.
	maxPersisted      = 1000
	maxPersistedBytes = 8 << 20 // total size
	maxPersistedText  = 64 << 10

	hashPrefix = "sha256:"
)

// persisted resolves ids of documents: those that clients registered (automatic persisted queries) and the trusted
// documents of the operator.
type persisted struct {
	cached  *weightedlru.Cache[string, string]
	trusted *Documents
	only    bool
}

func newPersisted(trusted *Documents, only bool) *persisted {
	return &persisted{cached: weightedlru.New[string, string](maxPersisted, maxPersistedBytes), trusted: trusted, only: only}
}

// find sets the query of a request that names its document by id, and refuses documents that are not allowed.
func (d *persisted) find(p *graphql.RawParams, documentID string) *gqlerror.Error {
	id, err := idOf(p, documentID)
	if err != nil {
		return err
	}
	if text, ok := d.trusted.get(id); ok {
		p.Query = text
		return nil
	}
	switch {
	case d.only && p.Query != "" && d.trusted.holds(p.Query):
		return nil
	case d.only:
		return coded(codeNotTrusted, "this service executes trusted documents only")
	case id == "":
		return nil
	case p.Query == "":
		text, ok := d.cached.Get(id)
		if !ok {
			return coded(codeNotPersisted, "PersistedQueryNotFound")
		}
		p.Query = text
	case hashOf(p.Query) != id:
		return coded(codeWrongHash, "sha256Hash is not the SHA-256 of the query")
	case len(p.Query) <= maxPersistedText:
		d.cached.Add(id, p.Query, len(id)+len(p.Query))
	}
	return nil
}

// idOf returns the document id of a request, "" for none.
func idOf(p *graphql.RawParams, documentID string) (string, *gqlerror.Error) {
	if documentID != "" {
		return strings.TrimPrefix(documentID, hashPrefix), nil
	}
	extension, given := p.Extensions["persistedQuery"]
	if !given || extension == nil {
		return "", nil
	}
	fields, ok := extension.(map[string]any)
	hash, isText := fields["sha256Hash"].(string)
	if !ok || !isText || hash == "" {
		return "", coded(codeBadRequest, "extensions.persistedQuery must be an object with version 1 and sha256Hash")
	}
	if version, ok := fields["version"].(interface{ String() string }); !ok || version.String() != "1" {
		return "", coded(codeBadRequest, "extensions.persistedQuery.version must be 1")
	}
	return hash, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func coded(code, sentence string) *gqlerror.Error {
	e := gqlerror.Errorf("%s", sentence)
	e.Extensions = map[string]any{"code": code}
	return e
}
