package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const deployFolder = "../../deploy"

// expressions returns the PromQL of the alert rules and dashboards by where they are from.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join(deployFolder, "prometheus/alerts.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &rules))
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			found["alert "+r.Alert] = r.Expr
		}
	}
	boards, err := filepath.Glob(filepath.Join(deployFolder, "grafana/*.json"))
	require.NoError(t, err)
	require.Len(t, boards, 4)
	for _, file := range boards {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var board struct {
			UID    string
			Panels []struct {
				Title   string
				Targets []struct{ RefID, Expr string }
			}
			Templating struct {
				List []struct{ Type, Query string }
			}
		}
		require.NoError(t, json.Unmarshal(text, &board), file)
		require.Equal(t, strings.TrimSuffix(filepath.Base(file), ".json"), board.UID)
		for _, p := range board.Panels {
			require.NotEmpty(t, p.Targets, p.Title)
			for _, target := range p.Targets {
				found[board.UID+" "+p.Title+" "+target.RefID] = target.Expr
			}
		}
		for _, v := range board.Templating.List {
			if v.Type == "query" {
				found[board.UID+" variable"] = v.Query
			}
		}
	}
	return found
}

var (
	metricName = regexp.MustCompile(`\b(?:tonql|go|process)_[a-z0-9_]+`)
	documented = regexp.MustCompile(`^tonql_[a-z_]+[a-z]\b`) // in documents, where a family of metrics ends with _*
	helpLine   = regexp.MustCompile(`(?m)^# HELP (\S+) (.*)$`)
	labelNames = regexp.MustCompile(`([a-z_]+)="`)
)

// elsewhere are names of documents that the service of the test does not export: metrics with other settings or of an older index, and what is no metric.
var elsewhere = []string{
	"tonql_reader_head_seqno", "tonql_reader_usable", "tonql_request_traces_total", "tonql_request_spans_total", "tonql_move_remaining_rows",
	"tonql_source_lists_total", "tonql_page", "tonql_cold",
}

// helpForm is the form of the help text of a metric, by the unit that ends its name.
func helpForm(name string) *regexp.Regexp {
	for _, form := range []struct{ suffix, text string }{
		{"_seconds_total", `^Duration .* in seconds\b`}, {"_seconds", `^(Duration|Age) .* in seconds\b`},
		{"_bytes_total", `^Number of .*bytes`}, {"_bytes", `^Size .* in bytes`}, {"_cost", `^Cost of `}, {"_seqno", `^Seqno of `},
		{"_ratio", `^Share of `}, {"_usable", `^Whether `}, {"_info", `^Always 1`},
	} {
		if strings.HasSuffix(name, form.suffix) {
			return regexp.MustCompile(form.text)
		}
	}
	return regexp.MustCompile(`^Number of `)
}

// Every metric that a rule or a dashboard names is exported by a running service, on the admin address alone.
func TestMetrics_RulesAndDashboardsNameExportedOnes(t *testing.T) {
	t.Parallel()
	p := start(t, "up", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	admin := "http://" + p.expect(`metrics +http://([^/]+)/metrics`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, admin, 5) })
	var nodes struct{}
	query(t, base, `{ transactions(first: 3) { nodes { hash } } }`, &nodes)
	status, _ := get(t, base+"/api/v3/masterchainInfo")
	require.Equal(t, 200, status)
	for _, path := range []string{"/metrics", "/readyz", "/healthz"} {
		status, _ := get(t, base+path)
		require.Equal(t, 404, status, "%s is not on the public address", path)
		status, _ = get(t, admin+path)
		require.Equal(t, 200, status, path)
	}
	_, body := get(t, admin+"/metrics")
	exported := map[string]bool{}
	for _, m := range helpLine.FindAllStringSubmatch(string(body), -1) {
		exported[m[1]] = true
		if strings.HasPrefix(m[1], "tonql_") {
			require.Regexp(t, helpForm(m[1]), m[2], m[1])
		}
	}
	named := expressions(t)
	for page, text := range pages(t) {
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			if name := documented.FindString(m[1]); name != "" && !slices.Contains(elsewhere, name) {
				named[page] += " " + name
			}
		}
	}
	for where, expression := range named {
		names := metricName.FindAllString(expression, -1)
		if where != "alert TonqlDown" {
			require.NotEmpty(t, names, "%s: %s", where, expression)
		}
		for _, name := range names {
			family := name
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				if base := strings.TrimSuffix(name, suffix); exported[base] {
					family = base
				}
			}
			require.True(t, exported[family], "%s names %s, which is not exported", where, name)
		}
	}
	for _, name := range []string{"tonql_build_info", "tonql_store_pool_connections", "tonql_store_statement_seconds", "tonql_feed_streams", "tonql_graphql_cost", "tonql_http_request_cost", "tonql_http_request_database_seconds", "tonql_store_query_seconds", "go_goroutines", "process_open_fds"} {
		require.True(t, exported[name], name)
	}
	// Clients choose no label. A new name needs a bound of its values.
	var labels []string
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "tonql_") {
			for _, m := range labelNames.FindAllStringSubmatch(line[:strings.LastIndex(line, "}")+1], -1) {
				labels = append(labels, m[1])
			}
		}
	}
	slices.Sort(labels)
	bounded := []string{
		"built", "commit", "from", "goversion", "host", "kind", "le", "level", "method", "move", "outcome", "plan", "pool", "query", "reader", "reason",
		"result", "route", "rule", "server", "state", "statement", "status", "version",
	}
	require.Subset(t, bounded, slices.Compact(labels))
	p.interrupt(10 * time.Second)
}

func TestAlerts_PromtoolAcceptsThem(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_PROXIES", "promtool is not installed (Debian: prometheus)")
	}
	for _, args := range [][]string{{"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.CommandContext(t.Context(), promtool, args...)
		cmd.Dir = filepath.Join(deployFolder, "prometheus")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// Every alert has a section in the runbooks, to which its annotation leads, and no section is of another alert.
func TestAlerts_EachHasARunbook(t *testing.T) {
	t.Parallel()
	runbooks, err := os.ReadFile("../../docs/runbooks.md")
	require.NoError(t, err)
	rules, err := os.ReadFile(filepath.Join(deployFolder, "prometheus/alerts.yml"))
	require.NoError(t, err)
	alerts := 0
	for where := range expressions(t) {
		alert, ok := strings.CutPrefix(where, "alert ")
		if !ok {
			continue
		}
		alerts++
		_, section, found := strings.Cut(string(runbooks), "\n## "+alert+"\n")
		require.True(t, found, "docs/runbooks.md lacks a section %s", alert)
		section, _, _ = strings.Cut(section, "\n## ")
		require.Contains(t, section, "\n1. ", "%s names the first step", alert)
		require.Contains(t, string(rules), "runbook_url: file:///usr/share/doc/tonql/runbooks.md#"+strings.ToLower(alert)+"\n")
	}
	require.Equal(t, alerts, strings.Count(string(runbooks), "\n## "))
}
