package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/logs.schema.json")

func TestSchema_DocumentIsCurrent(t *testing.T) {
	t.Parallel()
	const path = "../../docs/logs.schema.json"
	schema, err := Schema()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(path, schema, 0o600))
	}
	stored, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(schema), string(stored), "%s is outdated: run go test ./internal/logs -update", path)
}

// valid returns a function that checks a line against the schema.
func valid(t *testing.T) func(line string) error {
	t.Helper()
	text, err := Schema()
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("logs.json", document))
	schema, err := compiler.Compile("logs.json")
	require.NoError(t, err)
	return func(line string) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			return err
		}
		return schema.Validate(value)
	}
}

func lines(out *bytes.Buffer) []string {
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestHandler_LinesHaveTheFormOfTheSchema(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log, check := New(&out, Options{JSON: true}), valid(t)
	log.Warn("first", "err", errors.New("cause"), "took", 1500*time.Millisecond, "head", uint32(7))
	Library(log, "river", slog.LevelWarn, slog.LevelError).Warn("Job failed", "anything", map[string]int{"a": 1})
	Standard(log, "net/http").Printf("http: Accept error: %v", "too many open files")
	for _, line := range lines(&out) {
		require.NoError(t, check(line), line)
	}
	var line struct {
		Took float64
		Err  string
	}
	require.NoError(t, json.Unmarshal([]byte(lines(&out)[0]), &line))
	require.InDelta(t, 1.5, line.Took, 0)
	require.Equal(t, "cause", line.Err)
	require.Contains(t, lines(&out)[1], `"component":"river","library":{"anything":{"a":1}}`)
	require.Contains(t, lines(&out)[2], `"component":"net/http","line":"http: Accept error: too many open files"`)

	for _, wrong := range []string{
		`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"x","error":"y"}`, `{"time":"now","level":"INFO","msg":"x"}`,
		`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":""}`, `{"level":"INFO","msg":"x"}`, `plain text`,
		`{"time":"2026-01-02T03:04:05Z","level":"INFO","msg":"x","head":"7"}`,
	} {
		require.Error(t, check(wrong), wrong)
	}
}

// Whoever causes lines, each message has a bound, and lines of other messages are not affected.
func TestHandler_LinesOfAMessageAreBounded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := New(&out, Options{Level: slog.LevelDebug})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5000 {
				log.Warn("webhook delivery given up", "endpoint", 1)
				log.Error(Request, "status", 500)
			}
		})
	}
	group.Wait()
	log.Info("gaps filled")
	log.With("component", "other").Warn("webhook delivery given up")
	require.Equal(t, LinesPerMinute+1, strings.Count(out.String(), "given up"))
	require.Equal(t, RequestsPerMinute, strings.Count(out.String(), "msg=request"))
	require.Contains(t, out.String(), "gaps filled")
	h, ok := log.Handler().(*Handler)
	require.True(t, ok)
	require.EqualValues(t, 20_000-LinesPerMinute+20_000-RequestsPerMinute, h.Skipped())
	require.EqualValues(t, LinesPerMinute+1, h.Written(slog.LevelWarn))
	require.EqualValues(t, RequestsPerMinute, h.Written(slog.LevelError))
	for range 1000 {
		log.Debug("all of these")
	}
	require.Equal(t, 1000, strings.Count(out.String(), "all of these"), "debug lines are complete")
}

// Messages of libraries may contain anything. They neither fill the memory nor the log.
func TestHandler_MessagesWithoutNumberAreBounded(t *testing.T) {
	t.Parallel()
	log := New(io.Discard, Options{})
	h, ok := log.Handler().(*Handler)
	require.True(t, ok)
	for i := range 20 * maxMessages {
		log.Warn(fmt.Sprintf("message %d", i)) //nolint:sloglint // a library does this
	}
	require.LessOrEqual(t, len(h.shared.limiters), maxMessages+1)
	require.EqualValues(t, maxMessages+LinesPerMinute, h.Written(slog.LevelWarn))
}

func TestHandler_LongTextsAreShortened(t *testing.T) {
	t.Parallel()
	for _, asJSON := range []bool{true, false} {
		var out bytes.Buffer
		log := New(&out, Options{JSON: asJSON})
		long := strings.Repeat("x", 1<<20)
		log.Error("long", "reason", long, "err", errors.New(long))
		Standard(log, "net/http").Print(long)
		require.Less(t, out.Len(), 4*maxText)
		require.Contains(t, out.String(), "(1048576 bytes)")
		if asJSON {
			for _, line := range lines(&out) {
				require.NoError(t, valid(t)(line))
			}
		}
	}
}

type request string

func (r request) RequestID() string { return string(r) }

func TestHandler_LinesOfARequestHaveItsID(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := New(&out, Options{})
	ctx := WithRequest(t.Context(), request("abc"))
	log.InfoContext(ctx, "inside")
	log.InfoContext(context.WithoutCancel(ctx), "detached", "request_id", "abc")
	log.InfoContext(t.Context(), "outside")
	found := lines(&out)
	require.Equal(t, 1, strings.Count(found[0], "request_id=abc"))
	require.Equal(t, 1, strings.Count(found[1], "request_id=abc"))
	require.NotContains(t, found[2], "request_id")
}

func TestLibrary_LevelsAreRestricted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := Library(New(&out, Options{Level: slog.LevelDebug}), "goose", slog.LevelInfo, slog.LevelDebug)
	log.Debug("routine")
	log.Info("migration completed", "version", 5)
	require.Len(t, lines(&out), 1)
	require.Contains(t, out.String(), `level=DEBUG msg="migration completed" component=goose library.version=5`)
}
