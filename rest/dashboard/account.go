package dashboard

import (
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

func (d *dashboard) account(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showAccount(w, r, s, http.StatusOK, accountView{}, view{})
}

// accountView has what the page of the account shows besides what the session has.
type accountView struct {
	Proven   bool
	TOTP     bool // a second factor is confirmed
	Unused   int  // recovery codes
	HasLogin bool
	Next     string // page to return to after confirming the password
	Log      []payment.LogLine
	// The wallet and the assets that the form has, one asset in a line: those of the merchant, or what was refused.
	Wallet, Assets string
	Refused        bool
	// A second factor that waits for its first code.
	Secret string
	QR     template.HTML
	// Recovery codes, shown once.
	Codes []string
}

func (d *dashboard) showAccount(w http.ResponseWriter, r *http.Request, s *session, status int, a accountView, v view) error {
	var err error
	if _, a.TOTP, err = d.Payments.TOTP(r.Context(), s.merchant.ID, s.member.ID); err != nil {
		return err
	}
	if a.TOTP {
		if a.Unused, err = d.Payments.Recovery(r.Context(), s.merchant.ID, s.member.ID); err != nil {
			return err
		}
	}
	if a.Log, err = d.Payments.MerchantLog(r.Context(), s.merchant.ID); err != nil {
		return err
	}
	a.Proven, a.HasLogin = d.isProven(s), s.merchant.HasLogin
	if s.member.ID != 0 {
		a.HasLogin = s.member.HasLogin
	}
	if !a.Refused {
		a.Wallet, a.Assets = s.merchant.Wallet, strings.Join(s.merchant.Assets, "\n")
	}
	v.Title, v.Section, v.Data = "Account", "account", a
	d.show(w, r, status, "account", s, v)
	return nil
}

// confirmFirst shows the form that confirms the password, before an action that needs it. The user returns to next.
func (d *dashboard) confirmFirst(w http.ResponseWriter, r *http.Request, s *session, next, why string) error {
	return d.showAccount(w, r, s, http.StatusForbidden, accountView{Next: next}, view{Error: why})
}

// pathForm are the pages that a form may return to.
var pathForm = regexp.MustCompile(`^/[a-z]*(/[0-9]{1,19})?$`)

// prove confirms the password and, if there is one, the second factor.
func (d *dashboard) prove(w http.ResponseWriter, r *http.Request, s *session) error {
	next := r.PostFormValue("next")
	if !pathForm.MatchString(next) {
		next = "/webhooks"
	}
	refuse := func(status int, text string) error {
		return d.showAccount(w, r, s, status, accountView{Next: next}, view{Error: text})
	}
	own, wait := d.recognised.begin(maxGuesses, "session", s.token)
	if wait > 0 {
		setRetryAfter(w, wait)
		return refuse(http.StatusTooManyRequests, tooManyGuesses)
	}
	found, phc, _, err := d.passwordOf(r, s.login(), d.site(r))
	if err == nil {
		found, err = d.verdict(r, &d.hashing.recognised, found, r.PostFormValue("password"), phc)
	}
	settle(own, found.merchant, err, own.forget)
	if err != nil {
		return err
	}
	if found.merchant == 0 {
		return refuse(http.StatusUnauthorized, "The password is wrong.")
	}
	if _, confirmed, err := d.Payments.TOTP(r.Context(), found.merchant, found.member); err != nil {
		return err
	} else if confirmed {
		ok, wait, err := d.checkCode(r, found, r.PostFormValue("code"))
		switch {
		case err != nil:
			return err
		case wait > 0:
			setRetryAfter(w, wait)
			return refuse(http.StatusTooManyRequests, tooManyCodes)
		case !ok:
			return refuse(http.StatusUnauthorized, wrongCode)
		}
	}
	token := payment.HashOf(s.token)
	if s.member.ID == 0 {
		err = d.Payments.ProveSession(r.Context(), token)
	} else {
		err = d.Payments.ProveMemberSession(r.Context(), token)
	}
	if err != nil {
		return err
	}
	return redirect(w, r, next)
}

// setPassword sets the password. It ends all sessions of the account and starts a new one.
func (d *dashboard) setPassword(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your current password first.")
	}
	phc, err := hashPassword(r.Context(), &d.hashing.recognised, r.PostFormValue("password"))
	if isInvalid(err) {
		return d.showAccount(w, r, s, http.StatusBadRequest, accountView{}, view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	if s.member.ID == 0 {
		err = d.Payments.SetPassword(r.Context(), s.merchant.ID, phc)
	} else {
		err = d.Payments.SetMemberPassword(r.Context(), &s.member, phc)
	}
	if err != nil {
		return err
	}
	if _, err := d.renew(w, r, s); err != nil {
		return err
	}
	return redirect(w, r, "/")
}

// setReceiving sets the default wallet and the accepted assets. It needs a recently confirmed password: who changes the wallet gets all
// further payments.
func (d *dashboard) setReceiving(w http.ResponseWriter, r *http.Request, s *session) error {
	if !d.isProven(s) {
		return d.confirmFirst(w, r, s, "/account", "Confirm your password to change the wallet or the assets.")
	}
	refuse := func(err error) error {
		given := accountView{Wallet: r.PostFormValue("wallet"), Assets: r.PostFormValue("assets"), Refused: true}
		return d.showAccount(w, r, s, http.StatusBadRequest, given, view{Error: chain.PublicMessage(err)})
	}
	text := strings.TrimSpace(r.PostFormValue("wallet"))
	if text != "" {
		if _, err := payment.ParseWallet(text); err != nil {
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
	return d.showAccount(w, r, s, http.StatusOK, accountView{}, view{Message: "Saved."})
}
