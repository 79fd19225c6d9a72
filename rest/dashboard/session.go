package dashboard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
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
	// provenFor is how long after signing in a person may see secrets without giving the password again.
	provenFor = 10 * time.Minute
)

// session is who is signed in.
type session struct {
	token    string
	merchant *payment.Merchant
	proven   time.Time
}

// csrf is the token that forms of this session carry. It tells nothing of the session's own.
func (s *session) csrf() string {
	h := hmac.New(sha256.New, []byte(s.token))
	h.Write([]byte("form"))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// cookieName is bound to this host by browsers when it is secure.
func (d *door) cookieName() string {
	if d.Local {
		return "tonql_session"
	}
	return "__Host-tonql_session"
}

func (d *door) setCookie(w http.ResponseWriter, token string, age time.Duration) {
	//nolint:gosec // a local chain is served without TLS, where a Secure cookie would not come back
	http.SetCookie(w, &http.Cookie{
		Name: d.cookieName(), Value: token, Path: "/", HttpOnly: true, Secure: !d.Local, SameSite: http.SameSiteLaxMode,
		MaxAge: int(age.Seconds()),
	})
}

// begin signs a merchant in under a new token; one that the browser brought counts no longer.
func (d *door) begin(w http.ResponseWriter, r *http.Request, merchant int64) error {
	if old, err := r.Cookie(d.cookieName()); err == nil && old.Value != "" {
		if err := d.Payments.CloseSession(r.Context(), payment.HashOf(old.Value)); err != nil {
			return err
		}
	}
	token := payment.NewToken()
	if err := d.Payments.OpenSession(r.Context(), payment.HashOf(token), merchant, false, sessionLives); err != nil {
		return err
	}
	d.setCookie(w, token, sessionLives)
	return nil
}

// signedIn lets those in who are signed in. Forms must carry the session's token.
func (d *door) signedIn(fn func(http.ResponseWriter, *http.Request, *session) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := d.sessionOf(r)
		if err != nil {
			return err
		}
		if s == nil {
			return redirect(w, r, "/signin")
		}
		if r.Method != http.MethodGet && !hmac.Equal([]byte(r.PostFormValue("csrf")), []byte(s.csrf())) {
			d.show(w, r, http.StatusForbidden, "failed", s, view{Title: "That did not work", Error: "This form is not of your session. Go back, reload the page and try again."})
			return nil
		}
		if err := handler.CheckValues(r.PostForm); err != nil {
			return err
		}
		return fn(w, r, s)
	}
}

func (d *door) sessionOf(r *http.Request) (*session, error) {
	cookie, err := r.Cookie(d.cookieName())
	if err != nil || cookie.Value == "" {
		return nil, nil //nolint:nilnil // nobody is signed in
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

// isProven says that the person proved to be the merchant not long ago.
func (d *door) isProven(s *session) bool { return d.Now().Sub(s.proven) < provenFor }

func (d *door) showSignin(w http.ResponseWriter, r *http.Request) error {
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

// clientAddress is whose guesses are counted together: the same address that the other doors limit.
func (d *door) clientAddress(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr // a Unix socket: all its clients are one
	}
	return access.ClientOf(peer.Addr(), r.Header.Values("X-Forwarded-For"), d.Proxies).String()
}

func (d *door) signin(w http.ResponseWriter, r *http.Request) error {
	name, password := strings.TrimSpace(r.PostFormValue("name")), r.PostFormValue("password")
	refuse := func(status int, text string) error {
		d.show(w, r, status, "signin", nil, view{Title: "Sign in", Error: text})
		return nil
	}
	address := d.clientAddress(r)
	if wait := d.throttle.wait(name, address); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
		return refuse(http.StatusTooManyRequests, "Too many wrong passwords. Try again in a few minutes.")
	}
	id, phc, err := d.Payments.Password(r.Context(), d.Network, name)
	if err != nil {
		return err
	}
	ok, err := checkPassword(r.Context(), password, phc)
	if err != nil {
		return err
	}
	if !ok {
		d.throttle.fail(name, address)
		return refuse(http.StatusUnauthorized, "Name or password is wrong.")
	}
	d.throttle.well(name)
	if err := d.begin(w, r, id); err != nil {
		return err
	}
	return redirect(w, r, "/payments")
}

// showLink asks to press a button, since programs that look at links in messages would use them up.
func (d *door) showLink(w http.ResponseWriter, r *http.Request) error {
	d.show(w, r, http.StatusOK, "link", nil, view{Title: "Sign in", Data: r.URL.Query().Get("token")})
	return nil
}

func (d *door) takeLink(w http.ResponseWriter, r *http.Request) error {
	id, err := d.Payments.TakeLink(r.Context(), payment.HashOf(r.PostFormValue("token")))
	if err != nil {
		return err
	}
	if id == 0 {
		return chain.Invalidf("this link was used already, or is too old; ask for a new one")
	}
	if err := d.begin(w, r, id); err != nil {
		return err
	}
	return redirect(w, r, "/account")
}

func (d *door) signout(w http.ResponseWriter, r *http.Request, s *session) error {
	if err := d.Payments.CloseSession(r.Context(), payment.HashOf(s.token)); err != nil {
		return err
	}
	d.setCookie(w, "", -time.Second)
	return redirect(w, r, "/signin")
}

func (d *door) account(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showAccount(w, r, s, http.StatusOK, view{})
}

func (d *door) showAccount(w http.ResponseWriter, r *http.Request, s *session, status int, v view) error {
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

// prove takes the password again.
func (d *door) prove(w http.ResponseWriter, r *http.Request, s *session) error {
	name, address := s.merchant.Name, d.clientAddress(r)
	if d.throttle.wait(name, address) > 0 {
		return d.showAccount(w, r, s, http.StatusTooManyRequests, view{Error: "Too many wrong passwords. Try again in a few minutes."})
	}
	_, phc, err := d.Payments.Password(r.Context(), d.Network, name)
	if err != nil {
		return err
	}
	ok, err := checkPassword(r.Context(), r.PostFormValue("password"), phc)
	if err != nil {
		return err
	}
	if !ok {
		d.throttle.fail(name, address)
		return d.showAccount(w, r, s, http.StatusUnauthorized, view{Error: "The password is wrong."})
	}
	if err := d.Payments.ProveSession(r.Context(), payment.HashOf(s.token)); err != nil {
		return err
	}
	return redirect(w, r, "/webhooks")
}

// setPassword chooses a password. It ends all sessions, this one too, and begins a new one.
func (d *door) setPassword(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.showAccount(w, r, s, http.StatusForbidden, view{Error: "Confirm your present password first."})
	}
	phc, err := hashPassword(r.Context(), r.PostFormValue("password"))
	if chain.KindOf(err) == chain.Invalid && err != nil {
		return d.showAccount(w, r, s, http.StatusBadRequest, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	if err := d.Payments.SetPassword(r.Context(), s.merchant.ID, phc); err != nil {
		return err
	}
	if err := d.begin(w, r, s.merchant.ID); err != nil {
		return err
	}
	return redirect(w, r, "/webhooks")
}

// setReceiving changes the wallet that payments go to which name none, and what may be paid with.
func (d *door) setReceiving(w http.ResponseWriter, r *http.Request, s *session) error {
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
