package resolvers

import (
	"context"
	"fmt"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// SendMessage sends an external-in message to the network after checking it locally. A message that its account does not
// accept is Invalid with a [RefusalError]. Unavailable without a node.
func (s *Service) SendMessage(ctx context.Context, boc chain.BOC) (*chain.SentMessage, error) {
	m, err := emulate.ParseExternal(boc)
	if err != nil {
		return nil, err
	}
	if s.node == nil {
		return nil, chain.Unavailablef(nil, "this service has no connection to the network, so it cannot send messages")
	}
	if err := s.emulator.Check(ctx, m.Destination, m.Root); err != nil {
		return nil, err
	}
	sending := s.pending.Send(ctx, boc, m)
	if err := s.node.SendMessage(ctx, boc); err != nil {
		if chain.KindOf(err) == chain.Invalid {
			text := chain.PublicMessage(err)
			return nil, &chain.Error{Kind: chain.Invalid, Message: text, Err: &RefusalError{Text: text}}
		}
		return nil, fmt.Errorf("message %s: %w", m.HashNorm, err)
	}
	sending.Save(ctx)
	return &chain.SentMessage{Hash: m.Hash, HashNorm: m.HashNorm}, nil
}
