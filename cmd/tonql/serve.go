package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/urfave/cli/v3"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "run the gateway only: GraphQL, REST and pages on an index that 'tonql index' fills",
		Description: `Serves the index from the database. Any number of gateways can run on one database and on its read replicas:

   tonql serve --database-url postgres://primary/tonql --read-database-url postgres://replica/tonql --listen :8080`,
		Flags: join(serveFlags(), admissionFlags(), paymentFlags(), dataFlags(), networkFlags(), profileFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			lc := newLifecycle(ctx, log)
			defer lc.stopAll()
			if err := startProfiles(ctx, c, lc); err != nil {
				return err
			}
			db, err := openCurrent(ctx, c, lc)
			if err != nil {
				return err
			}
			watchSchema(lc, db)
			g := gateway{db: db, metrics: newRegistry(), readiness: readiness(c, lc, nil)}
			config, err := networkBeside(ctx, c)
			if err != nil {
				return err
			}
			// Only sending messages and get-methods at the head need the node. Without one, the gateway serves the index alone.
			if config != "" || c.String("network") != "devnet" {
				client, err := openNode(ctx, c, lc, config, g.metrics)
				if err != nil {
					return err
				}
				g.node, g.servers = client, client.States
			}
			if g.vault, err = openVault(c); err != nil {
				return err
			}
			startWebhooks(c, lc, db, g.vault, g.metrics)
			address, err := serveGateway(ctx, c, lc, g)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(c.Root().Writer, "tonql serves on http://%s/\n", address); err != nil {
				return err
			}
			return lc.wait()
		}),
	}
}

// newRegistry returns a registry with the metrics of the Go runtime and of the process: goroutines, memory and open file
// descriptors.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}
