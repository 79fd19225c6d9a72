package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Limits of every page: the time until its first paint in milliseconds, on a processor as it is and on one that is four times
// slower, and how much of it may move while it loads.
const (
	maxPaint, maxSlowPaint = 300, 1500
	maxShift               = 0.1
)

// openedPage is what the browser saw of a page.
type openedPage struct {
	Name                                              string
	Failed, Outside, Console, Axe, Overflow, Requests []string
	Network                                           string
	Paint                                             map[string]float64
	Kilobytes, Shift                                  float64
	Limits                                            struct {
		Kilobytes float64
		Requests  int
	}
}

// Every page of testdata/page/pages.json is small, accessible, as wide as the window, sends requests to this server alone, and names the network;
// pictures of it are taken at both sizes and in both themes. With TONQL_PAGE_BUDGET its first paint is measured too.
func TestPages_AreSmallAndAccessible(t *testing.T) {
	t.Parallel()
	timed := os.Getenv("TONQL_PAGE_BUDGET") != ""
	folder, shots := browser(t)
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	link := submatch(t, `(http://\S+token=\S+)`, runCommand(t, "merchants", "create", "shop", "--data", data, "--page", base))
	args := []string{"pages.mjs", base, shots, indexObjects(t, base), link}
	if timed {
		args = append(args, "--paint")
	}
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var pages []openedPage
	require.NoError(t, json.Unmarshal(out, &pages), string(out))
	require.GreaterOrEqual(t, len(pages), 40)
	if timed {
		for _, page := range pages {
			t.Logf("%-28s %6.1f kB %2d requests, first paint %4.0f ms, %4.0f ms on a slow processor, shift %.3f",
				page.Name, page.Kilobytes, len(page.Requests), page.Paint["1"], page.Paint["4"], page.Shift)
		}
	}
	for _, page := range pages {
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, page.Failed, "the page does not show what a reader came for")
			require.Empty(t, page.Outside, "requests to other hosts")
			require.Empty(t, page.Console, "errors in the console")
			require.Empty(t, page.Axe, "violations reported by axe")
			require.Empty(t, page.Overflow, "wider than the window")
			require.Contains(t, page.Network, "Local chain", "the network in the header")
			require.LessOrEqual(t, page.Kilobytes, page.Limits.Kilobytes, "kilobytes over the network")
			require.LessOrEqual(t, len(page.Requests), page.Limits.Requests, "%v", page.Requests)
			require.LessOrEqual(t, page.Shift, maxShift, "layout shift")
			if timed {
				require.LessOrEqual(t, page.Paint["1"], float64(maxPaint), "first paint in ms")
				require.LessOrEqual(t, page.Paint["4"], float64(maxSlowPaint), "first paint in ms with a processor four times slower")
			}
		})
	}
	p.interrupt(10 * time.Second)
}

// indexObjects waits until the index has an object of every kind that pages show, and returns them by name as JSON.
func indexObjects(t *testing.T, base string) string {
	t.Helper()
	objects := map[string]any{}
	eventually(t, 3*time.Minute, "objects of all kinds are indexed", func() bool {
		type account struct{ Address string }
		var seen struct {
			Masterchain struct{ Last struct{ Seqno int } }
			Externals   struct {
				Nodes []struct {
					Destination struct {
						Address string
						Wallet  *struct{ Seqno *int }
					}
				}
			}
			Traces struct {
				Nodes []struct {
					Hash             string
					TransactionCount int
				}
			}
			Transactions    struct{ Nodes []struct{ Hash string } }
			JettonTransfers struct {
				Nodes []struct{ JettonAccount account }
			}
			JettonWallets struct{ Nodes []struct{ Owner account } }
			NFTItems      struct {
				Nodes []struct {
					Account    account
					Owner      *account
					Collection *struct{ Account account }
					DNS        *struct{ ExpiresAt *string }
				}
			}
			Orders struct {
				Nodes []struct {
					Details struct{ Destination string }
				}
			}
			NetworkDays struct{ Days []struct{ Date string } }
		}
		query(t, base, `{ masterchain { last { seqno } } externals: messages(first: 50, where: { kind: EXTERNAL_IN }) { nodes { destination { address wallet { seqno } } } }
			traces(first: 20) { nodes { hash transactionCount } } transactions(first: 1) { nodes { hash } } jettonTransfers(first: 1) { nodes { jettonAccount { address } } }
			jettonWallets(first: 1, where: { excludeZero: true }) { nodes { owner { address } } }
			nftItems(first: 100) { nodes { account { address } owner { address } collection { account { address } } dns { expiresAt } } }
			orders: actions(first: 1, where: { types: ["multisig_execute"] }) { nodes { details { ... on MultisigExecuteDetails { destination } } } }
			networkDays { days { date } } }`, &seen)
		objects["mcSeqno"] = seen.Masterchain.Last.Seqno
		seqno := 0 // the wallet that sent most: visitors of the chain send little, and delete their wallets
		for _, m := range seen.Externals.Nodes {
			if w := m.Destination.Wallet; w != nil && w.Seqno != nil && *w.Seqno > seqno {
				seqno, objects["wallet"] = *w.Seqno, m.Destination.Address
			}
		}
		for _, trace := range seen.Traces.Nodes {
			if trace.TransactionCount > 2 {
				objects["traceId"] = hashInHex(t, trace.Hash)
			}
		}
		for _, transaction := range seen.Transactions.Nodes {
			objects["transactionHash"] = hashInHex(t, transaction.Hash)
		}
		for _, transfer := range seen.JettonTransfers.Nodes {
			objects["jettonMaster"] = transfer.JettonAccount.Address
		}
		for _, item := range seen.NFTItems.Nodes {
			if item.Collection != nil {
				objects["nftItem"], objects["nftCollection"] = item.Account.Address, item.Collection.Account.Address
			}
			if item.Owner != nil {
				objects["nftOwner"] = item.Owner.Address
			}
			if item.DNS != nil {
				objects["domain"] = item.Account.Address
			}
		}
		for _, wallet := range seen.JettonWallets.Nodes {
			objects["jettonOwner"] = wallet.Owner.Address
		}
		for _, order := range seen.Orders.Nodes {
			objects["multisig"] = order.Details.Destination
		}
		return len(objects) == 11 && len(seen.NetworkDays.Days) > 0
	})
	text, err := json.Marshal(objects)
	require.NoError(t, err)
	return string(text)
}

// hashInHex returns a hash in hex.
func hashInHex(t *testing.T, text string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return hex.EncodeToString(raw)
}
