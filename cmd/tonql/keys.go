package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/store"
)

func keysCommand() *cli.Command {
	return &cli.Command{
		Name:  "keys",
		Usage: "API keys: create, list, rotate, revoke",
		Description: `The plan of an owner limits the requests per second and the number of keys: free 10 requests per second and 1 key, plus
25 and 3, advanced 100 and 10, custom as given. All keys of an owner on one network share the rate. A key is printed once;
the database stores only its hash. Clients send it in the header X-API-Key or the parameter api_key.

   tonql keys create --network mainnet --owner alice --plan plus --label "web shop"
   tonql keys list --network mainnet
   tonql keys rotate 3 --overlap 24h
   tonql keys revoke 3`,
		Commands: []*cli.Command{createKeyCommand(), listKeysCommand(), rotateKeyCommand(), revokeKeyCommand()},
	}
}

// ownNetwork is the network of a key or merchant. Empty means every network, in commands that allow it.
func ownNetwork(value string) config.Setting {
	return config.Theme("Network", text("network", value, "network: devnet, testnet or mainnet").OneOf(networkNames...))[0]
}

func createKeyCommand() *cli.Command {
	return &cli.Command{
		Name:  "create",
		Usage: "create a key and print it, once",
		Flags: join(config.Arguments(
			text("owner", "", "owner of the key; all keys of an owner share one limit"),
			text("plan", "", "free, plus, advanced or custom; changes the plan of an existing owner (default: the present plan, or free)"),
			decimal("rate", 0, "requests per second of a custom plan"),
			number("keys", 0, "maximum number of valid keys of a custom plan").Between(0, 1_000_000),
			text("label", "", "description of what the key is used for"),
			text("liteservers", "", "pool of private liteservers for requests with this key; see --private-liteservers of tonql serve"),
		), []config.Setting{ownNetwork("devnet")}, dataFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			if strings.TrimSpace(c.String("owner")) == "" {
				return chain.Invalidf("--owner is required: a name, such as alice; all keys of an owner share one limit")
			}
			order := access.Order{
				Owner: c.String("owner"), Network: c.String("network"), Label: c.String("label"), Liteservers: c.String("liteservers"),
			}
			switch name := c.String("plan"); {
			case name == "" && (c.Float("rate") != 0 || c.Int("keys") != 0):
				return chain.Invalidf("--rate and --keys need --plan custom: other plans have their own")
			case name == access.Custom && (c.Float("rate") == 0 || c.Int("keys") == 0):
				return chain.Invalidf("--plan custom needs --rate, the requests per second, and --keys, the number of valid keys")
			case name != "":
				plan, err := access.PlanOf(name, c.Float("rate"), c.Int("keys"))
				if err != nil {
					return err
				}
				order.Plan = plan
			}
			return withKeys(ctx, c, log, func(keys *store.Access) error {
				return makeKey(ctx, c.Root().Writer, keys, order)
			})
		}),
	}
}

func makeKey(ctx context.Context, out io.Writer, keys *store.Access, order access.Order) error {
	secret, hash, hint := access.NewSecret()
	key, err := keys.CreateKey(ctx, order, hash, hint)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\nkey %d of %s on %s, plan %s: %g requests per second over all keys. It is not shown again.\n",
		secret, key.ID, key.Owner, key.Network, key.Plan.Name, key.Plan.Rate)
	return err
}

func listKeysCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list keys by their first characters",
		Flags: join(config.Arguments(
			text("owner", "", "owner of the keys (default: all owners)"),
		), []config.Setting{ownNetwork("")}, dataFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			return withKeys(ctx, c, log, func(keys *store.Access) error {
				list, err := keys.Keys(ctx, c.String("network"), c.String("owner"))
				if err != nil {
					return err
				}
				return printKeys(c.Root().Writer, list, time.Now())
			})
		}),
	}
}

func printKeys(out io.Writer, list []access.Key, now time.Time) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKEY\tOWNER\tNETWORK\tPLAN\tRATE\tLITESERVERS\tLABEL\tCREATED\tSTATE") //nolint:errcheck // Flush reports it
	for _, k := range list {
		state := "valid"
		switch {
		case k.ExpiresAt != nil && k.Valid(now):
			state = "until " + k.ExpiresAt.UTC().Format(time.RFC3339)
		case k.ExpiresAt != nil:
			state = "ended " + k.ExpiresAt.UTC().Format(time.RFC3339)
		}
		//nolint:errcheck // as above
		fmt.Fprintf(w, "%d\t%s…\t%s\t%s\t%s\t%g/s\t%s\t%s\t%s\t%s\n", k.ID, k.Hint, k.Owner, k.Network, k.Plan.Name, k.Plan.Rate,
			k.Liteservers, k.Label, k.CreatedAt.UTC().Format(time.RFC3339), state)
	}
	return w.Flush()
}

func rotateKeyCommand() *cli.Command {
	return &cli.Command{
		Name:      "rotate",
		Usage:     "replace a key; the old key expires at once or after an overlap",
		ArgsUsage: "ID",
		Flags: join(config.Arguments(
			duration("overlap", 0, "how long the old key stays valid, for example 24h").Within(0, 10*365*24*time.Hour),
		), dataFlags(), logFlags()),
		Action: withKeyID(func(ctx context.Context, c *cli.Command, keys *store.Access, id int64) error {
			old, err := keys.KeyByID(ctx, id)
			if err != nil {
				return err
			}
			if old.ExpiresAt != nil {
				return chain.Invalidf("key %d has expired or is about to: create a new one", id)
			}
			// The old key expires first, because the plan limits the number of valid keys.
			if err := keys.ExpireKey(ctx, id, c.Duration("overlap")); err != nil {
				return err
			}
			return makeKey(ctx, c.Root().Writer, keys, access.Order{
				Owner: old.Owner, Network: old.Network, Label: old.Label, Liteservers: old.Liteservers,
			})
		}),
	}
}

func revokeKeyCommand() *cli.Command {
	return &cli.Command{
		Name:      "revoke",
		Usage:     "revoke a key; gateways reject it within a second",
		ArgsUsage: "ID",
		Flags:     join(dataFlags(), logFlags()),
		Action: withKeyID(func(ctx context.Context, c *cli.Command, keys *store.Access, id int64) error {
			if err := keys.ExpireKey(ctx, id, 0); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.Root().Writer, "key %d is revoked\n", id)
			return err
		}),
	}
}

// withKeys is withDatabase for the commands of API keys.
func withKeys(ctx context.Context, c *cli.Command, log *slog.Logger, fn func(*store.Access) error) error {
	return withDatabase(ctx, c, log, func(_ *lifecycle, db *store.DB) error { return fn(db.Access()) })
}

// withKeyID is withKeys for a command whose one argument is the id of a key.
func withKeyID(fn func(context.Context, *cli.Command, *store.Access, int64) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		id, err := strconv.ParseInt(c.Args().First(), 10, 64)
		if err != nil || c.Args().Len() != 1 {
			return fmt.Errorf("expected the id of one key, as printed by tonql keys list; see tonql keys %s --help", c.Name)
		}
		log, err := logger(c)
		if err != nil {
			return err
		}
		return withKeys(ctx, c, log, func(keys *store.Access) error { return fn(ctx, c, keys, id) })
	}
}
