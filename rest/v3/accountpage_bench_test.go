package v3_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/graphql"
	v3 "tonql/rest/v3"
)

// accountPage is the GraphQL query of an explorer's account page.
const accountPage = `query($a: Address!) { account(address: $a) { address domain interfaces
	state { lt txHash hash status balance codeHash dataHash lastPaid usedCells usedBits code data }
	transactions(first: 20) { nodes { hash lt now prevHash prevLt origStatus endStatus totalFees mcSeqno outMsgCount account { address }
		description { kind creditFirst isTock aborted destroyed storage { feesCollected feesDue statusChange } credit { dueFeesCollected credit }
			compute { skipped reason success msgStateUsed accountActivated gasFees gasUsed gasLimit gasCredit mode exitCode exitArg vmSteps }
			action { success valid noFunds statusChange totalFwdFees totalFees resultCode resultArg totalActions specActions skippedActions msgsCreated actionListHash }
			bounce { kind } }
		block { workchain shard seqno } stateBefore { ...state } stateAfter { ...state } inMessage { ...message } outMessages { ...message } } }
	actions(first: 20) { nodes { hash type success startLt endLt startUtime endUtime traceHash transactionHashes details { __typename } accounts { address } } }
	jettonWallets(first: 20) { nodes { balance lastTxLt codeHash dataHash account { address } owner { address }
		jetton { totalSupply mintable content account { address metadata { valid name symbol description image } } } } } } }
	fragment state on AccountState { hash balance status codeHash dataHash frozenHash }
	fragment message on Message { hash hashNorm kind value fwdFee ihrFee bounce bounced opcode decodedOpcode decoded createdAt createdLt bodyHash body source { address domain } destination { address domain } }`

// restPage lists the v3 requests for the same data.
var restPage = []string{
	"/accountStates?address=", "/transactions?limit=20&account=", "/actions?limit=20&account=", "/jetton/wallets?limit=20&owner_address=",
}

// BenchmarkAccountPage measures an account page over both APIs on the data of BenchmarkRoutes: CPU of this process and
// of PostgreSQL, bytes, and the time of a client that sends the requests one after the other.
func BenchmarkAccountPage(b *testing.B) {
	debug.SetGCPercent(400)
	address := benchDatabase(b)
	db := testdb.Open(b, address)
	pool, err := pgxpool.New(b.Context(), address)
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	s := sampleOf(b, pool)
	service := resolvers.New(db.Reader(), nil, resolvers.Options{})
	b.Cleanup(service.Close)
	r := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits}
	gql := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: graphql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
	})
	query := func() string {
		return "/graphql?query=" + url.QueryEscape(accountPage) + "&variables=" + url.QueryEscape(`{"a":"`+s.owner().String()+`"}`)
	}
	w := httptest.NewRecorder()
	gql.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, query(), http.NoBody))
	require.Equal(b, http.StatusOK, w.Code, w.Body)
	require.NotContains(b, w.Body.String(), `"errors"`)

	m := &meter{pool: pool, clientProcess: newClientProcess(b)}
	api := v3.New(service, v3.Options{Fresh: true})
	var rest, one figures
	b.Run("REST", func(b *testing.B) {
		var next atomic.Int64
		f := m.measure(b, api, func() string {
			return v3.Prefix + restPage[int(next.Add(1))%len(restPage)] + s.owner().String()
		})
		n := float64(len(restPage))
		rest = figures{api: f.api * n, postgres: f.postgres * n, bytes: f.bytes * n, allocs: f.allocs * n}
		rest.p50 = m.alone(b, api, func() []string {
			owner, paths := s.owner().String(), make([]string, len(restPage))
			for i, p := range restPage {
				paths[i] = v3.Prefix + p + owner
			}
			return paths
		})
		b.ReportMetric(n, "requests/page")
		rest.report(b)
	})
	b.Run("GraphQL", func(b *testing.B) {
		one = m.measure(b, gql, query)
		one.p50 = m.alone(b, gql, func() []string { return []string{query()} })
		b.ReportMetric(1, "requests/page")
		one.report(b)
		b.ReportMetric(one.cpu()/rest.cpu(), "cpu-of-REST")
	})
}

// alone returns the average time in milliseconds that a single client waits for a page.
func (m *meter) alone(b *testing.B, h http.Handler, page func() []string) float64 {
	b.Helper()
	const pages = 50
	s := m.serve(b, h, func() string { return page()[0] })
	e := workload{Address: s.address, Clients: 1}
	for range pages {
		e.Paths = append(e.Paths, page()...)
	}
	waited := time.Duration(0)
	for _, took := range m.clientProcess.do(b, e).Took {
		waited += took
	}
	return waited.Seconds() * 1000 / pages
}
