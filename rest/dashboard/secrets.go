package dashboard

import (
	"net/http"

	"tonql/internal/payment"
)

// withSecrets applies a change to the secrets of an endpoint and shows them. It requires a recently confirmed password.
func (d *dashboard) withSecrets(w http.ResponseWriter, r *http.Request, s *session, message string, change func(*payment.Endpoint) error) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, endpointPath(e.ID), "Confirm your password to see or change the webhook secret.")
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
		if shown.Next, err = d.Vault.Open(e.NextSecret, e.Owner()); err != nil {
			return err
		}
	}
	return d.showEndpoint(w, r, s, e, http.StatusOK, shown, view{Message: message})
}

func (d *dashboard) reveal(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "", func(e *payment.Endpoint) error {
		return d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "webhook secret shown: "+e.URL)
	})
}

// confirmRotation shows the form that confirms the replacement of a secret, because receivers that know the earlier one refuse events at once.
func (d *dashboard) confirmRotation(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showRotation(w, r, s, http.StatusOK, "")
}

func (d *dashboard) showRotation(w http.ResponseWriter, r *http.Request, s *session, status int, problem string) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	d.show(w, r, status, "rotate", s, view{Title: "Rotate the secret", Section: "webhooks", Error: problem, Data: e})
	return nil
}

// rotate replaces the secret at once. The form confirms it by the word rotate.
func (d *dashboard) rotate(w http.ResponseWriter, r *http.Request, s *session) error {
	if r.PostFormValue("confirm") != "rotate" {
		return d.showRotation(w, r, s, http.StatusBadRequest, "Confirm the rotation by the word rotate.")
	}
	return d.withSecrets(w, r, s, "The new secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.RotateSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *dashboard) prepare(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret is ready. Configure it on your server, then activate it.", func(e *payment.Endpoint) error {
		return d.Payments.AddNextSecret(r.Context(), s.merchant.ID, e.ID, d.Vault.Seal(payment.NewSecret(), e.Owner()))
	})
}

func (d *dashboard) activate(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.withSecrets(w, r, s, "The next secret signs from now on.", func(e *payment.Endpoint) error {
		return d.Payments.ActivateSecret(r.Context(), s.merchant.ID, e.ID)
	})
}
