package chain

// RateLimit is the state of the limit when the request was admitted.
type RateLimit struct {
	Plan          string
	By            RateLimitBy
	Limit         int // tokens of a window
	WindowSeconds int
	Remaining     int // after the request took one
	ResetSeconds  int // until there is another
	ResetAt       uint32
}

// RateLimitBy says who shares a limit.
type RateLimitBy uint8

// Who shares limits.
const (
	LimitedByKey RateLimitBy = iota
	LimitedByAddress
)
