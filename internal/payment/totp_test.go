package payment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"tonql/internal/payment"
)

// The codes are those of an independent implementation of RFC 6238, with its test secret.
func TestCheckTOTP_CodeOfTheTimeIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // 12345678901234567890
	at := time.Unix(1111111109, 0)
	step, ok := payment.CheckTOTP(secret, "081804", 0, at) // RFC 6238, appendix B, the last six digits
	require.True(t, ok)
	require.Equal(t, int64(1111111109/30), step)
	_, ok = payment.CheckTOTP(secret, "081804", step, at)
	require.False(t, ok, "a code is accepted once")
	for shift, want := range map[time.Duration]bool{-60 * time.Second: false, -30 * time.Second: true, 30 * time.Second: true, 60 * time.Second: false} {
		code, err := totp.GenerateCode(secret, at.Add(shift))
		require.NoError(t, err)
		_, ok = payment.CheckTOTP(secret, code[:3]+" "+code[3:], 0, at)
		require.Equal(t, want, ok, shift)
	}
	for _, code := range []string{"", "08180", "0818040", "abcdef", "０８１８０４", "-81804"} {
		_, ok = payment.CheckTOTP(secret, code, 0, at)
		require.False(t, ok, code)
	}
	_, ok = payment.CheckTOTP("not base32!", "081804", 0, at)
	require.False(t, ok)
}

func TestTOTPURL_IsReadByAnIndependentParser(t *testing.T) {
	t.Parallel()
	secret := payment.NewTOTPSecret()
	require.Len(t, secret, 32)
	require.NotEqual(t, secret, payment.NewTOTPSecret())
	for _, account := range []string{"shop", "a&b=c?d#e/f:g+h%20 ü", "shop / alice"} {
		u := payment.TOTPURL(secret, "tonql devnet", account)
		parsed, err := url.Parse(u)
		require.NoError(t, err)
		require.Equal(t, "/tonql devnet:"+account, parsed.Path)
		key, err := otp.NewKeyFromURL(u)
		require.NoError(t, err)
		require.Equal(t, secret, key.Secret())
		require.Equal(t, "tonql devnet", key.Issuer())
		require.Equal(t, uint64(30), key.Period())
		require.Equal(t, otp.DigitsSix, key.Digits())
	}
}

func TestRecoveryCodes_AreDistinctAndReadWithoutTheirHyphens(t *testing.T) {
	t.Parallel()
	codes, hashes := payment.NewRecoveryCodes()
	require.Len(t, codes, payment.RecoveryCodes)
	seen := map[string]bool{}
	for i, code := range codes {
		require.False(t, seen[code])
		seen[code] = true
		require.True(t, payment.IsRecoveryCode(code))
		require.Equal(t, hashes[i], payment.RecoveryHash(" "+code+" "))
	}
	require.False(t, payment.IsRecoveryCode("123456"))
}
