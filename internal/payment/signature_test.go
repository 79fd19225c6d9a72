package payment

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const vectorSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// The vectors of the published format, which its own SDK and the library of Standard Webhooks accept.
func TestSign_AgreesWithThePublishedVectors(t *testing.T) {
	t.Parallel()
	first := `{"event":"transfer.completed","timestamp":"2026-01-02T03:04:05.678Z","data":{"amount":"0.5","rawAmount":"500000000","asset":"TON","status":"success","reference":"r1"}}`
	require.Len(t, first, 167)
	for body, want := range map[string]string{
		first: "sha256=7ccf7341a019f191a66c2b54e56625d493fd1d0b9b2c6ba887988af8e523903a",
		`{"event":"transfer.completed","data":{"commentToRecipient":"Заказ <7> & ☕"}}`: "sha256=a83883b89337ba32ff68551ee164d2033c408b8db01842fc02b3b0c438206ad9",
	} {
		require.Equal(t, want, Sign(vectorSecret, []byte(body)))
		require.True(t, Verify(vectorSecret, want, []byte(body)))
		for _, wrong := range []string{
			"", strings.ToUpper(want), strings.TrimPrefix(want, "sha256="), want + "," + want, "sha256=" + strings.ToUpper(want[7:]),
		} {
			require.False(t, Verify(vectorSecret, wrong, []byte(body)), wrong)
		}
		require.False(t, Verify(vectorSecret, want, []byte(body+"\n")))
		require.False(t, Verify("", Sign("", []byte(body)), []byte(body)))
	}
	standard, err := SignStandard([]string{vectorSecret}, "evt_1", time.Unix(1767323045, 0), []byte(first))
	require.NoError(t, err)
	require.Equal(t, "v1,geHUBQTQ8Yw2IPkN9YdU3sDyP4WcAvZIdra7tfgsY+c=", standard)
	two, err := SignStandard([]string{NewSecret(), vectorSecret}, "evt_1", time.Unix(1767323045, 0), []byte(first))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(two, " "+standard))
	for _, wrong := range []string{"", "whsec_", "whsec_!!!"} {
		_, err = SignStandard([]string{wrong}, "evt_1", time.Unix(1, 0), nil)
		require.Error(t, err, wrong)
	}
	one, other := NewSecret(), NewSecret()
	require.NotEqual(t, one, other)
	require.Len(t, NewSecret(), len(vectorSecret))
}

func TestVault_OpensOnlyForItsOwnerAndKey(t *testing.T) {
	t.Parallel()
	v, err := OpenVault(NewVaultKey() + "\n")
	require.NoError(t, err)
	sealed := v.Seal(vectorSecret, "endpoint 1")
	require.NotContains(t, string(sealed), "whsec")
	require.NotEqual(t, sealed, v.Seal(vectorSecret, "endpoint 1"))
	opened, err := v.Open(sealed, "endpoint 1")
	require.NoError(t, err)
	require.Equal(t, vectorSecret, opened)
	_, err = v.Open(sealed, "endpoint 2")
	require.Error(t, err, "a secret moved to another row")
	other, err := OpenVault(NewVaultKey())
	require.NoError(t, err)
	_, err = other.Open(sealed, "endpoint 1")
	require.Error(t, err)
	for _, n := range []int{0, 5, 12, len(sealed) - 1} {
		_, err = v.Open(sealed[:n], "endpoint 1")
		require.Error(t, err, n)
	}
	first, second := NewVaultKey(), NewVaultKey()
	require.NotEqual(t, first, second)
	for _, key := range []string{"", "abc", "AAAA", NewVaultKey() + "!"} {
		_, err = OpenVault(key)
		require.Error(t, err, key)
	}
}

// Of a rotation, the prepared secret and the replaced one sign beside the current one, the latter until its time has passed.
func TestEndpointSecrets_ReplacedOneIsValidForItsTime(t *testing.T) {
	t.Parallel()
	v, err := OpenVault(NewVaultKey())
	require.NoError(t, err)
	now := time.Unix(1_700_000_000, 0)
	e := &Endpoint{Merchant: 7, Secret: v.Seal("current", "merchant 7")}
	secrets := func(at time.Time) []string {
		list, err := e.Secrets(v, at)
		require.NoError(t, err)
		return list
	}
	require.Equal(t, []string{"current"}, secrets(now))
	e.NextSecret = v.Seal("next", "merchant 7")
	require.Equal(t, []string{"current", "next"}, secrets(now))
	e.NextSecret, e.Former, e.FormerUntil = nil, v.Seal("former", "merchant 7"), &now
	require.Equal(t, []string{"current", "former"}, secrets(now.Add(-time.Nanosecond)))
	require.Equal(t, []string{"current"}, secrets(now))
	e.FormerUntil = nil
	require.Equal(t, []string{"current"}, secrets(now))
	e.Secret = v.Seal("of another merchant", "merchant 8")
	_, err = e.Secrets(v, now)
	require.Error(t, err)
}
