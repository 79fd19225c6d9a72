package dashboard

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/rest/qr"
)

const (
	wrongCode    = "The code is wrong, or was used already. Wait for the next one."
	tooManyCodes = "Too many wrong codes. Try again later."
	// ticketLives is the time for entering the code after the password.
	ticketLives = 5 * time.Minute
	ticketOwner = "second step of signing in"
	maxTicket   = 400
	maxCode     = 40
)

// proceed signs an account in after its password or link, or shows the form for the code of its second factor.
func (d *dashboard) proceed(w http.ResponseWriter, r *http.Request, found account, next string) error {
	_, confirmed, err := d.Payments.TOTP(r.Context(), found.merchant, found.member)
	if err != nil {
		return err
	}
	if confirmed {
		return d.showCode(w, r, http.StatusOK, d.ticket(found, next), "")
	}
	return d.enter(w, r, found, next)
}

// enter starts the session.
func (d *dashboard) enter(w http.ResponseWriter, r *http.Request, found account, next string) error {
	m, err := d.Payments.Merchant(r.Context(), found.merchant)
	if err != nil {
		return err
	}
	if m.Network != d.Network {
		return errLink
	}
	var member *payment.Member
	if found.member != 0 {
		if member, err = d.Payments.Member(r.Context(), found.merchant, found.member); err != nil {
			return err
		}
	}
	token, err := d.begin(w, r, m, member)
	if err != nil {
		return err
	}
	if ended, err := d.endChanged(r, m, member, found.password, token); err != nil || ended {
		d.setCookie(w, r, "", -time.Second)
		if err != nil {
			return err
		}
		d.show(w, r, http.StatusUnauthorized, "signin", nil, view{Title: "Sign in", Error: "The password was changed. Sign in again."})
		return nil
	}
	return redirect(w, r, next)
}

// endChanged ends a session that was begun with a password which is not that of the account any more. A new password ends the sessions of the
// account; this one begins behind it when the earlier password was checked before, which takes a while among many attempts.
func (d *dashboard) endChanged(r *http.Request, m *payment.Merchant, member *payment.Member, password chain.Hash, token string) (ended bool, err error) {
	if password == (chain.Hash{}) {
		return false, nil
	}
	l := login{merchant: m.Name}
	if member != nil {
		l.member = member.Name
	}
	_, phc, _, err := d.passwordOf(r, l, d.site(r))
	if err == nil && payment.HashOf(phc) == password {
		return false, nil
	}
	return true, errors.Join(err, d.close(r, token))
}

// ticket proves the first step of signing in to the second. It is sealed, so that nobody can make one.
func (d *dashboard) ticket(of account, next string) string {
	plain := strings.Join([]string{
		strconv.FormatInt(of.merchant, 10), strconv.FormatInt(of.member, 10), strconv.FormatInt(d.Now().Unix(), 10), of.password.Hex(), next,
	}, " ")
	return base64.RawURLEncoding.EncodeToString(d.Vault.Seal(plain, ticketOwner+" "+d.Network))
}

// readTicket returns the account of a valid ticket, none for another text.
func (d *dashboard) readTicket(text string) (of account, next string) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(text) > maxTicket {
		return account{}, ""
	}
	plain, err := d.Vault.Open(sealed, ticketOwner+" "+d.Network)
	if err != nil {
		return account{}, ""
	}
	fields := strings.Split(plain, " ")
	if len(fields) != 5 {
		return account{}, ""
	}
	password, err := chain.ParseHash(fields[3])
	if err != nil {
		return account{}, ""
	}
	var numbers [3]int64
	for i := range numbers {
		if numbers[i], err = strconv.ParseInt(fields[i], 10, 64); err != nil {
			return account{}, ""
		}
	}
	// One that is as far in the future was made before the clock was set back.
	if age := d.Now().Sub(time.Unix(numbers[2], 0)); age.Abs() > ticketLives {
		return account{}, ""
	}
	return account{numbers[0], numbers[1], password}, fields[4]
}

func (d *dashboard) showCode(w http.ResponseWriter, r *http.Request, status int, ticket, problem string) error {
	d.show(w, r, status, "code", nil, view{Title: "Enter a code", Error: problem, Data: ticket})
	return nil
}

// enterCode is the second step of signing in. The ticket proves the first one, and the database counts wrong codes, so the attempts of
// others at the client's address do not count here.
func (d *dashboard) enterCode(w http.ResponseWriter, r *http.Request) error {
	ticket := r.PostFormValue("ticket")
	of, next := d.readTicket(ticket)
	if of.merchant == 0 {
		d.show(w, r, http.StatusUnauthorized, "signin", nil, view{Title: "Sign in", Error: "Too much time has passed. Sign in again."})
		return nil
	}
	done, err := d.slots.Acquire(r.Context(), of.merchant)
	if err != nil {
		setRetryAfter(w, busyPause)
		return err
	}
	defer done()
	ok, wait, err := d.checkCode(r, of, r.PostFormValue("code"))
	switch {
	case err != nil:
		return err
	case wait > 0:
		setRetryAfter(w, wait)
		return d.showCode(w, r, http.StatusTooManyRequests, ticket, tooManyCodes)
	case !ok:
		return d.showCode(w, r, http.StatusUnauthorized, ticket, wrongCode)
	}
	return d.enter(w, r, of, next)
}

// checkCode checks a one-time password or a recovery code. The database counts attempts.
func (d *dashboard) checkCode(r *http.Request, of account, code string) (ok bool, wait time.Duration, err error) {
	if len(code) > maxCode {
		code = ""
	}
	if payment.IsRecoveryCode(code) {
		return d.Payments.TakeRecovery(r.Context(), of.merchant, of.member, payment.RecoveryHash(code))
	}
	return d.Payments.TryTOTP(r.Context(), of.merchant, of.member, func(sealed []byte, last int64) (int64, bool, error) {
		secret, err := d.Vault.Open(sealed, payment.TOTPOwner(of.merchant, of.member))
		if err != nil {
			return 0, false, err
		}
		step, ok := payment.CheckTOTP(secret, code, last, d.Now())
		return step, ok, nil
	})
}

// addTOTP shows the secret of a new second factor, which a first code confirms.
func (d *dashboard) addTOTP(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your password to set up a second factor.")
	}
	secret := payment.NewTOTPSecret()
	err := d.Payments.AddTOTP(r.Context(), s.merchant.ID, s.member.ID, d.Vault.Seal(secret, payment.TOTPOwner(s.merchant.ID, s.member.ID)))
	if isInvalid(err) {
		return d.showAccount(w, r, s, http.StatusBadRequest, accountView{}, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	return d.showSecret(w, r, s, http.StatusOK, secret, "")
}

func (d *dashboard) showSecret(w http.ResponseWriter, r *http.Request, s *session, status int, secret, problem string) error {
	name := s.merchant.Name
	if s.member.Name != "" {
		name += " / " + s.member.Name
	}
	code, err := qr.SVG(payment.TOTPURL(secret, "tonql "+d.Network, name), "QR code for an authenticator app")
	if err != nil {
		return err
	}
	return d.showAccount(w, r, s, status, accountView{Secret: secret, QR: code}, view{Error: problem})
}

// confirmTOTP turns a second factor on. Other sessions of the account end, and this one gets a new token.
func (d *dashboard) confirmTOTP(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your password to set up a second factor.")
	}
	of := account{merchant: s.merchant.ID, member: s.member.ID}
	sealed, confirmed, err := d.Payments.TOTP(r.Context(), of.merchant, of.member)
	if err != nil {
		return err
	}
	if sealed == nil || confirmed {
		return redirect(w, r, "/account")
	}
	code := r.PostFormValue("code")
	ok, wait := false, time.Duration(0)
	if !payment.IsRecoveryCode(code) {
		if ok, wait, err = d.checkCode(r, of, code); err != nil {
			return err
		}
	}
	if wait > 0 {
		setRetryAfter(w, wait)
		return d.showAccount(w, r, s, http.StatusTooManyRequests, accountView{}, view{Error: tooManyCodes})
	}
	if !ok {
		secret, err := d.Vault.Open(sealed, payment.TOTPOwner(of.merchant, of.member))
		if err != nil {
			return err
		}
		return d.showSecret(w, r, s, http.StatusUnauthorized, secret, wrongCode)
	}
	if err := d.Payments.NoteMerchant(r.Context(), of.merchant, "second factor added"); err != nil {
		return err
	}
	if s.token, err = d.renew(w, r, s); err != nil {
		return err
	}
	if err := d.Payments.EndOtherSessions(r.Context(), of.merchant, of.member, payment.HashOf(s.token)); err != nil {
		return err
	}
	return d.freshCodes(w, r, s, "The second factor is on. It is needed at the next sign-in.")
}

// freshCodes replaces the recovery codes and shows the new ones.
func (d *dashboard) freshCodes(w http.ResponseWriter, r *http.Request, s *session, message string) error {
	codes, hashes := payment.NewRecoveryCodes()
	if err := d.Payments.SetRecovery(r.Context(), s.merchant.ID, s.member.ID, hashes); err != nil {
		return err
	}
	return d.showAccount(w, r, s, http.StatusOK, accountView{Codes: codes}, view{Message: message})
}

// newCodes replaces the recovery codes of a second factor.
func (d *dashboard) newCodes(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your password to make new recovery codes.")
	}
	if _, confirmed, err := d.Payments.TOTP(r.Context(), s.merchant.ID, s.member.ID); err != nil || !confirmed {
		if err != nil {
			return err
		}
		return redirect(w, r, "/account")
	}
	return d.freshCodes(w, r, s, "The earlier recovery codes are not valid any more.")
}

// removeTOTP turns the second factor of the session's account off. Other sessions end, and this one gets a new token.
func (d *dashboard) removeTOTP(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your password to remove the second factor.")
	}
	if err := d.Payments.RemoveTOTP(r.Context(), s.merchant.ID, s.member.ID); err != nil {
		return err
	}
	token, err := d.renew(w, r, s)
	if err != nil {
		return err
	}
	if err := d.Payments.EndOtherSessions(r.Context(), s.merchant.ID, s.member.ID, payment.HashOf(token)); err != nil {
		return err
	}
	return redirect(w, r, "/account")
}
