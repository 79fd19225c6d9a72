package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/chain"
)

// sendTo is the number of servers that receive a message, because a single one may be badly connected to the validators.
const sendTo = 3

// refusedByChain is part of the error texts for invalid messages: the message could not be parsed, or the code of the
// destination did not accept it. Other servers would refuse it as well.
var refusedByChain = []string{"external message", "deserialize", "message is too"}

// SendMessage sends an external-in message to several servers at once and succeeds as soon as one has accepted it.
func (c *Client) SendMessage(ctx context.Context, message chain.BOC) error {
	w := want{what: "sending of a message"}
	servers := c.pool.order(w)
	if len(servers) == 0 {
		return c.pool.unavailable(w, nil)
	}
	servers = servers[:min(sendTo, len(servers))]
	// The other sends continue after the first success: a message spreads faster from several servers.
	results := make(chan error, len(servers))
	for _, s := range servers {
		started := c.pool.start(func() {
			bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.pool.opts.Timeout)
			defer cancel()
			err := send(bounded, s, message)
			if err != nil && chain.KindOf(err) != chain.Invalid {
				s.blame(w, err)
			}
			results <- err
		})
		if !started {
			return c.pool.unavailable(w, adnl.ErrClosed)
		}
	}
	var refusal, last error
	for range servers {
		select {
		case err := <-results:
			switch {
			case err == nil:
				return nil
			case chain.KindOf(err) == chain.Invalid:
				refusal = err
			default:
				last = err
			}
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", w.what, ctx.Err())
		}
	}
	if refusal != nil {
		return refusal
	}
	return c.pool.unavailable(w, last)
}

// send sends the message to one server.
func send(ctx context.Context, s *server, message chain.BOC) error {
	status, err := call[ton.SendMessageStatus](ctx, s, ton.SendMessage{Body: message})
	var r *refusalError
	var a *absentError
	text := ""
	switch {
	case err == nil && status.Status == 1:
		return nil
	case err == nil:
		return lie(nil, "took a message with the unknown status %d", status.Status)
	case errors.As(err, &r):
		text = r.text
	case errors.As(err, &a):
		text = a.text
	}
	for _, mark := range refusedByChain {
		if strings.Contains(text, mark) {
			return chain.Invalidf("%s", text)
		}
	}
	return err
}
