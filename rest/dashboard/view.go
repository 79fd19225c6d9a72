package dashboard

import (
	"bytes"
	"fmt"
	"net/http"

	"tonql/internal/payment"
	"tonql/rest/handler"
)

// view has the data of a page.
type view struct {
	Title    string
	Section  string // of the navigation
	Message  string
	Error    string
	Warnings []string // about endpoints
	Merchant *payment.Merchant
	Member   payment.Member
	CSRF     string
	Network  string
	TestOnly bool // the coins of the network have no value
	Live     bool // the page updates itself
	Connects bool // the page has the script of TON Connect
	// What the role of the user permits.
	Developer, Owner bool
	Data             any
}

func (d *dashboard) show(w http.ResponseWriter, r *http.Request, status int, page string, s *session, v view) {
	v.Network, v.TestOnly = handler.NetworkTitle(d.Network), d.TestOnly
	if s != nil {
		v.Merchant, v.Member, v.CSRF = s.merchant, s.member, s.csrf()
		v.Developer, v.Owner = s.member.Role >= payment.RoleDeveloper, s.member.Role >= payment.RoleOwner
	}
	var b bytes.Buffer
	if err := d.pages[page].Execute(&b, v); err != nil {
		handler.RecordOf(r.Context()).Err = fmt.Errorf("page %s: %w", page, err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // escaped by html/template
}

func (d *dashboard) asset(name string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "public, max-age=300")
		http.ServeFileFS(w, r, files, "page/"+name)
		return nil
	}
}
