package payment

import (
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"tonql/internal/chain"
)

// One-time passwords as RFC 6238 and authenticator apps have them.
const (
	totpPeriod = 30 * time.Second
	totpDigits = otp.DigitsSix
	// totpSkew is the number of periods by which a clock may differ.
	totpSkew = 1
	// totpSecretBytes is the recommended size of a key of HMAC-SHA1 (RFC 4226).
	totpSecretBytes = 20
	// recoveryBytes is the size of a recovery code. It cannot be guessed, so a plain hash of it is stored.
	recoveryBytes = 10
	// RecoveryCodes is the number of recovery codes of a second factor.
	RecoveryCodes = 10
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewTOTPSecret returns a random secret of one-time passwords, in base32.
func NewTOTPSecret() string {
	var b [totpSecretBytes]byte
	rand.Read(b[:]) // never fails
	return base32Text.EncodeToString(b[:])
}

// TOTPURL returns the URL that authenticator apps read from a QR code.
func TOTPURL(secret, issuer, account string) string {
	// Apps differ in how they read a plus sign for a space, so the URL is built here.
	escape := strings.NewReplacer("%", "%25", " ", "%20", ":", "%3A", "?", "%3F", "#", "%23", "&", "%26", "/", "%2F", "+", "%2B", "=", "%3D").Replace
	return fmt.Sprintf("otpauth://totp/%s:%s?secret=%s&issuer=%s&algorithm=SHA1&digits=%d&period=%d",
		escape(issuer), escape(account), secret, escape(issuer), totpDigits.Length(), int(totpPeriod.Seconds()))
}

// CheckTOTP returns the time step of a code that is valid at now and newer than the step last; ok is false for other codes.
func CheckTOTP(secret, code string, last int64, now time.Time) (step int64, ok bool) {
	code = strings.ReplaceAll(code, " ", "")
	current := now.Unix() / int64(totpPeriod.Seconds())
	for step = current - totpSkew; step <= current+totpSkew; step++ {
		valid, err := hotp.ValidateCustom(code, uint64(step), secret, hotp.ValidateOpts{Digits: totpDigits, Algorithm: otp.AlgorithmSHA1})
		if err == nil && valid && step > last {
			return step, true
		}
	}
	return 0, false
}

// NewRecoveryCodes returns random codes and the hashes by which they are stored.
func NewRecoveryCodes() (codes []string, hashes []chain.Hash) {
	for range RecoveryCodes {
		var b [recoveryBytes]byte
		rand.Read(b[:]) // never fails
		text := strings.ToLower(base32Text.EncodeToString(b[:]))
		code := text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
		codes, hashes = append(codes, code), append(hashes, RecoveryHash(code))
	}
	return codes, hashes
}

// IsRecoveryCode reports whether a text has the length of a recovery code rather than that of a one-time password.
func IsRecoveryCode(code string) bool {
	return len(plainCode(code)) == base32Text.EncodedLen(recoveryBytes)
}

// RecoveryHash returns the hash of a recovery code, with or without its hyphens.
func RecoveryHash(code string) chain.Hash { return HashOf("recovery " + plainCode(code)) }

func plainCode(code string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(code))
}

// TOTPOwner is the owner for which the secret of a second factor is sealed; member is 0 for the merchant's own account.
func TOTPOwner(merchant, member int64) string {
	return "second factor of merchant " + strconv.FormatInt(merchant, 10) + " member " + strconv.FormatInt(member, 10)
}
