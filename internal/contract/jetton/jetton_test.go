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
	. "tonql/internal/contract/contracttest"
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
	return Runner(t, config.root, contract.Env{}, contract.Options{})
}

func state(c contracts.Contract) contract.State { return Deployed(c.Address, c.Init) }

func TestDevnetJetton(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	content := contracts.OnchainContent(map[string]string{"name": "Coin", "symbol": "C", "decimals": "6"})
	m := contracts.JettonMaster(Party("admin"), content, contracts.JettonWalletCode())
	master := state(m)
	facts := Detect(t, r, Snapshot{}, master)
	admin := Address("admin")
	require.Equal(t, []string{"jetton_master"}, facts.Interfaces)
	require.Equal(t, &chain.JettonMaster{
		Address: master.Address, TotalSupply: new(big.Int), Mintable: true, Admin: &admin,
		Content:        chain.Content{"name": "Coin", "symbol": "C", "decimals": "6"},
		WalletCodeHash: chain.Hash(contracts.JettonWalletCode().HashKey()),
		CodeHash:       master.CodeHash(), DataHash: master.DataHash(), LastTxLT: 5,
	}, facts.JettonMaster)

	w := state(contracts.JettonWallet(Party("owner"), m.Address, contracts.JettonWalletCode()))
	facts = Detect(t, r, Snapshot{}.Add(master), w)
	code, data := w.CodeHash(), w.DataHash()
	require.Equal(t, []string{"jetton_wallet"}, facts.Interfaces)
	require.Empty(t, facts.Claims)
	require.Equal(t, &chain.JettonWallet{
		Address: w.Address, Balance: new(big.Int), Owner: Address("owner"), Jetton: master.Address,
		CodeHash: &code, DataHash: &data, LastTxLT: 5,
	}, facts.JettonWallet)
}

func TestMasterWithoutAdmin(t *testing.T) {
	t.Parallel()
	master := state(contracts.JettonMaster(nil, contracts.OffchainContent("https://x"), contracts.JettonWalletCode()))
	facts := Detect(t, newRunner(t), Snapshot{}, master)
	require.NotNil(t, facts.JettonMaster)
	require.Nil(t, facts.JettonMaster.Admin)
	require.False(t, facts.JettonMaster.Mintable)
}

// A wallet is genuine by its master's word alone.
func TestClaims(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	m := contracts.JettonMaster(Party("admin"), contracts.OffchainContent("https://x"), contracts.JettonWalletCode())
	genuine := state(contracts.JettonWallet(Party("owner"), m.Address, contracts.JettonWalletCode()))
	elsewhere := genuine
	elsewhere.Address = Address("elsewhere")
	rich := Account("rich", map[string]*cell.Cell{
		"get_wallet_data": Answer(0, 1_000_000_000, Address("owner"), state(m).Address, contracts.JettonWalletCode()),
	})
	silent := Account("silent", map[string]*cell.Cell{"get_jetton_data": Asm(""), "get_wallet_address": Asm("9100ea")})
	liar := Account("liar", map[string]*cell.Cell{"get_wallet_address": Answer(1, Address("other"))})
	deaf := Account("deaf", map[string]*cell.Cell{"get_jetton_data": Asm("")})
	of := func(master contract.State) contract.State {
		return Account("wallet", map[string]*cell.Cell{"get_wallet_data": Answer(0, 1, Address("owner"), master.Address, Asm(""))})
	}
	for _, tc := range []struct {
		name    string
		wallet  contract.State
		others  Snapshot
		refuted bool
	}{
		{"no master", genuine, Snapshot{}, false},
		{"master not active", genuine, Snapshot{}.Add(contract.State{Address: state(m).Address}), false},
		{"copy at another address", elsewhere, Snapshot{}.Add(state(m)), true},
		{"own code, famous master", rich, Snapshot{}.Add(state(m)), true},
		{"master that loops", of(silent), Snapshot{}.Add(silent), true},
		{"master that names another", of(liar), Snapshot{}.Add(liar), true},
		{"master without the method", of(deaf), Snapshot{}.Add(deaf), true},
	} {
		facts := Detect(t, r, tc.others, tc.wallet)
		require.Nil(t, facts.JettonWallet, tc.name)
		require.Len(t, facts.Claims, 1, tc.name)
		c := facts.Claims[0]
		require.Equal(t, jetton.Interface, c.Interface, tc.name)
		require.Equal(t, tc.wallet.Address, c.Account, tc.name)
		require.Equal(t, tc.refuted, c.Refuted, "%s: %s", tc.name, c.Reason)
		require.NotEmpty(t, c.Reason, tc.name)
	}
	// An accomplice of a master makes a genuine wallet: that Jetton is the two's own business.
	yes := Account("yes", map[string]*cell.Cell{"get_wallet_address": Answer(1, Address("wallet"))})
	require.NotNil(t, Detect(t, r, Snapshot{}.Add(yes), of(yes)).JettonWallet)
}

func TestMintless(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	content := contracts.OnchainContent(map[string]string{"name": "M", "custom_payload_api_uri": "https://a https://b"})
	master := Account("master", map[string]*cell.Cell{
		"get_jetton_data":                   Answer(0, 10, -1, (*chain.Address)(nil), content, Asm("")),
		"get_wallet_address":                Answer(1, Address("wallet")),
		"get_mintless_airdrop_hashmap_root": Answer(0, 0xabcd),
	})
	w := Account("wallet", map[string]*cell.Cell{
		"get_wallet_data": Answer(0, 5, Address("owner"), master.Address, Asm("")),
		"is_claimed":      Answer(0, -1),
	})
	m := Detect(t, r, Snapshot{}, master).JettonMaster
	require.NotNil(t, m)
	require.True(t, m.Mintable)
	require.Equal(t, chain.Hash{30: 0xab, 31: 0xcd}, *m.MintlessRoot)
	require.Equal(t, []string{"https://a", "https://b"}, m.MintlessAPIs)
	facts := Detect(t, r, Snapshot{}.Add(master), w)
	require.NotNil(t, facts.JettonWallet)
	require.True(t, *facts.JettonWallet.Claimed)
}

func TestParseTransfer(t *testing.T) {
	t.Parallel()
	to, back := Address("to"), Address("back")
	payload := contracts.Comment("hello")
	order := contracts.JettonTransfer{
		QueryID: 7, Amount: tlb.MustFromNano(big.NewInt(1000), 9), Destination: Party("to"), Response: Party("back"),
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

func TestParseBurn(t *testing.T) {
	t.Parallel()
	back := Address("back")
	got, err := jetton.ParseBurn(contracts.JettonBurn(9, tlb.MustFromNano(big.NewInt(77), 9), Party("back")))
	require.NoError(t, err)
	require.Equal(t, &jetton.Burn{QueryID: 9, Amount: big.NewInt(77), Response: &back}, got)

	bare := cell.BeginCell().MustStoreUInt(jetton.OpBurn, 32).MustStoreUInt(9, 64).MustStoreCoins(77).MustStoreUInt(0, 2).EndCell()
	got, err = jetton.ParseBurn(bare)
	require.NoError(t, err, "without the bit of the custom payload")
	require.Nil(t, got.Response)
	_, err = jetton.ParseBurn(cell.BeginCell().EndCell())
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func FuzzParse(f *testing.F) {
	f.Add(Seed(contracts.JettonTransfer{Amount: tlb.MustFromTON("1"), ForwardPayload: contracts.Comment("x")}.Body()))
	f.Add(Seed(contracts.JettonBurn(1, tlb.MustFromTON("1"), nil)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Tree(data)
		if tr, err := jetton.ParseTransfer(c); err == nil {
			require.NotNil(t, tr.ForwardPayload)
			require.GreaterOrEqual(t, tr.Amount.Sign(), 0)
		}
		if b, err := jetton.ParseBurn(c); err == nil {
			require.NotNil(t, b.Amount)
		}
	})
}
