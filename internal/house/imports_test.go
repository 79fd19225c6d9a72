package house

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rule lists what the packages of one part may import.
type rule struct {
	// may lists parts of ours. A part always may import itself.
	may []string
	// never lists import paths of others, or their beginnings, with the reason.
	never map[string]string
}

// anything is for the parts that may import all others.
const anything = "*"

// Parts that every other part may import.
const (
	cells    = "internal/cellgraph" // every walk over untrusted cells needs a bound
	ctxtime  = "internal/ctxtime"   // like time of the standard library
	jsontext = "internal/jsontext"  // like encoding/json of the standard library
)

var imported = []string{cells, ctxtime, jsontext}

var (
	noSQL       = "SQL stops at internal/store"
	noTransport = "statuses and requests stop at rest"
	noGraphQL   = "GraphQL's machinery stops at graph, resolvers and rest/graphql"
)

// actionFamily is the rule of the kinds of action of one family of protocols.
var actionFamily = rule{may: []string{"internal/chain", "internal/contract", "internal/action"}, never: map[string]string{
	"github.com/jackc/pgx": noSQL, "net/http": noTransport,
}}

// rules are the allowed imports: data flows from the node to the APIs. A part
// is a folder with all below it, and the longest matching part decides. A new part
// needs a row here and one in ARCHITECTURE.md.
var rules = map[string]rule{
	"internal/chain": {never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL, "net/http": noTransport,
	}},
	"migrations": {},
	"docs":       {},
	cells:        {},
	ctxtime:      {},
	jsontext:     {},
	// The phases after the compute phase of untrusted code, and the VM that executes it.
	"internal/actionphase": {may: []string{cells}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"internal/boundedvm": {may: []string{cells}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"internal/filelock": {},
	// A cache bounded by weight, for entries that untrusted input can make large.
	"internal/weightedlru": {},
	"internal/loglimit":    {},
	"internal/terminal":    {},
	// Traces of requests. It receives names and durations, never what they are of.
	"internal/tracing": {may: []string{"internal/chain", "internal/logs"}, never: map[string]string{"github.com/jackc/pgx": noSQL}},
	"internal/logs":    {may: []string{"internal/loglimit"}},
	"internal/config":  {may: []string{"internal/chain"}},
	"internal/doctor":  {may: []string{"internal/chain", "internal/node", "internal/store"}},
	// Checks of servers from outside: it shares no code with ours, which could share a mistake.
	"internal/conformance": {may: []string{"internal/chain"}, never: map[string]string{"github.com/jackc/pgx": noSQL}},
	"internal/embeddedpg":  {may: []string{"internal/chain", "internal/filelock"}},

	"internal/pgcluster": {may: []string{"internal/embeddedpg"}},
	// A command for trials: everything else of it are processes of tonql.
	"internal/localcluster": {may: []string{"internal/pgcluster"}},

	"internal/contract": {may: []string{"internal/boc", "internal/chain", "internal/weightedlru", "internal/boundedvm"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},

	"internal/action": {may: []string{"internal/chain", "internal/contract"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// Kinds of action by protocol. A family sees the matcher, not another family.
	"internal/action/all":     {may: []string{"internal/action", "internal/action/bridge", "internal/action/cocoon", "internal/action/dex", "internal/action/lending", "internal/action/nft", "internal/action/staking", "internal/action/wallet"}},
	"internal/action/bridge":  actionFamily,
	"internal/action/cocoon":  actionFamily,
	"internal/action/dex":     actionFamily,
	"internal/action/lending": actionFamily,
	"internal/action/nft":     actionFamily,
	"internal/action/staking": actionFamily,
	"internal/action/wallet":  actionFamily,

	// Details are the published form of actions, so that the APIs do not import the classifier.
	"internal/action/details": {may: []string{"internal/chain", "internal/action", "internal/action/nft"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},

	// The transport of liteservers, for both sides of a connection.
	"internal/adnl": {},
	"internal/devnet": {may: []string{"internal/adnl", "internal/chain", "internal/filelock", "internal/boundedvm", "internal/actionphase", "internal/logs"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL,
	}},
	// Networks for tests: a devnet with a client and an indexer.
	"internal/devnet/devnettest": {may: []string{"internal/chain", "internal/devnet", "internal/node", "internal/pacetest", "internal/store", "indexer"}},
	// Who signs masterchain blocks, from cells alone.
	"internal/validator": {may: []string{"internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"internal/node": {may: []string{"internal/adnl", "internal/chain", "internal/loglimit", "internal/validator"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL,
	}},
	// Servers that lie are made from honest ones.
	"internal/node/nodetest": {may: []string{"internal/adnl", "internal/chain", "internal/node", "internal/devnet"}},

	"internal/outbound": {may: []string{"internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL,
	}},
	// Messages in plain text through the operator's mail server.
	"internal/mailer": {may: []string{"internal/chain"}, never: map[string]string{"github.com/jackc/pgx": noSQL}},
	"internal/metadata": {may: []string{"internal/chain", "internal/outbound"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": "requests to untrusted servers go through internal/outbound",
	}},

	// Images of third parties, small and encoded anew.
	"internal/tokenimage": {may: []string{"internal/chain", "internal/outbound", "internal/metadata", "internal/weightedlru", "internal/filelock"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": "requests to untrusted servers go through internal/outbound",
	}},

	// Sources of contracts of third parties.
	"internal/sourcefile": {may: []string{"internal/chain", "internal/outbound", "internal/metadata", "internal/weightedlru"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": "requests to untrusted servers go through internal/outbound",
	}},
	"internal/assetlist": {may: []string{"internal/chain"}},
	"internal/fiat":      {may: []string{"internal/chain"}},

	// Sums of balance changes.
	"internal/balance": {may: []string{"internal/chain", "internal/contract"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// Execution of contracts outside of blocks. It reads the index through interfaces of its own.
	"internal/emulate": {may: []string{"internal/boc", "internal/chain", "internal/contract", "internal/balance", "indexer/decode", "internal/weightedlru", "internal/boundedvm", "internal/actionphase"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport, "github.com/99designs/gqlgen": noGraphQL,
	}},
	// Messages that are in no block yet.
	"internal/pending": {may: []string{"internal/chain", "internal/contract", "internal/emulate", "internal/weightedlru"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport, "github.com/99designs/gqlgen": noGraphQL,
	}},

	"internal/access": {may: []string{"internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},

	// Registered transfers, their matching and events, without I/O.
	"internal/payment": {may: []string{"internal/chain", "internal/contract"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},

	"internal/store": {may: []string{"internal/boc", "internal/cellparts", "internal/chain", "internal/logs", "internal/rawtx", "internal/access", "internal/payment", "internal/weightedlru", "migrations"}, never: map[string]string{
		"github.com/99designs/gqlgen": noGraphQL, "net/http": noTransport,
	}},
	"indexer": {may: []string{"internal/chain", "internal/loglimit", "internal/weightedlru", "internal/contract", "internal/store", "indexer/decode", "indexer/trace", "internal/boundedvm", "internal/actionphase", "internal/cellparts", "internal/rebuild"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"indexer/trace": {may: []string{"internal/chain", "internal/contract", "internal/action", "internal/action/all", "internal/action/details"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// Cells into rows, without I/O: also for data that the APIs read from the network.
	"indexer/decode": {may: []string{"internal/cellparts", "internal/chain", "internal/rawtx", "internal/rebuild"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// The bytes of bags of cells.
	"internal/boc": {never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// What states have in common is stored once.
	"internal/cellparts": {may: []string{"internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	// Rows into cells, without I/O.
	"internal/rawtx": {may: []string{"internal/boc", "internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"internal/rebuild": {may: []string{"internal/chain"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"internal/feed": {may: []string{"internal/chain", "internal/store", "internal/pending"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL, "net/http": noTransport,
	}},
	"loaders": {may: []string{"internal/chain", "internal/store", "graph/exec"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},
	"graph/exec":             {},
	"graph/exec/conformance": {may: []string{"graph/exec", "graph/exec/conformance"}},
	"graph/generate":         {},
	"graph": {may: []string{"internal/chain", "internal/action/details", "graph/exec"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL,
	}},
	"resolvers": {may: []string{"internal/boc", "internal/chain", "internal/contract", "internal/validator", "internal/emulate", "internal/pending", "internal/balance", "internal/action/details", "internal/store", "internal/feed", "indexer/decode", "loaders", "graph"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "net/http": noTransport,
	}},

	"rest": {may: []string{"internal/chain", "internal/tracing", "internal/access", "resolvers", "loaders", "rest/docs", "rest/handler", "rest/manual", "rest/streaming", "rest/v2", "rest/v3", "rest/graphql"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/manual": {may: []string{"docs", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/handler": {may: []string{"internal/access", "internal/chain", "internal/tracing", "internal/logs"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/v2": {may: []string{"internal/chain", "internal/tracing", "resolvers", "rest/docs", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL, "github.com/vektah/gqlparser": noGraphQL,
	}},
	"rest/docs": {may: []string{"rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/v3": {may: []string{"internal/chain", "internal/tracing", "resolvers", "rest/docs", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL, "github.com/vektah/gqlparser": noGraphQL,
	}},
	"rest/merchant": {may: []string{"internal/access", "internal/chain", "internal/contract", "internal/payment", "internal/store", "resolvers", "rest/docs", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/webhook": {may: []string{"internal/chain", "internal/logs", "internal/outbound", "internal/payment", "internal/store"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/qr": {may: []string{"internal/chain"}},
	"rest/dashboard": {may: []string{"internal/access", "internal/chain", "internal/payment", "internal/store", "rest/handler", "rest/qr"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/asset":    {},
	"rest/explorer": {may: []string{"rest/asset"}},
	"rest/images": {may: []string{"internal/chain", "internal/tokenimage", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	// What connections with live events have in common.
	"rest/live": {may: []string{"internal/access", "rest/handler"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	// The streaming API of wallets, whose objects are those of REST v3.
	"rest/streaming": {may: []string{"internal/access", "internal/chain", "internal/feed", "resolvers", "rest/handler", "rest/live", "rest/v3"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL, "github.com/99designs/gqlgen": noGraphQL,
	}},
	"rest/graphql": {may: []string{"internal/chain", "internal/tracing", "internal/weightedlru", "internal/access", "internal/feed", "graph", "graph/exec", "resolvers", "loaders", "rest/asset", "rest/handler", "rest/live"}, never: map[string]string{
		"github.com/jackc/pgx": noSQL,
	}},

	"internal/testdb": {may: []string{"internal/chain", "internal/store", "internal/embeddedpg", "internal/temptest", "migrations"}},
	// For tests of every part.
	"internal/modtest":                      {},
	"indexer/mainnet":                       {may: []string{"internal/chain", "internal/modtest"}},
	"internal/pacetest":                     {},
	"internal/contract/elector/electortest": {may: []string{"internal/chain", "internal/store", "internal/testdb"}},
	"internal/chaintest":                    {may: []string{"internal/chain", "internal/store", "internal/testdb"}},
	"internal/store/storetest":              {may: []string{"internal/chain", "internal/store", "internal/testdb", "migrations"}},
	"internal/pgcluster/pgclustertest":      {may: []string{"internal/pgcluster", "internal/store", "internal/pacetest", "internal/temptest", "migrations"}},
	"internal/pgcluster/pgbouncertest":      {may: []string{"internal/pacetest", "internal/temptest"}},
	"internal/recordedtest": {may: []string{
		"internal/chain", "internal/store", "internal/testdb", "indexer", "indexer/decode", "indexer/mainnet", "indexer/trace",
	}},
	"internal/temptest": {may: []string{"internal/filelock"}},
	"internal/house":    {},
	// Tests of the files for operators, and the list of licences.
	"deploy":            {may: []string{"internal/temptest"}},
	"deploy/thirdparty": {},
	"internal/draft":    {may: []string{"internal/chain", "internal/filelock"}},
	"internal/backup":   {may: []string{"internal/chain", "internal/draft", "internal/embeddedpg", "internal/filelock"}},
	"internal/snapshot": {may: []string{"internal/chain", "internal/draft", "internal/store"}},
	"internal/cmd":      {may: []string{anything}},
	"cmd":               {may: []string{anything}},
}

// partOf returns the part that path belongs to, "" when it belongs to none.
func partOf(p string) string {
	for ; p != "." && p != "/"; p = path.Dir(p) {
		if _, ok := rules[p]; ok {
			return p
		}
	}
	return ""
}

// within reports whether p lies in part or below it.
func within(p, part string) bool {
	return part == anything || p == part || strings.HasPrefix(p, part+"/")
}

// testOnly reports whether a package exists for tests alone.
func testOnly(p string) bool {
	return p == "internal/testdb" || p == "indexer/mainnet" || strings.HasSuffix(path.Base(p), "test")
}

// objection returns why a file of the folder at from may not import target; "" means it may.
func objection(from string, test bool, target string) string {
	if target == module {
		return "the root holds no code"
	}
	to, isOurs := ours(target)
	part := partOf(from)
	if part == "" {
		return "" // TestRules_CoverEveryPackage fails
	}
	switch {
	case strings.HasPrefix(target, "github.com/stretchr/testify/") && !strings.HasSuffix(target, "/require"):
		return "tests use testify/require and the real parts"
	case test && isOurs && (within(to, "cmd") || within(to, "internal/house")) && !within(from, to):
		return "programs and the house's tests are imported by nobody"
	case test:
		return "" // tests may use any part
	case !isOurs:
		for prefix, reason := range rules[part].never {
			if target == prefix || strings.HasPrefix(target, prefix+"/") {
				return reason
			}
		}
		return ""
	case within(to, "cmd") || within(to, "internal/house"):
		return "programs and the house's tests are imported by nobody"
	case testOnly(to) && !testOnly(from):
		return "it is for tests alone"
	case partOf(to) == part || slices.Contains(imported, partOf(to)):
		return ""
	}
	for _, allowed := range rules[part].may {
		// A part below it with rules of its own is not included.
		if allowed == anything || partOf(to) == allowed {
			return ""
		}
	}
	return part + " may import only " + strings.Join(append([]string{"itself"}, rules[part].may...), ", ")
}

func TestImports_FollowTheRules(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		for _, file := range f.files {
			for _, target := range file.imports() {
				if why := objection(f.path, file.isTest(), target); why != "" {
					wrong.addf("%s/%s imports %s: %s", f.path, file.name, target, why)
				}
			}
		}
	}
	wrong.require(t)
}

func TestRules_CoverEveryPackage(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		if partOf(f.path) == "" {
			wrong.addf("%s: give it a row in internal/house and in ARCHITECTURE.md", f.path)
		}
	}
	wrong.require(t)
}

// Without a rule of its own a family may import other families; without the import in package all no program has its kinds.
func TestActionFamilies_HaveARuleAndAreImported(t *testing.T) {
	t.Parallel()
	all := folderAt(t, "internal/action/all")
	var wrong problems
	for _, f := range folders(t) {
		if !strings.HasPrefix(f.path, "internal/action/") || !f.calls("action", "Register") {
			continue
		}
		if partOf(f.path) != f.path {
			wrong.addf("%s: give it the rule actionFamily in internal/house, and name it in ARCHITECTURE.md", f.path)
		}
		if !all.imports(module + "/" + f.path) {
			wrong.addf("%s: import it in internal/action/all", f.path)
		}
	}
	wrong.require(t)
}

// Cases that the tree does not contain.
func TestObjection_NamesTheBrokenRule(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from   string
		test   bool
		target string
		want   string
	}{
		{"internal/chain", false, "github.com/jackc/pgx/v5", noSQL},
		{"internal/chain", false, "net/http", noTransport},
		{"internal/chain", false, "net/http/httptest", noTransport},
		{"internal/chain", false, "net/netip", ""},
		{"internal/chain", false, "tonql/internal/store", "internal/chain may import only itself"},
		{"internal/store", false, "tonql/internal/chain", ""},
		{"internal/chain", false, "tonql/internal/cellgraph", ""},
		{"internal/embeddedpg", false, "tonql/internal/ctxtime", ""},
		{"internal/ctxtime", false, "tonql/internal/chain", "internal/ctxtime may import only itself"},
		{"internal/cellgraph", false, "tonql/internal/chain", "internal/cellgraph may import only itself"},
		{"internal/store/sub", false, "tonql/internal/store", ""},
		{"internal/store", false, "tonql/resolvers", "internal/store may import only itself, internal/boc, internal/cellparts, internal/chain, internal/logs, internal/rawtx, internal/access, internal/payment, internal/weightedlru, migrations"},
		{"internal/store", true, "tonql/internal/testdb", ""},
		{"internal/store", false, "tonql/internal/testdb", "it is for tests alone"},
		{"internal/store", true, "github.com/stretchr/testify/assert", "tests use testify/require and the real parts"},
		{"indexer", false, "tonql/internal/node", "indexer may import only itself, internal/chain, internal/loglimit, internal/weightedlru, internal/contract, internal/store, indexer/decode, indexer/trace, internal/boundedvm, internal/actionphase, internal/cellparts, internal/rebuild"},
		{"indexer", true, "tonql/internal/node/nodetest", ""},
		{"internal/node", false, "tonql/internal/devnet", "internal/node may import only itself, internal/adnl, internal/chain, internal/loglimit, internal/validator"},
		{"internal/node/nodetest", false, "tonql/internal/devnet/ledger", ""},
		{"rest", false, "tonql/rest/v3", ""},
		{"rest/v3", false, "tonql/rest", "rest/v3 may import only itself, internal/chain, internal/tracing, resolvers, rest/docs, rest/handler"},
		{"rest/v3", false, "tonql/rest/graphql", "rest/v3 may import only itself, internal/chain, internal/tracing, resolvers, rest/docs, rest/handler"},
		{"cmd/tonql", false, "tonql/internal/devnet/lite", ""},
		{"indexer", false, "tonql/indexer/mainnet", "it is for tests alone"},
		{"cmd/tonql", false, "tonql/internal/testdb", "it is for tests alone"},
		{"rest", true, "tonql/cmd/tonql", "programs and the house's tests are imported by nobody"},
		{"rest", false, "tonql", "the root holds no code"},
	} {
		require.Equal(t, tc.want, objection(tc.from, tc.test, tc.target), "%s imports %s", tc.from, tc.target)
	}
	require.Empty(t, partOf("unheard/of"))
}
