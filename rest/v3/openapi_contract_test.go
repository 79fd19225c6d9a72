package v3_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// Answers over contracts fit the published schemas and leave no published member out, save the differences that
// docs/compatibility.md explains.
func TestPublishedContractSchemas(t *testing.T) {
	t.Parallel()
	doc := published(t)
	d := market(t)
	for path, schema := range map[string]string{
		"/metadata?address=M1&address=W21&address=I11&address=C1": "Metadata",
		"/jetton/masters":                        "JettonMastersResponse",
		"/jetton/wallets":                        "JettonWalletsResponse",
		"/jetton/transfers":                      "JettonTransfersResponse",
		"/jetton/burns":                          "JettonBurnsResponse",
		"/nft/collections":                       "NFTCollectionsResponse",
		"/nft/items?limit=100":                   "NFTItemsResponse",
		"/nft/transfers":                         "NFTTransfersResponse",
		"/dns/records?wallet=A1":                 "DNSRecordsResponse",
		"/multisig/wallets?wallet_address=A1,A3": "MultisigResponse",
		"/multisig/orders?multisig_address=G1,G2&parse_actions=1": "MultisigOrderResponse",
		"/vesting?wallet_address=A2":                              "VestingContractsResponse",
		"/accountStates?address=W11&address=M1":                   "AccountStatesResponse",
		"/walletStates?address=W11":                               "WalletStatesResponse",
	} {
		var body any
		require.NoError(t, json.Unmarshal(d.ask(expand(path)).Body.Bytes(), &body))
		ref := doc.Components.Schemas[schema]
		require.NotNil(t, ref, schema)
		require.NoError(t, ref.Value.VisitJSON(withoutArtefacts(withoutDeviations(body))), path)
		requireKnown(t, ref.Value, body, path)
		if !strings.HasSuffix(schema, "StatesResponse") { // of states some members are not for these accounts
			printed := map[string]bool{}
			membersOf(body, "", printed)
			requirePrinted(t, ref.Value, "", printed, path)
		}
	}
}

// withoutArtefacts drops payloads, which the document types by the bytes they are made of.
func withoutArtefacts(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if strings.HasPrefix(name, "decoded_") || name == "body_raw" {
				delete(v, name)
				continue
			}
			v[name] = withoutArtefacts(member)
		}
	case []any:
		for i := range v {
			v[i] = withoutArtefacts(v[i])
		}
	}
	return v
}

// membersOf collects the paths of members; rows of a list, and values of a map of addresses, share theirs.
func membersOf(v any, at string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if strings.Contains(name, ":") {
				name = "*"
			}
			into[at+"."+name] = true
			membersOf(member, at+"."+name, into)
		}
	case []any:
		for _, row := range v {
			membersOf(row, at, into)
		}
	}
}

// Published members that are not printed where an order is part of its wallet.
var elsewhere = []string{".multisigs.orders.actions"}

// requirePrinted finds published members that no row has.
func requirePrinted(t *testing.T, s *openapi3.Schema, at string, printed map[string]bool, path string) {
	t.Helper()
	if s.Items != nil {
		requirePrinted(t, s.Items.Value, at, printed, path)
		return
	}
	if extra := s.AdditionalProperties.Schema; extra != nil && printed[at+".*"] {
		requirePrinted(t, extra.Value, at+".*", printed, path)
	}
	for name, ref := range s.Properties {
		member := at + "." + name
		require.True(t, printed[member] || strings.HasPrefix(member, ".metadata") || optional(member), "%s: %s is never printed", path, member)
		if !slices.Contains(elsewhere, member) && printed[member] {
			requirePrinted(t, ref.Value, member, printed, path)
		}
	}
}

// optional says that no token of the market has the member.
func optional(member string) bool {
	return strings.HasSuffix(member, ".token_info.description") || strings.HasSuffix(member, ".token_info.image")
}
