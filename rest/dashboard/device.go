package dashboard

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tonql/internal/payment"
)

// deviceLives is the time for which a browser or an address is recognised after signing in.
const deviceLives = 180 * 24 * time.Hour

// deviceCookie returns the name of the cookie that recognises a browser which has signed in to a merchant. The cookie grants
// no access: it only exempts the browser from the wrong attempts of others.
func (d *dashboard) deviceCookie(name string) string {
	hash := payment.HashOf(name)
	cookie := "tonql_device_" + hex.EncodeToString(hash[:8])
	if d.Local {
		return cookie
	}
	return "__Host-" + cookie
}

// deviceOwner is the associated data of a device cookie, which binds it to merchant and network.
func (d *dashboard) deviceOwner(name string) string { return "device of " + d.Network + " " + name }

// setDevice sets a device cookie.
func (d *dashboard) setDevice(w http.ResponseWriter, r *http.Request, name string) {
	plain := payment.NewToken() + " " + strconv.FormatInt(d.Now().Unix(), 10)
	d.writeCookie(w, r, d.deviceCookie(name), base64.RawURLEncoding.EncodeToString(d.Vault.Seal(plain, d.deviceOwner(name))), deviceLives)
}

// deviceOf returns the id of a browser that has signed in to the merchant before, "" otherwise. It uses no database.
func (d *dashboard) deviceOf(r *http.Request, name string) string {
	cookie, err := r.Cookie(d.deviceCookie(name))
	if err != nil {
		return ""
	}
	sealed, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil {
		return ""
	}
	plain, err := d.Vault.Open(sealed, d.deviceOwner(name))
	if err != nil {
		return ""
	}
	id, at, _ := strings.Cut(plain, " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || d.Now().Sub(time.Unix(seconds, 0)) > deviceLives {
		return ""
	}
	return id
}
