package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/store/payments"
	"tonql/rest/webhook"
)

// linkLives is how long a sign-in link is valid.
const linkLives = 24 * time.Hour

func merchantsCommand() *cli.Command {
	return &cli.Command{
		Name:  "merchants",
		Usage: "merchants: create, list, sign-in links, API keys, webhook endpoints",
		Description: `A merchant registers payments with an API key, receives webhooks at its endpoints, and signs in to the dashboard.

   tonql merchants create shop --network mainnet --wallet UQ… --asset TON
   tonql merchants list
   tonql merchants link shop
   tonql merchants key shop --label web
   tonql merchants endpoint shop --url https://shop.example/hook`,
		Commands: []*cli.Command{
			createMerchantCommand(), listMerchantsCommand(), merchantLinkCommand(), merchantKeyCommand(), merchantEndpointCommand(),
		},
	}
}

// pageFlag is the base URL of printed links.
func pageFlag() config.Setting {
	return text("page", "", "base URL of the printed link (default: --public-url, or http://127.0.0.1:8080 without it)").Check(baseURL)
}

// pageURL returns the base URL of printed links, without a slash at its end.
func pageURL(c *cli.Command) string {
	return strings.TrimSuffix(cmp.Or(c.String("page"), c.String("public-url"), "http://127.0.0.1:8080"), "/")
}

func createMerchantCommand() *cli.Command {
	return &cli.Command{
		Name: "create", Usage: "create a merchant; prints an API key and a link for one sign-in", ArgsUsage: "NAME",
		Flags: join(config.Arguments(
			pageFlag(),
			text("wallet", "", "address of payments that name no destination"),
			list("asset", nil, "accepted asset: TON or the address of a Jetton master; may be repeated (default: every asset)"),
		), []config.Setting{ownNetwork("devnet")}, config.Theme("Payments", publicURLSetting()), dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			m, err := merchantOrder(c)
			if err != nil {
				return err
			}
			return withPayments(ctx, c, func(_ *lifecycle, db *store.DB) error {
				p := db.Payments()
				if err := p.CreateMerchant(ctx, m); err != nil {
					return err
				}
				if err := printKey(ctx, c.Root().Writer, p, m, "first"); err != nil {
					return err
				}
				return printLink(ctx, c, p, m)
			})
		},
	}
}

func merchantOrder(c *cli.Command) (*payment.Merchant, error) {
	m := &payment.Merchant{Name: c.Args().First(), Network: c.String("network"), Wallet: c.String("wallet")}
	if c.Args().Len() != 1 {
		return nil, chain.Invalidf("expected the name of the merchant; see tonql merchants create --help")
	}
	if err := payment.CheckName("name", m.Name, true); err != nil {
		return nil, err
	}
	if m.Network != "devnet" && m.Network != "testnet" && m.Network != "mainnet" {
		return nil, chain.Invalidf("--network should be devnet, testnet or mainnet, not %s", chain.Quote(m.Network))
	}
	if m.Wallet != "" {
		if _, err := payment.ParseWallet(m.Wallet); err != nil {
			return nil, err
		}
	}
	for _, name := range c.StringSlice("asset") {
		asset, err := payment.ParseAssetName(name)
		if err != nil {
			return nil, err
		}
		m.Assets = append(m.Assets, asset)
	}
	return m, nil
}

func printKey(ctx context.Context, out io.Writer, p *payments.Store, m *payment.Merchant, label string) error {
	key, hash, hint := payment.NewKey()
	if _, err := p.CreateMerchantKey(ctx, m.ID, hash, hint, label); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "API key of %s on %s, not shown again:\n  %s\n", m.Name, m.Network, key)
	return err
}

func printLink(ctx context.Context, c *cli.Command, p *payments.Store, m *payment.Merchant) error {
	token := payment.NewToken()
	if err := p.OpenSession(ctx, payment.HashOf(token), m.ID, true, linkLives); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.Root().Writer, "link for one sign-in, valid for %s:\n  %s/dashboard/link?token=%s\n", linkLives, pageURL(c), token)
	return err
}

func listMerchantsCommand() *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list merchants with the ids of their webhook endpoints", Flags: join([]config.Setting{ownNetwork("")}, dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			return withPayments(ctx, c, func(_ *lifecycle, db *store.DB) error {
				list, err := db.Payments().Merchants(ctx, c.String("network"))
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(c.Root().Writer, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tNAME\tNETWORK\tWALLET\tENDPOINTS\tCREATED") //nolint:errcheck // Flush reports it
				for _, m := range list {
					endpoints, err := endpointIDs(ctx, db.Payments(), m.ID)
					if err != nil {
						return err
					}
					//nolint:errcheck // as above
					fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", m.ID, m.Name, m.Network, m.Wallet, endpoints, m.CreatedAt.UTC().Format(time.RFC3339))
				}
				return w.Flush()
			})
		},
	}
}

// endpointIDs returns the ids of a merchant's endpoints that are not removed, separated by commas. Logs name an endpoint by its id alone.
func endpointIDs(ctx context.Context, p *payments.Store, merchant int64) (string, error) {
	list, err := p.Endpoints(ctx, merchant)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, e := range list {
		if e.RemovedAt == nil {
			ids = append(ids, strconv.FormatInt(e.ID, 10))
		}
	}
	return strings.Join(ids, ","), nil
}

// withMerchant is withPayments for a command whose one argument is the name of a merchant.
func withMerchant(fn func(context.Context, *cli.Command, *lifecycle, *store.DB, *payment.Merchant) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		if c.Args().Len() != 1 {
			return chain.Invalidf("expected the name of one merchant, as printed by tonql merchants list")
		}
		return withPayments(ctx, c, func(lc *lifecycle, db *store.DB) error {
			m, err := db.Payments().MerchantByName(ctx, c.String("network"), c.Args().First())
			if chain.KindOf(err) == chain.NotFound {
				return chain.NotFoundf("merchant %s does not exist on %s", chain.Quote(c.Args().First()), c.String("network"))
			}
			if err != nil {
				return err
			}
			return fn(ctx, c, lc, db, m)
		})
	}
}

func merchantLinkCommand() *cli.Command {
	return &cli.Command{
		Name: "link", Usage: "print a link for one sign-in, for example to choose a new password", ArgsUsage: "NAME",
		Flags: join(config.Arguments(
			pageFlag(),
			boolean("reset-totp", "also remove the second factor of the merchant's own account, for somebody who has lost it"),
		), []config.Setting{ownNetwork("devnet")}, config.Theme("Payments", publicURLSetting()), dataFlags(), logFlags()),
		Action: withMerchant(func(ctx context.Context, c *cli.Command, _ *lifecycle, db *store.DB, m *payment.Merchant) error {
			if c.Bool("reset-totp") {
				if err := db.Payments().RemoveTOTP(ctx, m.ID, 0); err != nil {
					return err
				}
			}
			return printLink(ctx, c, db.Payments(), m)
		}),
	}
}

func merchantKeyCommand() *cli.Command {
	return &cli.Command{
		Name: "key", Usage: "create another API key and print it, once", ArgsUsage: "NAME",
		Flags: join(config.Arguments(text("label", "", "what the key is used for")), []config.Setting{ownNetwork("devnet")}, dataFlags(), logFlags()),
		Action: withMerchant(func(ctx context.Context, c *cli.Command, _ *lifecycle, db *store.DB, m *payment.Merchant) error {
			if err := payment.CheckName("label", c.String("label"), false); err != nil {
				return err
			}
			return printKey(ctx, c.Root().Writer, db.Payments(), m, c.String("label"))
		}),
	}
}

func merchantEndpointCommand() *cli.Command {
	return &cli.Command{
		Name: "endpoint", Usage: "add a webhook endpoint and print its secret", ArgsUsage: "NAME",
		Flags: join(config.Arguments(text("url", "", "URL that receives the webhooks")), []config.Setting{ownNetwork("devnet")}, paymentFlags(), dataFlags(), logFlags()),
		Action: withMerchant(func(ctx context.Context, c *cli.Command, lc *lifecycle, db *store.DB, m *payment.Merchant) error {
			vault, err := openVault(c)
			if err != nil {
				return err
			}
			if err := checkWebhookURL(webhook.NewClient(webhookOptions(c, lc, db, vault)), c.String("url")); err != nil {
				return err
			}
			secret := payment.NewSecret()
			id, err := db.Payments().CreateEndpoint(ctx, m.ID, c.String("url"), vault.Seal(secret, (&payment.Endpoint{Merchant: m.ID}).Owner()))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Root().Writer, "endpoint %d of %s; its secret:\n  %s\n", id, m.Name, secret)
			return err
		}),
	}
}

func checkWebhookURL(client *outbound.Client, url string) error {
	defer client.Close()
	if url == "" {
		return chain.Invalidf("--url is required: the URL of the merchant's server that receives the webhooks, such as https://shop.example/hook")
	}
	if err := client.Check(url); err != nil {
		return chain.Invalidf("--url %s: %s", chain.Quote(url), err)
	}
	return nil
}
