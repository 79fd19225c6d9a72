package sqlbuild

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"

	"tonql/internal/ctxtime"
)

// maxListenDelay is the longest pause between two attempts to listen.
const maxListenDelay = 5 * time.Second

// Listener receives the notifications of one channel over a separate connection and reconnects when that fails.
type Listener struct {
	Config    *pgx.ConnConfig // of the primary
	Statement string          // LISTEN …
	What      string          // for errors
	Lost      func(error)     // called after each failure, before the pause
}

// Run calls ready each time it begins to listen, and receive with each payload. It returns when ctx ends.
func (l *Listener) Run(ctx context.Context, ready func(), receive func(payload string)) {
	delay := backoff.NewExponentialBackOff()
	delay.MaxInterval = maxListenDelay
	for {
		err := l.listen(ctx, func() { delay.Reset(); ready() }, receive)
		if ctx.Err() != nil {
			return
		}
		l.Lost(Fault(ctx, l.What, err))
		if !ctxtime.Sleep(ctx, delay.NextBackOff()) {
			return
		}
	}
}

// listen is one connection of Run. It ends with the connection or with ctx, always with an error.
func (l *Listener) listen(ctx context.Context, ready func(), receive func(payload string)) error {
	config := l.Config.Copy()
	config.RuntimeParams["application_name"] = "tonql listen"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err //nolint:wrapcheck // Run adds the name
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // the connection is not used any more
	}()
	if _, err := conn.Exec(ctx, l.Statement); err != nil {
		return err //nolint:wrapcheck // Run adds the name
	}
	ready()
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err //nolint:wrapcheck // Run adds the name
		}
		receive(notification.Payload)
	}
}
