package payment

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
)

const (
	secretPrefix    = "whsec_"
	secretBytes     = 32
	signaturePrefix = "sha256="
)

// NewSecret returns a random secret of a webhook endpoint. [Sign] uses its text as the key, [SignStandard] its decoded base64
// part.
func NewSecret() string {
	var b [secretBytes]byte
	rand.Read(b[:]) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// Sign returns the value of X-Pay-Signature and X-TonPay-Signature: sha256= and the lower-case hex HMAC-SHA256 of the body,
// keyed with the secret's text.
func Sign(secret string, body []byte) string {
	return signaturePrefix + hex.EncodeToString(mac([]byte(secret), body))
}

// Verify reports in constant time whether [Sign] returns the signature. It is false for an empty secret.
func Verify(secret, signature string, body []byte) bool {
	return secret != "" && hmac.Equal([]byte(signature), []byte(Sign(secret, body)))
}

// SignStandard returns the value of webhook-signature (Standard Webhooks 1.0): for each secret v1, and the base64 HMAC-SHA256
// of id.timestamp.body, in the order of the secrets, separated by spaces. The timestamp is in Unix seconds.
func SignStandard(secrets []string, id string, at time.Time, body []byte) (string, error) {
	message := append([]byte(id+"."+strconv.FormatInt(at.Unix(), 10)+"."), body...)
	values := make([]string, 0, len(secrets))
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil || len(key) == 0 {
			return "", chain.Invalidf("a webhook secret is %s and base64", secretPrefix)
		}
		values = append(values, "v1,"+base64.StdEncoding.EncodeToString(mac(key, message)))
	}
	return strings.Join(values, " "), nil
}

func mac(key, message []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return h.Sum(nil)
}
