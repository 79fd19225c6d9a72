package action_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
)

// floor is the share of recorded rows, in percent, whose type and id are found. It only ever goes up.
const floor = 64

// TestRecordedTraces holds the classifier against a folder of recorded traces and their reference, and prints how many
// rows of each type have been found.
func TestRecordedTraces(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TONQL_ACTION_FIXTURES")
	if folder == "" {
		t.Skip("TONQL_ACTION_FIXTURES does not name a folder of recorded traces")
	}
	want := reference(t, folder)
	files, err := filepath.Glob(filepath.Join(folder, "traces", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)

	all, found, total := map[string]int{}, map[string]int{}, 0
	hits := 0
	for _, name := range files {
		got := classifyFile(t, name)
		for trace, rows := range got {
			for key := range want[trace] {
				total++
				all[key[0]]++
				if rows[key] {
					hits++
					found[key[0]]++
				}
			}
		}
	}
	kinds := make([]string, 0, len(all))
	for k := range all {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		t.Logf("%-34s %3d of %3d", k, found[k], all[k])
	}
	t.Logf("%d of %d rows", hits, total)
	require.GreaterOrEqual(t, hits*100, total*floor)
}

// rows are (type, id, parent) of a trace.
type rows map[[3]string]bool

func classifyFile(t *testing.T, name string) map[string]rows {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	trace, known, err := recording.Read(f)
	require.NoError(t, err)
	actions, err := action.Classify(trace, known)
	require.NoError(t, err)
	got := rows{}
	for _, a := range actions {
		got[[3]string{a.Type, a.ID, a.ParentID}] = true
	}
	return map[string]rows{trace.ID.String(): got}
}

func reference(t *testing.T, folder string) map[string]rows {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "reference.json.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var doc struct {
		Traces map[string]struct {
			Actions []struct {
				Type   string `json:"type"`
				ID     string `json:"action_id"`
				Parent string `json:"parent_action_id"`
			} `json:"actions"`
		} `json:"traces"`
	}
	require.NoError(t, json.NewDecoder(z).Decode(&doc))
	want := map[string]rows{}
	for id, trace := range doc.Traces {
		want[id] = rows{}
		for _, a := range trace.Actions {
			want[id][[3]string{a.Type, a.ID, a.Parent}] = true
		}
	}
	return want
}
