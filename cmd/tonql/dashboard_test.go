package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A merchant uses every page of the dashboard for the first time, in a real browser.
func TestDashboard_WorksInABrowser(t *testing.T) {
	t.Parallel()
	folder := browserFolder(t)
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario", "--block-interval", "500ms", "--devnet-admin", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := p.expect(`admin +(http://[^/]+/)`, time.Minute)
	output := runCommand(t, "merchants", "create", "shop", "--data", data, "--page", base)
	cmd := exec.CommandContext(t.Context(), "node", "dashboard.mjs", base, admin, submatch(t, `(http://\S+token=\S+)`, output), submatch(t, `(tqpay_\S+)`, output), os.Getenv("TONQL_SCREENSHOTS"))
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Axe, Outside, Console         []string
		Deliveries, Forged, CrossSite int
		Payment                       string
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Equal(t, 3, seen.Deliveries)
	require.Equal(t, 403, seen.Forged)
	require.Equal(t, 403, seen.CrossSite)
	require.Contains(t, seen.Payment, "recognised by comment")
	require.Contains(t, seen.Payment, "not the registered one")
	p.interrupt(10 * time.Second)
}

// browserFolder returns the folder of the scripts for a browser. It skips the test on machines without one.
func browserFolder(t *testing.T) string {
	t.Helper()
	pacetest.Long(t)
	const folder = "testdata/pay"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/playwright-core")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_BROWSER", "chromium is not installed")
	}
	return folder
}

// The guide leads to the first webhook, a buyer pays at a payment link, a team shares the dashboard, in a real browser.
func TestDashboard_GuideLinksTeamAndAlertsInABrowser(t *testing.T) {
	t.Parallel()
	folder := browserFolder(t)
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario", "--block-interval", "500ms", "--devnet-admin", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := p.expect(`admin +(http://[^/]+/)`, time.Minute)
	output := runCommand(t, "merchants", "create", "shop", "--data", data, "--page", base)
	cmd := exec.CommandContext(t.Context(), "node", "team.mjs", base, admin, submatch(t, `(http://\S+token=\S+)`, output), os.Getenv("TONQL_SCREENSHOTS"))
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Axe, Outside, Console                           []string
		Volume, Rate, Failures, PaidPage, Payment, Cell string
		Viewer                                          int
		Alert                                           struct {
			Event, Reason, URL string
			Delivery           int64
		}
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Contains(t, seen.Volume, "1.5 TON")
	require.Contains(t, seen.Rate, "100.0 %")
	require.Contains(t, seen.Failures, "1")
	require.Contains(t, seen.PaidPage, "Reference")
	for _, text := range []string{"2.5 TON", "3.5 TON", "1 TON"} { // requested, received, surplus
		require.Contains(t, seen.Payment, text)
	}
	require.Equal(t, "endpoint.failing", seen.Alert.Event)
	require.Contains(t, seen.Alert.Reason, "503")
	require.NotZero(t, seen.Alert.Delivery)
	require.Equal(t, 403, seen.Viewer)
	require.Equal(t, `"Requested"`, seen.Cell)
	p.interrupt(10 * time.Second)
}
