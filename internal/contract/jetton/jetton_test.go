package jetton_test

import (
	"math/big"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/jetton"
	"tonql/internal/devnet/contracts"
)

// config is the recorded configuration of mainnet, loaded once.
var config struct {
	sync.Once
	root *cell.Cell
}

func newRunner(t *testing.T) *contract.Runner {
	t.Helper()
	config.Do(func() {
		var err error
		config.root, err = mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
		require.NoError(t, err)
	})
	return contracttest.Runner(t, config.root, contract.Env{}, contract.Options{})
}

func state(c contracts.Contract) contract.State { return contracttest.Deployed(c.Address, c.Init) }

func TestDetect_DevnetWalletIsConfirmedByItsMaster(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	content := contracts.OnchainContent(map[string]string{"name": "Coin", "symbol": "C", "decimals": "6"})
	m := contracts.JettonMaster(contracttest.Party("admin"), content, contracts.JettonWalletCode())
	master := state(m)
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, master)
	admin := contracttest.Address("admin")
	require.Equal(t, []string{"jetton_master"}, facts.Interfaces)
	require.Equal(t, &chain.JettonMaster{
		Address: master.Address, TotalSupply: new(big.Int), Mintable: true, Admin: &admin,
		Content:        chain.Content{"name": "Coin", "symbol": "C", "decimals": "6"},
		WalletCodeHash: chain.Hash(contracts.JettonWalletCode().HashKey()),
		CodeHash:       master.CodeHash(), DataHash: master.DataHash(), LastTxLT: 5,
	}, facts.JettonMaster)

	w := state(contracts.JettonWallet(contracttest.Party("owner"), m.Address, contracts.JettonWalletCode()))
	facts = contracttest.Detect(t, r, contracttest.Snapshot{}.Add(master), w)
	code, data := w.CodeHash(), w.DataHash()
	require.Equal(t, []string{"jetton_wallet"}, facts.Interfaces)
	require.Equal(t, &chain.JettonWallet{
		Address: w.Address, Balance: new(big.Int), Owner: contracttest.Address("owner"), Jetton: master.Address,
		CodeHash: &code, DataHash: &data, LastTxLT: 5,
	}, facts.JettonWallet)
}

func TestDetect_MasterWithoutAdminIsNotMintable(t *testing.T) {
	t.Parallel()
	master := state(contracts.JettonMaster(nil, contracts.OffchainContent("https://x"), contracts.JettonWalletCode()))
	facts := contracttest.Detect(t, newRunner(t), contracttest.Snapshot{}, master)
	require.NotNil(t, facts.JettonMaster)
	require.Nil(t, facts.JettonMaster.Admin)
	require.False(t, facts.JettonMaster.Mintable)
}

// Only its master confirms a wallet.
func TestDetect_WalletIsConfirmedByItsMasterOnly(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	m := contracts.JettonMaster(contracttest.Party("admin"), contracts.OffchainContent("https://x"), contracts.JettonWalletCode())
	genuine := state(contracts.JettonWallet(contracttest.Party("owner"), m.Address, contracts.JettonWalletCode()))
	elsewhere := genuine
	elsewhere.Address = contracttest.Address("elsewhere")
	rich := contracttest.Account("rich", map[string]*cell.Cell{
		"get_wallet_data": contracttest.MethodReturning(0, 1_000_000_000, contracttest.Address("owner"), state(m).Address, contracts.JettonWalletCode()),
	})
	silent := contracttest.Account("silent", map[string]*cell.Cell{"get_jetton_data": contracttest.Asm(""), "get_wallet_address": contracttest.Asm("9100ea")})
	liar := contracttest.Account("liar", map[string]*cell.Cell{"get_wallet_address": contracttest.MethodReturning(1, contracttest.Address("other"))})
	deaf := contracttest.Account("deaf", map[string]*cell.Cell{"get_jetton_data": contracttest.Asm("")})
	of := func(master contract.State) contract.State {
		return contracttest.Account("wallet", map[string]*cell.Cell{"get_wallet_data": contracttest.MethodReturning(0, 1, contracttest.Address("owner"), master.Address, contracttest.Asm(""))})
	}
	for _, tc := range []struct {
		name   string
		wallet contract.State
		others contracttest.Snapshot
	}{
		{"no master", genuine, contracttest.Snapshot{}},
		{"master not active", genuine, contracttest.Snapshot{}.Add(contract.State{Address: state(m).Address})},
		{"copy at another address", elsewhere, contracttest.Snapshot{}.Add(state(m))},
		{"own code, famous master", rich, contracttest.Snapshot{}.Add(state(m))},
		{"master that loops", of(silent), contracttest.Snapshot{}.Add(silent)},
		{"master that names another", of(liar), contracttest.Snapshot{}.Add(liar)},
		{"master without the method", of(deaf), contracttest.Snapshot{}.Add(deaf)},
	} {
		facts := contracttest.Detect(t, r, tc.others, tc.wallet)
		require.Contains(t, facts.Interfaces, "jetton_wallet", tc.name)
		require.Nil(t, facts.JettonWallet, tc.name)
	}
	// A master may confirm any wallet, because that concerns its own Jetton alone.
	yes := contracttest.Account("yes", map[string]*cell.Cell{"get_wallet_address": contracttest.MethodReturning(1, contracttest.Address("wallet"))})
	require.NotNil(t, contracttest.Detect(t, r, contracttest.Snapshot{}.Add(yes), of(yes)).JettonWallet)
}

func TestDetect_MintlessJettonHasItsAirdrop(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	content := contracts.OnchainContent(map[string]string{"name": "M", "custom_payload_api_uri": "https://a https://b"})
	master := contracttest.Account("master", map[string]*cell.Cell{
		"get_jetton_data":                   contracttest.MethodReturning(0, 10, -1, (*chain.Address)(nil), content, contracttest.Asm("")),
		"get_wallet_address":                contracttest.MethodReturning(1, contracttest.Address("wallet")),
		"get_mintless_airdrop_hashmap_root": contracttest.MethodReturning(0, 0xabcd),
	})
	w := contracttest.Account("wallet", map[string]*cell.Cell{
		"get_wallet_data": contracttest.MethodReturning(0, 5, contracttest.Address("owner"), master.Address, contracttest.Asm("")),
		"is_claimed":      contracttest.MethodReturning(0, -1),
	})
	m := contracttest.Detect(t, r, contracttest.Snapshot{}, master).JettonMaster
	require.NotNil(t, m)
	require.True(t, m.Mintable)
	require.Equal(t, chain.Hash{30: 0xab, 31: 0xcd}, *m.MintlessRoot)
	require.Equal(t, []string{"https://a", "https://b"}, m.MintlessAPIs)
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}.Add(master), w)
	require.NotNil(t, facts.JettonWallet)
	require.True(t, *facts.JettonWallet.Claimed)
}

func TestParseTransfer_ReadsEveryField(t *testing.T) {
	t.Parallel()
	to, back := contracttest.Address("to"), contracttest.Address("back")
	payload := contracts.Comment("hello")
	order := contracts.JettonTransfer{
		QueryID: 7, Amount: tlb.MustFromNano(big.NewInt(1000), 9), Destination: contracttest.Party("to"), Response: contracttest.Party("back"),
		CustomPayload: contracts.Comment("custom"), ForwardValue: 5, ForwardPayload: payload,
	}
	got, err := jetton.ParseTransfer(order.Body())
	require.NoError(t, err)
	require.Equal(t, uint64(7), got.QueryID)
	require.Equal(t, int64(1000), got.Amount.Int64())
	require.Equal(t, &to, got.Destination)
	require.Equal(t, &back, got.Response)
	require.Equal(t, contracts.Comment("custom").Hash(), got.CustomPayload.Hash())
	require.Equal(t, int64(5), got.ForwardAmount.Int64())
	require.Equal(t, payload.Hash(), got.ForwardPayload.Hash())
	require.True(t, got.ForwardInRef)

	order.Response, order.CustomPayload, order.ForwardPayload = nil, nil, nil
	got, err = jetton.ParseTransfer(order.Body())
	require.NoError(t, err)
	require.Nil(t, got.Response)
	require.Nil(t, got.CustomPayload)
	require.False(t, got.ForwardInRef)
	require.Zero(t, got.ForwardPayload.BitsSize())

	_, err = jetton.ParseTransfer(contracts.JettonBurn(1, order.Amount, nil))
	require.Equal(t, chain.Invalid, chain.KindOf(err), "another opcode")
	_, err = jetton.ParseTransfer(cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(1, 64).EndCell())
	require.Equal(t, chain.Invalid, chain.KindOf(err), "cut short")
	_, err = jetton.ParseTransfer(nil)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestParseBurn_CustomPayloadIsOptional(t *testing.T) {
	t.Parallel()
	back := contracttest.Address("back")
	got, err := jetton.ParseBurn(contracts.JettonBurn(9, tlb.MustFromNano(big.NewInt(77), 9), contracttest.Party("back")))
	require.NoError(t, err)
	require.Equal(t, &jetton.Burn{QueryID: 9, Amount: big.NewInt(77), Response: &back}, got)

	short := cell.BeginCell().MustStoreUInt(jetton.OpBurn, 32).MustStoreUInt(9, 64).MustStoreCoins(77).MustStoreUInt(0, 2).EndCell()
	got, err = jetton.ParseBurn(short)
	require.NoError(t, err, "without the bit of the custom payload")
	require.Nil(t, got.Response)
	_, err = jetton.ParseBurn(cell.BeginCell().EndCell())
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func FuzzParse_AmountsAreNeverNegative(f *testing.F) {
	f.Add(contracttest.Seed(contracts.JettonTransfer{Amount: tlb.MustFromTON("1"), ForwardPayload: contracts.Comment("x")}.Body()))
	f.Add(contracttest.Seed(contracts.JettonBurn(1, tlb.MustFromTON("1"), nil)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		if tr, err := jetton.ParseTransfer(c); err == nil {
			require.NotNil(t, tr.ForwardPayload)
			require.GreaterOrEqual(t, tr.Amount.Sign(), 0)
		}
		if b, err := jetton.ParseBurn(c); err == nil {
			require.NotNil(t, b.Amount)
		}
	})
}
