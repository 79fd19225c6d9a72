package action_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action"
	"tonql/internal/action/recording"
	"tonql/internal/chain"
)

// Limits on the differences from the recorded traces. They only ever become stricter.
const (
	minRows  = 97  // percent of the recorded rows that must be equal
	minCases = 100 // percent of the cases that must pass
	maxExtra = 1   // percent of rows that are not among the recorded ones
)

// fixtures returns the folder of recorded traces; without one the test is skipped.
func fixtures(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("TONQL_ACTION_FIXTURES")
	if folder == "" {
		t.Skip("TONQL_ACTION_FIXTURES does not name a folder of recorded traces")
	}
	return folder
}

func traceFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures(t), "traces", "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func readTrace(t testing.TB, name string) (*action.Trace, *recording.Records) {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	trace, contracts, err := recording.Read(f)
	require.NoError(t, err)
	return trace, contracts
}

// The classifier is compared with every row of the reference and with the cases written by hand. The differences are
// logged.
func TestRecordedTraces_AgreeWithTheReference(t *testing.T) {
	t.Parallel()
	want := reference(t)
	byTrace := map[string][]row{}
	for _, name := range traceFiles(t) {
		trace, contracts := readTrace(t, name)
		actions, err := action.Classify(trace, contracts)
		require.NoError(t, err)
		byTrace[trace.ID.String()] = rowsOf(t, actions)
	}

	rows, equalRows, extra := 0, 0, 0
	tally := map[string]*struct{ want, equal, extra int }{}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		require.Contains(t, byTrace, id, "every trace of the reference is recorded")
		wanted, given := byType(want[id]), byType(byTrace[id])
		for _, kind := range types(wanted, given) {
			n := tally[kind]
			if n == nil {
				n = &struct{ want, equal, extra int }{}
				tally[kind] = n
			}
			for _, p := range pair(wanted[kind], given[kind]) {
				switch {
				case p.want == nil:
					extra++
					n.extra++
				case p.got != nil && p.found == nil:
					equalRows++
					n.equal++
				}
				if p.want != nil {
					rows++
					n.want++
				}
				for _, d := range p.found {
					t.Logf("%s %s %v: %s: want %v, got %v", id, kind, p.want["start_lt"], d.path, d.want, d.got)
				}
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(tally)) {
		if n := tally[kind]; n.equal < n.want || n.extra > 0 {
			t.Logf("%-34s %3d of %3d rows equal, %d extra", kind, n.equal, n.want, n.extra)
		}
	}

	expectations, passed := cases(t), 0
	for i := range expectations.Cases {
		c := &expectations.Cases[i]
		require.Contains(t, byTrace, c.TraceID)
		if wrong := c.check(byTrace[c.TraceID]); wrong != "" {
			t.Logf("%s: %s", c.ID, wrong)
			continue
		}
		passed++
	}
	t.Logf("cases %d/%d, rows %d/%d, extra %d", passed, len(expectations.Cases), equalRows, rows, extra)
	require.GreaterOrEqual(t, passed*100, len(expectations.Cases)*minCases)
	require.GreaterOrEqual(t, equalRows*100, rows*minRows)
	require.LessOrEqual(t, extra*100, rows*maxExtra)

	for _, other := range expectations.WithoutCase {
		require.NotEmpty(t, byTrace[other.TraceID], "a trace without a case has actions, too")
	}
}

// Each special case changes its recorded trace. The results are written to the folder in TONQL_ACTION_RESULTS, if it is
// set, for a comparison by other means.
func TestSpecialCases_FailingKindLeavesTheOthers(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t).Special {
		trace, contracts := readTrace(t, filepath.Join(fixtures(t), c.TraceFile))
		require.Contains(t, c.Mutation, "unexpected error after the matchers", "a mutation that this test supports")
		actions, err := action.ClassifyFailing(trace, contracts)
		require.Error(t, err)
		require.Equal(t, chain.Internal, chain.KindOf(err))
		require.GreaterOrEqual(t, len(actions), c.AtLeast, c.ID)
		if c.Count != nil {
			require.Len(t, actions, *c.Count, c.ID)
		}
		for _, a := range actions {
			require.Contains(t, c.Allowed, a.Type, c.ID)
		}
		if folder := os.Getenv("TONQL_ACTION_RESULTS"); folder != "" {
			line, err := json.Marshal(map[string]any{"trace_id": trace.ID, "state": "failed", "actions": actions})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(c.ID)+".json"), line, 0o600))
		}
	}
}

func rowsOf(t *testing.T, actions []*action.Action) []row {
	t.Helper()
	rows := make([]row, 0, len(actions))
	for _, a := range actions {
		raw, err := json.Marshal(a)
		require.NoError(t, err)
		var r row
		require.NoError(t, decode(string(raw), &r))
		rows = append(rows, r)
	}
	return rows
}

func byType(rows []row) map[string][]row {
	m := map[string][]row{}
	for _, r := range rows {
		kind, _ := r["type"].(string)
		m[kind] = append(m[kind], r)
	}
	return m
}

func types(a, b map[string][]row) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// reference returns the recorded rows by trace.
func reference(t *testing.T) map[string][]row {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(fixtures(t), "reference.json.gz"))
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	var doc struct {
		Traces map[string]struct {
			Actions []row `json:"actions"`
		} `json:"traces"`
	}
	d := json.NewDecoder(z)
	d.UseNumber()
	require.NoError(t, d.Decode(&doc))
	want := map[string][]row{}
	for id, trace := range doc.Traces {
		want[id] = trace.Actions
	}
	return want
}

func cases(t *testing.T) *caseFile {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(fixtures(t), "cases.json"))
	require.NoError(t, err)
	var doc caseFile
	require.NoError(t, decode(string(raw), &doc))
	require.NotEmpty(t, doc.Cases)
	return &doc
}
