package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"
)

func upCommand() *cli.Command {
	return &cli.Command{
		Name:  "up",
		Usage: "run everything in one process: database, local chain (on devnet), indexer, gateway",
		Description: `Starts all components and prints their addresses. Without --database-url, a private PostgreSQL runs in the data
folder. On --network devnet without --global-config, a local chain runs as well. Ctrl-C stops everything; the next start
continues with the same chain and the same data.

   tonql up
   tonql up --network mainnet --from latest
   tonql up --global-config FILE_OR_URL --database-url postgres://user@host/tonql`,
		Flags:  join(serveFlags(), admissionFlags(), paymentFlags(), dataFlags(), networkFlags(), indexFlags(), metadataFlags(), devnetFlags(), profileFlags(), traceFlags(), logFlags()),
		Action: checked(up),
	}
}

func up(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	local := c.String("global-config") == "" && c.String("network") == "devnet"
	if err := checkAddresses(ctx, c, listenFlags(local)...); err != nil {
		return err
	}
	if err := startProfiles(ctx, c, lc); err != nil {
		return err
	}
	if err := startTraces(ctx, c, lc); err != nil {
		return err
	}
	db, err := openDatabase(ctx, c, lc)
	if err != nil {
		return err
	}
	if err := migrate(ctx, db, lc); err != nil {
		return err
	}
	watchSchema(lc, db, checkSchema)
	config, chainText := c.String("global-config"), ""
	if local {
		net, err := startDevnet(ctx, c, lc)
		if err != nil {
			return err
		}
		config, chainText = net.GlobalConfigPath(), devnetSummary(net, c.String("data"))
	}
	g := gateway{db: db, metrics: lc.metrics}
	watchCold(lc, db, lc.metrics)
	makeDataFolder(c, lc.log)
	client, err := openNode(ctx, c, lc, config, g.metrics)
	if err != nil {
		return err
	}
	g.node, g.servers = client, client.States
	ix, err := startIndexer(ctx, c, lc, client, db, g.metrics)
	if err != nil {
		return err
	}
	g.readiness = readiness(c, lc, ix)
	if err := startMetadata(c, lc, db, g.metrics); err != nil {
		return err
	}
	if g.vault, err = openVault(c); err != nil {
		return err
	}
	if err := startWebhooks(c, lc, db, g.vault, g.metrics); err != nil {
		return err
	}
	address, err := serveGateway(ctx, c, lc, g)
	if err != nil {
		return err
	}
	announce(c, lc, banner(c.String("network"), address, cmp.Or(lc.adminAddress, address), chainText))
	return lc.wait()
}

// banner lists what is served and where. chainText is the part about the local chain; empty without one.
func banner(network, address, admin, chainText string) string {
	return fmt.Sprintf(`tonql is up on %[4]s
  page            http://%[1]s/
  explorer        http://%[1]s/explorer
  dashboard       http://%[1]s/dashboard, the pages of merchants; their API is /api/merchant/v1
  playground      http://%[1]s/playground
  GraphQL         http://%[1]s/graphql, also by WebSocket and server-sent events
  streaming       http://%[1]s/api/streaming/v2/sse and ws://%[1]s/api/streaming/v2/ws, the live API of wallets
  REST v3         http://%[1]s/api/v3/, for example http://%[1]s/api/v3/masterchainInfo
  REST v2         http://%[1]s/api/v2/ and http://%[1]s/api/v2/jsonRPC
  health          http://%[3]s/readyz
  metrics         http://%[3]s/metrics
  documentation   http://%[1]s/docs/, and 'tonql --help'
%[2]sCtrl-C stops everything.
`, address, chainText, admin, network)
}
