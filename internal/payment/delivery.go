package payment

import (
	"slices"
	"strconv"
	"time"
)

// The schedule of deliveries.
const (
	// MaxAttempts is the maximum number of attempts of a delivery.
	MaxAttempts = 4
	// ResponseTimeout is the time limit of a delivery, from the first DNS query to the last byte that is read.
	ResponseTimeout = 10 * time.Second
	// SecretOverlap is the time for which a replaced secret still signs the Standard Webhooks header.
	SecretOverlap = 24 * time.Hour
)

// RetryDelay returns the time from the end of a failed attempt, counted from 1, to the next; ok is false after the last.
func RetryDelay(attempt int) (delay time.Duration, ok bool) {
	delays := [MaxAttempts - 1]time.Duration{1 * time.Second, 5 * time.Second, 15 * time.Second}
	if attempt < 1 || attempt > len(delays) {
		return 0, false
	}
	return delays[attempt-1], true
}

// Endpoint is a webhook endpoint of a merchant. Secrets are sealed; see [Vault].
type Endpoint struct {
	ID          int64
	Merchant    int64
	URL         string
	Enabled     bool
	Secret      []byte
	NextSecret  []byte // nil: none is prepared
	Former      []byte // nil: none
	FormerUntil *time.Time
	RotatedAt   time.Time
	Failures    int        // consecutive failed attempts
	PausedUntil *time.Time // end of the pause of the breaker
	CreatedAt   time.Time
	RemovedAt   *time.Time // nil: not removed
	Events      []Status   // types of events that it receives
}

// Receives reports whether the endpoint receives events of a type.
func (e *Endpoint) Receives(t Status) bool { return slices.Contains(e.Events, t) }

// ReasonRemoved is the reason of skipped deliveries to a removed endpoint.
const ReasonRemoved = "the endpoint was removed"

// Owner returns the owner for which the endpoint's secrets are sealed.
func (e *Endpoint) Owner() string { return "merchant " + strconv.FormatInt(e.Merchant, 10) }

// Secrets opens the secrets that are valid at now: the current one first, then those of a rotation.
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

// DeliveryState is the state of a delivery.
type DeliveryState uint8

// The states of a delivery. The numbers are on disk: never renumber.
const (
	DeliveryPending   DeliveryState = iota // no attempt yet
	DeliveryRetrying                       // the next attempt is scheduled
	DeliveryDelivered                      // the receiver responded with 2xx
	DeliveryExhausted                      // all attempts failed
	DeliverySkipped                        // not sent; Delivery.Reason is set
)

// String returns the name of the state.
func (s DeliveryState) String() string {
	return [...]string{"pending", "retrying", "delivered", "exhausted", "skipped"}[min(s, DeliverySkipped)]
}

// Open reports whether attempts may follow.
func (s DeliveryState) Open() bool { return s == DeliveryPending || s == DeliveryRetrying }

// Trigger is the cause of a delivery.
type Trigger uint8

// The triggers. The numbers are on disk: never renumber.
const (
	TriggerEvent  Trigger = iota // the event
	TriggerManual                // resent by a user
	TriggerTest                  // a sample event
	TriggerReplay                // a replay
)

// String returns the name of the trigger.
func (t Trigger) String() string {
	return [...]string{"event", "manual", "test", "replay"}[min(t, TriggerReplay)]
}

// Delivery is the delivery of an event to an endpoint.
type Delivery struct {
	ID         int64
	EventID    string
	Cursor     int64 // position of the event among all events; replays start after a cursor
	Reference  string
	Status     Status
	Endpoint   int64
	URL        string // current URL of the endpoint
	Trigger    Trigger
	State      DeliveryState
	Attempts   int // number of ended attempts
	NextAt     *time.Time
	CreatedAt  time.Time
	FinishedAt *time.Time
	Reason     string
	Body       []byte // signed and sent unchanged
	EventAt    time.Time
	Test       bool // a sample event
}

// Attempt is one attempt of a delivery.
type Attempt struct {
	Number    int // from 1
	StartedAt time.Time
	Duration  time.Duration
	Status    int    // HTTP status; 0 without a response
	Error     string // empty on success
	Excerpt   string // of the response body
	Headers   string // request headers, one per line
}
