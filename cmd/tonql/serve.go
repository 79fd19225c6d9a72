package main

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/store"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run the gateway only: GraphQL, REST and pages on an index that 'tonql index' fills",
		Description: `Serves the index from the database. Any number of gateways can run on one database and on its read replicas:

   tonql serve --database-url postgres://primary/tonql --read-database-url postgres://replica/tonql --listen :8080

--database-url may name a standby alone. Such a gateway only reads: webhooks, merchants and shared limits need the primary.`,
		Flags: join(serveFlags(), admissionFlags(), paymentFlags(), dataFlags(), networkFlags(), profileFlags(), traceFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			lc := newLifecycle(ctx, log)
			defer lc.stopAll()
			if err := checkAddresses(ctx, c, listenFlags(false)...); err != nil {
				return err
			}
			if err := startProfiles(ctx, c, lc); err != nil {
				return err
			}
			if err := startTraces(ctx, c, lc); err != nil {
				return err
			}
			check := gatewaySchema(lc)
			db, err := openChecked(ctx, c, lc, check)
			if err != nil {
				return err
			}
			watchSchema(lc, db, check)
			g := gateway{db: db, metrics: lc.metrics, readiness: readiness(c, lc, nil)}
			config, err := networkBeside(ctx, c)
			if err != nil {
				return err
			}
			// Only sending messages and get-methods at the head need the node. Without one, the gateway serves the index alone.
			if config != "" || c.String("network") != "devnet" {
				makeDataFolder(c, lc.log)
				client, err := openNode(ctx, c, lc, config, g.metrics)
				if err != nil {
					return err
				}
				g.node, g.servers = client, client.States
			}
			if g.vault, err = openVault(c); err != nil {
				return err
			}
			if db.Standby() {
				log.Warn("database is a standby: webhooks, storing of sent messages, merchants and shared limits are left to gateways on the primary")
				watchWebhooks(lc, db, g.metrics)
			} else if err := startWebhooks(c, lc, db, g.vault, g.metrics); err != nil {
				return err
			}
			registerReaders(g.metrics, db)
			watchCold(lc, db, g.metrics)
			address, err := serveGateway(ctx, c, lc, g)
			if err != nil {
				return err
			}
			announce(c, lc, fmt.Sprintf("tonql serves on http://%s/\n", address))
			return lc.wait()
		}),
	}
}

// registerReaders adds the metrics of the databases to read from.
func registerReaders(r *prometheus.Registry, db *store.DB) {
	for i, state := range db.Readers() {
		labels := prometheus.Labels{"reader": strconv.Itoa(i + 1), "host": state.Name}
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tonql_reader_head_seqno", ConstLabels: labels, Help: "Seqno of the newest masterchain block read from a database of --read-database-url.",
		}, func() float64 { return float64(db.Readers()[i].Head) }), prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tonql_reader_usable", ConstLabels: labels, Help: "Whether the last use of a database of --read-database-url succeeded.",
		}, func() float64 {
			if db.Readers()[i].Usable {
				return 1
			}
			return 0
		}))
	}
}
