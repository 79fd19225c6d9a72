package graphql

import (
	"cmp"
	"time"

	"tonql/internal/chain"
)

// Timing has the timeouts and intervals of live connections; the zero value of a field selects its default.
type Timing struct {
	Init  time.Duration // timeout of connection_init, default 3 s
	Ping  time.Duration // interval of pings and timeout of each, default 20 s
	Slow  time.Duration // timeout of a write, default SlowAfterMs of the limits
	Grace time.Duration // time in which a slow client can read the close reason, default 5 s
	Key   time.Duration // interval in which the API key of a connection is checked, default 2 s
	Token time.Duration // time in which a reserved event stream must be opened, default 30 s
}

func (t Timing) withDefaults(l chain.ServiceConfig) Timing {
	return Timing{
		Init:  cmp.Or(t.Init, 3*time.Second),
		Ping:  cmp.Or(t.Ping, 20*time.Second),
		Slow:  cmp.Or(t.Slow, time.Duration(l.SlowAfterMs)*time.Millisecond, 10*time.Second),
		Grace: cmp.Or(t.Grace, 5*time.Second),
		Key:   cmp.Or(t.Key, 2*time.Second),
		Token: cmp.Or(t.Token, 30*time.Second),
	}
}
