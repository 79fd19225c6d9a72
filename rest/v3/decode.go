package v3

import (
	"tonql/rest/handler"
)

func getDecode(c *call) (func() error, error) {
	opcodes, bodies := c.q.Texts("opcodes"), c.q.Texts("bodies")
	return func() error { return c.printDecoded(opcodes, bodies) }, nil
}

func postDecode(c *call) (func() error, error) {
	return func() error {
		var request struct {
			Opcodes []string `json:"opcodes"`
			Bodies  []string `json:"bodies"`
		}
		if err := handler.ReadJSON(c.contentType, c.body, &request); err != nil {
			return err
		}
		return c.printDecoded(request.Opcodes, request.Bodies)
	}, nil
}

func (c *call) printDecoded(opcodes, bodies []string) error {
	d, err := c.svc.Decode(c.ctx, opcodes, bodies)
	if err != nil {
		return err
	}
	c.out.B = append(c.out.B, `{"opcodes":[`...)
	for i, name := range d.Opcodes {
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = handler.AppendString(c.out.B, name)
	}
	c.out.B = append(c.out.B, `],"bodies":[`...)
	for i, object := range d.Bodies {
		if i > 0 {
			c.out.B = append(c.out.B, ',')
		}
		c.out.B = append(c.out.B, object...)
		if err := c.out.Spill(); err != nil {
			return err
		}
	}
	c.out.B = append(c.out.B, "]}"...)
	return nil
}
