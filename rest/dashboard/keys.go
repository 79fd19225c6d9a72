package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// mostKeys bounds the valid keys of a merchant.
const mostKeys = 20

func (d *door) showKeys(w http.ResponseWriter, r *http.Request, s *session, status int, fresh string, v view) error {
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

func (d *door) keys(w http.ResponseWriter, r *http.Request, s *session) error {
	return d.showKeys(w, r, s, http.StatusOK, "", view{})
}

func (d *door) createKey(w http.ResponseWriter, r *http.Request, s *session) error {
	label := strings.TrimSpace(r.PostFormValue("label"))
	if err := payment.CheckName("name", label, true); err != nil {
		return d.showKeys(w, r, s, http.StatusBadRequest, "", view{Error: chain.PublicMessage(err)})
	}
	list, err := d.Payments.MerchantKeys(r.Context(), s.merchant.ID)
	if err != nil {
		return err
	}
	valid := 0
	for _, k := range list {
		if k.RevokedAt == nil {
			valid++
		}
	}
	if valid >= mostKeys {
		return d.showKeys(w, r, s, http.StatusBadRequest, "", view{Error: "There are " + strconv.Itoa(valid) + " keys already: revoke one first."})
	}
	key, hash, hint := payment.NewKey()
	if _, err := d.Payments.CreateMerchantKey(r.Context(), s.merchant.ID, hash, hint, label); err != nil {
		return err
	}
	if err := d.Payments.NoteMerchant(r.Context(), s.merchant.ID, "API key "+hint+"… created"); err != nil {
		return err
	}
	return d.showKeys(w, r, s, http.StatusOK, key, view{})
}

func (d *door) revokeKey(w http.ResponseWriter, r *http.Request, s *session) error {
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
	return d.showKeys(w, r, s, http.StatusOK, "", view{Notice: "The key is revoked."})
}
