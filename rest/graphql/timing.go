package graphql

import (
	"cmp"
	"time"

	"tonql/internal/chain"
)

// Timing says how long a live connection may keep us waiting; the zero value of each field means its default.
type Timing struct {
	Init  time.Duration // from the connection to connection_init, default 3 s
	Ping  time.Duration // between pings, each of which must be answered before the next, default 20 s
	Slow  time.Duration // that a message may wait for the client to read, default that of the limits
	Grace time.Duration // in which a slow client can still hear why its connection is closed, default 5 s
	Key   time.Duration // between looks at whether the key of a connection is still good, default 2 s
	Token time.Duration // in which a reserved event stream must be opened, default 30 s
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
