package action_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// without returns the kinds of all that are not in list.
func without(all, list []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(kind string) bool { return slices.Contains(list, kind) })
}

// A kind in no set is hidden from clients that do not name it, from subscriptions and from searches by id.
func TestKinds_AreTheTypesOfTheSets(t *testing.T) {
	t.Parallel()
	types := chain.ActionFilter{}.EveryType().Types
	require.Empty(t, without(action.Kinds(), types), "add them to a set in internal/chain/actiontype.go")
	require.Empty(t, without(types, action.Kinds()), "sets have them, but no package in internal/action/all registers them")
	require.IsIncreasing(t, action.Kinds())
}

func TestKinds_AreInTheListOfTypes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/actions.md")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "\n## Types\n")
	require.True(t, ok)
	list, _, ok = strings.Cut(list, "\n## ")
	require.True(t, ok)
	require.Empty(t, without(action.Kinds(), regexp.MustCompile(`\w+`).FindAllString(list, -1)), "add them to the types in docs/actions.md")
}

// Recorded traces are mostly successful; synthetic ones also show refusals and bounces.
func TestKinds_HaveSyntheticTraces(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var quoted []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, s := range regexp.MustCompile(`"\w+"`).FindAllString(string(text), -1) {
			quoted = append(quoted, strings.Trim(s, `"`))
		}
	}
	require.Empty(t, without(action.Kinds(), quoted), "no test of these in internal/action")
}
