package contracts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
)

func TestCode_EveryContractHasIt(t *testing.T) {
	t.Parallel()
	for _, name := range contracts.Names() {
		require.NotNil(t, contracts.Code(name), name)
		_, err := os.Stat(filepath.Join("tolk", name+".tolk"))
		require.NoError(t, err, "the source of the code")
	}
	require.Nil(t, contracts.Code("no such contract"))
}

// The committed code equals the compiled sources. The compiler needs Node and `npm install` in the folder tolk.
func TestManifest_MatchesTheSources(t *testing.T) {
	t.Parallel()
	missing := ""
	if _, err := exec.LookPath("node"); err != nil {
		missing = "node is not installed"
	} else if _, err := os.Stat(filepath.Join("tolk", "node_modules", "@ton", "tolk-js")); err != nil {
		missing = "@ton/tolk-js is not installed: run npm install in internal/devnet/contracts/tolk"
	}
	if missing != "" {
		require.NotEqual(t, "1", os.Getenv("TONQL_REQUIRE_NODE"), "TONQL_REQUIRE_NODE=1, but %s", missing)
		t.Skip(missing)
	}
	cmd := exec.CommandContext(t.Context(), "node", "compile.mjs", "--check")
	cmd.Dir = "tolk"
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
