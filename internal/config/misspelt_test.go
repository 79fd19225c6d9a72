package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMisspellings_AreThoseOfSettingsOnly(t *testing.T) {
	t.Parallel()
	settings := []Setting{Text("database-url", "", ""), Text("listen", "", ""), Text("data", "", ""), Number("traffic", 1, "")}
	got := Misspellings([]string{
		"TONQL_LISEN=:80", "TONQL_DATABSE_URL=postgres://user:secret@host/db", "TONQL_DATABASE=x", // similar
		"TONQL_LISTEN=:80", "TONQL_DATA=/data", // settings
		"TONQL_PORT=tcp://10.0.0.1:8080", "TONQL_SERVICE_HOST=10.0.0.1", "TONQL_SERVICE_PORT_HTTP=80", "TONQL_DATA_PORT_5432_TCP_ADDR=10.0.0.1", // of services
		"TONQL_TEAM=a", "LISEN=:80", "TONQL_", "=", "",
	}, settings)
	require.Equal(t, []Misspelling{
		{"TONQL_DATABASE", "TONQL_DATABASE_URL"}, {"TONQL_DATABSE_URL", "TONQL_DATABASE_URL"}, {"TONQL_LISEN", "TONQL_LISTEN"},
	}, got)
	require.Empty(t, Misspellings(nil, settings))
}
