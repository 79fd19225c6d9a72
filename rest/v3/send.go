package v3

import (
	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// message sends an external message to the network.
func message(c *call) (func() error, error) {
	return func() error {
		var request struct {
			BOC string `json:"boc"`
		}
		if err := c.readJSON(&request); err != nil {
			return err
		}
		if request.BOC == "" {
			return missing("boc is required")
		}
		boc, err := resolvers.DecodeBase64(request.BOC)
		if err != nil {
			return chain.Invalidf("boc: not base64: %v", err)
		}
		sent, err := c.svc.SendMessage(c.ctx, boc)
		if err != nil {
			return refusedByNetwork(err)
		}
		b := handler.AppendHash(append(c.out.B, `{"message_hash":`...), &sent.Hash)
		b = handler.AppendHash(append(b, `,"message_hash_norm":`...), &sent.HashNorm)
		b = append(b, '}')
		c.out.B = b
		return nil
	}, nil
}
