package merchant

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/jsontext"
	"tonql/internal/payment"
	"tonql/rest/handler"
)

// request is the body of create-transfer, as the SDK sends it.
type request struct {
	Amount             json.RawMessage `json:"amount"` // a number; never read as a float
	Asset              string          `json:"asset"`
	RecipientAddr      string          `json:"recipientAddr"`
	SenderAddr         string          `json:"senderAddr"`
	QueryID            json.RawMessage `json:"queryId"`
	CommentToSender    string          `json:"commentToSender"`
	CommentToRecipient string          `json:"commentToRecipient"`
}

func readRequest(r *http.Request) (*request, error) {
	raw, err := io.ReadAll(handler.LimitBody(nil, r, maxRequest))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &chain.Error{Kind: chain.TooLarge, Message: "the request body is larger than 32 kB"}
	case err != nil:
		return nil, chain.Invalidf("the request body is incomplete")
	}
	if err := chain.CheckText("the request", string(raw)); err != nil {
		return nil, err
	}
	var q request
	err = json.Unmarshal(raw, &q)
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &mismatch):
		return nil, chain.Invalidf("the request body is not the JSON object of a transfer: %s", jsontext.Mismatch(mismatch, &q))
	case err != nil:
		return nil, chain.Invalidf("the request body is not JSON: %v", err)
	}
	for _, text := range [][2]string{
		{"asset", q.Asset}, {"recipientAddr", q.RecipientAddr}, {"senderAddr", q.SenderAddr},
		{"commentToSender", q.CommentToSender}, {"commentToRecipient", q.CommentToRecipient},
	} {
		if err := chain.CheckText(text[0], text[1]); err != nil {
			return nil, err
		}
	}
	return &q, nil
}

// create builds the message of a transfer and, for a merchant, registers the transfer.
func (a *api) create(r *http.Request, c caller) ([]byte, error) {
	m := c.merchant
	q, err := readRequest(r)
	if err != nil {
		return nil, err
	}
	t, err := a.order(r.Context(), q, m)
	if err != nil {
		return nil, err
	}
	message, err := payment.Prepare(t)
	if err != nil {
		return nil, err
	}
	if m != nil {
		t.KeyID = c.key
		if err := a.inSlot(r.Context(), c, func() error { return a.Payments.RegisterPayment(r.Context(), m.ID, t) }); err != nil {
			return nil, err
		}
	}
	b := handler.AppendString([]byte(`{"message":{"address":`), message.Address.Friendly(t.Wallets != nil, a.TestOnly))
	b = handler.AppendString(append(b, `,"amount":`...), message.Amount.String())
	b = handler.AppendString(append(b, `,"payload":`...), base64.StdEncoding.EncodeToString(message.Body.ToBOC()))
	b = handler.AppendHash(append(b, `},"bodyBase64Hash":`...), &t.BodyHash)
	b = handler.AppendString(append(b, `,"reference":`...), t.Reference)
	return append(b, '}'), nil
}

// order validates a request and completes it with the defaults of the merchant and the properties of the asset.
func (a *api) order(ctx context.Context, q *request, m *payment.Merchant) (*payment.Transfer, error) {
	now := a.Now()
	t := &payment.Transfer{
		SenderText: q.SenderAddr, RecipientText: q.RecipientAddr, AssetText: q.Asset,
		CommentToSender: q.CommentToSender, CommentToRecipient: q.CommentToRecipient,
		CreatedAt: now, ExpiresAt: now.Add(lifetime),
	}
	if t.RecipientText == "" && m != nil {
		t.RecipientText = m.Wallet
	}
	if t.RecipientText == "" {
		return nil, chain.Invalidf("recipientAddr is missing, and there is no default wallet to pay to")
	}
	var err error
	if t.Sender, err = payable("senderAddr", t.SenderText); err != nil {
		return nil, err
	}
	if t.Recipient, err = payable("recipientAddr", t.RecipientText); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"commentToSender": t.CommentToSender, "commentToRecipient": t.CommentToRecipient} {
		if err := payment.CheckComment(name, text); err != nil {
			return nil, err
		}
	}
	if err := a.setAsset(ctx, t, q, m); err != nil {
		return nil, err
	}
	t.Amount, err = payment.ParseAmount(strings.Trim(string(q.Amount), `"`), t.Asset.Decimals)
	if err == nil && t.Wallets == nil && t.Amount.BitLen() > 63 {
		err = chain.Invalidf("amount is larger than the supply of coins")
	}
	return t, err
}

func payable(name, text string) (chain.Address, error) {
	if text == "" {
		return chain.Address{}, chain.Invalidf("%s is missing", name)
	}
	a, err := payment.ParseWallet(text)
	if err != nil {
		return a, chain.Invalidf("%s: %s", name, chain.PublicMessage(err))
	}
	return a, nil
}

// setAsset sets the asset of a transfer and, for a Jetton, the two wallets that its master returns.
func (a *api) setAsset(ctx context.Context, t *payment.Transfer, q *request, m *payment.Merchant) error {
	if q.Asset == payment.Native {
		t.Asset = payment.NativeAsset()
	} else {
		master, err := chain.ParseAddress(q.Asset)
		if err != nil {
			return chain.Invalidf("asset is %s or the address of a Jetton master, not %s", payment.Native, chain.Quote(q.Asset))
		}
		t.Asset.Master = &master
	}
	if m != nil && !m.Accepts(t.Asset) {
		return chain.Invalidf("the merchant does not take payments in %s", chain.Quote(q.Asset))
	}
	if t.Asset.Master == nil {
		return nil
	}
	master := *t.Asset.Master
	var err error
	if t.Asset, err = a.Jettons.Asset(ctx, master); err != nil {
		return err
	}
	t.Wallets = &payment.Wallets{}
	if t.Wallets.Sender, err = a.Jettons.Wallet(ctx, master, t.Sender); err != nil {
		return err
	}
	if t.Wallets.Recipient, err = a.Jettons.Wallet(ctx, master, t.Recipient); err != nil {
		return err
	}
	if len(q.QueryID) > 0 && string(q.QueryID) != "null" {
		if t.QueryID, err = strconv.ParseUint(strings.Trim(string(q.QueryID), `"`), 10, 63); err != nil {
			return chain.Invalidf("queryId is a whole number of at most 63 bits")
		}
	}
	return nil
}
