package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"tonql/internal/chain"
)

// Key is a stored API key. Its secret is shown once, when it is created, and cannot be recovered.
type Key struct {
	ID          int64
	Hint        string // first characters of the key
	Owner       string
	Network     string // devnet, testnet or mainnet
	Label       string // purpose; may be empty
	Plan        Plan
	Liteservers string // pool of private liteservers for its calls; empty: the shared ones
	CreatedAt   time.Time
	ExpiresAt   *time.Time // set by rotation and revocation
}

// Valid reports whether the key is valid at a time.
func (k *Key) Valid(at time.Time) bool { return k.ExpiresAt == nil || at.Before(*k.ExpiresAt) }

// Order describes a new key.
type Order struct {
	Owner, Network, Label, Liteservers string
	Plan                               Plan
}

const (
	secretPrefix = "tonql_"
	secretBytes  = 32
	hintLength   = len(secretPrefix) + 4
	longestName  = 100
	// longestSecret is above any key of ours or of other services; what is longer is none.
	longestSecret = 200
)

// Check refuses an order with a name that cannot be printed or stored.
func (o Order) Check() error {
	for _, f := range []struct {
		what, value string
		needed      bool
	}{{"owner", o.Owner, true}, {"network", o.Network, true}, {"label", o.Label, false}, {"name of a pool of liteservers", o.Liteservers, false}} {
		switch {
		case f.needed && strings.TrimSpace(f.value) == "":
			return chain.Invalidf("the %s is missing", f.what)
		case len(f.value) > longestName:
			return chain.Invalidf("the %s is longer than %d bytes", f.what, longestName)
		case strings.ContainsFunc(f.value, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }):
			return chain.Invalidf("the %s has characters that cannot be printed", f.what)
		}
	}
	return nil
}

// NewSecret returns a random key. Only its hash and hint are stored: with 256 random bits a fast hash is sufficient.
func NewSecret() (secret string, hash chain.Hash, hint string) {
	var b [secretBytes]byte
	rand.Read(b[:]) // never fails
	secret = secretPrefix + base64.RawURLEncoding.EncodeToString(b[:])
	return secret, HashOf(secret), secret[:hintLength]
}

// IsSecret reports whether text has the form of a key. It says nothing about whether the key exists.
func IsSecret(text string) bool { return strings.HasPrefix(text, secretPrefix) }

// HashOf returns the hash by which a key is stored and looked up: the time of the lookup reveals nothing about the key, because nobody can
// choose the hash that is compared.
func HashOf(secret string) chain.Hash { return sha256.Sum256([]byte(secret)) }
