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

// deviceLives is how long a browser, or an address, that signed in is recognised.
const deviceLives = 180 * 24 * time.Hour

// deviceCookie names the cookie by which a browser that has signed in to a merchant is recognised. Each merchant has a
// cookie of its own. It opens nothing: it only keeps the wrong guesses of others from counting against this browser.
func (d *door) deviceCookie(name string) string {
	hash := payment.HashOf(name)
	cookie := "tonql_device_" + hex.EncodeToString(hash[:8])
	if d.Local {
		return cookie
	}
	return "__Host-" + cookie
}

// deviceOwner is what a device cookie is sealed for, so that it is none of another merchant or network.
func (d *door) deviceOwner(name string) string { return "device of " + d.Network + " " + name }

// setDevice gives the browser a device cookie.
func (d *door) setDevice(w http.ResponseWriter, name string) {
	plain := payment.NewToken() + " " + strconv.FormatInt(d.Now().Unix(), 10)
	d.writeCookie(w, d.deviceCookie(name), base64.RawURLEncoding.EncodeToString(d.Vault.Seal(plain, d.deviceOwner(name))), deviceLives)
}

// deviceOf is the id of the browser, when it has signed in to the merchant before; "" otherwise. It needs no database.
func (d *door) deviceOf(r *http.Request, name string) string {
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
