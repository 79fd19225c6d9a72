package webhook

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tonql/internal/outbound"
	"tonql/internal/payment"
)

// request returns the signed request of one attempt.
func (d *Dispatcher) request(e *payment.Endpoint, delivery *payment.Delivery, now time.Time) (outbound.Request, error) {
	secrets, err := e.Secrets(d.options.Vault, now)
	if err != nil {
		return outbound.Request{}, fmt.Errorf("endpoint %d: %w", e.ID, err)
	}
	standard, err := payment.SignStandard(secrets, delivery.EventID, now, delivery.Body)
	if err != nil {
		return outbound.Request{}, fmt.Errorf("endpoint %d: %w", e.ID, err)
	}
	signature := payment.Sign(secrets[0], delivery.Body)
	h := http.Header{
		"Content-Type":       {"application/json"},
		"X-Pay-Signature":    {signature},
		"X-Tonpay-Signature": {signature},
		"Webhook-Id":         {delivery.EventID},
		"Webhook-Timestamp":  {strconv.FormatInt(now.Unix(), 10)},
		"Webhook-Signature":  {standard},
		"X-Tonpay-Attempt":   {strconv.Itoa(delivery.Attempts + 1)},
	}
	if delivery.Test {
		h.Set("X-Tonpay-Test", "1")
	}
	return outbound.Request{Method: http.MethodPost, URL: e.URL, Header: h, Body: delivery.Body}, nil
}
