package main

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/ledger"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/rest/dashboard"
	"tonql/rest/explorer"
	"tonql/rest/webhook"
)

// openDashboard returns the handler of the dashboard for merchants and of the pages of buyers.
func openDashboard(c *cli.Command, lc *lifecycle, db *store.DB, vault *payment.Vault, limiter *access.Limiter, proxies []netip.Prefix, jettons dashboard.Jettons) (http.Handler, error) {
	o := webhookOptions(c, lc, db, vault)
	var wallets []dashboard.Wallet
	if path := c.String("tonconnect-wallets"); path != "" {
		var err error
		if wallets, err = dashboard.ReadWallets(path, o.Local); err != nil {
			return nil, fmt.Errorf("--tonconnect-wallets: %w", err)
		}
	}
	client := webhook.NewClient(o)
	lc.onClose("webhook addresses", client.Close)
	return dashboard.New(dashboard.Options{
		Payments: o.Payments, Vault: vault, Network: c.String("network"), Local: o.Local, TestOnly: c.String("network") != "mainnet",
		CheckURL: client.Check, TraceLink: explorer.Prefix + "/trace/{}", TransactionLink: explorer.Prefix + "/tx/{}", Limiter: limiter, Proxies: proxies,
		Jettons: jettons, Faucet: dashboardFaucet(c), Mail: c.String("smtp-url") != "", Origin: c.String("public-url"), Logger: lc.log,
		Wallets: wallets, GlobalID: globalID(c.String("network")),
	})
}

// globalID returns the id by which wallets identify a network.
func globalID(network string) int32 {
	switch network {
	case "mainnet":
		return -239
	case "testnet":
		return -3
	default:
		return ledger.DefaultGlobalID
	}
}

// dashboardFaucet returns the faucet of the local chain that a process runs on the data folder, nil without a local chain.
func dashboardFaucet(c *cli.Command) func(context.Context, chain.Address, uint64, string) error {
	if c.String("network") != "devnet" || c.String("global-config") != "" || c.String("devnet-admin") == "none" {
		return nil
	}
	return func(ctx context.Context, to chain.Address, nano uint64, comment string) error {
		network, running, err := devnet.Running(ctx, devnetDir(c))
		if err != nil {
			return err
		}
		if !running || network.Admin == "" {
			return chain.Unavailablef(nil, "the local chain has no faucet: start it without --devnet-admin none")
		}
		_, err = sendFromFaucet(ctx, network.Admin, to, nano, comment)
		return err
	}
}
