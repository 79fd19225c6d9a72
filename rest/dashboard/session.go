package dashboard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/rest/handler"
)

const (
	sessionLives = 12 * time.Hour
	// provenFor is the time after signing in during which secrets are shown without confirming the password.
	provenFor = 10 * time.Minute
	// maxToken bounds the length of a link's token.
	maxToken = 100
)

var errLink = chain.Invalidf("this link was used already or has expired; request a new one")

// session is a signed-in merchant.
type session struct {
	token    string
	merchant *payment.Merchant
	proven   time.Time
}

// csrf returns the token in the forms of this session. It does not reveal the session's token.
func (s *session) csrf() string {
	h := hmac.New(sha256.New, []byte(s.token))
	h.Write([]byte("form"))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// cookieName returns the name of the session cookie; a secure one has the prefix __Host-.
func (d *dashboard) cookieName() string {
	if d.Local {
		return "tonql_session"
	}
	return "__Host-tonql_session"
}

func (d *dashboard) setCookie(w http.ResponseWriter, token string, age time.Duration) {
	d.writeCookie(w, d.cookieName(), token, age)
}

func (d *dashboard) writeCookie(w http.ResponseWriter, name, value string, age time.Duration) {
	//nolint:gosec // a local chain is served without TLS, where a Secure cookie would not come back
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", HttpOnly: true, Secure: !d.Local, SameSite: http.SameSiteLaxMode,
		MaxAge: int(age.Seconds()),
	})
}

// begin signs a merchant in with a new token and revokes the token that the browser sent. Browser and client address are
// recognised from then on.
func (d *dashboard) begin(w http.ResponseWriter, r *http.Request, m *payment.Merchant) error {
	if old, err := r.Cookie(d.cookieName()); err == nil && old.Value != "" {
		if err := d.Payments.CloseSession(r.Context(), payment.HashOf(old.Value)); err != nil {
			return err
		}
	}
	token := payment.NewToken()
	if err := d.Payments.OpenSession(r.Context(), payment.HashOf(token), m.ID, false, sessionLives); err != nil {
		return err
	}
	if site := d.site(r); site.IsValid() {
		if err := d.Payments.RememberAddress(r.Context(), m.ID, siteHash(site)); err != nil {
			return err
		}
	}
	d.setCookie(w, token, sessionLives)
	d.setDevice(w, m.Name)
	return nil
}

// site returns the client address by which attempts are counted, as the APIs count requests.
func (d *dashboard) site(r *http.Request) netip.Addr {
	return access.Site(handler.Client(r, d.Proxies))
}

// siteHash is the form in which the database stores an address.
func siteHash(site netip.Addr) chain.Hash { return payment.HashOf("address " + site.String()) }

// signedIn requires a session. Forms must carry its CSRF token.
func (d *dashboard) signedIn(fn func(http.ResponseWriter, *http.Request, *session) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := d.sessionOf(r)
		if err != nil {
			return err
		}
		if s == nil {
			return redirect(w, r, "/signin")
		}
		if err := readForm(w, r, maxForm); err != nil {
			return err
		}
		if r.Method != http.MethodGet && !hmac.Equal([]byte(r.PostFormValue("csrf")), []byte(s.csrf())) {
			d.show(w, r, http.StatusForbidden, "failed", s, view{Title: "Error", Error: "This form belongs to another session. Go back, reload the page and try again."})
			return nil
		}
		if err := handler.CheckValues(r.PostForm); err != nil {
			return err
		}
		return fn(w, r, s)
	}
}

// limited is the error of a request that the limit of its client address refuses.
type limited struct{ wait time.Duration }

func (*limited) Error() string { return "Too many requests. Try again in a few seconds." }

// sessionOf returns the session of a request, nil without one. Requests are limited before the lookup, so that random cookies do not
// occupy the database.
func (d *dashboard) sessionOf(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(d.cookieName())
	if err != nil || cookie.Value == "" {
		return nil, nil //nolint:nilnil // no session
	}
	if d.Limiter != nil {
		if decision := d.Limiter.AdmitDashboard(r.Context(), handler.Client(r, d.Proxies)); decision.Outcome == access.Limited {
			return nil, &limited{decision.Wait}
		}
	}
	id, proven, err := d.Payments.Session(r.Context(), payment.HashOf(cookie.Value))
	if err != nil || id == 0 {
		return nil, err
	}
	m, err := d.Payments.Merchant(r.Context(), id)
	if err != nil || m.Network != d.Network {
		return nil, err
	}
	return &session{token: cookie.Value, merchant: m, proven: proven}, nil
}

// isProven reports whether the user confirmed the password recently.
func (d *dashboard) isProven(s *session) bool { return d.Now().Sub(s.proven) < provenFor }

func (d *dashboard) showSignin(w http.ResponseWriter, r *http.Request) error {
	s, err := d.sessionOf(r)
	if err != nil {
		return err
	}
	if s != nil {
		return redirect(w, r, "/payments")
	}
	d.show(w, r, http.StatusOK, "signin", nil, view{Title: "Sign in"})
	return nil
}

const tooManyGuesses = "Too many wrong passwords. Try again in a few minutes."

func (d *dashboard) signin(w http.ResponseWriter, r *http.Request) error {
	name, password := strings.TrimSpace(r.PostFormValue("name")), r.PostFormValue("password")
	refuse := func(status int, text string) error {
		d.show(w, r, status, "signin", nil, view{Title: "Sign in", Error: text})
		return nil
	}
	id, wait, err := d.guess(r, name, password)
	switch {
	case wait > 0:
		setRetryAfter(w, wait)
		return refuse(http.StatusTooManyRequests, tooManyGuesses)
	case errors.Is(err, errBusy):
		setRetryAfter(w, busyPause)
		return refuse(http.StatusServiceUnavailable, "Too many sign-ins at the moment. Try again in a few seconds.")
	case err != nil:
		return err
	case id == 0:
		return refuse(http.StatusUnauthorized, "Name or password is wrong.")
	}
	m, err := d.Payments.Merchant(r.Context(), id)
	if err != nil {
		return err
	}
	if err := d.begin(w, r, m); err != nil {
		return err
	}
	return redirect(w, r, "/payments")
}

func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
}

// guess checks a password. It returns the merchant's id, 0 when name or password is wrong, or the time to wait before the
// next attempt. The wrong attempts that count depend on the client:
//
//   - a browser that has signed in to this merchant before: its own attempts;
//   - an address that has: attempts for this merchant from this address, and all attempts from this address;
//   - other clients: attempts for this name from all of them, and all attempts from this address.
//
// Names that exist and names that do not take the same steps in the same time.
func (d *dashboard) guess(r *http.Request, name, password string) (id int64, wait time.Duration, err error) {
	site := d.site(r)
	if device := d.deviceOf(r, name); device != "" {
		own, wait := d.recognised.begin(maxGuesses, "device", device)
		if wait > 0 {
			return 0, wait, nil
		}
		id, phc, _, err := d.passwordOf(r, name, site)
		if err == nil {
			id, err = d.verdict(r, &d.hashing.recognised, id, password, phc)
		}
		settle(own, id, err, own.forget)
		return id, 0, err
	}
	// The address is limited before the lookup.
	address, wait := d.guests.begin(maxAddressGuesses, "address", site.String())
	if wait > 0 {
		return 0, wait, nil
	}
	id, phc, returning, err := d.passwordOf(r, name, site)
	if err != nil {
		address.undo()
		return 0, 0, err
	}
	counters, queue, kind, value := d.guests, &d.hashing.guests, "name", name
	if returning {
		counters, queue, kind, value = d.recognised, &d.hashing.recognised, "address", site.String()+" "+name
	}
	own, wait := counters.begin(maxGuesses, kind, value)
	if wait > 0 {
		return 0, wait, nil
	}
	id, err = d.verdict(r, queue, id, password, phc)
	settle(address, id, err, address.undo)
	if returning {
		settle(own, id, err, own.forget)
	} else {
		settle(own, id, err, own.undo) // attempts of other clients remain counted
	}
	return id, 0, err
}

// settle ends an attempt. It calls undo unless the password was wrong.
func settle(a attempt, id int64, err error, right func()) {
	switch {
	case err != nil:
		a.undo()
	case id != 0:
		right()
	}
}

// passwordOf returns a merchant's id and password hash by name, and whether the address has signed in to the merchant
// before. It does not look up invalid names.
func (d *dashboard) passwordOf(r *http.Request, name string, site netip.Addr) (id int64, phc string, returning bool, err error) {
	if payment.CheckName("name", name, true) != nil {
		return 0, "", false, nil
	}
	return d.Payments.Password(r.Context(), d.Network, name, siteHash(site))
}

// verdict returns the id when the password matches the hash, 0 otherwise.
func (d *dashboard) verdict(r *http.Request, l *lane, id int64, password, phc string) (int64, error) {
	ok, err := checkPassword(r.Context(), l, password, phc)
	if err != nil || !ok {
		return 0, err
	}
	return id, nil
}

// showLink shows a button that uses the link, because programs that preview links send GET requests.
func (d *dashboard) showLink(w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	if len(token) > maxToken {
		return errLink
	}
	d.show(w, r, http.StatusOK, "link", nil, view{Title: "Sign in", Data: token})
	return nil
}

func (d *dashboard) takeLink(w http.ResponseWriter, r *http.Request) error {
	// The address is limited before the lookup.
	address, wait := d.guests.begin(maxAddressGuesses, "address", d.site(r).String())
	if wait > 0 {
		setRetryAfter(w, wait)
		d.show(w, r, http.StatusTooManyRequests, "failed", nil, view{Title: "Error", Error: "Too many attempts. Try again in a few minutes."})
		return nil
	}
	id, err := d.Payments.TakeLink(r.Context(), payment.HashOf(r.PostFormValue("token")))
	if err != nil {
		address.undo()
		return err
	}
	if id == 0 {
		return errLink
	}
	address.undo()
	m, err := d.Payments.Merchant(r.Context(), id)
	if err != nil {
		return err
	}
	if err := d.begin(w, r, m); err != nil {
		return err
	}
	return redirect(w, r, "/account")
}

func (d *dashboard) signout(w http.ResponseWriter, r *http.Request, s *session) error {
	if err := d.Payments.CloseSession(r.Context(), payment.HashOf(s.token)); err != nil {
		return err
	}
	d.setCookie(w, "", -time.Second)
	return redirect(w, r, "/signin")
}

func (d *dashboard) account(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showAccount(w, r, s, http.StatusOK, view{})
}

func (d *dashboard) showAccount(w http.ResponseWriter, r *http.Request, s *session, status int, v view) error {
	log, err := d.Payments.MerchantLog(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	v.Title, v.Section = "Account", "account"
	v.Data = struct {
		Proven bool
		Log    []payment.LogLine
	}{d.isProven(s), log}
	d.show(w, r, status, "account", s, v)
	return nil
}

// prove confirms the password.
func (d *dashboard) prove(w http.ResponseWriter, r *http.Request, s *session) error {
	own, wait := d.recognised.begin(maxGuesses, "session", s.token)
	if wait > 0 {
		setRetryAfter(w, wait)
		return d.showAccount(w, r, s, http.StatusTooManyRequests, view{Error: tooManyGuesses})
	}
	id, phc, _, err := d.passwordOf(r, s.merchant.Name, d.site(r))
	if err == nil {
		id, err = d.verdict(r, &d.hashing.recognised, id, r.PostFormValue("password"), phc)
	}
	settle(own, id, err, own.forget)
	if err != nil {
		return err
	}
	if id == 0 {
		return d.showAccount(w, r, s, http.StatusUnauthorized, view{Error: "The password is wrong."})
	}
	if err := d.Payments.ProveSession(r.Context(), payment.HashOf(s.token)); err != nil {
		return err
	}
	return redirect(w, r, "/webhooks")
}

// setPassword sets the password. It ends all sessions and starts a new one.
func (d *dashboard) setPassword(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.showAccount(w, r, s, http.StatusForbidden, view{Error: "Confirm your current password first."})
	}
	phc, err := hashPassword(r.Context(), &d.hashing.recognised, r.PostFormValue("password"))
	if chain.KindOf(err) == chain.Invalid && err != nil {
		return d.showAccount(w, r, s, http.StatusBadRequest, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	if err := d.Payments.SetPassword(r.Context(), s.merchant.ID, phc); err != nil {
		return err
	}
	if err := d.begin(w, r, s.merchant); err != nil {
		return err
	}
	return redirect(w, r, "/webhooks")
}

// setReceiving sets the default wallet and the accepted assets.
func (d *dashboard) setReceiving(w http.ResponseWriter, r *http.Request, s *session) error {
	refuse := func(err error) error {
		return d.showAccount(w, r, s, http.StatusBadRequest, view{Error: chain.PublicMessage(err)})
	}
	text := strings.TrimSpace(r.PostFormValue("wallet"))
	if text != "" {
		if _, err := chain.ParseAddress(text); err != nil {
			return refuse(err)
		}
	}
	var assets []string
	for name := range strings.FieldsSeq(r.PostFormValue("assets")) {
		asset, err := payment.ParseAssetName(name)
		if err != nil {
			return refuse(err)
		}
		assets = append(assets, asset)
	}
	s.merchant.Wallet, s.merchant.Assets = text, assets
	if err := d.Payments.UpdateMerchant(r.Context(), s.merchant); err != nil {
		return err
	}
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "default wallet or assets changed"); err != nil {
		return err
	}
	return redirect(w, r, "/account")
}
