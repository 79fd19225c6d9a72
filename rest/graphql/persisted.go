package graphql

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/weightedlru"
)

// Codes of refusals that have to do with documents asked for by their id. Clients look for the first and its message.
const (
	codeNotPersisted = "PERSISTED_QUERY_NOT_FOUND"
	codeNotTrusted   = "DOCUMENT_NOT_TRUSTED"
	codeWrongHash    = "PERSISTED_QUERY_HASH_MISMATCH"
)

const (
	// maxPersisted bounds the documents that clients have left here, longestPersisted each of them.
	maxPersisted      = 1000
	maxPersistedBytes = 8 << 20 // of all together
	longestPersisted  = 64 << 10

	hashPrefix = "sha256:"
)

// persisted knows documents by their ids: those that clients left here (automatic persisted queries) and those that the
// operator trusts.
type persisted struct {
	left    *weightedlru.Cache[string, string]
	trusted *Documents
	only    bool
}

func newPersisted(trusted *Documents, only bool) *persisted {
	return &persisted{left: weightedlru.New[string, string](maxPersisted, maxPersistedBytes), trusted: trusted, only: only}
}

// find completes a request that names its document by an id, and refuses documents that may not be asked.
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
		return coded(codeNotTrusted, "this service answers only documents that its operator has listed")
	case id == "":
		return nil
	case p.Query == "":
		text, ok := d.left.Get(id)
		if !ok {
			return coded(codeNotPersisted, "PersistedQueryNotFound")
		}
		p.Query = text
	case hashOf(p.Query) != id:
		return coded(codeWrongHash, "the hash of the request is not that of its query")
	case len(p.Query) <= longestPersisted:
		d.left.Add(id, p.Query, len(id)+len(p.Query))
	}
	return nil
}

// idOf is the id by which a request names its document, "" for none.
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
		return "", coded(codeBadRequest, "extensions.persistedQuery is an object with version 1 and sha256Hash")
	}
	if version, ok := fields["version"].(interface{ String() string }); !ok || version.String() != "1" {
		return "", coded(codeBadRequest, "extensions.persistedQuery has version 1")
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
