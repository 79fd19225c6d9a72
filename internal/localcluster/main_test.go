package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/pgcluster"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Wrong flags are refused before anything starts, and an existing folder is not touched.
func TestRun_WrongFlagsStartNothing(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-data", filepath.Join(t.TempDir(), "new")},
		{"-data", filepath.Join(t.TempDir(), "new"), "-tonql", "tonql", "-gateways", "0"},
		{"-data", t.TempDir(), "-tonql", "tonql"},
	} {
		require.Error(t, run(t.Context(), args, strings.NewReader(""), io.Discard), args)
	}
}

func TestObey_EachCommandHasOneReply(t *testing.T) {
	t.Parallel()
	c := &cluster{gateways: make([]*process, 2), postgres: &pgcluster.Cluster{}, lost: &pgcluster.Server{}}
	var out strings.Builder
	commands := "dance\nkill gateway 3\n kill  gateway 1 \nkill standby\n"
	require.NoError(t, c.obey(t.Context(), strings.NewReader(commands), &out))
	require.Equal(t, `failed: dance: unknown command
failed: kill gateway 3: gateways are 1 to 2
failed: kill gateway 1: gateway 1 does not run
failed: kill standby: there is no standby:  is lost
`, out.String())
}
