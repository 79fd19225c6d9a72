package rest_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gql "github.com/vektah/gqlparser/v2/ast"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/graph"
	"tonql/indexer"
	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/feed"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/dashboard"
	"tonql/rest/explorer"
	graphqlapi "tonql/rest/graphql"
	"tonql/rest/merchant"
	v3 "tonql/rest/v3"
)

// hostileTexts are values that no parameter expects.
var hostileTexts = []string{
	"\x00", "a\x00b", "\xff\xfe", "a\xc0\x80b", "", " ", "\xed\xa0\x80", "\xe2\x82", "\ufeff\u202e\U0001F600", "\x1b[31m\x7f\x01",
	"a\r\nX-Injected: 1", strings.Repeat("A", 40_000), strings.Repeat("9", 5000), strings.Repeat("[", 2000),
	"-1", "0", "+1", "1e400", "NaN", "0x7fffffffffffffff", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "4294967296",
	"null", "true", "'; DROP TABLE blocks; --", "%00%ff%", `\u0000`, "../../../../etc/passwd", "<script>{{7*7}}</script>",
	"0:" + strings.Repeat("F", 64), "99999999999:" + strings.Repeat("0", 64), strings.Repeat("f", 64), "9999-99-99", "292277026597-01-01T00:00:00Z",
	"te6cckEBAQEA////////", "te6ccgEBAQEAAgAAAA==", strings.Repeat("a.", 300) + "ton", ",,,,", "a=b&c=d;e", "inf,nan",
}

// hostileJSON are JSON values that no parameter expects, in addition to the texts.
var hostileJSON = []string{
	"null", "true", "0", "-1", "1.5", "1e999", "-0", "18446744073709551616", "[]", "{}", "[null]", "[[[[]]]]", `{"a":{"a":{"a":1}}}`, `["\u0000"]`,
	`"\ud800"`, strings.Repeat("[", 500) + strings.Repeat("]", 500), "[" + strings.Repeat(`"x",`, 3000) + `"x"]`, `{"":""}`,
}

// jsonText quotes text for JSON and does not change bytes that are not UTF-8.
func jsonText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// texts returns the hostile values for one more parameter: always text that is not UTF-8 or has a NUL, then as many of
// the others as time allows, starting where the last parameter ended.
func (x *target) texts() []string {
	return x.some(hostileTexts)
}

// everyJSON returns the hostile JSON values for one more parameter.
func (x *target) everyJSON() []string {
	all := make([]string, 0, len(hostileTexts)+len(hostileJSON))
	for _, s := range hostileTexts {
		all = append(all, jsonText(s))
	}
	return x.some(append(all, hostileJSON...))
}

func (x *target) some(all []string) []string {
	const always = 4
	list := slices.Clone(all[:always])
	for range x.values - always {
		x.next++
		list = append(list, all[always+x.next%(len(all)-always)])
	}
	return list
}

// attack is one request with a hostile value.
type attack struct {
	what         string
	method, path string
	query, body  string
	header       map[string]string
	signed       bool // in the dashboard
	form         url.Values
}

// target is the complete service over an index of a local chain.
type target struct {
	h        http.Handler
	db       *store.DB
	merchant *payment.Merchant
	key      string // of the merchant
	schema   *gql.Schema
	account  string
	hash     string
	message  string // internal, to account; bag of cells
	wallet   string
	log      *errorLog
	values   int // for each parameter
	next     int

	mu       sync.Mutex
	statuses map[int]int // of a part
}

// errorLog records log messages of level error.
type errorLog struct {
	slog.Handler
	mu    sync.Mutex
	lines []string
}

func (*errorLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (l *errorLog) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	l.mu.Lock()
	l.lines = append(l.lines, line)
	l.mu.Unlock()
	return nil
}

func newTarget(t *testing.T) *target {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*10*time.Minute)
	t.Cleanup(cancel)
	const blocks = 25
	net := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0x66}, Scenario: true, ActionsPerMinute: 60}, Blocks: blocks,
	})
	x := &target{db: testdb.New(t), log: &errorLog{Handler: slog.DiscardHandler}, merchant: &payment.Merchant{Name: "shop", Network: "devnet"}}
	stopIndex := net.Index(t, x.db, indexer.Options{})
	net.WaitIndexed(t, x.db)
	stopIndex()
	log := slog.New(x.log)
	require.NoError(t, x.db.Payments().CreateMerchant(ctx, x.merchant))
	var hash chain.Hash
	var hint string
	x.key, hash, hint = payment.NewKey()
	_, err := x.db.Payments().CreateMerchantKey(ctx, x.merchant.ID, hash, hint, "till")
	require.NoError(t, err)
	vault, err := payment.OpenVault(payment.NewVaultKey())
	require.NoError(t, err)
	board, err := dashboard.New(dashboard.Options{
		Payments: x.db.Payments(), Vault: vault, Network: "devnet", Local: true, TestOnly: true, Logger: log,
		CheckURL:     func(string) error { return errors.New("nothing is sent from here") },
		PasswordCost: dashboard.PasswordCost{Time: 1, Memory: 64, Threads: 1},
		Wallets:      []dashboard.Wallet{{Name: "Wallet", URL: "https://wallet.example", Bridge: "https://bridge.example"}}, GlobalID: -777,
	})
	require.NoError(t, err)
	service := resolvers.New(x.db.Reader(), net.Client, resolvers.Options{Network: "devnet", TestOnly: true, Logger: log, Pending: x.db.Pending(store.PendingLimits{})})
	t.Cleanup(service.Close)
	live := feed.New(x.db.Reader(), feed.Options{Listen: x.db.Listen, Pending: service.Pending(), Logger: slog.New(slog.DiscardHandler)})
	following, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- live.Run(following) }()
	resolver := &resolvers.Resolver{Service: service, Limits: graphqlapi.DefaultLimits, RateLimit: access.LimitOf, Feed: live}
	executable := graph.NewExecutableSchema(graph.Config{Resolvers: resolver})
	limits := graphqlapi.DefaultLimits
	limits.MaxConnections = 0
	g := graphqlapi.New(graphqlapi.Options{
		Schema: executable, Limits: limits, Logger: log, RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare, McSeqno: service.McSeqno,
	})
	t.Cleanup(func() {
		require.NoError(t, g.Close(context.WithoutCancel(ctx)))
		stop()
		require.NoError(t, <-ended)
	})
	x.schema = executable.Schema()
	x.h = rest.New(rest.Options{
		Service: service, Logger: log, GraphQL: g, Playground: graphqlapi.Playground(""), Explorer: explorer.New(explorer.Options{}), Dashboard: board, Version: "test",
		Limiter: access.New(x.db.Access(), access.Options{Network: "devnet", Logger: log}),
		Merchant: func(limit func(http.Handler) http.Handler) http.Handler {
			return merchant.New(merchant.Options{
				Payments: x.db.Payments(), Jettons: merchant.NewJettons(service), Network: "devnet", TestOnly: true, Logger: log,
			}, limit)
		},
	})
	var page struct {
		Transactions []struct{ Account, Hash string }
	}
	fetch(t, x.h, http.MethodGet, "/api/v3/transactions?limit=1&workchain=0", "", &page)
	require.NotEmpty(t, page.Transactions)
	x.account, x.hash = page.Transactions[0].Account, page.Transactions[0].Hash
	to, err := address.ParseRawAddr(x.account)
	require.NoError(t, err)
	message, err := tlb.ToCell(&tlb.InternalMessage{IHRDisabled: true, SrcAddr: to, DstAddr: to, Amount: tlb.MustFromTON("1"), Body: cell.BeginCell().EndCell()})
	require.NoError(t, err)
	x.message, x.wallet = bag(message), net.FaucetWallet.Address.String()
	return x
}

// valid returns a valid value of the parameter, for requests in which another one is hostile.
func (x *target) valid(name string) string {
	switch n := strings.ToLower(name); {
	case strings.Contains(n, "hash"), strings.Contains(n, "trace_id"), strings.Contains(n, "action_id"), n == "libraries":
		return x.hash
	case strings.Contains(n, "addr"), strings.Contains(n, "account"), strings.Contains(n, "source"), strings.Contains(n, "destination"),
		strings.Contains(n, "wallet"), strings.Contains(n, "owner"), strings.Contains(n, "collection"), strings.Contains(n, "jetton"):
		return x.account
	case n == "boc", n == "body":
		return "te6ccgEBAQEAAgAAAA=="
	case n == "shard":
		return "-9223372036854775808"
	case n == "workchain":
		return "-1"
	case n == "method":
		return "seqno"
	case n == "domain":
		return "a.ton"
	default:
		return "5"
	}
}

// send serves an attack and returns what is wrong with the response, "" for nothing.
func (x *target) send(t *testing.T, a *attack) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*time.Minute)
	defer cancel()
	stream := a.header["Accept"] == "text/event-stream"
	if stream {
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	r := httptest.NewRequestWithContext(ctx, a.method, "/", strings.NewReader(a.body))
	r.URL.Path, r.URL.RawQuery = a.path, a.query
	for name, value := range a.header {
		r.Header.Set(name, value)
	}
	if a.signed {
		session := payment.NewToken()
		if err := x.db.Payments().OpenSession(ctx, payment.HashOf(session), x.merchant.ID, false, time.Minute); err != nil {
			return "a session cannot be opened: " + err.Error()
		}
		r.AddCookie(&http.Cookie{Name: "tonql_session", Value: session})
		if a.form != nil {
			mac := hmac.New(sha256.New, []byte(session))
			mac.Write([]byte("form"))
			form := maps.Clone(a.form)
			if !form.Has("csrf") {
				form.Set("csrf", base64.RawURLEncoding.EncodeToString(mac.Sum(nil)))
			}
			text := form.Encode()
			r.Body, r.ContentLength = http.NoBody, 0
			r2 := httptest.NewRequestWithContext(ctx, a.method, "/", strings.NewReader(text))
			r.Body, r.ContentLength = r2.Body, r2.ContentLength
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	w := httptest.NewRecorder()
	x.h.ServeHTTP(w, r)
	x.mu.Lock()
	x.statuses[w.Code]++
	x.mu.Unlock()
	body := w.Body.String()
	const most = 1 << 20
	switch {
	case len(body) > most:
		return fmt.Sprintf("%d bytes of response", len(body))
	case a.path == "/graphql" && (strings.Contains(body, "Cannot query field") || strings.Contains(body, "Unknown argument") ||
		strings.Contains(body, "selection of subfields") || strings.Contains(body, "is not defined by operation")) && strings.HasPrefix(a.what, "GraphQL ") && strings.Contains(a.body, "($v: "):
		return "the test's own document is wrong: " + body[:min(300, len(body))]
	case w.Header().Get("X-Injected") != "":
		return "a header was injected"
	case strings.Contains(body, `"code":"INTERNAL"`), strings.Contains(body, "internal error") && a.path != "/metrics", strings.Contains(body, "internal server error"):
		return "internal error: " + body[:min(300, len(body))]
	case w.Code < http.StatusInternalServerError, w.Code == http.StatusServiceUnavailable, w.Code == http.StatusGatewayTimeout:
		return ""
	case strings.HasPrefix(a.path, "/api/v2/"):
		return "" // the published API responds with 500, 533 and 542 to requests that a node refuses; internal errors are detected above
	}
	return fmt.Sprintf("status %d: %s", w.Code, body[:min(300, len(body))])
}

// description is the part of an OpenAPI document with the parameters.
type description struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Ref      string `json:"$ref"`
			Name, In string
			Required bool
		}
		RequestBody struct {
			Content map[string]struct{ Schema bodySchema }
		}
	}
	Components struct {
		Schemas    map[string]bodySchema
		Parameters map[string]struct {
			Name, In string
			Required bool
		}
	}
}

type bodySchema struct {
	Ref        string `json:"$ref"`
	Properties map[string]json.RawMessage
	Required   []string
	AllOf      []bodySchema
	OneOf      []bodySchema
}

// members returns the names of the members of a body, and the required ones.
func (d *description) members(s bodySchema) (names, required []string) {
	if s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	names, required = slices.Sorted(maps.Keys(s.Properties)), s.Required
	for _, part := range slices.Concat(s.AllOf, s.OneOf) {
		n, r := d.members(part)
		names, required = append(names, n...), append(required, r...)
	}
	return names, required
}

// ofREST makes the attacks on an API with an OpenAPI document.
func (x *target) ofREST(t *testing.T, prefix string) (attacks []attack, parameters int) {
	t.Helper()
	var d description
	fetch(t, x.h, http.MethodGet, prefix+"/openapi.json", "", &d)
	for path, operations := range d.Paths {
		path = prefix + strings.TrimPrefix(path, prefix)
		for method, o := range operations {
			method = strings.ToUpper(method)
			base := url.Values{}
			type parameter struct{ name, in string }
			var all []parameter
			for _, p := range o.Parameters {
				name, in, required := p.Name, p.In, p.Required
				if p.Ref != "" {
					c := d.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]]
					name, in, required = c.Name, c.In, c.Required
				}
				all = append(all, parameter{name, in})
				if required {
					base.Set(name, x.valid(name))
				}
			}
			for _, p := range all {
				parameters++
				for _, value := range x.texts() {
					a := attack{what: method + " " + path + " " + p.in + " " + p.name, method: method, path: path, header: map[string]string{}}
					q := maps.Clone(base)
					if p.in == "header" {
						a.header[p.name] = value
					} else {
						q.Set(p.name, value)
					}
					a.query = q.Encode()
					if method == http.MethodGet || p.in == "header" {
						attacks = append(attacks, a)
					}
				}
			}
			for _, content := range o.RequestBody.Content {
				names, required := d.members(content.Schema)
				if prefix == v3.EmulationPrefix { // few values of its members are valid
					attacks = append(attacks, attack{
						what: method + " " + path + " without a hostile value", method: method, path: path, body: printObject(x.required(path, required)),
						header: map[string]string{"Content-Type": "application/json"},
					})
				}
				for _, name := range names {
					parameters++
					for _, value := range x.everyJSON() {
						body := x.required(path, required)
						body[name] = value
						text := printObject(body)
						attacks = append(attacks, attack{
							what: method + " " + path + " body " + name + " " + value[:min(40, len(value))], method: method, path: path, body: text,
							header: map[string]string{"Content-Type": "application/json"},
						})
						if route, ok := strings.CutPrefix(path, "/api/v2/"); ok && route != "jsonRPC" {
							attacks = append(attacks, attack{
								what: "jsonRPC " + route + " " + name + " " + value[:min(40, len(value))], method: http.MethodPost, path: "/api/v2/jsonRPC",
								body:   `{"jsonrpc":"2.0","id":1,"method":"` + route + `","params":` + text + `}`,
								header: map[string]string{"Content-Type": "application/json"},
							})
						}
					}
				}
			}
		}
	}
	return attacks, parameters
}

// required returns valid values of the required members of a body.
func (x *target) required(path string, names []string) map[string]string {
	body := map[string]string{}
	for _, name := range names {
		body[name] = jsonText(x.valid(name))
		switch {
		case name == "stack":
			body[name] = "[]"
		case name == "from":
			body[name] = jsonText(x.wallet)
		case name == "messages":
			body[name] = `[{"address":` + jsonText(x.account) + `,"amount":"1"}]`
		case name == "boc" && strings.HasPrefix(path, v3.EmulationPrefix+"/"):
			body[name] = jsonText(x.message)
		}
	}
	return body
}

func printObject(members map[string]string) string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":" + members[name])
	}
	return "{" + b.String() + "}"
}

// ofGraphQL makes the attacks on each argument, and each member of an input object, of each reachable field.
func (x *target) ofGraphQL() (attacks []attack, parameters int) {
	type place struct{ before, after string }
	reached := map[string]place{}
	var reach func(name string, at place, depth int)
	reach = func(name string, at place, depth int) {
		if _, ok := reached[name]; ok || depth > 6 {
			return
		}
		def := x.schema.Types[name]
		if def == nil || def.Kind != gql.Object {
			return
		}
		reached[name] = at
		for _, f := range def.Fields {
			call, ok := x.call(f, nil)
			if ok && !strings.HasPrefix(f.Name, "__") {
				reach(f.Type.Name(), place{at.before + " { " + call, " }" + at.after}, depth+1)
			}
		}
	}
	reach("Query", place{"query", ""}, 0)
	reach("Mutation", place{"mutation", ""}, 0)
	reach("Subscription", place{"subscription", ""}, 0)
	for _, name := range slices.Sorted(maps.Keys(reached)) {
		at := reached[name]
		for _, f := range x.schema.Types[name].Fields {
			for _, arg := range f.Arguments {
				call, ok := x.call(f, arg)
				if !ok {
					continue
				}
				if x.schema.Types[f.Type.Name()].IsCompositeType() {
					call += " { __typename }"
				}
				kind, below, _ := strings.Cut(at.before, " ")
				document := kind + "($v: " + arg.Type.String() + ") " + below + " { " + call + " }" + at.after
				for _, wrap := range x.wraps(arg.Type, 3) {
					parameters++
					for _, value := range x.everyJSON() {
						a := attack{
							what: "GraphQL " + name + "." + f.Name + "." + arg.Name + " " + wrap("*") + " " + value[:min(40, len(value))], method: http.MethodPost, path: "/graphql",
							body:   `{"query":` + strconv.Quote(document) + `,"variables":{"v":` + wrap(value) + `}}`,
							header: map[string]string{"Content-Type": "application/json"},
						}
						if kind == "subscription" {
							a.header["Accept"] = "text/event-stream"
						}
						attacks = append(attacks, a)
					}
				}
			}
		}
	}
	return attacks, parameters
}

// call formats a field with its required arguments; the argument under attack is the variable v.
func (x *target) call(f *gql.FieldDefinition, attacked *gql.ArgumentDefinition) (string, bool) {
	var arguments []string
	for _, arg := range f.Arguments {
		switch {
		case attacked != nil && arg.Name == attacked.Name:
			arguments = append(arguments, arg.Name+": $v")
		case arg.Type.NonNull && arg.DefaultValue == nil:
			value, ok := x.literal(arg.Name, arg.Type)
			if !ok {
				return "", false
			}
			arguments = append(arguments, arg.Name+": "+value)
		}
	}
	if len(arguments) == 0 {
		return f.Name, true
	}
	return f.Name + "(" + strings.Join(arguments, ", ") + ")", true
}

func (x *target) literal(name string, t *gql.Type) (string, bool) {
	if t.Elem != nil {
		value, ok := x.literal(name, t.Elem)
		return "[" + value + "]", ok
	}
	def := x.schema.Types[t.NamedType]
	switch {
	case def.Kind == gql.Enum:
		return def.EnumValues[0].Name, true
	case def.Kind == gql.InputObject:
		var members []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil || def.Directives.ForName("oneOf") != nil && len(members) == 0 {
				value, ok := x.literal(f.Name, f.Type)
				if !ok {
					return "", false
				}
				members = append(members, f.Name+": "+value)
			}
		}
		return "{" + strings.Join(members, ", ") + "}", true
	case t.NamedType == "Address":
		return strconv.Quote(x.account), true
	case t.NamedType == "Hash":
		return strconv.Quote(x.hash), true
	case t.NamedType == "Int", t.NamedType == "UInt32":
		return "5", true
	case t.NamedType == "Boolean":
		return "true", true
	case t.NamedType == "Boc":
		return `"te6ccgEBAQEAAgAAAA=="`, true
	default:
		return strconv.Quote(x.valid(name)), true
	}
}

// wraps returns the positions of a value in a type: the value itself, an element of its list, each member of its
// object.
func (x *target) wraps(t *gql.Type, depth int) []func(string) string {
	all := []func(string) string{func(v string) string { return v }}
	if depth == 0 {
		return all
	}
	if t.Elem != nil {
		for _, inner := range x.wraps(t.Elem, depth-1) {
			all = append(all, func(v string) string { return "[" + inner(v) + "]" })
		}
		return all
	}
	def := x.schema.Types[t.NamedType]
	if def.Kind != gql.InputObject {
		return all
	}
	for _, f := range def.Fields {
		for _, inner := range x.wraps(f.Type, depth-1) {
			all = append(all, func(v string) string { return "{" + strconv.Quote(f.Name) + ":" + inner(v) + "}" })
		}
	}
	return all
}

// read returns the names of parameters that the code of a package reads from requests.
type read struct {
	routes                      []string // METHOD PATH
	form, query, header, cookie map[string]bool
	members                     map[string]bool // of bodies
}

// readBy returns the names in the code of packages, so that a new parameter is found automatically.
func readBy(t *testing.T, folders ...string) *read {
	t.Helper()
	found := &read{form: map[string]bool{}, query: map[string]bool{}, header: map[string]bool{}, cookie: map[string]bool{}, members: map[string]bool{}}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, folder)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			require.NoError(t, err)
			ast.Inspect(file, found.visit)
		}
	}
	return found
}

func (f *read) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		if method, path, ok := strings.Cut(text, " /"); err == nil && n.Kind == token.STRING && ok && (method == "GET" || method == "POST") && !strings.Contains(path, " ") {
			f.routes = append(f.routes, method+" /"+path)
		}
	case *ast.Field:
		if n.Tag != nil {
			tag, err := strconv.Unquote(n.Tag.Value)
			if name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ","); err == nil && name != "" && name != "-" {
				f.members[name] = true
			}
		}
	case *ast.CallExpr:
		selector, ok := n.Fun.(*ast.SelectorExpr)
		name := ""
		if ok {
			name = selector.Sel.Name
		} else if plain, isPlain := n.Fun.(*ast.Ident); isPlain {
			name = plain.Name
		}
		for _, argument := range n.Args {
			lit, isLit := argument.(*ast.BasicLit)
			if !isLit || lit.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				continue
			}
			switch {
			case name == "PostFormValue" || name == "FormValue":
				f.form[text] = true
			case name == "Cookie":
				f.cookie[text] = true
			case name == "sent" || name == "flag" || (name == "Get" || name == "Values") && ok && strings.HasSuffix(ends(selector.X), "Header"):
				if text != "" && http.CanonicalHeaderKey(text) != text || strings.Contains(text, "-") || strings.ToLower(text) != text {
					f.header[text] = true
				}
			case name == "Get" && ok:
				f.query[text] = true
			}
		}
	}
	return true
}

// ends returns the last name of an expression.
func ends(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return ends(e.Fun)
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}

// ofDashboard makes the attacks on pages and forms: each name on each of them.
func (x *target) ofDashboard(t *testing.T) (attacks []attack, parameters int) {
	t.Helper()
	code := readBy(t, "dashboard")
	require.Greater(t, len(code.routes), 25)
	require.Greater(t, len(code.form), 8)
	require.Greater(t, len(code.query), 5)
	for _, route := range code.routes {
		method, path, _ := strings.Cut(route, " ")
		path = strings.TrimSuffix(path, "{$}")
		names := code.query
		if method == http.MethodPost {
			names = code.form
		}
		for name := range names {
			parameters++
			for _, value := range x.texts() {
				a := attack{what: "dashboard " + route + " " + name + " " + strconv.QuoteToASCII(value[:min(40, len(value))]), method: method, signed: path != "/signin" && path != "/signin/code" && path != "/link"}
				prefix := dashboard.Prefix
				if strings.HasPrefix(path, dashboard.PayPrefix+"/") {
					prefix, a.signed = "", false
				}
				a.path = prefix + strings.NewReplacer("{id}", "1", "{reference}", "x", "{page}", "AAAAAAAAAAAAAAAAAAAAAAAA", "{rest...}", "none").Replace(path)
				if method == http.MethodPost {
					a.form = url.Values{name: {value}}
					a.body, a.header = a.form.Encode(), map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
				} else {
					a.query = url.Values{name: {value}}.Encode()
				}
				attacks = append(attacks, a)
			}
		}
		if strings.Contains(path, "{") {
			parameters++
			for _, value := range x.texts() {
				at := strings.IndexByte(path, '{')
				prefix, signed := dashboard.Prefix, true
				if strings.HasPrefix(path, dashboard.PayPrefix+"/") {
					prefix, signed = "", false
				}
				a := attack{what: "dashboard " + route + " path", method: method, signed: signed, path: prefix + path[:at] + value + path[strings.IndexByte(path, '}')+1:]}
				if method == http.MethodPost {
					a.form = url.Values{}
				}
				attacks = append(attacks, a)
			}
		}
	}
	return attacks, parameters
}

func (x *target) ofMerchant(t *testing.T) (attacks []attack, parameters int) {
	t.Helper()
	code := readBy(t, "merchant")
	require.Greater(t, len(code.members), 6)
	require.GreaterOrEqual(t, len(code.query), 2)
	valid := map[string]string{"amount": "1", "asset": `"TON"`, "senderAddr": jsonText(x.account), "recipientAddr": jsonText(x.account)}
	for _, key := range []string{"", x.key} {
		header := map[string]string{"Content-Type": "application/json", "X-Api-Key": key}
		for name := range code.members {
			parameters++
			for _, value := range x.everyJSON() {
				body := maps.Clone(valid)
				body[name] = value
				attacks = append(attacks, attack{what: "merchant " + name + " " + value[:min(40, len(value))], method: http.MethodPost, path: merchant.Prefix + "/create-transfer", body: printObject(body), header: header})
			}
		}
		for name := range code.query {
			parameters++
			for _, value := range x.texts() {
				attacks = append(attacks, attack{
					what: "merchant " + name + " " + strconv.QuoteToASCII(value[:min(40, len(value))]), method: http.MethodGet, path: merchant.Prefix + "/transfer",
					query: url.Values{name: {value}}.Encode(), header: header,
				})
			}
		}
	}
	return attacks, parameters
}

// ofEverything makes the attacks on headers, cookies and paths, which all handlers share.
func (x *target) ofEverything(t *testing.T) (attacks []attack, parameters int) {
	t.Helper()
	code := readBy(t, ".", "handler", "v2", "v3", "graphql", "merchant", "dashboard", "explorer", "docs")
	require.Greater(t, len(code.header), 10, "%v", code.header)
	pages := []attack{
		{method: http.MethodGet, path: "/api/v3/masterchainInfo"}, {method: http.MethodGet, path: "/api/v3/transactions", query: "limit=1"},
		{method: http.MethodGet, path: "/api/v2/getMasterchainInfo"}, {method: http.MethodGet, path: "/graphql", query: "query={__typename}"},
		{method: http.MethodPost, path: "/graphql", body: `{"query":"{ __typename }"}`},
		{method: http.MethodGet, path: merchant.Prefix + "/transfer", query: "reference=x"}, {method: http.MethodPost, path: merchant.Prefix + "/create-transfer", body: "{}"},
		{method: http.MethodGet, path: "/dashboard/payments", signed: true}, {method: http.MethodGet, path: "/dashboard/signin"},
		{method: http.MethodGet, path: "/explorer"}, {method: http.MethodGet, path: "/playground"}, {method: http.MethodGet, path: "/"},
		{method: http.MethodGet, path: "/readyz"}, {method: http.MethodGet, path: "/api/v3/"},
	}
	headers := slices.Collect(maps.Keys(code.header))
	headers = append(headers, "Host", "Origin", "Cookie", "If-None-Match", "Range", "Accept-Encoding", "X-Request-Id", "Content-Type", "X-Forwarded-For")
	cookies := append(slices.Collect(maps.Keys(code.cookie)), "tonql_session", "__Host-tonql_session")
	for _, page := range pages {
		for _, name := range headers {
			parameters++
			for _, value := range x.texts() {
				a := page
				a.what, a.header = page.path+" header "+name+" "+strconv.QuoteToASCII(value[:min(40, len(value))]), map[string]string{name: value}
				attacks = append(attacks, a)
			}
		}
		for _, name := range cookies {
			parameters++
			for _, value := range x.texts() {
				a := page
				a.what, a.signed, a.header = page.path+" cookie "+name, false, map[string]string{"Cookie": name + "=" + value}
				attacks = append(attacks, a)
			}
		}
	}
	for _, prefix := range []string{"/", "/api/v3/", "/api/v2/", "/api/v2/jsonRPC/", "/api/merchant/v1/", "/dashboard/", "/explorer/", "/playground/", "/graphql/", "/api/v3/docs/"} {
		parameters++
		for _, value := range x.texts() {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				attacks = append(attacks, attack{what: "path " + prefix + strconv.QuoteToASCII(value[:min(40, len(value))]), method: method, path: prefix + value})
			}
		}
	}
	for _, name := range []string{"query", "operationName", "variables", "extensions", "documentId", "token", "operationId"} {
		parameters++
		for _, value := range x.texts() {
			q := url.Values{"query": {"{__typename}"}}
			q.Set(name, value)
			attacks = append(attacks, attack{what: "GraphQL GET " + name, method: http.MethodGet, path: "/graphql", query: q.Encode()})
		}
		for _, value := range x.everyJSON() {
			body := map[string]string{"query": `"{__typename}"`}
			body[name] = value
			attacks = append(attacks, attack{what: "GraphQL POST " + name, method: http.MethodPost, path: "/graphql", body: printObject(body), header: map[string]string{"Content-Type": "application/json"}})
		}
	}
	return attacks, parameters
}

// Hostile values of every declared parameter of every API cause no internal error, no panic and no long response.
//
//nolint:tparallel // the parts share one machine
func TestHostileValues_OfEveryParameterAreRefused(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(hostileTexts), 30)
	x := newTarget(t)
	// A name that is sent to every page has all values on one page or another with few values for each.
	const each, many = 30, 10
	for _, part := range []struct {
		name   string
		good   int
		values int
		list   func() ([]attack, int)
	}{
		{"v2", http.StatusOK, each, func() ([]attack, int) { return x.ofREST(t, "/api/v2") }},
		{"v3", http.StatusOK, each, func() ([]attack, int) { return x.ofREST(t, "/api/v3") }},
		{"emulate", http.StatusOK, each, func() ([]attack, int) { return x.ofREST(t, v3.EmulationPrefix) }},
		{"GraphQL", http.StatusOK, each, x.ofGraphQL},
		{"merchant", http.StatusUnprocessableEntity, each, func() ([]attack, int) { return x.ofMerchant(t) }},
		{"dashboard", http.StatusUnprocessableEntity, many, func() ([]attack, int) { return x.ofDashboard(t) }},
		{"headers, cookies and paths", http.StatusOK, many, func() ([]attack, int) { return x.ofEverything(t) }},
	} {
		t.Run(part.name, func(t *testing.T) {
			if x.values = part.values; pacetest.Short() || pacetest.Slow > 1 {
				x.values = 6
			}
			attacks, parameters := part.list()
			t.Logf("%d requests at %d parameters", len(attacks), parameters)
			require.Greater(t, parameters, 10)
			x.statuses = map[int]int{}
			x.sendAll(t, attacks)
			t.Logf("responses: %v", x.statuses)
			require.Positive(t, x.statuses[part.good], "some values are valid, or no handler was reached")
			if part.name == "v2" || part.name == "v3" {
				require.Less(t, x.statuses[http.StatusNotFound]+x.statuses[http.StatusMethodNotAllowed], len(attacks)/10, "routes are found")
			}
		})
	}
	x.log.mu.Lock()
	defer x.log.mu.Unlock()
	for _, line := range x.log.lines {
		require.NotContains(t, line, "panic", line)
	}
}

// sendAll sends attacks, a few at a time, and reports each kind of problem once.
func (x *target) sendAll(t *testing.T, attacks []attack) {
	t.Helper()
	var mu sync.Mutex
	wrong := map[string]bool{}
	work := make(chan *attack)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for a := range work {
				problem := x.send(t, a)
				mu.Lock()
				if problem != "" && !wrong[problem] && len(wrong) < 20 {
					wrong[problem] = true
					t.Errorf("%s: %s", a.what, problem)
				}
				mu.Unlock()
			}
		})
	}
	for i := range attacks {
		work <- &attacks[i]
	}
	close(work)
	workers.Wait()
}
