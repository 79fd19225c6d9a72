package rest

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"
)

// notFoundPage is what a person reads who opened a path that does not exist; programs get JSON.
var notFoundPage = template.Must(template.New("notfound").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · tonql</title>
<style>{{.}}</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>This service has no page at this address. The link may be mistyped or cut off.</p>
<p><a href="/explorer">Search an account or a transaction in the explorer</a></p>
<p><a href="/">All pages and APIs of this service</a></p>
</main>
</body>
</html>
`))

// wantsPage reports whether a browser opens r as a page.
func wantsPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"), "text/html") &&
		!strings.HasPrefix(r.URL.Path, "/api/")
}

// showNotFound writes the page, which has nothing of the request.
func showNotFound(w http.ResponseWriter) error {
	var page bytes.Buffer
	if err := notFoundPage.Execute(&page, template.CSS(landingCSS)); err != nil { //nolint:gosec // our own, embedded
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", landingPolicy)
	w.WriteHeader(http.StatusNotFound)
	_, _ = page.WriteTo(w) // a client that has disconnected needs no response
	return nil
}
