package payment

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"tonql/internal/chain"
)

// Vault encrypts secrets for the database with AES-256-GCM and random nonces. The owner is authenticated with the secret, so
// that a sealed secret is not valid in another row. Safe for concurrent use.
type Vault struct{ aead cipher.AEAD }

// vaultKeyBytes is the size of the key of a vault.
const vaultKeyBytes = 32

// NewVaultKey returns a random key in the format of [OpenVault].
func NewVaultKey() string {
	var b [vaultKeyBytes]byte
	rand.Read(b[:]) // never fails
	return base64.StdEncoding.EncodeToString(b[:])
}

// OpenVault returns the vault of a key: 32 bytes as base64. Surrounding white space is ignored.
func OpenVault(key string) (*Vault, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(key))
	if err != nil || len(raw) != vaultKeyBytes {
		return nil, chain.Invalidf("the key of webhook secrets is %d bytes as base64", vaultKeyBytes)
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, fmt.Errorf("key of webhook secrets: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("key of webhook secrets: %w", err)
	}
	return &Vault{aead: aead}, nil
}

// Seal encrypts a secret that belongs to owner.
func (v *Vault) Seal(secret, owner string) []byte {
	nonce := make([]byte, v.aead.NonceSize())
	rand.Read(nonce) // never fails
	return v.aead.Seal(nonce, nonce, []byte(secret), []byte(owner))
}

// Open decrypts a secret that [Vault.Seal] encrypted for the same owner with the same key.
func (v *Vault) Open(sealed []byte, owner string) (string, error) {
	n := v.aead.NonceSize()
	if len(sealed) < n {
		return "", errors.New("a sealed secret that is cut short")
	}
	secret, err := v.aead.Open(nil, sealed[:n], sealed[n:], []byte(owner))
	if err != nil {
		return "", fmt.Errorf("a secret of %s was sealed with another key: %w", owner, err)
	}
	return string(secret), nil
}
