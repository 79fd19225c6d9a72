package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/wallet"

	"tonql/internal/devnet/contracts"
)

// Buyers pay coins and Jettons by TON Connect, through bridges of which one is hostile, with a wallet whose session is that of the official
// library, in a real browser.
func TestTonConnect_WalletsPayInABrowser(t *testing.T) {
	t.Parallel()
	folder := browserFolder(t)
	if _, err := os.Stat(filepath.Join(folder, "node_modules/@tonconnect/protocol")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	honest, hostile := freePort(t), freePort(t)
	entry := func(name, universal, port string) string {
		return fmt.Sprintf(`{"name": %q, "universal_url": %q, "bridge": [{"type": "js", "key": "x"}, {"type": "sse", "url": "http://127.0.0.1:%s/bridge"}], "features": [{"name": "SendTransaction", "maxMessages": 4}]}`,
			name, universal, port)
	}
	list := filepath.Join(t.TempDir(), "wallets.json")
	require.NoError(t, os.WriteFile(list, []byte("["+entry("Honest", "https://honest.example/ton-connect", honest)+","+
		entry("Crooked", "https://crooked.example/connect?app=1", hostile)+","+entry("Chat", "https://t.me/chat?attach=wallet", honest)+"]"), 0o600))
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario", "--block-interval", "500ms", "--devnet-admin", "127.0.0.1:0", "--tonconnect-wallets", list)
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := p.expect(`admin +(http://[^/]+/)`, time.Minute)
	link := submatch(t, `(http://\S+token=\S+)`, runCommand(t, "merchants", "create", "shop", "--data", data, "--page", base))

	// The buyer of the script, who issues a Jetton.
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = 21
	}
	buyer, err := wallet.AddressFromPubKey(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey), wallet.V4R2, wallet.DefaultSubwallet)
	require.NoError(t, err)
	master := contracts.JettonMaster(buyer, contracts.OnchainContent(map[string]string{"name": "Test", "symbol": "TST", "decimals": "6"}), contracts.JettonWalletCode())
	init, err := tlb.ToCell(master.Init)
	require.NoError(t, err)
	mint := contracts.JettonMint{Recipient: buyer, Amount: tlb.MustFromNano(big.NewInt(50_000_000), 6), Value: 200_000_000, Response: buyer}.Body()

	cmd := exec.CommandContext(t.Context(), "node", "tonconnect.mjs", base, admin, link, honest, hostile, master.Address.String(),
		base64.StdEncoding.EncodeToString(init.ToBOC()), base64.StdEncoding.EncodeToString(mint.ToBOC()), os.Getenv("TONQL_SCREENSHOTS"))
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Axe, Outside, Console []string
		Coins, Jettons        string
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Outside, "requests to other hosts than the bridges")
	require.Empty(t, seen.Console, "errors in the console")
	require.Contains(t, seen.Coins, "1.5 TON")
	require.Contains(t, seen.Jettons, "1.25 TST")
	p.interrupt(10 * time.Second)
}
