package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

func (d *dashboard) alerts(w http.ResponseWriter, r *http.Request, s *session) error {
	a, err := d.Payments.Alerts(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	return d.showAlerts(w, r, s, http.StatusOK, a, view{})
}

func (d *dashboard) showAlerts(w http.ResponseWriter, r *http.Request, s *session, status int, a payment.Alerts, v view) error {
	v.Title, v.Section = "Alerts", "alerts"
	v.Data = struct {
		payment.Alerts

		Mail bool
	}{a, d.Mail}
	d.show(w, r, status, "alerts", s, v)
	return nil
}

func (d *dashboard) setAlerts(w http.ResponseWriter, r *http.Request, s *session) error {
	a := payment.Alerts{Email: strings.TrimSpace(r.PostFormValue("email")), URL: strings.TrimSpace(r.PostFormValue("url"))}
	refuse := func(text string) error {
		return d.showAlerts(w, r, s, http.StatusBadRequest, a, view{Error: text})
	}
	if _, err := payment.ParseEmail(a.Email); err != nil {
		return refuse(chain.PublicMessage(err))
	}
	if a.Email != "" && !d.Mail {
		return refuse("The operator of this service has configured no mail server.")
	}
	if a.URL != "" {
		if err := d.CheckURL(a.URL); err != nil {
			return refuse("This URL cannot be used: " + err.Error())
		}
	}
	if err := d.Payments.SetAlerts(r.Context(), s.merchant.ID, a); err != nil {
		return err
	}
	return d.showAlerts(w, r, s, http.StatusOK, a, view{Message: "Saved."})
}

// testAlert sends a test message. The number is limited, because messages go to other people's servers.
func (d *dashboard) testAlert(w http.ResponseWriter, r *http.Request, s *session) error {
	a, err := d.Payments.Alerts(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	if a == (payment.Alerts{}) {
		return d.showAlerts(w, r, s, http.StatusBadRequest, a, view{Error: "Enter an e-mail address or a URL first."})
	}
	if _, wait := d.samples.begin(maxGuesses, "test alert", strconv.FormatInt(s.merchant.ID, 10)); wait > 0 {
		setRetryAfter(w, wait)
		return d.showAlerts(w, r, s, http.StatusTooManyRequests, a, view{Error: "Too many test messages. Try again in a few minutes."})
	}
	if err := d.Payments.TestAlert(r.Context(), s.merchant.ID, a); err != nil {
		return err
	}
	return d.showAlerts(w, r, s, http.StatusOK, a, view{Message: "A test message is on its way. The log on the page of your account says whether it was sent."})
}
