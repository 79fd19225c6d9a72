package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/devnet"
)

func devnetCommand() *cli.Command {
	return &cli.Command{
		Name:  "devnet",
		Usage: "run the local chain only, with its liteserver and global.config.json",
		Description: `Runs a local TON chain: masterchain and basechain with real blocks, proofs and contracts, and traffic unless
--no-scenario is given. The command prints the path of its global.config.json, which any client of TON can use.

   tonql devnet --data /tmp/chain --devnet-listen 127.0.0.1:4321
   tonql up --data /tmp/index --global-config /tmp/chain/devnet/global.config.json`,
		Flags: join(config.Theme("Data", dataFlag("folder of the chain")), devnetFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			lc := newLifecycle(ctx, log)
			defer lc.stopAll()
			if err := checkAddresses(ctx, c, "devnet-listen", "devnet-admin"); err != nil {
				return err
			}
			net, err := startDevnet(ctx, c, lc)
			if err != nil {
				return err
			}
			announce(c, lc, devnetSummary(net, c.String("data")))
			return lc.wait()
		}),
	}
}

// startDevnet starts the local chain and creates blocks in the background.
func startDevnet(ctx context.Context, c *cli.Command, lc *lifecycle) (*devnet.Devnet, error) {
	opts := devnet.Options{
		Dir:              devnetDir(c),
		Listen:           c.String("devnet-listen"),
		Admin:            adminAddress(c),
		Interval:         c.Duration("block-interval"),
		Instant:          c.Bool("instant"),
		Deterministic:    c.Bool("deterministic"),
		GlobalVersion:    uint32(c.Int("global-version")),
		ShardBlocks:      c.Int("shard-blocks"),
		Scenario:         !c.Bool("no-scenario"),
		Protocol:         c.Bool("protocol-traffic"),
		ActionsPerMinute: c.Int("traffic"),
		Log:              lc.log,
	}
	if name := c.String("consensus"); name != "" {
		consensus, err := devnet.ParseConsensus(name)
		if err != nil {
			return nil, chain.Invalidf("--%s", chain.PublicMessage(err))
		}
		opts.Consensus = consensus
	}
	if seed := c.String("seed"); seed != "" {
		opts.Seed = sha256.Sum256([]byte(seed))
	}
	net, err := devnet.Start(ctx, opts)
	if err != nil {
		return nil, err
	}
	lc.onStop("local chain", func(context.Context) error { return net.Close() })
	lc.background("local chain's blocks", net.Run)
	return net, nil
}

// noAdmin is the value of --devnet-admin without an admin interface.
const noAdmin = "none"

// adminAddress returns the address of --devnet-admin; empty for none.
func adminAddress(c *cli.Command) string {
	if address := c.String("devnet-admin"); address != noAdmin {
		return address
	}
	return ""
}

func checkAdminAddress(text string) error {
	if text == noAdmin {
		return nil
	}
	return config.LoopbackAddress(text)
}

func devnetDir(c *cli.Command) string { return filepath.Join(c.String("data"), "devnet") }

// runningDevnet returns the global config of the local chain that another tonql runs on the data folder.
func runningDevnet(ctx context.Context, c *cli.Command) (config string, running bool, err error) {
	network, running, err := devnet.Running(ctx, devnetDir(c))
	return network.GlobalConfig, running, err
}

// devnetSummary is the part of the banner about the local chain in the data folder.
func devnetSummary(net *devnet.Devnet, data string) string {
	text := fmt.Sprintf("local chain at block %d\n  global config   %s\n  faucet          %s\n",
		net.Chain.Head().ID.SeqNo, net.GlobalConfigPath(), net.Faucet.Address())
	if admin := net.AdminAddr(); admin != "" {
		text += fmt.Sprintf("  admin           http://%s/\n  get coins       tonql faucet ADDRESS AMOUNT --data %s\n", admin, data)
	}
	return text
}
