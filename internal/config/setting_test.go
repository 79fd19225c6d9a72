package config

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWithoutPassword_MasksEveryForm(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"postgres://user@host/tonql":                             "postgres://user@host/tonql",
		"postgres://user:se%20cret@host:5432/tonql?sslmode=off":  "postgres://user:********@host:5432/tonql?sslmode=off",
		"postgres://host/tonql?password=secret&sslmode=require":  "postgres://host/tonql?password=********&sslmode=require",
		"postgres://host/tonql?sslpassword=secret":               "postgres://host/tonql?sslpassword=********",
		"host=db user=tonql password=secret":                     mask,
		"user:secret@host/tonql":                                 mask,
		"postgres://user:secret@host:not a port/tonql?a=%zz%%%1": mask,
	} {
		require.Equal(t, strings.ReplaceAll(want, "********", mask), strings.ReplaceAll(WithoutPassword(given), "%2A", "*"), given)
		require.NotContains(t, WithoutPassword(given), "cret")
	}
}

func TestNearest_SuggestsOnlySimilarNames(t *testing.T) {
	t.Parallel()
	names := []string{"network", "node-timeout", "no-webhooks", "listen"}
	for given, want := range map[string]string{
		"netwurk": "network", "nework": "network", "node": "node-timeout", "lisen": "listen",
		"zebra": "", "": "", strings.Repeat("network", 1000): "",
	} {
		require.Equal(t, want, Nearest(given, names), given)
	}
}

func TestSetting_SecretsAreInNoError(t *testing.T) {
	t.Parallel()
	for _, s := range []Setting{Text("key", "", "").Secret().OneOf("a"), Text("url", "", "").URL().OneOf("a")} {
		require.NotContains(t, s.parse("hunter2").Error(), "hunter2")
		require.Equal(t, mask, s.shown("hunter2"))
		require.Empty(t, s.shown(""))
	}
}

func TestSetting_DurationsAreShort(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Hour: "1h", 90 * time.Minute: "1h30m", time.Minute: "1m", 8 * time.Second: "8s", 0: "0s", 100 * time.Second: "1m40s",
	} {
		require.Equal(t, want, short(d))
	}
}

func TestAddress_NeedsAPort(t *testing.T) {
	t.Parallel()
	for _, good := range []string{":8080", "127.0.0.1:0", "[::1]:80", "localhost:65535"} {
		require.NoError(t, Address(good))
	}
	for _, bad := range []string{"8080", "127.0.0.1", ":65536", ":http", "", "[::1:80"} {
		require.Error(t, Address(bad), bad)
	}
	for _, good := range []string{"127.0.0.1:1", "[::1]:80", "localhost:1"} {
		require.NoError(t, LoopbackAddress(good))
	}
	for _, bad := range []string{":1", "0.0.0.0:1", "10.0.0.1:1", "example.org:1", "127.0.0.1"} {
		require.Error(t, LoopbackAddress(bad), bad)
	}
}
