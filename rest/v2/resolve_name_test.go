package v2_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/devnet/contracts"
)

// order makes the faucet send a message, and waits until a few blocks with what it causes are indexed.
func (n *network) order(m *tlb.InternalMessage) {
	n.t.Helper()
	ticket := contracts.Ticket{Seqno: n.faucetSeqno(), ValidUntil: n.devnet.Chain.Now() + 300}
	message, err := n.faucet.External(ticket, contracts.Order{Message: m})
	require.NoError(n.t, err)
	n.read("sendBoc", params{"boc": base64.StdEncoding.EncodeToString(message.ToBOC())}, nil)
	n.advance(n.head() + 4)
}

// root returns the root resolver of the network.
func (n *network) root() *address.Address {
	n.t.Helper()
	var info struct{ Config struct{ Bytes []byte } }
	n.read("getConfigParam", params{"config_id": 4}, &info)
	c, err := cell.FromBOC(info.Config.Bytes)
	require.NoError(n.t, err)
	return address.NewAddress(0, 0xff, c.MustBeginParse().MustLoadSlice(256))
}

// zone returns the resolver of the names below ton.
func (n *network) zone() *address.Address {
	n.t.Helper()
	name := cell.BeginCell().MustStoreSlice([]byte("ton\x00"), 32).EndCell()
	var result struct{ Stack [][]any }
	n.read("runGetMethod", params{"address": n.root().String(), "method": "dnsresolve", "stack": []any{
		[]any{"tvm.Slice", base64.StdEncoding.EncodeToString(name.ToBOC())}, []any{"num", "0"},
	}}, &result)
	require.Len(n.t, result.Stack, 2)
	boc, err := base64.StdEncoding.DecodeString(result.Stack[1][1].(map[string]any)["bytes"].(string))
	require.NoError(n.t, err)
	c, err := cell.FromBOC(boc)
	require.NoError(n.t, err)
	record := c.MustBeginParse()
	require.Equal(n.t, uint64(0xba93), record.MustLoadUInt(16), "dns_next_resolver")
	return record.MustLoadAddr()
}

// A name is resolved from the root, or relative to a resolver, in any case and with a final dot or without one. A name that is not there has no
// records, and a resolver that is none is an error.
func TestDNSResolve_FollowsTheResolvers(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 1, 12)
	zone := n.zone()
	n.order(contracts.Call(zone, 1e9, contracts.DNSRegister("very-own-name")))
	record := contracts.DNSChangeRecord(1, "wallet", contracts.WalletRecord(n.faucet.Address))
	n.order(contracts.Call(contracts.DNSItem(zone, "very-own-name").Address, 1e8, record))

	category := sha256.Sum256([]byte("wallet"))
	faucet, err := chain.ParseAddress(n.faucet.Address.String())
	require.NoError(t, err)
	resolved := func(name string) string {
		return `{"@type":"dns.resolved","entries":[{"@type":"dns.entry","name":"` + name + `","category":"` +
			base64.StdEncoding.EncodeToString(category[:]) + `","entry":{"@type":"dns.entryDataSmcAddress","smc_address":` +
			`{"@type":"accountAddress","account_address":"` + faucet.Friendly(true, false) + `"}}}]}`
	}
	const nothing = `{"@type":"dns.resolved","entries":[]}`
	for _, tc := range []struct {
		request params
		want    string
	}{
		{params{"domain": "very-own-name.ton"}, resolved("very-own-name.ton")},
		{params{"domain": "Very-Own-NAME.ton."}, resolved("very-own-name.ton")},
		{params{"domain": "very-own-name.ton", "resolver_address": n.root().String()}, resolved("very-own-name.ton")},
		{params{"domain": "very-own-name", "resolver_address": zone.String()}, resolved("very-own-name")},
		{params{"name": "very-own-name", "address": zone.String(), "category": "", "ttl": 1}, resolved("very-own-name")},
		{params{"domain": "nobody-has-this.ton"}, nothing},
		{params{"domain": "very-own-name.nothing"}, nothing},
		{params{"domain": "very-own-name.ton", "seqno": 12}, nothing},
	} {
		e := n.post("dnsResolve", tc.request)
		require.True(t, e.OK, "%v: %s", tc.request, e.Error)
		require.JSONEq(t, tc.want, string(e.Result), tc.request)
	}
	for _, resolver := range []string{unused.String(), n.faucet.Address.String()} {
		e := n.post("dnsResolve", params{"domain": "very-own-name.ton", "resolver_address": resolver})
		require.Equal(t, http.StatusBadGateway, e.Code, e.Error)
	}
	for _, twice := range []string{"domain=a.ton&name=a.ton", "domain=a.ton&resolver_address=" + unused.String() + "&address=" + unused.String()} {
		e := n.open(n.do(http.MethodGet, "dnsResolve?"+twice, ""))
		require.Equal(t, http.StatusUnprocessableEntity, e.Code)
		require.Contains(t, e.Error, "is an earlier name of")
	}
}

// A resolver has the gas of a get-method that a client calls.
func TestDNSResolve_AResolverHasTheGasOfAGetMethod(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 1, 12)
	costly, gas := n.endlessResolver(32_000)
	require.Greater(t, gas, 2*contract.DefaultBudget().Gas)
	e := n.post("dnsResolve", params{"domain": "a", "resolver_address": costly})
	require.True(t, e.OK, e.Error)
}

// Resolvers that name the next one without an end have the gas of one get-method together, and a last call.
func TestDNSResolve_GasIsThatOfOneGetMethod(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 1, 12)
	endless, gas := n.endlessResolver(7000)
	require.Greater(t, gas, int64(100_000))
	e := n.post("dnsResolve", params{"domain": strings.Repeat("a.", 60) + "a", "resolver_address": endless})
	require.Equal(t, http.StatusBadGateway, e.Code, e.Error)
	require.Contains(t, e.Error, "used more than")
}

// endlessResolver deploys a resolver that repeats nothing n times, then resolves a byte of the name and names itself as the next resolver. It returns its
// address and the gas of a call.
func (n *network) endlessResolver(times uint16) (resolver string, gas int64) {
	t := n.t
	t.Helper()
	code, err := hex.DecodeString("303030" + fmt.Sprintf("81%04x", times) + "9100" + "e4" + "8100ba" + "c8" + "cb07" + "810093" + "01" + "cb07" + "f828" + "cf16" + "c9" + "78" + "01")
	require.NoError(t, err)
	init := &tlb.StateInit{Code: cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell(), Data: cell.BeginCell().EndCell()}
	state, err := tlb.ToCell(init)
	require.NoError(t, err)
	endless := address.NewAddress(0, 0, state.Hash())
	n.order(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddressNone(), DstAddr: endless, Amount: tlb.MustFromTON("2"), StateInit: init, Body: cell.BeginCell().EndCell(),
	})
	var one struct {
		GasUsed  int64 `json:"gas_used"`
		ExitCode int   `json:"exit_code"`
	}
	n.read("runGetMethod", params{"address": endless.String(), "method": "dnsresolve", "stack": []any{[]any{"num", "0"}, []any{"num", "0"}}}, &one)
	require.Zero(t, one.ExitCode)
	return endless.String(), one.GasUsed
}
