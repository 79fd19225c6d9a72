package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// tonMethods lists the methods of TonClient of @ton/ton; testdata/clients/ton.mjs calls each.
var tonMethods = []string{
	"callGetMethod", "callGetMethodWithError", "estimateExternalMessageFee", "getBalance", "getContractState",
	"getMasterchainInfo", "getShardTransactions", "getTransaction", "getTransactions", "getWorkchainShards",
	"isContractDeployed", "open", "provider", "runMethod", "runMethodWithError", "sendExternalMessage", "sendFile",
	"sendMessage", "tryLocateResultTx", "tryLocateSourceTx",
}

// The client libraries of wallets, sites and bots work unchanged, and the messages they send arrive.
//
//nolint:tparallel // its subtests share one process
func TestClients_PublishedLibrariesWork(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--devnet-admin", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := p.expect(`admin +(http://\S+)`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })

	t.Run("@ton/ton", func(t *testing.T) {
		facts := runClient(t, "ton.mjs", base, admin)
		require.Equal(t, tonMethods, facts.Methods)
		require.Len(t, facts.Transfers, 7)
		requireArrived(t, base, facts.Transfers)
	})
	t.Run("tonweb", func(t *testing.T) {
		facts := runClient(t, "tonweb.mjs", base, admin)
		require.Len(t, facts.Transfers, 1)
		requireArrived(t, base, facts.Transfers)
	})
	t.Run("tonutils-go", func(t *testing.T) { checkGoClient(t, base, admin) })
	s := newShop(t, data, "0:0000000000000000000000000000000000000000000000000000000000000001")
	t.Run("openapi-typescript", func(t *testing.T) { checkGeneratedClients(t, base, s) })
	t.Run("@hey-api/openapi-ts", func(t *testing.T) { checkHeyAPI(t, base, s) })
	t.Run("oapi-codegen", func(t *testing.T) { checkOAPICodegen(t, base, s) })
	t.Run("guides", func(t *testing.T) { checkGuides(t, base) })
	t.Run("clients/typescript", func(t *testing.T) { checkTypeScriptClient(t, base) })
	t.Run("clients/postman", func(t *testing.T) { checkCollections(t, base, s) })
	p.interrupt(10 * time.Second)
}

type clientFacts struct {
	Methods   []string
	Transfers []transfer
}

// transfer is a message that a client reports as sent.
type transfer struct{ By, From, To, Nano string }

// runClient runs a script of testdata/clients.
func runClient(t *testing.T, script, base, admin string) clientFacts {
	t.Helper()
	pacetest.Long(t)
	const folder = "testdata/clients"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/tonweb")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	cmd := exec.CommandContext(t.Context(), "node", script, base, admin)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var facts clientFacts
	require.NoError(t, json.Unmarshal(out, &facts), string(out))
	return facts
}

// requireArrived finds every transfer and the transaction that received it by /api/v3 and GraphQL.
func requireArrived(t *testing.T, base string, transfers []transfer) {
	t.Helper()
	for _, tr := range transfers {
		eventually(t, time.Minute, tr.By, func() bool {
			status, body := get(t, fmt.Sprintf("%s/api/v3/messages?source=%s&destination=%s", base, tr.From, tr.To))
			require.Equal(t, http.StatusOK, status)
			var page struct {
				Messages []struct {
					Value  string
					InTxID string `json:"in_msg_tx_hash"`
				}
			}
			require.NoError(t, json.Unmarshal(body, &page))
			for _, m := range page.Messages {
				if m.Value == tr.Nano && m.InTxID != "" {
					return true
				}
			}
			return false
		})
		var seen struct {
			Messages struct {
				Nodes []struct {
					Value                  string
					DestinationTransaction *struct{ Hash string }
				}
			}
		}
		query(t, base, fmt.Sprintf(`{ messages(first: 10, where: {source: %q, destination: %q}) { nodes { value destinationTransaction { hash } } } }`,
			strings.ToUpper(tr.From), strings.ToUpper(tr.To)), &seen)
		found := false
		for _, n := range seen.Messages.Nodes {
			found = found || n.Value == tr.Nano && n.DestinationTransaction != nil
		}
		require.True(t, found, "%s: GraphQL", tr.By)
	}
}
