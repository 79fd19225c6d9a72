package v3

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

const (
	// maxConnectMessages is the number of messages that a wallet sends at most at once.
	maxConnectMessages = 255
	// maxConnectCells bounds the payloads and state-inits of a request in base64: they go into one external message, which has up to 64 kB.
	maxConnectCells = 128 << 10
)

// connectEmulation is the body of an emulateTonConnect request: what an application requests a wallet to send by TON Connect.
type connectEmulation struct {
	emulationOptions

	From       string           `json:"from"` // the wallet
	ValidUntil *uint64          `json:"valid_until"`
	Messages   []connectMessage `json:"messages"`
}

// connectMessage is a message of a TON Connect request. Payload and state-init are bags of cells in base64.
type connectMessage struct {
	Address   string  `json:"address"`
	Amount    string  `json:"amount"` // nanotons
	Payload   *string `json:"payload"`
	StateInit *string `json:"stateInit"`
}

// emulateTonConnect executes a request to a wallet and the messages that it causes. The wallet does not check the signature, which is not there.
func emulateTonConnect(c *call) (func() error, error) {
	supported := c.supported()
	return func() error {
		var e connectEmulation
		if err := c.readJSON(&e); err != nil {
			return err
		}
		q, err := e.request()
		if err != nil {
			return err
		}
		c.chargeEmulation()
		message, seqno, err := c.svc.ConnectMessage(c.ctx, q)
		if err != nil {
			return err
		}
		return c.emulate(resolvers.SimulationRequest{
			Message: chain.SimulatedMessage{BOC: message}, IgnoreSignature: true, Cells: e.Cells, Tokens: e.Metadata, Seqno: &seqno,
		}, &e.emulationOptions, supported)
	}, nil
}

func (e *connectEmulation) request() (q resolvers.ConnectRequest, err error) {
	if e.From == "" {
		return q, chain.Invalidf("from is required")
	}
	if q.From, err = handler.ParseAddress(e.From); err != nil {
		return q, &chain.Error{Kind: chain.Invalid, Message: "from: " + chain.PublicMessage(err), Err: err}
	}
	if q.Seqno, err = parseSeqno("mc_block_seqno", e.Seqno); err != nil {
		return q, err
	}
	q.ValidUntil = e.ValidUntil
	if len(e.Messages) == 0 || len(e.Messages) > maxConnectMessages {
		return q, chain.Invalidf("messages: expected 1 to %d, not %d", maxConnectMessages, len(e.Messages))
	}
	size := 0
	for i := range e.Messages {
		m := &e.Messages[i]
		size += len(textOr(m.Payload)) + len(textOr(m.StateInit))
		if size > maxConnectCells {
			return q, chain.Invalidf("messages: payloads and state-inits are longer than %d characters together", maxConnectCells)
		}
		t, err := m.transfer("messages[" + strconv.Itoa(i) + "].")
		if err != nil {
			return q, err
		}
		q.Messages = append(q.Messages, t)
	}
	return q, nil
}

func textOr(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// transfer reads a message. at is its place in the request, for errors.
func (m *connectMessage) transfer(at string) (t resolvers.Transfer, err error) {
	to, form, err := chain.ParseAddressForm(strings.TrimSpace(m.Address))
	if err != nil {
		return t, &chain.Error{Kind: chain.Invalid, Message: at + "address: " + chain.PublicMessage(err), Err: err}
	}
	t.To, t.Bounce = address.NewAddress(0, byte(to.Workchain), to.ID[:]), form.Bounceable
	amount, err := strconv.ParseUint(m.Amount, 10, 64)
	if err != nil {
		return t, chain.Invalidf("%samount: expected a decimal number of nanotons, not %s", at, chain.Quote(m.Amount))
	}
	t.Amount = new(big.Int).SetUint64(amount)
	if t.Body, err = resolvers.ParseCell(at+"payload", textOr(m.Payload)); err != nil {
		return t, err
	}
	t.StateInit, err = resolvers.ParseCell(at+"stateInit", textOr(m.StateInit))
	return t, err
}
