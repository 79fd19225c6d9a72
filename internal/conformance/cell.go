package conformance

import (
	"encoding/base64"

	"tonql/internal/cellgraph"
)

// maxCells bounds the bytes of a bag of cells that is parsed.
const maxCells = 64 << 10

// cellHash fails the check unless the root of a bag of cells has a hash. Larger bags are not compared.
func (p *probe) cellHash(boc value, want string) {
	raw := decodeBase64(boc.text())
	if len(raw) == 0 || len(raw) > maxCells {
		p.requiref(len(raw) > 0 || p.over(), "%s is no base64", boc.path)
		return
	}
	root, err := cellgraph.FromBOC(raw)
	if err != nil {
		p.failf("%s is no bag of cells: %s", boc.path, cut(err.Error(), 100))
		return
	}
	p.equal(base64.StdEncoding.EncodeToString(root.Hash()), want, "the hash of "+boc.path)
}

func decodeBase64(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}

func urlBase64(b []byte) string { return base64.URLEncoding.EncodeToString(b) }
