package dashboard

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

const (
	// recent is the number of deliveries on the page of an endpoint, warningAge the time for which exhausted ones cause a
	// warning.
	recent     = 5
	warningAge = 7 * 24 * time.Hour
)

func notYours(what string) error { return chain.NotFoundf("there is no such %s", what) }

// endpoints returns the endpoints of the merchant, removed ones last.
func (d *dashboard) endpoints(r *http.Request, s *session) (all []payment.Endpoint, present int, err error) {
	all, err = d.Payments.Endpoints(r.Context(), s.merchant.ID)
	for present < len(all) && all[present].RemovedAt == nil {
		present++
	}
	return all, present, err
}

// numbers returns the ids of endpoints.
func numbers(list []payment.Endpoint) []int64 {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

// ownEndpoint returns the merchant's endpoint in the path.
func (d *dashboard) ownEndpoint(r *http.Request, s *session) (*payment.Endpoint, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, notYours("endpoint")
	}
	e, err := d.Payments.Endpoint(r.Context(), id)
	if err == nil && (e.Merchant != s.merchant.ID || e.RemovedAt != nil) {
		return nil, notYours("endpoint")
	}
	return e, err
}

func endpointPath(id int64) string { return "/webhooks/" + strconv.FormatInt(id, 10) }

// listed is a row of the list of endpoints.
type listed struct {
	payment.Endpoint

	State string
}

// stateOf returns the state of an endpoint.
func (d *dashboard) stateOf(e *payment.Endpoint) string {
	switch {
	case !e.Enabled:
		return "off"
	case e.PausedUntil != nil && d.Now().Before(*e.PausedUntil):
		return "paused"
	default:
		return "on"
	}
}

func (d *dashboard) showWebhooks(w http.ResponseWriter, r *http.Request, s *session, status int, v view) error {
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	list := make([]listed, present)
	for i := range list {
		list[i] = listed{Endpoint: all[i], State: d.stateOf(&all[i])}
	}
	v.Title, v.Section = "Webhooks", "webhooks"
	v.Data = struct {
		List []listed
		URL  string
	}{list, r.PostFormValue("url")}
	d.show(w, r, status, "webhooks", s, v)
	return nil
}

func (d *dashboard) webhooks(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showWebhooks(w, r, s, http.StatusOK, view{})
}

func (d *dashboard) addEndpoint(w http.ResponseWriter, r *http.Request, s *session) error {
	url := strings.TrimSpace(r.PostFormValue("url"))
	if err := d.CheckURL(url); err != nil {
		return d.showWebhooks(w, r, s, http.StatusBadRequest, view{Error: "This URL cannot be used: " + err.Error()})
	}
	id, err := d.createEndpoint(r, s, url)
	if isInvalid(err) {
		return d.showWebhooks(w, r, s, http.StatusBadRequest, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	return redirect(w, r, endpointPath(id))
}

// createEndpoint adds an endpoint with a new secret.
func (d *dashboard) createEndpoint(r *http.Request, s *session, url string) (id int64, err error) {
	if err := d.admit(s, "endpoint", maxMade); err != nil {
		return 0, err
	}
	owner := (&payment.Endpoint{Merchant: s.merchant.ID}).Owner()
	return d.Payments.CreateEndpoint(r.Context(), s.merchant.ID, url, d.Vault.Seal(payment.NewSecret(), owner))
}

// shownSecrets are the secrets of an endpoint in plain text.
type shownSecrets struct{ Current, Next string }

func (d *dashboard) showEndpoint(w http.ResponseWriter, r *http.Request, s *session, e *payment.Endpoint, status int, secrets *shownSecrets, v view) error {
	latest, err := d.Payments.Deliveries(r.Context(), payments.DeliveryFilter{Endpoints: []int64{e.ID}, Limit: recent})
	if err != nil {
		return err
	}
	v.Title, v.Section = "Webhook endpoint", "webhooks"
	v.Data = struct {
		Endpoint *payment.Endpoint
		State    string
		Secrets  *shownSecrets
		Recent   []payment.Delivery
		Types    []payment.Status
	}{e, d.stateOf(e), secrets, latest, payment.EventTypes()}
	d.show(w, r, status, "endpoint", s, v)
	return nil
}

func (d *dashboard) endpoint(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	return d.showEndpoint(w, r, s, e, http.StatusOK, nil, view{})
}

func (d *dashboard) saveEndpoint(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	url, enabled := strings.TrimSpace(r.PostFormValue("url")), r.PostFormValue("enabled") != ""
	var types []payment.Status
	for _, t := range payment.EventTypes() {
		if slices.Contains(r.PostForm["event"], string(t)) {
			types = append(types, t)
		}
	}
	if len(types) == 0 {
		return d.showEndpoint(w, r, s, e, http.StatusBadRequest, nil, view{Error: "Choose at least one type of events, or switch the endpoint off."})
	}
	if err := d.CheckURL(url); err != nil {
		return d.showEndpoint(w, r, s, e, http.StatusBadRequest, nil, view{Error: "This URL cannot be used: " + err.Error()})
	}
	if url != e.URL && !d.isProven(s) { // another server gets the events, and the merchant's none
		return d.confirmFirst(w, r, s, endpointPath(e.ID), "Confirm your password to change the URL.")
	}
	err = d.Payments.UpdateEndpoint(r.Context(), s.merchant.ID, e.ID, url, enabled)
	if isInvalid(err) {
		return d.showEndpoint(w, r, s, e, http.StatusBadRequest, nil, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	if !slices.Equal(types, e.Events) {
		if err := d.Payments.SetEventTypes(r.Context(), s.merchant.ID, e.ID, types); err != nil {
			return err
		}
	}
	if e, err = d.Payments.Endpoint(r.Context(), e.ID); err != nil {
		return err
	}
	return d.showEndpoint(w, r, s, e, http.StatusOK, nil, view{Message: "Saved."})
}

func (d *dashboard) removeEndpoint(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	if err := d.Payments.RemoveEndpoint(r.Context(), s.merchant.ID, e.ID); err != nil {
		return err
	}
	return d.showWebhooks(w, r, s, http.StatusOK, view{Message: "The endpoint is removed. Its deliveries remain listed."})
}

// warnings returns warnings about failing endpoints.
func (d *dashboard) warnings(r *http.Request, s *session) ([]string, error) {
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return nil, err
	}
	var list []string
	for i := range all[:present] {
		if d.stateOf(&all[i]) == "paused" {
			list = append(list, all[i].URL+" failed "+strconv.Itoa(all[i].Failures)+" times in a row. Deliveries are paused for a while; no event is lost.")
		}
	}
	n, err := d.Payments.Exhausted(r.Context(), numbers(all[:present]), d.Now().Add(-warningAge))
	if err != nil {
		return nil, err
	}
	if n > 0 {
		list = append(list, "Webhooks of the last 7 days that your servers did not receive after all attempts: "+strconv.Itoa(n)+". They can be resent on the page Deliveries.")
	}
	return list, nil
}
