package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

func (d *dashboard) showKeys(w http.ResponseWriter, r *http.Request, s *session, status int, fresh string, v view) error {
	list, err := d.Payments.MerchantKeys(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	v.Title, v.Section = "API keys", "keys"
	v.Data = struct {
		List  []payment.Key
		Fresh string
	}{list, fresh}
	d.show(w, r, status, "keys", s, v)
	return nil
}

func (d *dashboard) keys(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showKeys(w, r, s, http.StatusOK, "", view{})
}

func (d *dashboard) createKey(w http.ResponseWriter, r *http.Request, s *session) error {
	label := strings.TrimSpace(r.PostFormValue("label"))
	if err := payment.CheckName("name", label, true); err != nil {
		return d.showKeys(w, r, s, http.StatusBadRequest, "", view{Error: chain.PublicMessage(err)})
	}
	if err := d.admit(s, "key", maxMade); err != nil {
		return err
	}
	key, hash, hint := payment.NewKey()
	_, err := d.Payments.CreateMerchantKey(r.Context(), s.merchant.ID, hash, hint, label)
	if isInvalid(err) {
		return d.showKeys(w, r, s, http.StatusBadRequest, "", view{Error: chain.PublicMessage(err)})
	}
	if err != nil {
		return err
	}
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "API key "+hint+"… created"); err != nil {
		return err
	}
	return d.showKeys(w, r, s, http.StatusOK, key, view{})
}

// isInvalid reports errors that are caused by the input of a form.
func isInvalid(err error) bool { return err != nil && chain.KindOf(err) == chain.Invalid }

func (d *dashboard) revokeKey(w http.ResponseWriter, r *http.Request, s *session) error {
	id, err := strconv.ParseInt(r.PostFormValue("id"), 10, 64)
	if err != nil {
		return notYours("key")
	}
	if err := d.Payments.RevokeMerchantKey(r.Context(), s.merchant.ID, id); err != nil {
		return err
	}
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "API key "+strconv.FormatInt(id, 10)+" revoked"); err != nil {
		return err
	}
	return d.showKeys(w, r, s, http.StatusOK, "", view{Message: "The key is revoked."})
}
