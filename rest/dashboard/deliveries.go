package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

const (
	// maxReplayed bounds the events of one replay.
	maxReplayed = 1000
	// maxSends and maxResends are the numbers of single deliveries, and of repetitions of many, that the users of a merchant request
	// before they have to wait: each leaves rows, and requests to somebody's server.
	maxSends   = 100
	maxResends = 20
	// maxMade is the number of keys, of endpoints and of links that they make before they have to wait: ended ones leave rows, too.
	maxMade = 100
)

// admit counts an action of a kind of the users of a merchant.
func (d *dashboard) admit(s *session, kind string, limit int) error {
	_, wait := d.samples.begin(limit, kind, strconv.FormatInt(s.merchant.ID, 10))
	if wait > 0 {
		return &limited{wait}
	}
	return nil
}

// day parses a date of a form as the start of that day in UTC; the zero time for an empty or invalid date.
func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// dayAfter returns the end of the day of a date.
func dayAfter(text string) time.Time {
	t := day(text)
	if t.IsZero() {
		return t
	}
	return t.AddDate(0, 0, 1)
}

// logFilter returns the filter of the form above the list of deliveries.
func logFilter(q url.Values, endpoints []int64) payments.DeliveryFilter {
	f := payments.DeliveryFilter{
		Endpoints: endpoints, About: strings.TrimSpace(q.Get("about")), From: day(q.Get("from")), To: dayAfter(q.Get("to")), Limit: perPage,
	}
	f.Before, _ = strconv.ParseInt(q.Get("before"), 10, 64) // anything else is the first page
	for state := payment.DeliveryPending; state <= payment.DeliverySkipped; state++ {
		if q.Get("state") == state.String() {
			f.State = &state
		}
	}
	if id, err := strconv.ParseInt(q.Get("endpoint"), 10, 64); err == nil {
		f.Endpoints = nil
		for _, own := range endpoints {
			if own == id {
				f.Endpoints = []int64{id}
			}
		}
	}
	return f
}

func (d *dashboard) showDeliveries(w http.ResponseWriter, r *http.Request, s *session, status int, v view) error {
	all, _, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	list, err := d.Payments.Deliveries(r.Context(), logFilter(q, numbers(all)))
	if err != nil {
		return err
	}
	more := ""
	if len(list) == perPage {
		q.Set("before", strconv.FormatInt(list[len(list)-1].ID, 10))
		more = Prefix + "/deliveries?" + q.Encode()
	}
	v.Title, v.Section, v.Live = "Deliveries", "deliveries", true
	v.Data = struct {
		List                                   []payment.Delivery
		Endpoints                              []payment.Endpoint
		State, About, From, To, Endpoint, More string
		Since                                  string
	}{list, all, q.Get("state"), q.Get("about"), q.Get("from"), q.Get("to"), q.Get("endpoint"), more, d.Now().UTC().Add(-warningAge).Format(time.DateOnly)}
	d.show(w, r, status, "deliveries", s, v)
	return nil
}

func (d *dashboard) deliveries(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showDeliveries(w, r, s, http.StatusOK, view{})
}

func (d *dashboard) ownDelivery(r *http.Request, s *session) (*payment.Delivery, *payment.Endpoint, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, nil, notYours("delivery")
	}
	delivery, err := d.Payments.Delivery(r.Context(), id)
	if err != nil {
		return nil, nil, err
	}
	e, err := d.Payments.Endpoint(r.Context(), delivery.Endpoint)
	if err != nil {
		return nil, nil, err
	}
	if e.Merchant != s.merchant.ID {
		return nil, nil, notYours("delivery")
	}
	return delivery, e, nil
}

func (d *dashboard) delivery(w http.ResponseWriter, r *http.Request, s *session) error {
	delivery, e, err := d.ownDelivery(r, s)
	if err != nil {
		return err
	}
	attempts, err := d.Payments.Attempts(r.Context(), delivery.ID)
	if err != nil {
		return err
	}
	d.show(w, r, http.StatusOK, "delivery", s, view{Title: "Delivery", Section: "deliveries", Live: delivery.State.Open(), Data: struct {
		Delivery *payment.Delivery
		Endpoint *payment.Endpoint
		Attempts []payment.Attempt
		Links    []pageLink
	}{delivery, e, attempts, d.pagesOf(delivery)}})
	return nil
}

// pageLink is a link to a page of the explorer.
type pageLink struct{ Name, URL string }

// pagesOf returns the pages of the transaction and the trace in the body of an event; none for a sample.
func (d *dashboard) pagesOf(delivery *payment.Delivery) (list []pageLink) {
	var body struct {
		Data struct{ TxHash, TraceID string } `json:"data"`
	}
	if delivery.Test || json.Unmarshal(delivery.Body, &body) != nil {
		return nil
	}
	for _, l := range []struct{ name, pattern, hash string }{
		{"Transaction", d.TransactionLink, body.Data.TxHash}, {"Trace", d.TraceLink, body.Data.TraceID},
	} {
		if h, err := chain.ParseHash(l.hash); err == nil && l.pattern != "" {
			list = append(list, pageLink{l.name, pageOf(l.pattern, &h)})
		}
	}
	return list
}

func (d *dashboard) resend(w http.ResponseWriter, r *http.Request, s *session) error {
	delivery, e, err := d.ownDelivery(r, s)
	if err != nil {
		return err
	}
	if e.RemovedAt != nil {
		return chain.Invalidf("%s", payment.ReasonRemoved)
	}
	if err := d.admit(s, "send", maxSends); err != nil {
		return err
	}
	id, err := d.Payments.Resend(r.Context(), delivery)
	if err != nil {
		return err
	}
	return redirect(w, r, "/deliveries/"+strconv.FormatInt(id, 10))
}

// resendFailed resends the deliveries that were exhausted since a day.
func (d *dashboard) resendFailed(w http.ResponseWriter, r *http.Request, s *session) error {
	since := day(r.PostFormValue("since"))
	if since.IsZero() {
		return d.showDeliveries(w, r, s, http.StatusBadRequest, view{Error: "Choose a day."})
	}
	all, present, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	if err := d.admit(s, "resend", maxResends); err != nil {
		return err
	}
	n, err := d.Payments.ResendExhausted(r.Context(), numbers(all[:present]), since)
	if err != nil {
		return err
	}
	return d.showDeliveries(w, r, s, http.StatusOK, view{Message: strconv.Itoa(n) + " deliveries are resent."})
}

// replay resends the events after a cursor to an endpoint.
func (d *dashboard) replay(w http.ResponseWriter, r *http.Request, s *session) error {
	e, err := d.ownEndpoint(r, s)
	if err != nil {
		return err
	}
	after, err := strconv.ParseInt(strings.TrimSpace(r.PostFormValue("after")), 10, 64)
	if err != nil || after < 0 {
		return d.showEndpoint(w, r, s, e, http.StatusBadRequest, nil, view{Error: "The number of an event must be an integer; 0 selects all events."})
	}
	if !e.Enabled {
		return d.showEndpoint(w, r, s, e, http.StatusBadRequest, nil, view{Error: "The endpoint is disabled."})
	}
	if err := d.admit(s, "resend", maxResends); err != nil {
		return err
	}
	done, err := d.Payments.Replay(r.Context(), s.merchant.ID, e.ID, after, maxReplayed)
	if err != nil {
		return err
	}
	line := strconv.Itoa(done.Deliveries) + " events replayed behind " + strconv.FormatInt(after, 10)
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, line); err != nil {
		return err
	}
	message := strconv.Itoa(done.Deliveries) + " events are resent."
	if done.Events == maxReplayed {
		message += " Continue after " + strconv.FormatInt(done.Cursor, 10) + "."
	}
	return d.showEndpoint(w, r, s, e, http.StatusOK, nil, view{Message: message})
}
