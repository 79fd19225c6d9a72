package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/payment"
	"tonql/internal/store"
)

func webhooksCommand() *cli.Command {
	return &cli.Command{
		Name:  "webhooks",
		Usage: "webhook deliveries: replay events, send failed deliveries again",
		Description: `Replayed events have their original id and body; receivers recognize repetitions by the header webhook-id.

   tonql webhooks replay shop --after 1200
   tonql webhooks resend 3 --since 24h`,
		Commands: []*cli.Command{replayCommand(), resendCommand()},
	}
}

func replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "deliver the events of a merchant after a cursor again, in order", ArgsUsage: "NAME",
		Flags: join(config.Arguments(
			number("after", 0, "cursor after which to start; 0: with the first event").Between(0, math.MaxInt),
			number("endpoint", 0, "id of the endpoint to deliver to; 0: every enabled endpoint").Between(0, math.MaxInt),
			number("limit", 1000, "maximum number of events").Between(1, math.MaxInt32),
		), []config.Setting{ownNetwork("devnet")}, dataFlags(), logFlags()),
		Action: withMerchant(func(ctx context.Context, c *cli.Command, _ *lifecycle, db *store.DB, m *payment.Merchant) error {
			done, err := db.Payments().Replay(ctx, m.ID, int64(c.Int("endpoint")), int64(c.Int("after")), c.Int("limit"))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Root().Writer, "%d deliveries; continue with --after %d\n", done.Deliveries, done.Cursor)
			return err
		}),
	}
}

func resendCommand() *cli.Command {
	return &cli.Command{
		Name: "resend", Usage: "send the failed deliveries of an endpoint again, at most 1000 at once", ArgsUsage: "ENDPOINT",
		Flags: join(config.Arguments(
			duration("since", 24*time.Hour, "age of the oldest delivery to send again").Within(0, 10*365*24*time.Hour),
		), dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			id, err := strconv.ParseInt(c.Args().First(), 10, 64)
			if err != nil || c.Args().Len() != 1 {
				return chain.Invalidf("expected the id of one endpoint, as printed by tonql merchants list; see tonql webhooks resend --help")
			}
			return withPayments(ctx, c, func(_ *lifecycle, db *store.DB) error {
				if _, err := db.Payments().Endpoint(ctx, id); err != nil {
					return err
				}
				n, err := db.Payments().ResendExhausted(ctx, []int64{id}, time.Now().Add(-c.Duration("since")))
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Root().Writer, "%d deliveries\n", n)
				return err
			})
		},
	}
}
