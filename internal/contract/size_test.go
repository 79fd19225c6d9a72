package contract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Everything of a contract's choice that may be long counts.
func TestFacts_SizeCountsEverythingThatMayBeLong(t *testing.T) {
	t.Parallel()
	const long = 5000
	text := strings.Repeat("\x01", long)
	content, list := chain.Content{"name": text}, make([]chain.Address, long)
	require.Zero(t, (&contract.Facts{}).Size())
	for name, facts := range map[string]contract.Facts{
		"master":     {JettonMaster: &chain.JettonMaster{Content: content}},
		"mintless":   {JettonMaster: &chain.JettonMaster{MintlessAPIs: make([]string, long)}},
		"collection": {NFTCollection: &chain.NFTCollection{Content: content}},
		"item":       {NFTItem: &chain.NFTItem{Content: content}},
		"domain":     {NFTItem: &chain.NFTItem{Domain: text}},
		"telemint":   {NFTSale: &chain.NFTSale{Telemint: &chain.TelemintAuction{TokenName: text}}},
		"text":       {DNS: &chain.DNSRecord{Text: &text}},
		"signers":    {Multisig: &chain.Multisig{Signers: list}},
		"proposers":  {Multisig: &chain.Multisig{Proposers: list}},
		"order":      {MultisigOrder: &chain.MultisigOrder{Order: make([]byte, long)}},
		"approvers":  {MultisigOrder: &chain.MultisigOrder{Signers: list}},
		"whitelist":  {Vesting: &chain.Vesting{Whitelist: list}},
	} {
		require.GreaterOrEqual(t, facts.Size(), long, name)
	}
	require.Less(t, (&contract.Facts{
		JettonWallet: &chain.JettonWallet{}, NFTItem: &chain.NFTItem{Content: chain.Content{"uri": "https://a.b/c"}}, NFTSale: &chain.NFTSale{},
	}).Size(), 100)
}
