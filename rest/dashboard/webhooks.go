package dashboard

import (
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store"
)

func notYours(what string) error { return chain.NotFoundf("there is no such %s", what) }

// endpointOf is the merchant's endpoint; nil when there is none yet. The pages know one; operators may add more.
func (d *door) endpointOf(r *http.Request, s *session) (*payment.Endpoint, error) {
	list, err := d.Payments.Endpoints(r.Context(), s.merchant.ID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func (d *door) needEndpoint(r *http.Request, s *session) (*payment.Endpoint, error) {
	e, err := d.endpointOf(r, s)
	if err == nil && e == nil {
		err = chain.Invalidf("set the URL first")
	}
	return e, err
}

// shownSecrets are the secrets of an endpoint, in the clear.
type shownSecrets struct{ Current, Staged string }

func (d *door) showWebhooks(w http.ResponseWriter, r *http.Request, s *session, status int, secrets *shownSecrets, v view) error {
	e, err := d.endpointOf(r, s)
	if err != nil {
		return err
	}
	var recent []payment.Delivery
	if e != nil {
		if recent, err = d.Payments.Deliveries(r.Context(), store.DeliveryFilter{Endpoint: e.ID, Limit: 5}); err != nil {
			return err
		}
	}
	v.Title, v.Section = "Webhooks", "webhooks"
	v.Data = struct {
		Endpoint *payment.Endpoint
		Secrets  *shownSecrets
		Proven   bool
		Recent   []payment.Delivery
		Paused   bool
	}{e, secrets, d.isProven(s), recent, e != nil && e.PausedUntil != nil && d.Now().Before(*e.PausedUntil)}
	d.show(w, r, status, "webhooks", s, v)
	return nil
}

func (d *door) webhooks(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showWebhooks(w, r, s, http.StatusOK, nil, view{})
}

func (d *door) setURL(w http.ResponseWriter, r *http.Request, s *session) error {
	url, enabled := strings.TrimSpace(r.PostFormValue("url")), r.PostFormValue("enabled") != ""
	if err := d.CheckURL(url); err != nil {
		return d.showWebhooks(w, r, s, http.StatusBadRequest, nil, view{Error: "This URL cannot be used: " + err.Error()})
	}
	e, err := d.endpointOf(r, s)
	switch {
	case err != nil:
		return err
	case e == nil:
		owner := (&payment.Endpoint{Merchant: s.merchant.ID}).Owner()
		_, err = d.Payments.CreateEndpoint(r.Context(), s.merchant.ID, url, d.Vault.Seal(payment.NewSecret(), owner))
	default:
		err = d.Payments.UpdateEndpoint(r.Context(), s.merchant.ID, e.ID, url, enabled)
	}
	if err != nil {
		return err
	}
	return d.showWebhooks(w, r, s, http.StatusOK, nil, view{Notice: "Saved."})
}

// withSecrets runs a change of secrets and shows them, to somebody who has proved to be the merchant not long ago.
func (d *door) withSecrets(w http.ResponseWriter, r *http.Request, s *session, notice string, change func(*payment.Endpoint) error) error {
	if !d.isProven(s) {
		return d.showAccount(w, r, s, http.StatusForbidden, view{Error: "Confirm your password to see or change the webhook secret."})
	}
	e, err := d.needEndpoint(r, s)
	if err != nil {
		return err
	}
	if err := change(e); err != nil {
		return err
	}
	if e, err = d.Payments.Endpoint(r.Context(), e.ID); err != nil {
		return err
	}
	shown := &shownSecrets{}
	if shown.Current, err = d.Vault.Open(e.Secret, e.Owner()); err != nil {
		return err
	}
	if e.Staged != nil {
		if shown.Staged, err = d.Vault.Open(e.Staged, e.Owner()); err != nil {
			return err
		}
	}
	return d.showWebhooks(w, r, s, http.StatusOK, shown, view{Notice: notice})
}

func (d *door) reveal(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "", func(*payment.Endpoint) error {
		return d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "webhook secret shown")
	})
}

func (d *door) rotate(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The new secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.RotateSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *door) stage(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret is ready. Teach it to your server, then activate it.", func(e *payment.Endpoint) error {
		return d.Payments.StageSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *door) activate(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.ActivateSecret(r.Context(), s.merchant.ID, e.ID)
	})
}

// test sends a sample and shows its delivery, which tells the answer as soon as there is one.
func (d *door) test(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.needEndpoint(r, s)
	if err != nil {
		return err
	}
	id, err := d.Payments.SendTest(r.Context(), e, d.sample(r.PostFormValue("sample"), s))
	if err != nil {
		return err
	}
	return redirect(w, r, "/deliveries/"+strconv.FormatInt(id, 10))
}

// sample is a made-up transfer. No chain has its hashes.
func (d *door) sample(kind string, s *session) *payment.Info {
	someone := chain.Address{ID: payment.HashOf("somebody")}.Friendly(false, d.TestOnly)
	to := s.merchant.Wallet
	if to == "" {
		to = someone
	}
	i := &payment.Info{
		Amount: "10.5", RawAmount: big.NewInt(10_500_000_000), SenderAddr: someone, RecipientAddr: to, Asset: payment.Native,
		AssetTicker: payment.Native, Status: payment.Success, Reference: "test_" + payment.NewReference(), Date: d.Now().UTC().Truncate(time.Second),
		CommentToRecipient: "A sample",
	}
	i.BodyBase64Hash = payment.HashOf(i.Reference)
	i.TxHash, i.TraceID = new(payment.HashOf(i.Reference+" tx")), new(payment.HashOf(i.Reference+" trace"))
	if kind == "failed" {
		i.Status, i.ErrorCode, i.ErrorMessage = payment.Failed, 37, "Not enough TON"
	}
	return i
}

func (d *door) deliveries(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.endpointOf(r, s)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	var list []payment.Delivery
	if e != nil {
		f := store.DeliveryFilter{Endpoint: e.ID, Reference: strings.TrimSpace(q.Get("reference")), Limit: perPage}
		f.Before, _ = strconv.ParseInt(q.Get("before"), 10, 64) // anything else is the first page
		for state := payment.DeliveryPending; state <= payment.DeliverySkipped; state++ {
			if q.Get("state") == state.String() {
				f.State = &state
			}
		}
		if list, err = d.Payments.Deliveries(r.Context(), f); err != nil {
			return err
		}
	}
	d.show(w, r, http.StatusOK, "deliveries", s, view{Title: "Deliveries", Section: "deliveries", Live: true, Data: struct {
		List             []payment.Delivery
		State, Reference string
		States           []string
		More             bool
	}{list, q.Get("state"), q.Get("reference"), []string{"pending", "retrying", "delivered", "exhausted", "skipped"}, len(list) == perPage}})
	return nil
}

func (d *door) ownDelivery(r *http.Request, s *session) (*payment.Delivery, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, notYours("delivery")
	}
	delivery, err := d.Payments.Delivery(r.Context(), id)
	if err != nil {
		return nil, err
	}
	e, err := d.Payments.Endpoint(r.Context(), delivery.Endpoint)
	if err != nil {
		return nil, err
	}
	if e.Merchant != s.merchant.ID {
		return nil, notYours("delivery")
	}
	return delivery, nil
}

func (d *door) delivery(w http.ResponseWriter, r *http.Request, s *session) error {
	delivery, err := d.ownDelivery(r, s)
	if err != nil {
		return err
	}
	attempts, err := d.Payments.Attempts(r.Context(), delivery.ID)
	if err != nil {
		return err
	}
	d.show(w, r, http.StatusOK, "delivery", s, view{Title: "Delivery", Section: "deliveries", Live: delivery.State.Open(), Data: struct {
		Delivery *payment.Delivery
		Attempts []payment.Attempt
	}{delivery, attempts}})
	return nil
}

func (d *door) resend(w http.ResponseWriter, r *http.Request, s *session) error {
	delivery, err := d.ownDelivery(r, s)
	if err != nil {
		return err
	}
	id, err := d.Payments.Resend(r.Context(), delivery)
	if err != nil {
		return err
	}
	return redirect(w, r, "/deliveries/"+strconv.FormatInt(id, 10))
}

// resendFailed sends again what was given up in the last days.
func (d *door) resendFailed(w http.ResponseWriter, r *http.Request, s *session) error {
	const back = 7 * 24 * time.Hour
	e, err := d.needEndpoint(r, s)
	if err != nil {
		return err
	}
	if _, err := d.Payments.ResendExhausted(r.Context(), e.ID, d.Now().Add(-back)); err != nil {
		return err
	}
	return redirect(w, r, "/deliveries")
}
