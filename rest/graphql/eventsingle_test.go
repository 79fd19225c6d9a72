package graphql_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	gql "tonql/rest/graphql"
)

// all reads a response to its end.
func all(t *testing.T, resp *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(data)
}

// single is a client of single connection mode.
type single struct {
	*testing.T
	l     *live
	token string
}

func (s single) request(method, target, body string, accept string) *http.Response {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), method, s.l.URL+"/graphql"+target, strings.NewReader(body))
	require.NoError(s, err)
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	if s.token != "" {
		req.Header.Set("X-GraphQL-Event-Stream-Token", s.token)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s, err)
	s.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func (s single) begin(id, query string) int {
	s.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "extensions": map[string]string{"operationId": id}})
	require.NoError(s, err)
	return s.request(http.MethodPost, "", string(body), "application/json").StatusCode
}

func reserve(t *testing.T, l *live) single {
	t.Helper()
	s := single{T: t, l: l}
	resp := s.request(http.MethodPut, "", "", "*/*")
	require.Equal(t, http.StatusCreated, resp.StatusCode)
	require.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"))
	s.token = all(t, resp)
	require.Greater(t, len(s.token), 20)
	return s
}

func TestSingleConnectionMode_RespondsByTheProtocol(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Limits.MaxSubscriptions, o.Limits.MaxConnections = 2, 2 })
	s := reserve(t, l)
	const forever = `subscription { blocks(where: {workchain: -1}) { mcSeqno } }`
	require.Equal(t, http.StatusConflict, s.begin("early", forever), "the stream is not open")
	stream := s.request(http.MethodGet, "", "", "text/event-stream")
	require.Equal(t, http.StatusOK, stream.StatusCode)
	require.Equal(t, "text/event-stream; charset=utf-8", stream.Header.Get("Content-Type"))
	require.Equal(t, http.StatusConflict, s.request(http.MethodGet, "", "", "text/event-stream").StatusCode, "a second GET")
	lines := bufio.NewScanner(stream.Body)
	event := func() (kind, data string) {
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				kind = value
			case "data":
				return kind, value
			}
		}
		require.Fail(t, "the stream has ended")
		return "", ""
	}

	require.Equal(t, http.StatusAccepted, s.begin("q", `{ __typename }`))
	kind, data := event()
	require.Equal(t, "next", kind)
	require.JSONEq(t, `{"id":"q","payload":{"data":{"__typename":"Query"}}}`, data)
	kind, data = event()
	require.Equal(t, "complete", kind)
	require.JSONEq(t, `{"id":"q"}`, data)
	require.Equal(t, http.StatusAccepted, s.begin("bad", `{ nothing }`))
	_, data = event()
	require.Contains(t, data, "Cannot query field")
	_, data = event()
	require.JSONEq(t, `{"id":"bad"}`, data)

	require.Equal(t, http.StatusAccepted, s.begin("a", forever))
	require.Equal(t, http.StatusConflict, s.begin("a", forever), "the id is taken")
	require.Equal(t, http.StatusAccepted, s.begin("b", forever))
	require.Equal(t, http.StatusTooManyRequests, s.begin("c", forever), "at most two operations")
	require.Equal(t, http.StatusOK, s.request(http.MethodDelete, "?operationId=a", "", "*/*").StatusCode)
	require.Equal(t, http.StatusBadRequest, s.request(http.MethodDelete, "", "", "*/*").StatusCode)
	require.Equal(t, http.StatusBadRequest, s.begin("", forever), "an operation has an id")
	require.Equal(t, http.StatusBadRequest, s.request(http.MethodPost, "", `[]`, "*/*").StatusCode, "a request is an object")
	other := s.request(http.MethodPatch, "", "", "*/*")
	require.Equal(t, http.StatusMethodNotAllowed, other.StatusCode)
	require.Equal(t, "GET, POST, PUT, DELETE", other.Header.Get("Allow"))
	l.block(t, 1)
	kind, data = event()
	require.Equal(t, "next", kind)
	require.JSONEq(t, `{"id":"b","payload":{"data":{"blocks":{"mcSeqno":1}}}}`, data)

	reserve(t, l)
	full := single{T: t, l: l}
	require.Equal(t, http.StatusTooManyRequests, full.request(http.MethodPut, "", "", "*/*").StatusCode, "a reservation is a connection")
	unknown := single{T: t, l: l, token: "nobody's"}
	require.Equal(t, http.StatusNotFound, unknown.begin("a", forever))
	require.Equal(t, http.StatusNotFound, unknown.request(http.MethodGet, "", "", "text/event-stream").StatusCode)

	require.NoError(t, stream.Body.Close())
	require.Eventually(t, func() bool { return s.begin("late", forever) == http.StatusNotFound }, limit, 10*time.Millisecond)
}

// A reservation that is not opened in time expires.
func TestReservations_ExpireUnopened(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Limits.MaxConnections, o.Timing.Token = 1, 20*time.Millisecond })
	s := reserve(t, l)
	require.Eventually(t, func() bool {
		return s.begin("a", `{ __typename }`) == http.StatusNotFound
	}, limit, 10*time.Millisecond)
	reserve(t, l)
}

// Operations of a shared stream run outside of the handler of a request: a panic ends the operation with an error, and not the program.
func TestSingleConnectionMode_APanicEndsTheOperationOnly(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Await = func(context.Context, uint32) error { panic("hostile") } })
	s := reserve(t, l)
	stream := s.request(http.MethodGet, "", "", "text/event-stream")
	defer func() { _ = stream.Body.Close() }()
	lines := bufio.NewScanner(stream.Body)
	until := func(text string) {
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		require.Fail(t, "the stream has ended")
	}
	body := `{"query":"{ __typename }","extensions":{"operationId":"a","minSeqno":1}}`
	require.Equal(t, http.StatusAccepted, s.request(http.MethodPost, "", body, "*/*").StatusCode)
	until("internal error")
	until("complete")
	require.Equal(t, http.StatusAccepted, s.begin("b", `{ __typename }`))
	until(`{"id":"b","payload":{"data":{"__typename":"Query"}}}`)
}
