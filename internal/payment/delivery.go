package payment

import (
	"strconv"
	"time"
)

// The schedule of deliveries.
const (
	// MaxAttempts is how often one delivery is tried.
	MaxAttempts = 4
	// ResponseTimeout is the time limit of a delivery, from the first DNS query to the last byte that is read.
	ResponseTimeout = 10 * time.Second
	// SecretOverlap is how long a secret that was replaced stays among the Standard Webhooks signatures.
	SecretOverlap = 24 * time.Hour
)

// RetryDelay is the time from the end of a failed attempt, counted from 1, to the next; ok is false after the last.
func RetryDelay(attempt int) (delay time.Duration, ok bool) {
	delays := [MaxAttempts - 1]time.Duration{1 * time.Second, 5 * time.Second, 15 * time.Second}
	if attempt < 1 || attempt > len(delays) {
		return 0, false
	}
	return delays[attempt-1], true
}

// Endpoint is where a merchant is notified. Secrets are sealed; see [Vault].
type Endpoint struct {
	ID          int64
	Merchant    int64
	URL         string
	Enabled     bool
	Secret      []byte
	NextSecret  []byte // nil: none waits to be activated
	Former      []byte // nil: none
	FormerUntil *time.Time
	RotatedAt   time.Time
	Failures    int        // attempts that failed since one succeeded
	PausedUntil *time.Time // the breaker is open
	CreatedAt   time.Time
	RemovedAt   *time.Time // nothing is sent there any more
}

// ReasonRemoved is why deliveries to an endpoint that was removed are skipped.
const ReasonRemoved = "the endpoint was removed"

// Owner is what the endpoint's secrets are sealed for.
func (e *Endpoint) Owner() string { return "merchant " + strconv.FormatInt(e.Merchant, 10) }

// Secrets opens the secrets that sign at a time: first the one that signs, then those beside it during a rotation.
func (e *Endpoint) Secrets(v *Vault, now time.Time) ([]string, error) {
	sealed := [][]byte{e.Secret}
	if e.NextSecret != nil {
		sealed = append(sealed, e.NextSecret)
	}
	if e.Former != nil && e.FormerUntil != nil && now.Before(*e.FormerUntil) {
		sealed = append(sealed, e.Former)
	}
	secrets := make([]string, len(sealed))
	for i, s := range sealed {
		var err error
		if secrets[i], err = v.Open(s, e.Owner()); err != nil {
			return nil, err
		}
	}
	return secrets, nil
}

// DeliveryState is how far a delivery is.
type DeliveryState uint8

// The states of a delivery. The numbers are on disk: never renumber.
const (
	DeliveryPending   DeliveryState = iota // no attempt has ended
	DeliveryRetrying                       // the next attempt has a time
	DeliveryDelivered                      // a 2xx came back
	DeliveryExhausted                      // all attempts failed; only sending again by hand helps
	DeliverySkipped                        // not sent at all, for the reason it says
)

// String names the state.
func (s DeliveryState) String() string {
	return [...]string{"pending", "retrying", "delivered", "exhausted", "skipped"}[min(s, DeliverySkipped)]
}

// Open says that attempts may follow.
func (s DeliveryState) Open() bool { return s == DeliveryPending || s == DeliveryRetrying }

// Trigger says why a delivery was made.
type Trigger uint8

// The triggers. The numbers are on disk: never renumber.
const (
	TriggerEvent  Trigger = iota // the event itself
	TriggerManual                // sent again by hand
	TriggerTest                  // a sample
	TriggerReplay                // an operator's replay
)

// String names the trigger.
func (t Trigger) String() string {
	return [...]string{"event", "manual", "test", "replay"}[min(t, TriggerReplay)]
}

// Delivery is an event on its way to an endpoint.
type Delivery struct {
	ID         int64
	EventID    string
	Cursor     int64 // the event's place among all; a replay begins behind one
	Reference  string
	Status     Status
	Endpoint   int64
	URL        string // of the endpoint, now
	Trigger    Trigger
	State      DeliveryState
	Attempts   int // that have ended
	NextAt     *time.Time
	CreatedAt  time.Time
	FinishedAt *time.Time
	Reason     string
	Body       []byte // the exact bytes
	EventAt    time.Time
	Test       bool // the event is a sample
}

// Attempt is one try of a delivery.
type Attempt struct {
	Number    int // from 1
	StartedAt time.Time
	Duration  time.Duration
	Status    int    // of HTTP; 0 when there was none
	Error     string // empty when it succeeded
	Excerpt   string // of the response body
	Headers   string // that it was sent with, a line each
}
