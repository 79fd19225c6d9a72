package dashboard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
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

// session is a signed-in merchant or member.
type session struct {
	token    string
	merchant *payment.Merchant
	member   payment.Member // with ID 0 for the merchant's own account
	proven   time.Time
	free     func() // gives the slots of the request back
}

// owner is the key of the account in limits of accounts.
func (s *session) owner() int64 {
	if s.member.ID == 0 {
		return -s.merchant.ID
	}
	return s.member.ID
}

// occupy waits for the slots in which a request of a session uses the database. s.free gives them back.
func (d *dashboard) occupy(ctx context.Context, s *session) error {
	s.free = func() {}
	own, err := d.accounts.Acquire(ctx, s.owner())
	if err != nil {
		return err
	}
	shared, err := d.slots.Acquire(ctx, s.merchant.ID)
	if err != nil {
		own()
		return err
	}
	s.free = sync.OnceFunc(func() { shared(); own() })
	return nil
}

// login is what identifies an account at sign-in.
type login struct{ merchant, member string } // member is empty for the merchant's own account

// key identifies the account in counters and cookies.
func (l login) key() string {
	if l.member == "" {
		return l.merchant
	}
	return l.merchant + "\x00" + l.member
}

// login returns the account of the session.
func (s *session) login() login { return login{s.merchant.Name, s.member.Name} }

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

func (d *dashboard) setCookie(w http.ResponseWriter, r *http.Request, token string, age time.Duration) {
	d.writeCookie(w, r, d.cookieName(), token, age)
}

func (d *dashboard) writeCookie(w http.ResponseWriter, r *http.Request, name, value string, age time.Duration) {
	//nolint:gosec // a local chain may be served without TLS, where a Secure cookie would not come back
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", HttpOnly: true, Secure: !d.Local || handler.Secure(r, d.Proxies, d.Origin), SameSite: http.SameSiteLaxMode,
		MaxAge: int(age.Seconds()),
	})
}

// memberToken is the prefix of the tokens of members, whose sessions are stored apart.
const memberToken = "m."

// begin signs an account in with a new token and revokes the token that the browser sent. Browser and client address are
// recognised from then on. The member is nil for the merchant's own account.
func (d *dashboard) begin(w http.ResponseWriter, r *http.Request, m *payment.Merchant, member *payment.Member) (token string, err error) {
	if old, err := r.Cookie(d.cookieName()); err == nil && old.Value != "" {
		if err := d.close(r, old.Value); err != nil {
			return "", err
		}
	}
	l := login{merchant: m.Name}
	token = payment.NewToken()
	if member == nil {
		err = d.Payments.OpenSession(r.Context(), payment.HashOf(token), m.ID, false, sessionLives)
	} else {
		l.member, token = member.Name, memberToken+token
		err = d.Payments.OpenMemberSession(r.Context(), payment.HashOf(token), member, false, sessionLives)
	}
	if err != nil {
		return "", err
	}
	if site := d.site(r); site.IsValid() {
		if err := d.Payments.RememberAddress(r.Context(), m.ID, siteHash(site, l.member)); err != nil {
			return "", err
		}
	}
	d.setCookie(w, r, token, sessionLives)
	d.setDevice(w, r, l.key())
	return token, nil
}

// renew replaces the session of a user by one with a new token.
func (d *dashboard) renew(w http.ResponseWriter, r *http.Request, s *session) (token string, err error) {
	if s.member.ID == 0 {
		return d.begin(w, r, s.merchant, nil)
	}
	return d.begin(w, r, s.merchant, &s.member)
}

// close ends the session of a token.
func (d *dashboard) close(r *http.Request, token string) error {
	if strings.HasPrefix(token, memberToken) {
		return d.Payments.CloseMemberSession(r.Context(), payment.HashOf(token))
	}
	return d.Payments.CloseSession(r.Context(), payment.HashOf(token))
}

// site returns the client address by which attempts are counted, as the APIs count requests.
func (d *dashboard) site(r *http.Request) netip.Addr {
	return access.Site(handler.Client(r, d.Proxies))
}

// siteHash is the form in which the database stores an address from which an account was used.
func siteHash(site netip.Addr, member string) chain.Hash {
	text := "address " + site.String()
	if member != "" {
		text += " " + member
	}
	return payment.HashOf(text)
}

// signedIn requires a session of a role. Forms must carry its CSRF token.
func (d *dashboard) signedIn(need payment.Role, fn func(http.ResponseWriter, *http.Request, *session) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		s, err := d.sessionOf(r)
		if err != nil {
			return err
		}
		if s == nil {
			return redirect(w, r, "/signin")
		}
		if s.member.Role < need {
			d.show(w, r, http.StatusForbidden, "failed", s, view{Title: "Error", Error: "Your role, " + s.member.Role.String() + ", does not permit this. It needs the role " + need.String() + "."})
			return nil
		}
		if err := readForm(w, r, maxForm); err != nil {
			return err
		}
		if err := d.occupy(r.Context(), s); err != nil {
			setRetryAfter(w, busyPause)
			return err
		}
		defer func() { s.free() }()
		r = r.WithContext(payments.As(r.Context(), s.member.Name))
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
	s := &session{token: cookie.Value, member: payment.Member{Role: payment.RoleOwner}}
	if strings.HasPrefix(cookie.Value, memberToken) {
		member, proven, err := d.Payments.MemberSession(r.Context(), payment.HashOf(cookie.Value))
		if err != nil || member == nil {
			return nil, err
		}
		s.member, s.proven = *member, proven
	} else if s.member.Merchant, s.proven, err = d.Payments.Session(r.Context(), payment.HashOf(cookie.Value)); err != nil || s.member.Merchant == 0 {
		return nil, err
	}
	if s.merchant, err = d.Payments.Merchant(r.Context(), s.member.Merchant); err != nil || s.merchant.Network != d.Network {
		return nil, err
	}
	return s, nil
}

// isProven reports whether the user confirmed the password recently.
func (d *dashboard) isProven(s *session) bool { return d.Now().Sub(s.proven) < provenFor }

func (d *dashboard) showSignin(w http.ResponseWriter, r *http.Request) error {
	s, err := d.sessionOf(r)
	if err != nil {
		return err
	}
	if s != nil {
		return redirect(w, r, "/")
	}
	d.show(w, r, http.StatusOK, "signin", nil, view{Title: "Sign in"})
	return nil
}

const tooManyGuesses = "Too many wrong passwords. Try again in a few minutes."

func (d *dashboard) signin(w http.ResponseWriter, r *http.Request) error {
	l := login{strings.TrimSpace(r.PostFormValue("name")), strings.TrimSpace(r.PostFormValue("member"))}
	refuse := func(status int, text string) error {
		d.show(w, r, status, "signin", nil, view{Title: "Sign in", Error: text})
		return nil
	}
	found, wait, err := d.guess(r, l, r.PostFormValue("password"))
	switch {
	case wait > 0:
		setRetryAfter(w, wait)
		return refuse(http.StatusTooManyRequests, tooManyGuesses)
	case errors.Is(err, errBusy):
		setRetryAfter(w, busyPause)
		return refuse(http.StatusServiceUnavailable, "Too many sign-ins at the moment. Try again in a few seconds.")
	case err != nil:
		return err
	case found.merchant == 0:
		return refuse(http.StatusUnauthorized, "Name or password is wrong.")
	}
	return d.proceed(w, r, found, "/")
}

func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
}

// account is an account by its ids; merchant is 0 for none, member for the merchant's own account.
type account struct {
	merchant, member int64
	// password is the hash of the text of the password that was checked; zero when none was.
	password chain.Hash
}

// guess checks a password. It returns the account, none when name or password is wrong, or the time to wait before the
// next attempt. The wrong attempts that count depend on the client:
//
//   - a browser that has signed in to this merchant before: its own attempts;
//   - an address that has: attempts for this merchant from this address, and all attempts from this address;
//   - other clients: attempts for this name from all of them, and all attempts from this address.
//
// Names that exist and names that do not take the same steps in the same time.
func (d *dashboard) guess(r *http.Request, l login, password string) (found account, wait time.Duration, err error) {
	site := d.site(r)
	if device := d.deviceOf(r, l.key()); device != "" {
		own, wait := d.recognised.begin(maxGuesses, "device", device)
		if wait > 0 {
			return account{}, wait, nil
		}
		found, phc, _, err := d.passwordOf(r, l, site)
		if err == nil {
			found, err = d.verdict(r, &d.hashing.recognised, found, password, phc)
		}
		settle(own, found.merchant, err, own.forget)
		return found, 0, err
	}
	// The address is limited before the lookup.
	address, wait := d.guests.begin(maxAddressGuesses, "address", site.String())
	if wait > 0 {
		return account{}, wait, nil
	}
	found, phc, returning, err := d.passwordOf(r, l, site)
	if err != nil {
		address.undo()
		return account{}, 0, err
	}
	counters, queue, kind, value := d.guests, &d.hashing.guests, "name", l.key()
	if returning {
		counters, queue, kind, value = d.recognised, &d.hashing.recognised, "address", site.String()+" "+l.key()
	}
	own, wait := counters.begin(maxGuesses, kind, value)
	if wait > 0 {
		return account{}, wait, nil
	}
	found, err = d.verdict(r, queue, found, password, phc)
	settle(address, found.merchant, err, address.undo)
	if returning {
		settle(own, found.merchant, err, own.forget)
	} else {
		settle(own, found.merchant, err, own.undo) // attempts of other clients remain counted
	}
	return found, 0, err
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

// passwordOf returns an account and its password hash by name, and whether the address has signed in to the account
// before. It does not look up invalid names.
func (d *dashboard) passwordOf(r *http.Request, l login, site netip.Addr) (found account, phc string, returning bool, err error) {
	if payment.CheckName("name", l.merchant, true) != nil || payment.CheckName("name", l.member, false) != nil {
		return account{}, "", false, nil
	}
	if l.member == "" {
		found.merchant, phc, returning, err = d.Payments.Password(r.Context(), d.Network, l.merchant, siteHash(site, ""))
	} else {
		found.merchant, found.member, phc, returning, err = d.Payments.MemberPassword(r.Context(), d.Network, l.merchant, l.member, siteHash(site, l.member))
	}
	return found, phc, returning, err
}

// verdict returns the account when the password matches the hash, none otherwise.
func (d *dashboard) verdict(r *http.Request, l *lane, found account, password, phc string) (account, error) {
	if l == &d.hashing.recognised && found.merchant != 0 {
		done, err := d.checks.Acquire(r.Context(), found.merchant)
		if errors.Is(err, handler.ErrSlots) {
			return account{}, errBusy
		}
		if err != nil {
			return account{}, err
		}
		defer done()
	}
	ok, err := checkPassword(r.Context(), l, password, phc)
	if err != nil || !ok {
		return account{}, err
	}
	found.password = payment.HashOf(phc)
	return found, nil
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
	token := r.PostFormValue("token")
	var found account
	var err error
	if strings.HasPrefix(token, memberToken) {
		found.merchant, found.member, err = d.Payments.TakeMemberLink(r.Context(), payment.HashOf(token))
	} else {
		found.merchant, err = d.Payments.TakeLink(r.Context(), payment.HashOf(token))
	}
	if err != nil {
		address.undo()
		return err
	}
	if found.merchant == 0 {
		return errLink
	}
	address.undo()
	return d.proceed(w, r, found, "/account")
}

func (d *dashboard) signout(w http.ResponseWriter, r *http.Request, s *session) error {
	if err := d.close(r, s.token); err != nil {
		return err
	}
	d.setCookie(w, r, "", -time.Second)
	return redirect(w, r, "/signin")
}
