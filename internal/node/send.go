package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/chain"
)

// sendTo is the number of servers that receive a message, because a single one may be badly connected to the validators.
const sendTo = 3

// Parts of the error texts for messages, in lower case.
const (
	// duplicateMessage: the server accepted the message within the last minute.
	duplicateMessage = "duplicate message"
	// messagePrefix begins the text of every error of a node about a message, also when the node is at fault.
	messagePrefix = "external message"
)

var (
	// messageLater are in the first line of errors that say nothing about the message: the server takes no messages now,
	// or none to this address.
	messageLater = []string{
		"too many external messages", "too many pending", "failed to get account state", "not ready", "not synced",
		"no shard in masterchain state", "gateway error",
	}
	// messageInvalid are in errors for invalid messages: the message cannot be parsed, or its destination does not accept
	// it. Other servers would refuse it as well.
	messageInvalid = []string{messagePrefix, "deserialize", "message is too"}
)

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
	switch {
	case err == nil && status.Status == 1:
		return nil
	case err == nil:
		return lie(nil, "took a message with the unknown status %d", status.Status)
	default:
		return sendingError(err)
	}
}

// sendingError returns nil for a message that the server has already, an error of kind Invalid for a message that no
// server would accept, and the server's error otherwise.
func sendingError(err error) error {
	var r *refusalError
	var a *absentError
	text := ""
	switch {
	case errors.As(err, &r):
		text = r.text
	case errors.As(err, &a):
		text = a.text
	}
	first, _, _ := strings.Cut(strings.ToLower(text), "\n") // the rest is a log of the TVM
	switch {
	case strings.Contains(first, duplicateMessage):
		return nil
	case containsAny(first, messageLater):
		return &refusalError{class: busy, text: text}
	case r != nil && (r.class == limited || r.class == busy):
		return err
	case containsAny(first, messageInvalid):
		return chain.Invalidf("%s", text)
	default:
		return err
	}
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) })
}
