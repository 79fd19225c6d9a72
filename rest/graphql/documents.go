package graphql

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
)

// Documents are the trusted documents of the operator by id.
type Documents struct {
	byID  map[string]string
	texts map[string]bool
}

var hexHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// ReadDocuments reads the manifest of a client's build: an object of ids and documents, as Relay writes it, or a list of
// operations with ids and bodies, as Apollo writes it. An id in the form of a SHA-256 must be the hash of its document.
func ReadDocuments(file io.Reader) (*Documents, error) {
	const maxBytes = 64 << 20 // bytes
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, chain.Invalidf("trusted documents: %v", err)
	}
	if len(data) > maxBytes {
		return nil, chain.Invalidf("a file of trusted documents has at most %d bytes", maxBytes)
	}
	var manifest struct {
		Format     string `json:"format"`
		Operations []struct {
			ID   string `json:"id"`
			Body string `json:"body"`
		} `json:"operations"`
	}
	d := &Documents{byID: map[string]string{}, texts: map[string]bool{}}
	if json.Unmarshal(data, &manifest) == nil && manifest.Operations != nil {
		for _, op := range manifest.Operations {
			if err := d.add(op.ID, op.Body); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	var plain map[string]string
	if err := json.Unmarshal(data, &plain); err != nil {
		return nil, chain.Invalidf("%s: trusted documents are a JSON object of ids and documents, or a manifest with operations", jsontext.Reason(err, &plain))
	}
	for id, text := range plain {
		if err := d.add(id, text); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *Documents) add(id, text string) error {
	id = strings.TrimPrefix(id, hashPrefix)
	switch {
	case id == "" || text == "":
		return chain.Invalidf("trusted documents: an id or a document is empty")
	case hexHash.MatchString(id) && hashOf(text) != id:
		return chain.Invalidf("trusted documents: %s is not the SHA-256 of its document", id)
	}
	d.byID[id], d.texts[text] = text, true
	return nil
}

func (d *Documents) get(id string) (string, bool) {
	if d == nil || id == "" {
		return "", false
	}
	text, ok := d.byID[id]
	return text, ok
}

func (d *Documents) holds(text string) bool { return d != nil && d.texts[text] }
