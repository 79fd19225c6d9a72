package dashboard

import (
	"context"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

const (
	// localTest and networkTest are the amounts of test payments on a local chain, where coins are free, and elsewhere, in nanotons.
	localTest   = 1_500_000_000
	networkTest = 10_000_000
	// maxFromFaucet bounds a payment of the faucet, in nanotons.
	maxFromFaucet = 100_000_000_000
	// maxTestPayments is the number of test payments that a merchant registers before a pause.
	maxTestPayments = 20
)

// guided is the state of the guide: what the user has done already.
type guided struct {
	Endpoint *payment.Endpoint
	URL      string            // that was entered
	Sample   *payment.Delivery // the newest sample to the endpoint
	Payment  *payment.Record
	PayURL   string // page of the payment
	Faucet   bool
	Delivery *payment.Delivery // of the payment's event to the endpoint
	Response *payment.Attempt  // its last attempt
	Done     bool
}

func (d *dashboard) guide(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showGuide(w, r, s, http.StatusOK, view{})
}

func (d *dashboard) showGuide(w http.ResponseWriter, r *http.Request, s *session, status int, v view) error {
	g := guided{URL: r.PostFormValue("url"), Faucet: d.Faucet != nil}
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	if present > 0 {
		g.Endpoint = &all[0]
		list, err := d.Payments.Deliveries(r.Context(), payments.DeliveryFilter{Endpoints: []int64{g.Endpoint.ID}, Limit: perPage})
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].Test {
				g.Sample = &list[i]
				break
			}
		}
	}
	if reference := r.FormValue("payment"); reference != "" {
		if err := d.guidedPayment(r, s, &g, reference); err != nil {
			return err
		}
	}
	v.Title, v.Section, v.Live, v.Data = "First steps", "guide", true, g
	d.show(w, r, status, "guide", s, v)
	return nil
}

// guidedPayment reads the test payment and the delivery of its event.
func (d *dashboard) guidedPayment(r *http.Request, s *session, g *guided, reference string) error {
	p, err := d.testPayment(r, s, reference)
	if err != nil {
		return err
	}
	g.Payment = p
	page, _, err := d.Payments.PageOf(r.Context(), reference)
	if err != nil {
		return err
	}
	if page != "" {
		g.PayURL = d.origin(r) + PayPrefix + "/" + page
	}
	if g.Endpoint == nil {
		return nil
	}
	list, err := d.Payments.Deliveries(r.Context(), payments.DeliveryFilter{Endpoints: []int64{g.Endpoint.ID}, About: reference, Limit: 1})
	if err != nil || len(list) == 0 {
		return err
	}
	g.Delivery, g.Done = &list[0], list[0].State == payment.DeliveryDelivered
	attempts, err := d.Payments.Attempts(r.Context(), g.Delivery.ID)
	if err == nil && len(attempts) > 0 {
		g.Response = &attempts[len(attempts)-1]
	}
	return err
}

// testPayment returns a payment of the merchant.
func (d *dashboard) testPayment(r *http.Request, s *session, reference string) (*payment.Record, error) {
	p, err := d.Payments.Payment(r.Context(), reference)
	if err == nil && p.Merchant != s.merchant.ID {
		return nil, notYours("payment")
	}
	return p, err
}

func (d *dashboard) toGuide(w http.ResponseWriter, r *http.Request, reference string) error {
	if reference == "" {
		return redirect(w, r, "/guide")
	}
	return redirect(w, r, "/guide?payment="+url.QueryEscape(reference)+"#pay")
}

// guideEndpoint is the first step.
func (d *dashboard) guideEndpoint(w http.ResponseWriter, r *http.Request, s *session) error {
	target := strings.TrimSpace(r.PostFormValue("url"))
	if err := d.CheckURL(target); err != nil {
		return d.showGuide(w, r, s, http.StatusBadRequest, view{Error: "This URL cannot be used: " + err.Error()})
	}
	_, err := d.createEndpoint(r, s, target)
	if isInvalid(err) {
		return d.showGuide(w, r, s, http.StatusBadRequest, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	return d.toGuide(w, r, "")
}

// guideSample is the second step: a sample event to the first endpoint.
func (d *dashboard) guideSample(w http.ResponseWriter, r *http.Request, s *session) error {
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	if present == 0 {
		return d.showGuide(w, r, s, http.StatusBadRequest, view{Error: "Create an endpoint first."})
	}
	if err := d.admit(s, "send", maxSends); err != nil {
		return err
	}
	if _, err := d.Payments.SendTest(r.Context(), &all[0], d.sample("success", s)); err != nil {
		return err
	}
	return d.toGuide(w, r, r.PostFormValue("payment"))
}

// guidePayment is the third step: a payment of a small amount, which anyone can pay.
func (d *dashboard) guidePayment(w http.ResponseWriter, r *http.Request, s *session) error {
	refuse := func(status int, text string) error { return d.showGuide(w, r, s, status, view{Error: text}) }
	now := d.Now()
	t := &payment.Transfer{
		Asset: payment.NativeAsset(), AssetText: payment.Native, Amount: big.NewInt(networkTest), RecipientText: s.merchant.Wallet,
		CommentToRecipient: "Test payment", CreatedAt: now, ExpiresAt: now.Add(payLives),
	}
	if d.Local {
		t.Amount = big.NewInt(localTest)
		if t.RecipientText == "" { // nobody has to own the wallet of a test
			to := chain.Address{ID: payment.HashOf("test wallet of " + s.merchant.Name)}
			t.RecipientText = to.Friendly(false, d.TestOnly)
		}
	}
	if t.RecipientText == "" {
		return refuse(http.StatusBadRequest, "There is no default wallet to pay to. An owner sets it on the page of the account.")
	}
	var err error
	if t.Recipient, err = payment.ParseWallet(t.RecipientText); err != nil {
		return err
	}
	if !s.merchant.Accepts(t.Asset) {
		return refuse(http.StatusBadRequest, "The merchant does not take payments in TON, so the test payment is not available.")
	}
	if _, wait := d.samples.begin(maxTestPayments, "test payment", strconv.FormatInt(s.merchant.ID, 10)); wait > 0 {
		setRetryAfter(w, wait)
		return refuse(http.StatusTooManyRequests, "Too many test payments. Try again in a few minutes.")
	}
	if err := payment.PrepareOpen(t); err != nil {
		return err
	}
	if _, err := d.Payments.StartPayment(r.Context(), s.merchant.ID, nil, t, payment.NewPage()); isInvalid(err) {
		return refuse(http.StatusTooManyRequests, chain.PublicMessage(err))
	} else if err != nil {
		return err
	}
	return d.toGuide(w, r, t.Reference)
}

// guideFaucet is the fourth step: the faucet of the local chain pays the test payment.
func (d *dashboard) guideFaucet(w http.ResponseWriter, r *http.Request, s *session) error {
	reference := r.PostFormValue("payment")
	p, err := d.testPayment(r, s, reference)
	if err != nil {
		return err
	}
	switch {
	case d.Faucet == nil:
		return d.showGuide(w, r, s, http.StatusBadRequest, view{Error: "This network has no faucet."})
	case p.Status != payment.Pending:
		return d.toGuide(w, r, reference)
	case p.Asset.Master != nil || !p.Amount.IsUint64() || p.Amount.Uint64() > maxFromFaucet:
		return d.showGuide(w, r, s, http.StatusBadRequest, view{Error: "The faucet pays at most 100 TON."})
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout/2)
	defer cancel()
	if err := d.Faucet(ctx, p.Recipient, p.Amount.Uint64(), reference); err != nil {
		return err
	}
	return d.toGuide(w, r, reference)
}
