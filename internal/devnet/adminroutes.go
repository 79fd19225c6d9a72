package devnet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
)

// AdminRoute is a route of the administration API, as GET / lists it.
type AdminRoute struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Description string `json:"description"`
	Body        string `json:"body,omitempty"` // an example of the request's JSON object
}

// routes returns the routes with their handlers. The router serves and GET / lists these.
func (a *admin) routes() []adminHandler {
	return []adminHandler{
		{AdminRoute{http.MethodGet, "/", "This list: text, or JSON with Accept: application/json.", ""}, a.index},
		{AdminRoute{http.MethodGet, "/status", "The newest block, the shards, the global config, the faucet, the consensus.", ""}, a.handle(a.status)},
		{AdminRoute{
			http.MethodPost, "/faucet", "Pay nanotons from the faucet to an address in any form; comment is optional.",
			`{"to": "0:…", "amount": "1500000000", "comment": "hello"}`,
		}, a.handle(a.faucet)},
		{AdminRoute{http.MethodPost, "/mine", fmt.Sprintf("Make 1 to %d masterchain blocks now.", maxMine), `{"count": 1}`}, a.handle(a.mine)},
		{AdminRoute{http.MethodPost, "/split", "Split a shard of the basechain with the next blocks.", `{"shard": "8000000000000000"}`}, a.handle(a.split)},
		{AdminRoute{http.MethodPost, "/merge", "Merge the two halves of a shard.", `{"shard": "8000000000000000"}`}, a.handle(a.merge)},
		{AdminRoute{http.MethodPost, "/burst", "Send many transfers at once from the wallets of the traffic.", `{"count": 1000}`}, a.handle(a.burst)},
		{AdminRoute{http.MethodPost, "/consensus", "Switch the consensus of the validators: ordinary or simplex.", `{"to": "simplex"}`}, a.handle(a.consensus)},
	}
}

type adminHandler struct {
	AdminRoute

	handle http.HandlerFunc
}

func (a *admin) router() *http.ServeMux {
	mux := http.NewServeMux()
	for _, route := range a.routes() {
		path := route.Path
		if path == "/" {
			path = "/{$}"
		}
		mux.HandleFunc(route.Method+" "+path, route.handle)
	}
	return mux
}

// index lists the routes.
func (a *admin) index(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		var list struct {
			Routes []AdminRoute `json:"routes"`
		}
		for _, route := range a.routes() {
			list.Routes = append(list.Routes, route.AdminRoute)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list) //nolint:errchkjson // the client has disconnected
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	var text bytes.Buffer
	text.WriteString("Administration of a local chain. Bodies are JSON objects, sent with Content-Type: application/json.\n\n")
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, route := range a.routes() {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", route.Method, route.Path, route.Description)
		if route.Body != "" {
			_, _ = fmt.Fprintf(table, "\t\t%s\n", route.Body)
		}
	}
	_ = table.Flush() // a buffer takes everything
	fmt.Fprintf(&text, "\ncurl -H 'Content-Type: application/json' -d '{}' http://%s/mine\n", a.addr())
	_, _ = w.Write(text.Bytes()) // as above
}
