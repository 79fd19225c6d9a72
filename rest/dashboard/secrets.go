package dashboard

import (
	"net/http"

	"tonql/internal/payment"
)

// withSecrets runs a change of an endpoint's secrets and shows them, to somebody who has proved to be the merchant not
// long ago.
func (d *door) withSecrets(w http.ResponseWriter, r *http.Request, s *session, notice string, change func(*payment.Endpoint) error) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	if !d.isProven(s) {
		return d.showAccount(w, r, s, http.StatusForbidden, view{Error: "Confirm your password to see or change the webhook secret."})
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
	if e.NextSecret != nil {
		if shown.Staged, err = d.Vault.Open(e.NextSecret, e.Owner()); err != nil {
			return err
		}
	}
	return d.showEndpoint(w, r, s, e, http.StatusOK, shown, view{Notice: notice})
}

func (d *door) reveal(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "", func(e *payment.Endpoint) error {
		return d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "webhook secret shown: "+e.URL)
	})
}

func (d *door) rotate(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The new secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.RotateSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *door) stage(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret is ready. Teach it to your server, then activate it.", func(e *payment.Endpoint) error {
		return d.Payments.AddNextSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *door) activate(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.ActivateSecret(r.Context(), s.merchant.ID, e.ID)
	})
}
