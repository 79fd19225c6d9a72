package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/wallet"

	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// submatch returns the first group of a pattern that text must match.
func submatch(t testing.TB, pattern, text string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, m, text)
	return m[1]
}

// paid is one payment as the script received it.
type paid struct {
	Amount, RawAmount, Status, AssetTicker, ErrorMessage, TxHash, TraceID, CommentToRecipient string
	ErrorCode                                                                                 int32
}

// Payments from end to end: the official SDK registers them, a wallet on the local chain signs their messages, and the
// SDK and third-party libraries verify the webhooks that the shop receives.
func TestPayments_OfficialSDKRegistersAndVerifies(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const folder = "testdata/pay"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/@ton-pay/api")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario", "--block-interval", "500ms", "--devnet-admin", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := p.expect(`admin +(http://[^/]+)/`, time.Minute)
	key := submatch(t, `(tqpay_\S+)`, runCommand(t, "merchants", "create", "shop", "--data", data))
	port := freePort(t)
	output := runCommand(t, "merchants", "endpoint", "shop", "--data", data, "--url", "http://127.0.0.1:"+port+"/hook")
	secret := submatch(t, `(whsec_\S+)`, output)
	require.FileExists(t, filepath.Join(data, vaultFile))

	// The payer of the script, who issues a Jetton.
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = 7
	}
	payer, err := wallet.AddressFromPubKey(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey), wallet.V4R2, wallet.DefaultSubwallet)
	require.NoError(t, err)
	master := contracts.JettonMaster(payer, contracts.OnchainContent(map[string]string{"name": "Test", "symbol": "TST", "decimals": "6"}), contracts.JettonWalletCode())
	init, err := tlb.ToCell(master.Init)
	require.NoError(t, err)
	mint := contracts.JettonMint{Recipient: payer, Amount: tlb.MustFromNano(big.NewInt(50_000_000), 6), Value: 200_000_000, Response: payer}.Body()

	cmd := exec.CommandContext(t.Context(), "node", "pay.mjs", base, admin, key, secret, port, master.Address.String(),
		base64.StdEncoding.EncodeToString(init.ToBOC()), base64.StdEncoding.EncodeToString(mint.ToBOC()))
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "TONPAY_BASE_URL="+base)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Ton, Little, Bounced, Skipped, Jetton, JettonAborts, JettonLess paid
		Repeats                                                         []int
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Equal(t, "success", seen.Ton.Status)
	require.Equal(t, "0.5", seen.Ton.Amount)
	require.Equal(t, "Заказ <7> & ☕", seen.Ton.CommentToRecipient)
	require.Equal(t, [3]any{"failed", int32(37), "0.499999999"}, [3]any{seen.Little.Status, seen.Little.ErrorCode, seen.Little.Amount})
	require.Equal(t, "failed", seen.Bounced.Status)
	require.Equal(t, [2]any{"failed", int32(37)}, [2]any{seen.Skipped.Status, seen.Skipped.ErrorCode})
	require.Equal(t, [4]any{"success", "1.25", "1250000", "TST"}, [4]any{seen.Jetton.Status, seen.Jetton.Amount, seen.Jetton.RawAmount, seen.Jetton.AssetTicker})
	require.Equal(t, "failed", seen.JettonAborts.Status)
	require.NotZero(t, seen.JettonAborts.ErrorCode)
	require.Equal(t, "failed", seen.JettonLess.Status)
	for _, n := range seen.Repeats {
		require.Equal(t, 1, n, "each webhook was delivered once")
	}
	// The transaction of the webhook is indexed.
	status, body := get(t, base+"/api/v3/transactions?hash="+seen.Ton.TxHash)
	require.Equal(t, 200, status)
	require.Contains(t, string(body), `"lt"`)
	status, _ = get(t, base+"/api/merchant/v1/transfer?reference=unknown")
	require.Equal(t, 404, status)

	again := runCommand(t, "webhooks", "replay", "shop", "--data", data)
	require.Contains(t, again, strconv.Itoa(len(seen.Repeats))+" deliveries")
	p.interrupt(10 * time.Second)
	require.Empty(t, children(t, data), "processes left behind")
}

// freePort returns a port that nothing listens at, below those that the system gives to connections: a process that listens later still
// finds it free.
func freePort(t *testing.T) string {
	t.Helper()
	const first, ports = 10_000, 20_000
	for range 100 {
		port := strconv.Itoa(first + rand.IntN(ports))
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			continue
		}
		require.NoError(t, l.Close())
		return port
	}
	t.Fatal("no port is free")
	return ""
}
