package main

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/rest/dashboard"
	"tonql/rest/explorer"
	"tonql/rest/webhook"
)

// openDashboard returns the handler of the dashboard for merchants.
func openDashboard(c *cli.Command, lc *lifecycle, db *store.DB, vault *payment.Vault, limiter *access.Limiter, proxies []netip.Prefix) (http.Handler, error) {
	o := webhookOptions(c, lc, db, vault)
	client := webhook.NewClient(o)
	lc.onStop("webhook addresses", func(context.Context) error { client.Close(); return nil })
	return dashboard.New(dashboard.Options{
		Payments: o.Payments, Vault: vault, Network: c.String("network"), Local: o.Local, TestOnly: c.String("network") != "mainnet",
		CheckURL: client.Check, TraceLink: explorer.Prefix + "/trace/{}", Limiter: limiter, Proxies: proxies, Logger: lc.log,
	})
}
