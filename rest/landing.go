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

	v2 "tonql/rest/v2"
	v3 "tonql/rest/v3"
)

//go:embed landing.html
var landingHTML string

//go:embed landing.css
var landingCSS string

// landingPage is parsed once; a broken template is a broken build, which the tests see.
var landingPage = template.Must(template.New("landing").Parse(landingHTML))

// landingPolicy allows the page's own style and nothing else: no script, no request to anywhere.
var landingPolicy = func() string {
	sum := sha256.Sum256([]byte(landingCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

type landingData struct {
	State    readiness
	Style    template.CSS
	Version  string
	Doors    []landingDoor
	Examples []landingDoor
	Routes   []landingRoute
}

// landingDoor is a place to go to, with what one finds there; of an example, the path as people read it when that is
// another.
type landingDoor struct{ Path, Name, Note string }

type landingRoute struct{ Path, Example string }

func landing(opts Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		data := landingData{
			State: ready(ctx, opts), Version: opts.Version,
			Style: template.CSS(landingCSS), //nolint:gosec // our own, embedded
			Doors: landingDoors(opts), Examples: landingExamples(opts), Routes: landingRoutes(),
		}
		var page bytes.Buffer
		if err := landingPage.Execute(&page, data); err != nil {
			writeError(w, http.StatusInternalServerError, "internal error")
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", landingPolicy)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = page.WriteTo(w) // a client that left needs no answer
	})
}

// landingDoors are the pages of what is mounted.
func landingDoors(opts Options) []landingDoor {
	var doors []landingDoor
	add := func(there bool, path, name, note string) {
		if there {
			doors = append(doors, landingDoor{Path: path, Name: name, Note: note})
		}
	}
	add(opts.Explorer != nil, "/explorer", "Explorer", "Blocks, accounts, traces and tokens, live.")
	add(opts.Playground != nil, "/playground", "GraphQL playground", "Write queries with completion and documentation.")
	add(true, v3.Prefix+"/", "REST v3", "Its routes and parameters, to try out. The indexed chain as lists.")
	add(true, v2.Prefix+"/", "REST v2", "Its methods, to try out. Accounts, get-methods and messages, as nodes tell them.")
	add(opts.Dashboard != nil, "/dashboard/", "Dashboard", "Keys, payments and webhooks of merchants.")
	add(true, "/readyz", "Readiness", "Whether requests should come here, and why not.")
	add(true, "/metrics", "Metrics", "Counters and timings for Prometheus.")
	add(true, "/healthz", "Health", "Whether the process answers.")
	return doors
}

// landingExamples are requests that work on every network without knowing anything.
func landingExamples(opts Options) []landingDoor {
	examples := []landingDoor{
		{Path: v3.Prefix + "/masterchainInfo", Name: "The first and the last indexed block"},
		{Path: v3.Prefix + "/transactions?limit=3", Name: "The newest transactions"},
		{Path: v3.Prefix + "/topAccountsByBalance?limit=5", Name: "The richest accounts"},
	}
	if opts.GraphQL != nil {
		const query = "{ blocks(first: 3) { nodes { workchain seqno genUtime txCount } } indexStatus { lagSeconds } }"
		examples = append(examples, landingDoor{
			Path: "/graphql?query=" + url.QueryEscape(query), Name: "Blocks and the state of the index by GraphQL", Note: "/graphql?query=" + query,
		})
	}
	return examples
}

// landingRoutes are the routes of the REST interface with an example where one works without knowing any key.
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
