package graphql

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// PlaygroundDocuments returns the example documents of the playground.
func PlaygroundDocuments(t *testing.T) []string {
	t.Helper()
	data, err := assets.ReadFile("assets/examples.json")
	require.NoError(t, err)
	var examples []struct{ Query string }
	require.NoError(t, json.Unmarshal(data, &examples))
	documents := make([]string, len(examples))
	for i := range examples {
		documents[i] = examples[i].Query
	}
	return documents
}
