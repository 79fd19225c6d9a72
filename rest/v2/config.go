package v2

import (
	"math"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/rest/handler"
)

// parameter returns the cell of a configuration parameter, or nil if it is not set.
func (c *call) parameter(id int64, seqno *uint32) (*cell.Cell, error) {
	root, err := c.svc.ConfigRoot(c.ctx, seqno)
	if err != nil {
		return nil, err
	}
	value, err := root.AsDict(32).LoadValue(cell.BeginCell().MustStoreInt(id, 32).EndCell())
	if err != nil || value == nil {
		return nil, nil //nolint:nilerr // the dictionary's only error is that the key is not there
	}
	return value.LoadRefCell()
}

func configParam(c *call) error {
	id := c.p.integer("config_id", 0, math.MaxInt32)
	other := c.p.integer("param", 0, math.MaxInt32)
	seqno := c.p.seqno("seqno")
	if id != nil && other != nil && c.p.query == nil {
		c.p.refuse(chain.Invalidf("config_id and param cannot be combined"))
	}
	if id == nil {
		id = other
	}
	c.p.required("config_id", id != nil)
	if err := c.p.end(); err != nil {
		return err
	}
	value, err := c.parameter(*id, seqno)
	if err == nil {
		c.appendConfig(value)
	}
	return err
}

func configAll(c *call) error {
	seqno := c.p.seqno("seqno")
	if err := c.p.end(); err != nil {
		return err
	}
	root, err := c.svc.ConfigRoot(c.ctx, seqno)
	if err == nil {
		c.appendConfig(root)
	}
	return err
}

func (c *call) appendConfig(value *cell.Cell) {
	b := appendCell(append(c.b, `{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":`...), value)
	c.b = append(b, "}}"...)
}

// maxLibraries is the maximum number of libraries per request, as in nodes.
const maxLibraries = 16

func libraries(c *call) error {
	var hashes []chain.Hash
	seen := map[chain.Hash]bool{}
	for _, text := range c.p.list("libraries") {
		h, err := parseHash(text)
		if err != nil {
			c.p.refuse(err)
			break
		}
		if !seen[h] {
			hashes, seen[h] = append(hashes, h), true
		}
	}
	if len(hashes) > maxLibraries {
		c.p.refuse(chain.Invalidf("libraries: at most %d hashes are allowed", maxLibraries))
	}
	if err := c.p.end(); err != nil {
		return err
	}
	found, err := c.svc.Libraries(c.ctx, hashes)
	if err != nil {
		return err
	}
	b, first := append(c.b, `{"@type":"smc.libraryResult","result":[`...), true
	for _, h := range hashes {
		lib := found[h]
		if lib == nil {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b = handler.AppendHash(append(b, `{"@type":"smc.libraryEntry","hash":`...), &h)
		b, first = append(appendCell(append(b, `,"data":`...), lib), '}'), false
	}
	c.b = append(b, "]}"...)
	return nil
}
