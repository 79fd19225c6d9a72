package dashboard

import (
	"net/http"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// route is a route of the pages with the role that it needs, 0 for none. Paths are below [Prefix], those of buyers below [PayPrefix].
type route struct {
	pattern string
	need    payment.Role
	serve   func(http.ResponseWriter, *http.Request, *session) error
}

// open adapts a function without a session.
func open(fn func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request, *session) error {
	return func(w http.ResponseWriter, r *http.Request, _ *session) error { return fn(w, r) }
}

// table lists all routes. It is the only place that decides who may do what.
func (d *dashboard) table() []route {
	const viewer, developer, owner = payment.RoleViewer, payment.RoleDeveloper, payment.RoleOwner
	return []route{
		{"GET /style.css", 0, open(d.asset("style.css"))},
		{"GET /live.js", 0, open(d.asset("live.js"))},
		{"GET /signin", 0, open(d.showSignin)},
		{"POST /signin", 0, open(small(d.signin))},
		{"POST /signin/code", 0, open(small(d.enterCode))},
		{"GET /link", 0, open(d.showLink)},
		{"POST /link", 0, open(small(d.takeLink))},
		{"GET /{rest...}", 0, open(func(http.ResponseWriter, *http.Request) error { return chain.NotFoundf("page not found") })},

		{"POST /signout", viewer, d.signout},
		{"GET /{$}", viewer, d.overview},
		{"GET /payments", viewer, d.payments},
		{"GET /payments.csv", viewer, d.paymentsCSV},
		{"GET /payments/{reference}", viewer, d.payment},
		{"GET /links", viewer, d.links},
		{"GET /webhooks", viewer, d.webhooks},
		{"GET /webhooks/{id}", viewer, d.endpoint},
		{"GET /deliveries", viewer, d.deliveries},
		{"GET /deliveries/{id}", viewer, d.delivery},
		{"GET /account", viewer, d.account},
		{"POST /account/password", viewer, d.setPassword},
		{"POST /account/prove", viewer, d.prove},
		{"POST /account/totp", viewer, d.addTOTP},
		{"POST /account/totp/confirm", viewer, d.confirmTOTP},
		{"POST /account/totp/remove", viewer, d.removeTOTP},
		{"POST /account/codes", viewer, d.newCodes},

		{"GET /guide", developer, d.guide},
		{"POST /guide/endpoint", developer, d.guideEndpoint},
		{"POST /guide/sample", developer, d.guideSample},
		{"POST /guide/payment", developer, d.guidePayment},
		{"POST /guide/faucet", developer, d.guideFaucet},
		{"POST /links", developer, d.addLink},
		{"POST /links/{id}/close", developer, d.closeLink},
		{"POST /webhooks", developer, d.addEndpoint},
		{"POST /webhooks/{id}", developer, d.saveEndpoint},
		{"POST /webhooks/{id}/remove", developer, d.removeEndpoint},
		{"POST /webhooks/{id}/reveal", developer, d.reveal},
		{"GET /webhooks/{id}/rotate", developer, d.confirmRotation},
		{"POST /webhooks/{id}/rotate", developer, d.rotate},
		{"POST /webhooks/{id}/prepare", developer, d.prepare},
		{"POST /webhooks/{id}/activate", developer, d.activate},
		{"POST /webhooks/{id}/test", developer, d.test},
		{"POST /webhooks/{id}/replay", developer, d.replay},
		{"POST /deliveries/resend", developer, d.resendFailed},
		{"POST /deliveries/{id}/resend", developer, d.resend},
		{"GET /alerts", developer, d.alerts},
		{"POST /alerts", developer, d.setAlerts},
		{"POST /alerts/test", developer, d.testAlert},
		{"GET /keys", developer, d.keys},
		{"POST /keys", developer, d.createKey},
		{"POST /keys/revoke", developer, d.revokeKey},

		{"GET /members", owner, d.members},
		{"POST /members", owner, d.addMember},
		{"POST /members/{id}/role", owner, d.setRole},
		{"POST /members/{id}/link", owner, d.linkMember},
		{"POST /members/{id}/totp", owner, d.resetMember},
		{"POST /members/{id}/remove", owner, d.removeMember},
		{"POST /account/receiving", owner, d.setReceiving},
	}
}

// payTable lists the routes of buyers, who have no session.
func (d *dashboard) payTable() []route {
	return []route{
		{"GET /pay/style.css", 0, open(d.asset("style.css"))},
		{"GET /pay/live.js", 0, open(d.asset("live.js"))},
		{"GET /pay/connect.js", 0, open(d.script.serve)},
		{"GET /pay/icon.png", 0, open(d.icon)},
		{"GET " + ManifestPath, 0, open(d.manifest)},
		{"GET /pay/{page}", 0, open(d.showPay)},
		{"GET /pay/{page}/message", 0, open(d.payMessage)},
		{"POST /pay/{page}", 0, open(small(d.startPay))},
		{"GET /pay/{rest...}", 0, open(func(http.ResponseWriter, *http.Request) error { return errNoPage })},
	}
}

func (d *dashboard) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range d.table() {
		method, path, _ := strings.Cut(r.pattern, " ")
		fn := func(w http.ResponseWriter, q *http.Request) error { return r.serve(w, q, nil) }
		if r.need > 0 {
			fn = d.signedIn(r.need, r.serve)
		}
		mux.Handle(method+" "+Prefix+path, d.serve(Prefix+path, fn, d.fail))
	}
	for _, r := range d.payTable() {
		_, path, _ := strings.Cut(r.pattern, " ")
		mux.Handle(r.pattern, d.serve(path, func(w http.ResponseWriter, q *http.Request) error { return r.serve(w, q, nil) }, d.failPay))
	}
	mux.HandleFunc(Prefix, func(w http.ResponseWriter, r *http.Request) { _ = redirect(w, r, "/") })
	return mux
}
