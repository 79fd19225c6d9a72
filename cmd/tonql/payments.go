package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/mailer"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/rest/dashboard"
	"tonql/rest/webhook"
)

// paymentFlags configure webhooks.
func paymentFlags() []config.Setting {
	return config.Theme("Payments",
		text("webhook-key", "", "key that encrypts webhook secrets, 32 bytes in base64 (default: the file webhook.key in the data folder, created at the first start)").Secret().
			Check(func(s string) error { _, err := payment.OpenVault(s); return err }),
		boolean("no-webhooks", "send no webhooks from this process"),
		publicURLSetting(),
		text("tonconnect-wallets", "", "JSON file with the wallets that pages of buyers connect to by TON Connect, in the form of wallets-v2.json of ton-blockchain/wallets-list; browsers of buyers connect to their bridges (default: none, no TON Connect)").
			Path().Check(checkWallets),
		text("smtp-url", "", "mail server for alerts: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465; smtp://host:25?tls=none connects without TLS (default: none, alerts only by webhook)").
			Secret().Check(checkMailServer),
		text("smtp-from", "", "address of the sender of alerts, such as tonql <alerts@pay.example>; needed by --smtp-url").Check(checkSender),
	)
}

func publicURLSetting() config.Setting {
	return text("public-url", "", "public base URL of this service, such as https://pay.example, for links on pages, in alerts and to images in /api/v3 (default: pages use that of each request, /api/v3 has none)").Check(baseURL)
}

// baseURL accepts a URL that paths are appended to.
func baseURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return chain.Invalidf("%s is not the base URL of a service, such as https://pay.example", chain.Quote(s))
	}
	return nil
}

// checkWallets reads a list of wallets; the network decides later whether it may name loopback addresses.
func checkWallets(path string) error {
	if path == "" {
		return nil
	}
	_, err := dashboard.ReadWallets(path, true)
	return err
}

// checkMailServer and checkSender accept an empty text, which is none.
func checkMailServer(s string) error {
	if s == "" {
		return nil
	}
	return mailer.Check(s)
}

func checkSender(s string) error {
	if s == "" {
		return nil
	}
	return mailer.CheckFrom(s)
}

// openMailer returns the mailer of alerts, nil without a mail server.
func openMailer(c *cli.Command) (webhook.Mailer, error) {
	server, from := c.String("smtp-url"), c.String("smtp-from")
	if server == "" {
		return nil, nil //nolint:nilnil // alerts are sent by webhook only
	}
	return mailer.New(server, from)
}

const vaultFile = "webhook.key"

// openVault reads the key that encrypts webhook secrets, or creates one.
func openVault(c *cli.Command) (*payment.Vault, error) {
	if key := c.String("webhook-key"); key != "" {
		vault, err := payment.OpenVault(key)
		if err != nil {
			return nil, fmt.Errorf("--webhook-key: %w", err)
		}
		return vault, nil
	}
	path := filepath.Join(c.String("data"), vaultFile)
	key, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeVaultKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("key of webhook secrets: %w", err)
	}
	vault, err := payment.OpenVault(string(key))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return vault, nil
}

// makeVaultKey writes a new key file atomically and returns its content. When another process was faster, it returns the
// key of that process.
func makeVaultKey(path string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), vaultFile+".*") // readable by its owner alone
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.WriteString(payment.NewVaultKey() + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(path)
}

// webhookOptions returns the options of the dispatcher and of the client that checks its URLs.
func webhookOptions(c *cli.Command, lc *lifecycle, db *store.DB, vault *payment.Vault) webhook.Options {
	return webhook.Options{
		Payments: db.Payments(), Vault: vault, Local: c.String("network") == "devnet", Version: version, Logger: lc.log,
	}
}

// startWebhooks delivers webhooks in the background.
func startWebhooks(c *cli.Command, lc *lifecycle, db *store.DB, vault *payment.Vault, metrics prometheus.Registerer) error {
	mail, err := openMailer(c)
	if err != nil {
		return err
	}
	if c.Bool("no-webhooks") {
		watchWebhooks(lc, db, metrics)
		return nil
	}
	o := webhookOptions(c, lc, db, vault)
	o.Metrics, o.Mailer = metrics, mail
	if origin := c.String("public-url"); origin != "" {
		o.Dashboard = strings.TrimSuffix(origin, "/") + dashboard.Prefix
	}
	lc.background("webhooks", webhook.New(o).Run)
	return nil
}

// watchWebhooks exports how many webhooks wait, from a process that delivers none.
func watchWebhooks(lc *lifecycle, db *store.DB, metrics prometheus.Registerer) {
	lc.background("watch of webhooks", func(ctx context.Context) error {
		webhook.Watch(ctx, db.Payments(), metrics, lc.log)
		return nil
	})
}

// withPayments is withDatabase for the commands of merchants and webhooks.
func withPayments(ctx context.Context, c *cli.Command, fn func(*lifecycle, *store.DB) error) error {
	log, err := logger(c)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c, log, fn)
}
