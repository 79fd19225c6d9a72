package graphql_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/graph"
)

var update = flag.Bool("update", false, "write assets/fields.json anew")

// fieldExample is an example of a root field. A value "{name}" of its variables stands for a sample of the running service.
type fieldExample struct {
	Name      string         `json:"name"` // Query.account
	About     string         `json:"about"`
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
}

// fieldExamples is the file of examples that the playground reads.
type fieldExamples struct {
	SampleQuery string            `json:"sampleQuery"` // its response has the samples
	Samples     map[string]string `json:"samples"`     // paths in that response
	Examples    []fieldExample    `json:"examples"`
}

const sampleQuery = `{
  transactions(first: 1) { nodes { hash mcSeqno account { address id } inMessage { hash body } trace { hash } } }
  received: messages(first: 1, where: { kind: INTERNAL }) { nodes { hash body } }
  blocks(first: 1) { nodes { rootHash } }
  actions(first: 1) { nodes { hash } }
  jettonMasters(first: 1) { nodes { account { address state { codeHash } } } }
  jettonWallets(first: 1) { nodes { account { address } owner { address } } }
  nftCollections(first: 1) { nodes { account { address } } }
  nftItems(first: 1) { nodes { account { address } owner { address } } }
}`

var samples = map[string]string{
	"account": "transactions.nodes.0.account.address", "id": "transactions.nodes.0.account.id", "transaction": "transactions.nodes.0.hash",
	"seqno": "transactions.nodes.0.mcSeqno", "message": "received.nodes.0.hash", "body": "received.nodes.0.body", "block": "blocks.nodes.0.rootHash",
	"action": "actions.nodes.0.hash", "jetton": "jettonMasters.nodes.0.account.address", "code": "jettonMasters.nodes.0.account.state.codeHash",
	"jettonWallet": "jettonWallets.nodes.0.account.address", "owner": "jettonWallets.nodes.0.owner.address",
	"collection": "nftCollections.nodes.0.account.address", "item": "nftItems.nodes.0.account.address", "itemOwner": "nftItems.nodes.0.owner.address",
}

// exampleValues has the values of arguments by field and argument, and by argument alone.
var exampleValues = map[string]any{
	"address": "{account}", "addresses": []any{"{account}"}, "account": "{account}", "accounts": []any{"{account}"}, "codeHash": "{code}", "hash": "{transaction}",
	"id": "{id}", "ids": []any{"{id}"}, "jetton": "{jetton}", "from": 1, "to": 999, "text": "{account}", "body": "{body}",
	"action.hash": "{action}", "message.hash": "{message}", "block.by": map[string]any{"rootHash": "{block}"}, "trace.by": map[string]any{"transaction": "{transaction}"},
	"dnsRecords.where": map[string]any{"wallet": "{itemOwner}"}, "dnsAuctions.where": map[string]any{"bidder": "{itemOwner}"}, "runGetMethod.address": "{jetton}", "runGetMethod.method": "get_jetton_data",
	"disassembly.address": "{jetton}", "decode.opcodes": []any{"0x0f8a7ea5"}, "decode.bodies": []any{"{body}"}, "jettonMaster.address": "{jetton}",
	"jettonWallet.address": "{jettonWallet}", "multisigs.where": map[string]any{"members": []any{"{account}"}},
	"multisigOrders.where": map[string]any{"multisigs": []any{"{account}"}}, "nftCollection.address": "{collection}", "nftTraits.collection": "{collection}", "nftItem.address": "{item}",
	"nftSale.address": "{account}", "nftSales.where": map[string]any{"sellers": []any{"{itemOwner}"}}, "nftOwner.address": "{item}",
	"nftOwner.at": map[string]any{"seqno": "{seqno}"}, "simulate.message": map[string]any{"hash": "{message}"},
	"poolEvents.where": map[string]any{"pool": "{account}"}, "poolValidatorEvents.where": map[string]any{"pool": "{account}"},
	"vestings.where": map[string]any{"wallets": []any{"{account}"}}, "sendMessage.boc": "te6cckEBAQEAAgAAAEysuc0=",
}

// optional are the arguments that an example has although they may be left out.
var optional = []string{"decode.opcodes", "decode.bodies", "pendingTraces.account"}

const (
	maxScalars = 10 // of an object in an example
	maxInner   = 4  // of an object in it
)

func scalarOf(t *ast.Definition) bool {
	return t != nil && (t.Kind == ast.Scalar || t.Kind == ast.Enum) && t.Name != "Boc" && t.Name != "JSON"
}

func needsArguments(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil })
}

// exampleSelection selects the first scalars of a type, and of the objects in it.
func exampleSelection(schema *ast.Schema, t *ast.Definition, indent string, depth int) string {
	if t.Kind == ast.Union || t.Kind == ast.Interface {
		return indent + "__typename\n"
	}
	var b strings.Builder
	limit := maxScalars
	if depth > 0 {
		limit = maxInner
	}
	scalars, objects := 0, 0
	for _, f := range t.Fields {
		inner := schema.Types[f.Type.Name()]
		switch {
		case strings.HasPrefix(f.Name, "__") || f.Name == "id" || f.Name == "edges" || needsArguments(f) || f.Directives.ForName("deprecated") != nil:
		case scalarOf(inner) || f.Type.Name() == "JSON" && f.Name != "stack":
			if scalars++; scalars <= limit {
				b.WriteString(indent + f.Name + "\n")
			}
		case inner.Kind != ast.Object || depth > 1:
		case inner.Name == "Account":
			b.WriteString(indent + f.Name + " { address }\n")
		case strings.HasSuffix(inner.Name, "Connection") || depth > 0 && f.Name != "nodes":
		default:
			if objects++; objects <= 3 || f.Name == "nodes" || f.Name == "pageInfo" {
				b.WriteString(indent + f.Name + " {\n" + exampleSelection(schema, inner, indent+"  ", depth+1) + indent + "}\n")
			}
		}
	}
	if b.Len() == 0 {
		return indent + "__typename\n"
	}
	return b.String()
}

func exampleOf(t *testing.T, schema *ast.Schema, root *ast.Definition, f *ast.FieldDefinition) fieldExample {
	t.Helper()
	e := fieldExample{Name: root.Name + "." + f.Name, About: strings.SplitN(f.Description, ". ", 2)[0]}
	var declared, passed []string
	for _, a := range f.Arguments {
		key := f.Name + "." + a.Name
		switch {
		case a.Type.NonNull && a.DefaultValue == nil, slices.Contains(optional, key):
			value, ok := exampleValues[key]
			if !ok {
				value, ok = exampleValues[a.Name]
			}
			require.True(t, ok, "exampleValues needs a value of %s", key)
			if e.Variables == nil {
				e.Variables = map[string]any{}
			}
			e.Variables[a.Name] = value
			declared, passed = append(declared, "$"+a.Name+": "+a.Type.String()), append(passed, a.Name+": $"+a.Name)
		case a.Name == "first":
			passed = append(passed, "first: 5")
		}
	}
	text := strings.ToLower(root.Name) + " " + strings.ToUpper(f.Name[:1]) + f.Name[1:]
	if len(declared) > 0 {
		text += "(" + strings.Join(declared, ", ") + ")"
	}
	text += " {\n  " + f.Name
	if len(passed) > 0 {
		text += "(" + strings.Join(passed, ", ") + ")"
	}
	if inner := schema.Types[f.Type.Name()]; !inner.IsLeafType() {
		text += " {\n" + exampleSelection(schema, inner, "    ", 0) + "  }"
	}
	e.Query = "# " + strings.TrimSuffix(e.About, ".") + ".\n" + text + "\n}\n"
	return e
}

// The playground has an example of each field of Query, Mutation and Subscription, made from the schema; with -update the file is
// written. They are sent to a service in package v3.
func TestFieldExamples_CoverEachRootField(t *testing.T) {
	t.Parallel()
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	want := fieldExamples{SampleQuery: sampleQuery, Samples: samples}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				want.Examples = append(want.Examples, exampleOf(t, schema, root, f))
			}
		}
	}
	_, errs := gqlparser.LoadQueryWithRules(schema, sampleQuery, nil)
	require.Empty(t, errs)
	for _, e := range want.Examples {
		_, errs := gqlparser.LoadQueryWithRules(schema, e.Query, nil)
		require.Empty(t, errs, e.Query)
	}
	data, err := json.MarshalIndent(want, "", " ")
	require.NoError(t, err)
	const file = "assets/fields.json"
	if *update {
		require.NoError(t, os.WriteFile(file, append(data, '\n'), 0o600))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t, string(data), string(got), "run go test ./rest/graphql -run TestFieldExamples -update")
}
