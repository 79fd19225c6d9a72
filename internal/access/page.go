package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/netip"
	"time"
)

// Page is the plan of requests of the gateway's own pages.
const Page = "page"

const (
	// pageRate and pageBurst suit one user: opening a page takes up to eight tokens, and users open less than one page per
	// second.
	pageRate  = 5
	pageBurst = 60

	pageTTL      = 15 * time.Minute
	pageMACBytes = 16
	pageTimeSize = 8
)

// PageSecretBytes is the length of [Options.PageSecret].
const PageSecretBytes = 32

// NewPageSecret returns a random secret for page tokens.
func NewPageSecret() []byte {
	secret := make([]byte, PageSecretBytes)
	rand.Read(secret) // never fails
	return secret
}

// PageToken returns a token for a page that client has loaded, and its lifetime. The token is bound to the client address
// and signed; nothing is stored. It is empty when requests without a key are not limited.
//
// All tokens of one address share one bucket.
func (g *Limiter) PageToken(client netip.Addr) (token string, ttl time.Duration) {
	if g.opts.WithoutKey <= 0 {
		return "", 0
	}
	raw := binary.BigEndian.AppendUint64(nil, uint64(g.opts.Now().Add(pageTTL).Unix()))
	return base64.RawURLEncoding.EncodeToString(append(raw, g.pageMAC(raw, client)...)), pageTTL
}

// AdmitPage decides about a request of one of the gateway's own pages. A request with an invalid or expired token, or a token
// of another address, is anonymous.
func (g *Limiter) AdmitPage(ctx context.Context, token string, client netip.Addr) Decision {
	if g.opts.WithoutKey <= 0 || !g.validPage(token, client) {
		return g.Admit(ctx, "", client)
	}
	d := g.spend(ctx, Page, Page+" "+clientBucket(client), max(pageRate, g.opts.WithoutKey))
	if d.Ticket != nil {
		d.Ticket.Page = token
	}
	g.count.WithLabelValues(d.Plan, d.Outcome.String()).Inc()
	return d
}

func (g *Limiter) validPage(token string, client netip.Addr) bool {
	const size = pageTimeSize + pageMACBytes
	if len(token) != base64.RawURLEncoding.EncodedLen(size) {
		return false
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return false
	}
	end := binary.BigEndian.Uint64(raw)
	now := uint64(g.opts.Now().Unix())
	// A token that expires later than any issued now was signed before the clock was set back.
	return now < end && end <= now+uint64(pageTTL/time.Second) && hmac.Equal(raw[pageTimeSize:], g.pageMAC(raw[:pageTimeSize], client))
}

func (g *Limiter) pageMAC(end []byte, client netip.Addr) []byte {
	mac := hmac.New(sha256.New, g.opts.PageSecret)
	mac.Write(end)
	mac.Write([]byte(Page + " " + clientBucket(client)))
	return mac.Sum(nil)[:pageMACBytes]
}

// sizeOf returns the capacity of a bucket of a plan.
func sizeOf(plan string, rate float64) float64 {
	if plan == Page {
		return max(pageBurst, burst(rate))
	}
	return burst(rate)
}
