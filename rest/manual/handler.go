package manual

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"tonql/docs"
	"tonql/rest/handler"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// policy allows the page's own style and the search form only: no script and no request.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}()

// site is everything that is served, rendered when a page is first requested.
type site struct {
	pages   []page
	byPath  map[string][]byte // HTML of each page
	groups  []linkGroup
	network string
}

type linkGroup struct {
	Title string
	Links []link
}

type link struct {
	Path, Title string
	Current     bool
}

// view is what the template displays: a page, or the results of a search.
type view struct {
	Title   string
	Network string // as pages show it; empty: not shown
	Style   template.CSS
	Groups  []linkGroup
	Page    *page
	Search  bool
	Query   string
	Hits    []hit
}

func newSite(network string) (*site, error) {
	s := &site{byPath: map[string][]byte{}, network: network}
	for _, g := range contents {
		links := linkGroup{Title: g.Title}
		for _, file := range g.Files {
			p, err := render(docs.Files, file)
			if err != nil {
				return nil, fmt.Errorf("documentation: %w", err)
			}
			s.pages = append(s.pages, p)
			links.Links = append(links.Links, link{Path: Prefix + p.Path, Title: p.Title})
		}
		s.groups = append(s.groups, links)
	}
	for i := range s.pages {
		html, err := s.html(view{Title: s.pages[i].Title, Page: &s.pages[i]})
		if err != nil {
			return nil, err
		}
		s.byPath[s.pages[i].Path] = html
	}
	html, err := s.html(view{Title: "Documentation"})
	s.byPath["/"] = html
	return s, err
}

func (s *site) html(v view) ([]byte, error) {
	v.Style = template.CSS(pageCSS) //nolint:gosec // our own, embedded
	v.Network = s.network
	for _, g := range s.groups {
		links := linkGroup{Title: g.Title}
		for _, l := range g.Links {
			l.Current = v.Page != nil && l.Path == Prefix+v.Page.Path
			links.Links = append(links.Links, l)
		}
		v.Groups = append(v.Groups, links)
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, v)
	return b.Bytes(), err
}

// Handler serves the documentation below Prefix: the list of pages, each page, the search at /docs/search?q= and the JSON
// schemas. It calls notFound for other paths. network is the name of the network in the header of every page.
func Handler(network string, notFound http.Handler) http.Handler {
	load := sync.OnceValues(func() (*site, error) { return newSite(network) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := load()
		if err != nil {
			handler.RecordOf(r.Context()).Err = err
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		if name == "" {
			http.Redirect(w, r, Prefix+"/", http.StatusMovedPermanently)
			return
		}
		if name == "/search" {
			query := r.URL.Query().Get("q")
			hits := search(s.pages, queryTerms(query))
			html, err := s.html(view{Title: "Search", Search: true, Query: query, Hits: hits})
			if err != nil {
				handler.RecordOf(r.Context()).Err = err
				http.Error(w, "internal error", http.StatusInternalServerError)
				return
			}
			serve(w, r, "search.html", html)
			return
		}
		if html, ok := s.byPath[name]; ok {
			serve(w, r, "page.html", html)
			return
		}
		if strings.HasSuffix(name, ".schema.json") {
			if schema, err := fs.ReadFile(docs.Files, path.Base(name)); err == nil {
				serve(w, r, name, schema)
				return
			}
		}
		notFound.ServeHTTP(w, r)
	})
}

func serve(w http.ResponseWriter, r *http.Request, name string, content []byte) {
	sum := sha256.Sum256(content)
	w.Header().Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Content-Security-Policy", policy)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}
