package rest

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"

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
	State      readiness
	Style      template.CSS
	Version    string
	GraphQL    bool
	Playground bool
	Explorer   bool
	Routes     []landingRoute
}

type landingRoute struct{ Path, Example string }

func landing(opts Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		data := landingData{
			State: ready(ctx, opts), Version: opts.Version,
			Style:   template.CSS(landingCSS), //nolint:gosec // our own, embedded
			GraphQL: opts.GraphQL != nil, Playground: opts.Playground != nil, Explorer: opts.Explorer != nil, Routes: landingRoutes(),
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

// landingRoutes are the served routes of the REST interface with an example where one works without knowing any key.
func landingRoutes() []landingRoute {
	var list []landingRoute
	for _, r := range v3.Routes() {
		if !r.Served() {
			continue
		}
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
