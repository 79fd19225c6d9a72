package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/ctxtime"
	"tonql/internal/devnet"
	"tonql/internal/embeddedpg"
	"tonql/internal/store"
)

func faucetCommand() *cli.Command {
	return &cli.Command{
		Name:      "faucet",
		Usage:     "pay coins of the local chain to an address",
		ArgsUsage: "ADDRESS AMOUNT",
		Description: `Pays from the faucet of the local chain that 'tonql up' or 'tonql devnet' runs on the data folder, through its admin
interface, and waits until the index of that folder, or of --database-url, has the transaction of the recipient. It prints the
hash of that transaction. Networks other than devnet have no faucet.

   tonql faucet 0QBx… 1.5
   tonql faucet 0QBx… "1.5 TON" --comment hello
   tonql faucet -- -1:3333… 100

AMOUNT is in TON (also "grams") with up to 9 decimals, or in nanotons as "1500000000 nano".`,
		Flags: join(config.Arguments(
			text("comment", "", "text comment of the transfer"),
			duration("timeout", time.Minute, "how long to wait for the index").Within(time.Second, time.Hour),
		), []config.Setting{ownNetwork("devnet")}, dataFlags(), logFlags()),
		Action: func(ctx context.Context, c *cli.Command) error {
			if network := c.String("network"); network != "devnet" {
				return chain.Invalidf("--network %s has no faucet: only the local chain of --network devnet has one", network)
			}
			args := c.Args().Slice()
			if len(args) < 2 || len(args) > 3 {
				return chain.Invalidf("expected an address and an amount, such as: tonql faucet ADDRESS 1.5; flags are before --, and an address that begins with a minus is behind it")
			}
			to, err := chain.ParseAddress(args[0])
			if err != nil {
				return err
			}
			amount, err := parseAmount(strings.Join(args[1:], " "))
			if err != nil {
				return err
			}
			log, err := logger(c)
			if err != nil {
				return err
			}
			return payFromFaucet(ctx, c, log, to, amount)
		},
	}
}

// maxFaucet is the largest amount of one payment, in nanotons: a million TON.
const maxFaucet = 1_000_000 * 1_000_000_000

// parseAmount parses an amount such as 1.5, "1.5 TON", "2 grams" or "1500000000 nano" to nanotons.
func parseAmount(given string) (uint64, error) {
	fields := strings.Fields(given)
	if len(fields) == 0 || len(fields) > 2 || len(given) > 64 {
		return 0, wrongAmount(given)
	}
	decimals := 9
	if len(fields) == 2 {
		switch strings.ToLower(fields[1]) {
		case "ton", "gram", "grams":
		case "nano", "nanoton", "nanotons":
			decimals = 0
		default:
			return 0, wrongAmount(given)
		}
	}
	coins, fraction, point := strings.Cut(fields[0], ".")
	if coins == "" || point && fraction == "" || len(fraction) > decimals || strings.Trim(coins+fraction, "0123456789") != "" {
		return 0, wrongAmount(given)
	}
	nano, _ := new(big.Int).SetString(coins+fraction+strings.Repeat("0", decimals-len(fraction)), 10)
	if nano.Sign() == 0 || nano.Cmp(big.NewInt(maxFaucet)) > 0 {
		return 0, wrongAmount(given)
	}
	return nano.Uint64(), nil
}

func wrongAmount(given string) error {
	return chain.Invalidf("amount %s: expected 0.000000001 to 1000000 TON, such as 1.5, or nanotons such as \"1500000000 nano\"", chain.Quote(given))
}

// formatAmount formats nanotons in TON without trailing zeros.
func formatAmount(nano uint64) string {
	text := fmt.Sprintf("%d.%09d", nano/1_000_000_000, nano%1_000_000_000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// payFromFaucet pays, prints the payment, and waits for the index.
func payFromFaucet(ctx context.Context, c *cli.Command, log *slog.Logger, to chain.Address, amount uint64) error {
	out := c.Root().Writer
	network, running, err := devnet.Running(ctx, devnetDir(c))
	if err != nil {
		return err
	}
	switch {
	case !running:
		return chain.Unavailablef(nil, "no local chain runs on %s: start 'tonql up' or 'tonql devnet', or choose its folder with --data", devnetDir(c))
	case network.Admin == "":
		return chain.Unavailablef(nil, "the local chain in %s has no admin interface: start it without --devnet-admin none", devnetDir(c))
	}
	ctx, cancel := context.WithTimeout(ctx, c.Duration("timeout"))
	defer cancel()
	message, err := sendFromFaucet(ctx, network.Admin, to, amount, c.String("comment"))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "sent %s TON to %s\nmessage      %s\n", formatAmount(amount), to, message.Hex()); err != nil {
		return err
	}
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	db, err := openIndexBeside(ctx, c, lc)
	if err != nil {
		return err
	}
	if db == nil {
		_, err = fmt.Fprintf(out, "no index runs on %s, so the transaction is not waited for\n", c.String("data"))
		return err
	}
	tx, err := waitForPayment(ctx, db.Reader(), message, to)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "transaction  %s\nindexed in masterchain block %d\n", tx.Hash.Hex(), tx.McSeqno)
	return err
}

// openIndexBeside opens the database of a running index: --database-url, or the private PostgreSQL of the data folder; nil
// when none runs there.
func openIndexBeside(ctx context.Context, c *cli.Command, lc *lifecycle) (*store.DB, error) {
	if c.String("database-url") != "" {
		return openCurrent(ctx, c, lc)
	}
	url, running := embeddedpg.RunningDSN(databaseOptions(c, lc))
	if !running {
		return nil, nil //nolint:nilnil // nil means that there is none
	}
	db, err := openPools(ctx, c, lc, url)
	if err != nil {
		return nil, err
	}
	return db, checkSchema(ctx, db)
}

// maxAdminResponse is in bytes.
const maxAdminResponse = 64 << 10

// sendFromFaucet requests a payment and returns the hash of the external-in message.
func sendFromFaucet(ctx context.Context, admin string, to chain.Address, amount uint64, comment string) (chain.Hash, error) {
	body, err := json.Marshal(map[string]string{"to": to.String(), "amount": fmt.Sprint(amount), "comment": comment})
	if err != nil {
		return chain.Hash{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+admin+"/faucet", bytes.NewReader(body))
	if err != nil {
		return chain.Hash{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy: the address is of this machine
	res, err := client.Do(req)
	if err != nil {
		return chain.Hash{}, chain.Unavailablef(err, "the admin interface of the local chain at %s does not respond: %v", admin, err)
	}
	defer func() { _ = res.Body.Close() }() // it is read
	var response struct {
		devnet.FaucetPayment

		Error string `json:"error"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAdminResponse)).Decode(&response); err != nil || res.StatusCode != http.StatusOK {
		return chain.Hash{}, chain.Unavailablef(err, "the faucet refused with status %d: %s", res.StatusCode, cmp.Or(response.Error, "no reason given"))
	}
	return chain.ParseHash(response.Message)
}

// waitForPayment waits until the index has the transaction by which the recipient received the payment.
func waitForPayment(ctx context.Context, index *store.Reader, message chain.Hash, to chain.Address) (*chain.Transaction, error) {
	const pause = 200 * time.Millisecond
	var last error
	for {
		tx, err := findPayment(ctx, index, message, to)
		if tx != nil || chain.KindOf(err) == chain.Invalid && err != nil {
			return tx, err
		}
		if err != nil && ctx.Err() == nil {
			last = err
		}
		if !ctxtime.Sleep(ctx, pause) {
			return nil, chain.Unavailablef(cmp.Or(last, ctx.Err()), "the payment was sent and is not in the index in time; --timeout sets how long to wait, /readyz shows whether the index follows")
		}
	}
}

// findPayment returns nil while the index has no such transaction. An error of kind Invalid is final.
func findPayment(ctx context.Context, index *store.Reader, message chain.Hash, to chain.Address) (*chain.Transaction, error) {
	sent, err := index.TransactionsByMessage(ctx, chain.MessageFilter{Hashes: []chain.Hash{message}, Direction: chain.In}, chain.Page{Limit: 1})
	if err != nil || len(sent) == 0 {
		return nil, err
	}
	if sent[0].OutMsgCount == 0 {
		return nil, chain.Invalidf("the transaction %s of the faucet sent nothing", sent[0].Hash.Hex())
	}
	received, err := index.AdjacentTransactions(ctx, sent[0].Hash, chain.Out)
	for i := range received {
		if received[i].Account == to {
			return &received[i], nil
		}
	}
	return nil, err
}
