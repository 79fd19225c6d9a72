package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"tonql/rest/handler"
	"tonql/rest/manual"
	v2 "tonql/rest/v2"
	v3 "tonql/rest/v3"
)

//go:embed landing.html
var landingHTML string

//go:embed landing.css
var landingCSS string

// landingPage is parsed at start; the tests execute it, so a broken template fails them.
var landingPage = template.Must(template.New("landing").Parse(landingHTML))

// landingPolicy allows the page's own style only: no script and no request.
var landingPolicy = func() string {
	sum := sha256.Sum256([]byte(landingCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

type landingData struct {
	State    readiness
	Style    template.CSS
	Version  string
	Network  string // as pages show it
	Links    []landingLink
	Examples []landingLink
	Routes   []landingRoute
}

// landingLink is a link with a description. The Note of an example is its unescaped path, empty when that equals Path.
type landingLink struct{ Path, Name, Note string }

type landingRoute struct{ Path, Example string }

func landing(opts Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		data := landingData{
			State: ready(ctx, opts), Version: opts.Version, Network: networkTitle(opts),
			Style: template.CSS(landingCSS), //nolint:gosec // our own, embedded
			Links: landingLinks(opts), Examples: landingExamples(opts), Routes: landingRoutes(),
		}
		var page bytes.Buffer
		if err := landingPage.Execute(&page, data); err != nil {
			handler.RecordOf(r.Context()).Err = err
			writeError(w, http.StatusInternalServerError, "internal error")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", landingPolicy)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = page.WriteTo(w) // a client that has disconnected needs no response
	})
}

// networkTitle returns the name of the network as pages show it; empty without a service.
func networkTitle(opts Options) string {
	if opts.Service == nil {
		return ""
	}
	return handler.NetworkTitle(opts.Service.Network())
}

// landingLinks lists the pages and APIs that are mounted.
func landingLinks(opts Options) []landingLink {
	var links []landingLink
	add := func(there bool, path, name, note string) {
		if there {
			links = append(links, landingLink{Path: path, Name: name, Note: note})
		}
	}
	add(opts.Explorer != nil, "/explorer", "Explorer", "Blocks, accounts, traces and tokens, live.")
	add(opts.Playground != nil, "/playground", "GraphQL playground", "Write queries with completion and documentation.")
	add(true, v3.Prefix+"/", "REST v3", "Routes and parameters, to try out. Lists of the indexed chain.")
	add(true, v2.Prefix+"/", "REST v2", "Methods, to try out. Accounts, get-methods and messages in the format of nodes.")
	add(opts.Merchant != nil, merchantPrefix+"/", "Merchant API", "Routes and webhooks, to try out. Register transfers and read their status.")
	add(true, manual.Prefix+"/", "Documentation", "Guides, reference and operation, with a search.")
	add(opts.Dashboard != nil, "/dashboard/", "Dashboard", "API keys, payments and webhooks of merchants.")
	add(!opts.NoAdmin, "/readyz", "Readiness", "Whether this gateway can serve requests, and the reasons if not.")
	add(!opts.NoAdmin, "/metrics", "Metrics", "Metrics in the Prometheus format.")
	add(!opts.NoAdmin, "/healthz", "Health", "Whether the process responds.")
	return links
}

// landingExamples lists requests that work on every network without parameters of that network.
func landingExamples(opts Options) []landingLink {
	examples := []landingLink{
		{Path: v3.Prefix + "/masterchainInfo", Name: "First and last indexed block"},
		{Path: v3.Prefix + "/transactions?limit=3", Name: "Latest transactions"},
		{Path: v3.Prefix + "/topAccountsByBalance?limit=5", Name: "Accounts with the highest balances"},
	}
	if opts.GraphQL != nil {
		const query = "{ blocks(first: 3) { nodes { workchain seqno genUtime txCount } } indexStatus { lagSeconds } }"
		examples = append(examples, landingLink{
			Path: "/graphql?query=" + url.QueryEscape(query), Name: "Blocks and index status in GraphQL", Note: "/graphql?query=" + query,
		})
	}
	return examples
}

// landingRoutes lists the routes of /api/v3, with an example for each route that needs no key.
func landingRoutes() []landingRoute {
	var list []landingRoute
	for _, r := range v3.Routes() {
		route := landingRoute{Path: v3.Prefix + r.Path}
		if !needsKey(r.Path) {
			route.Example = route.Path
			if hasLimit(r.Params) {
				route.Example += "?limit=10"
			}
		}
		list = append(list, route)
	}
	return list
}

func needsKey(path string) bool {
	switch path {
	case "/masterchainInfo", "/blocks", "/transactions", "/messages", "/topAccountsByBalance":
		return false
	default:
		return true
	}
}

func hasLimit(params []string) bool {
	return strings.Contains(" "+strings.Join(params, " ")+" ", " limit ")
}
