package rest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
)

// A network has no shard of most workchains, and a liteserver that shows so does not lie: neither a request nor a contract that names an
// address of one makes the client avoid its servers.
func TestOtherWorkchains_HaveNoAccountsAndBlameNoServer(t *testing.T) {
	t.Parallel()
	n := startHostile(t)
	n.advance(3)
	other := chain.Address{Workchain: 1, ID: chain.Hash{7}}
	requireTrusted := func() {
		t.Helper()
		for _, s := range n.devnet.Client.States() {
			require.True(t, s.Usable, s.Name)
			require.Zero(t, s.Failures, s.Name)
		}
	}
	for _, workchain := range []string{"1", "-2", "127", "-128"} {
		address := url.QueryEscape(workchain + ":" + strings.Repeat("0", 63) + "7")
		status, text := n.do(http.MethodGet, "/api/v2/getAddressInformation?address="+address, nil)
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, text, `"state":"uninitialized"`)
		status, text = n.do(http.MethodGet, "/api/v3/addressInformation?use_v2=true&address="+address, nil)
		require.Less(t, status, http.StatusInternalServerError, text)
		status, text = n.do(http.MethodGet, "/api/v2/getShardAccountCell?address="+address, nil)
		require.Less(t, status, http.StatusInternalServerError, text)
		requireTrusted()
	}
	message := cell.BeginCell().MustStoreUInt(0b1000, 4).MustStoreUInt(0b100, 3).MustStoreInt(1, 8).MustStoreSlice(other.ID[:], 256).
		MustStoreUInt(0, 4+1+1).EndCell()
	_, text := n.do(http.MethodPost, "/api/v2/sendBoc", map[string]any{"boc": bag(message)})
	require.Contains(t, text, `"ok":false`)
	requireTrusted()

	// A Jetton wallet whose master is there is none.
	code := contracttest.Code(map[string]*cell.Cell{
		"get_wallet_data": contracttest.MethodReturning(0, 77, contracttest.Address("owner"), other, contracttest.Asm("30")),
	})
	init := &tlb.StateInit{Code: code, Data: cell.BeginCell().EndCell()}
	wallet := contracts.Contract{Address: init.CalcAddress(0), Init: init}
	n.order(wallet.Deploy(1e8, nil))
	n.advance(3)
	requireTrusted()
	_, text = n.do(http.MethodGet, "/api/v3/jetton/wallets?address="+url.QueryEscape(wallet.Address.String()), nil)
	require.Contains(t, text, `"jetton_wallets":[]`)
}
