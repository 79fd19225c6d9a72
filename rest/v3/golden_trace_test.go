package v3

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func emptyTrace() chain.Trace {
	return chain.Trace{
		ID: hash(1), ExternalHash: new(hash(2)), ExternalHashNorm: new(hash(3)), StartLT: 1 << 60, EndLT: 1<<60 + 5, StartUtime: 1_700_000_000,
		EndUtime: 1_700_000_009, McSeqnoStart: 7, McSeqnoEnd: 9, Transactions: 5000, Messages: 5001, Classification: chain.ClassificationFailed,
	}
}

func printedTrace(t *testing.T, trace *chain.FullTrace) []byte {
	t.Helper()
	c := &call{ctx: t.Context(), out: &handler.Stream{}}
	require.NoError(t, c.streamTrace(trace))
	return c.out.B
}

func TestPrintTraces_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "trace_too_large", printedTrace(t, &chain.FullTrace{Trace: emptyTrace(), TooLarge: true, Actions: []chain.Action{}}))

	tx := func(n byte, outs int) *chain.FullTransaction {
		full := &chain.FullTransaction{Transaction: chain.Transaction{Account: account(n), Hash: hash(n), LT: uint64(n)}}
		for range outs {
			full.OutMessages = append(full.OutMessages, *internalMessage())
		}
		return full
	}
	broken := chain.FullTrace{Trace: emptyTrace(), MissingNode: true}
	broken.State, broken.ExternalHash, broken.Finality = chain.TraceBroken, nil, chain.Pending
	broken.Tree = &chain.TraceNode{Transaction: tx(1, 2), Children: []*chain.TraceNode{{Transaction: tx(2, 1)}, {Transaction: tx(3, 0)}}}
	golden(t, "trace_node", appendTraceNode(nil, broken.Tree))
	broken.Tree = &chain.TraceNode{Transaction: tx(1, 0)}
	broken.Transactions = []chain.FullTransaction{*tx(1, 0)}
	golden(t, "trace_broken", printedTrace(t, &broken))
}

func TestPrintActions_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	a := chain.Action{
		TraceID: hash(1), ID: hash(2), Type: "call_contract", StartLT: 1 << 60, EndLT: 1<<60 + 3, StartUtime: 1_700_000_000, EndUtime: 1_700_000_001,
		TraceEndLT: 1<<60 + 5, TraceEndUtime: 1_700_000_009, TraceMcSeqnoEnd: 9, TxHashes: []chain.Hash{hash(3), hash(4)},
		Details: json.RawMessage(`{"destination":"` + account(1).String() + `","extra_currencies":{}}`), Finality: chain.Confirmed,
		TraceExternalHash: new(hash(5)),
	}
	golden(t, "action", append(appendActionMembers(nil, &a), '}'))
	a.Type, a.Success, a.TraceExternalHash = "unknown", true, nil
	a.Details = json.RawMessage(`{"error":"unsupported action type: 'unknown'"}`)
	a.Accounts, a.Ancestors, a.Opcode, a.ParentID = []chain.Address{account(1)}, []string{"x"}, new(uint32(7)), new(hash(6))
	golden(t, "action_unsupported", append(appendActionMembers(nil, &a), '}'))
}

func TestPrintBalanceChanges_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "balance_changes", appendBalanceChanges(nil, &chain.BalanceChanges{
		Changes: map[chain.Address]chain.Amount{account(2): "-9223372036854775809", account(1): "5"},
		Fees:    map[chain.Address]chain.Amount{account(2): "7"},
		Jettons: map[chain.Address]map[chain.Address]chain.Amount{account(2): {account(4): "-1", account(3): "340282366920938463463374607431768211456"}},
	}))
	golden(t, "balance_changes_none", appendBalanceChanges(nil, &chain.BalanceChanges{}))
}

// Addresses are found in all members of details except user-written texts.
func TestNameAction_IgnoresUserTexts(t *testing.T) {
	t.Parallel()
	for details, want := range map[string]int{
		`{}`:   0,
		`null`: 0,
		`{"source":"` + account(1).String() + `","asset":null}`:                                      1,
		`{"source":"` + account(1).String() + `","asset":"` + account(1).String() + `"}`:             1,
		`{"a":{"b":[{"c":"` + account(1).String() + `"},"` + account(2).String() + `"]}}`:            2,
		`{"comment":"` + account(1).String() + `","x":"` + account(2).String() + `"}`:                1,
		`{"comment":null,"x":"` + account(2).String() + `"}`:                                         1,
		`{"comment":"a \" \\","x":"` + account(2).String() + `"}`:                                    1,
		`{"x":"-1:` + account(3).String()[2:] + `"}`:                                                 1,
		`{"x":"` + account(3).Friendly(true, false) + `","y":"0:12","z":"` + hash(3).String() + `"}`: 0,
		`{"` + account(1).String() + `":1}`:                                                          0,
		`{"x":"`:                                                                                     0,
		`{"comment":"`:                                                                               0,
		`"\`:                                                                                         0,
	} {
		var named addresses
		nameAction(&named, &chain.Action{Details: json.RawMessage(details)})
		require.Len(t, named.list, want, details)
	}
}

// FuzzNameAction_DoesNotPanic collects the addresses of arbitrary details.
func FuzzNameAction_DoesNotPanic(f *testing.F) {
	f.Add([]byte(`{"comment":"` + account(1).String() + `","x":"` + account(2).String() + `"}`))
	f.Fuzz(func(_ *testing.T, details []byte) {
		var named addresses
		nameAction(&named, &chain.Action{Details: details})
	})
}

// partsOf are parts of one row each, whose content is n bytes long.
func partsOf(count, n int, read func(ctx context.Context, i int) error) resolvers.Parts[chain.FullTrace] {
	const inPart = 4000 // transactions: no two rows fit
	return resolvers.PartsOf(make([]chain.Trace, count), func(int) int { return inPart },
		func(ctx context.Context, first, _ int) ([]chain.FullTrace, error) {
			row := chain.FullTrace{Actions: []chain.Action{{Type: "x", Details: []byte(`"` + strings.Repeat("x", n) + `"`)}}}
			return []chain.FullTrace{row}, read(ctx, first)
		})
}

// A page that is completed in parts is never completely in memory: not its rows, and not its text.
func TestParts_MemoryDoesNotGrowWithThePage(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const count, size = 40, 100 << 10
	var rows []weak.Pointer[chain.FullTrace]
	parts := partsOf(count, size, func(context.Context, int) error {
		runtime.GC()
		for _, earlier := range rows[:max(0, len(rows)-1)] {
			require.Nil(t, earlier.Value(), "only the last part may be in use while the next one is read")
		}
		return nil
	})
	require.Equal(t, count, parts.Len())
	recorder := httptest.NewRecorder()
	c := &call{api: &api{}, ctx: t.Context(), out: handler.NewStream(t.Context(), recorder, time.Now())}
	l := traceList("traces")
	l.name = func(_ *addresses, row *chain.FullTrace) { rows = append(rows, weak.Make(row)) }
	c.addressBook = true
	require.NoError(t, l.writeParts(c, &parts, nil))
	require.Len(t, rows, count)
	require.Less(t, cap(c.out.B), 4*size)
	require.NoError(t, c.out.Close())
	require.Greater(t, recorder.Body.Len(), count*size)
	require.True(t, json.Valid(recorder.Body.Bytes()))
}

// A page in parts that fails, however late, is an error and no incomplete response.
func TestParts_LateFailureIsAnError(t *testing.T) {
	t.Parallel()
	failing := func(size int) *httptest.Server {
		a := &api{opts: Options{Timeout: time.Minute}, prefix: Prefix, routes: index(Prefix, []Route{{Method: http.MethodGet, Path: "/list", static: true, serve: func(c *call) (func() error, error) {
			return func() error {
				parts := partsOf(3, size, func(_ context.Context, i int) error {
					if i == 2 {
						return errors.New("lost")
					}
					return nil
				})
				return traceList("traces").writeParts(c, &parts, nil)
			}, nil
		}}})}
		server := httptest.NewServer(a)
		t.Cleanup(server.Close)
		return server
	}
	fetch := func(server *httptest.Server) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+Prefix+"/list", nil)
		require.NoError(t, err)
		response, err := server.Client().Do(request)
		require.NoError(t, err)
		defer func() { require.NoError(t, response.Body.Close()) }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	for _, size := range []int{100, 100 << 10} { // of a row; the second is more than one part of a response
		status, body := fetch(failing(size))
		require.Equal(t, http.StatusInternalServerError, status)
		require.NotContains(t, body, "xxx")
		require.True(t, json.Valid([]byte(body)), body)
	}
}
