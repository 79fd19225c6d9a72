package contracts_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/jetton"
	"github.com/xssnick/tonutils-go/ton/nft"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

var (
	admin = party("admin")
	alice = party("alice")
	bob   = party("bob")
)

// jettonFixture is a deployed master of which alice owns 1000 units.
type jettonFixture struct {
	*sandbox
	master contracts.Contract
}

func newJetton(t *testing.T) jettonFixture {
	t.Helper()
	f := jettonFixture{sandbox: newSandbox(t)}
	content := contracts.OnchainContent(map[string]string{"name": "Test", "symbol": "TST", "decimals": "9"})
	f.master = contracts.JettonMaster(admin, content, contracts.JettonWalletCode())
	f.deploy(f.master)
	steps := f.mint(admin, alice, 1000)
	require.False(t, steps[0].Aborted)
	require.Equal(t, int64(1000), f.holds(alice))
	return f
}

func (f jettonFixture) mint(from, to *address.Address, amount int64) []step {
	mint := contracts.JettonMint{QueryID: 7, Recipient: to, Amount: tlb.FromNanoTON(big.NewInt(amount)), Value: tons("0.05"), Response: from}
	return f.send(from, contracts.Call(f.master.Address, tons("0.1"), mint.Body()))
}

func (f jettonFixture) wallet(owner *address.Address) *address.Address {
	return contracts.JettonWallet(owner, f.master.Address, contracts.JettonWalletCode()).Address
}

func (f jettonFixture) holds(owner *address.Address) int64 {
	f.t.Helper()
	if !f.state(f.wallet(owner)).IsValid {
		return 0
	}
	balance, err := contracts.JettonBalance(f.data(f.wallet(owner)))
	require.NoError(f.t, err)
	return balance.Int64()
}

func (f jettonFixture) supply() int64 {
	f.t.Helper()
	data, err := jetton.NewJettonMasterClient(f, f.master.Address).GetJettonData(f.t.Context())
	require.NoError(f.t, err)
	return data.TotalSupply.Int64()
}

func jettons(v int64) tlb.Coins { return tlb.FromNanoTON(big.NewInt(v)) }

func TestJettonTransfer_RefusedOrdersLeaveBalances(t *testing.T) {
	t.Parallel()
	note := contracts.Comment("for lunch")
	for name, tc := range map[string]struct {
		from    *address.Address
		value   uint64
		order   contracts.JettonTransfer
		exit    int32    // of the sender's Jetton wallet
		arrived int64    // bob's balance afterwards
		opcodes []uint32 // incoming opcodes along the trace
	}{
		"with notification and excesses": {
			from: alice, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(300), Destination: bob, Response: alice, ForwardValue: tons("0.01"), ForwardPayload: note},
			arrived: 300,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer,
				contracts.OpJettonTransferNotification, contracts.OpExcesses},
		},
		"without notification": {
			from: alice, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(1000), Destination: bob, Response: alice},
			arrived: 1000,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer, contracts.OpExcesses},
		},
		"no response address": {
			from: alice, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(1), Destination: bob},
			arrived: 1,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer},
		},
		"another sender": {
			from: bob, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(300), Destination: bob, Response: bob},
			exit:    705,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonTransfer},
		},
		"more than the balance": {
			from: alice, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(1001), Destination: bob, Response: alice},
			exit:    706,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonTransfer},
		},
		"too little for the hops": {
			from: alice, value: tons("0.025"),
			order:   contracts.JettonTransfer{Amount: jettons(300), Destination: bob, Response: alice},
			exit:    709,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonTransfer},
		},
		"to the masterchain": {
			from: alice, value: tons("0.2"),
			order:   contracts.JettonTransfer{Amount: jettons(300), Destination: address.NewAddress(0, 255, make([]byte, 32)), Response: alice},
			exit:    333,
			opcodes: []uint32{contracts.OpJettonTransfer, contracts.OpJettonTransfer},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newJetton(t)
			tc.order.QueryID = 99
			steps := f.send(tc.from, contracts.Call(f.wallet(alice), tc.value, tc.order.Body()))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.exit != 0, steps[0].Bounced)
			require.Equal(t, tc.opcodes, opcodes(steps))
			require.Equal(t, tc.arrived, f.holds(bob))
			require.Equal(t, 1000-tc.arrived, f.holds(alice))
			require.Equal(t, int64(1000), f.supply())
		})
	}
}

func TestJettonTransfer_ForwardPayloadArrives(t *testing.T) {
	t.Parallel()
	f := newJetton(t)
	order := contracts.JettonTransfer{QueryID: 5, Amount: jettons(10), Destination: bob, Response: alice, ForwardValue: 1, ForwardPayload: contracts.Comment("hello")}
	steps := f.send(alice, contracts.Call(f.wallet(alice), tons("0.2"), order.Body()))
	var note jetton.TransferNotification
	require.NoError(t, tlb.Parse(&note, steps[2].In.Msg.Payload()))
	require.Equal(t, uint64(5), note.QueryID)
	require.Equal(t, "10", note.Amount.Nano().String())
	require.Equal(t, alice.StringRaw(), note.Sender.StringRaw())
	require.Equal(t, contracts.Comment("hello").Hash(), note.ForwardPayload.Hash())
}

func TestJettonWallet_ForgedCreditIsRefused(t *testing.T) {
	t.Parallel()
	f := newJetton(t)
	body := cell.BeginCell().MustStoreUInt(contracts.OpJettonInternalTransfer, 32).MustStoreUInt(0, 64).MustStoreCoins(500).
		MustStoreAddr(bob).MustStoreAddr(bob).MustStoreCoins(0).MustStoreBoolBit(false).EndCell()
	steps := f.send(bob, contracts.Call(f.wallet(alice), tons("0.2"), body))
	require.Equal(t, int32(707), steps[0].Exit)
	require.Equal(t, int64(1000), f.holds(alice))
}

func TestJettonTransfer_BounceRestoresTheBalance(t *testing.T) {
	t.Parallel()
	f := newJetton(t)
	// The bounce of a credit that Bob's Jetton wallet could not execute, made by hand.
	transfer := contracts.JettonTransfer{Amount: jettons(100), Destination: bob, Response: alice}.Body()
	f.send(alice, contracts.Call(f.wallet(alice), tons("0.2"), transfer))
	require.Equal(t, int64(100), f.holds(bob))

	bounced := cell.BeginCell().MustStoreUInt(0xffffffff, 32).MustStoreUInt(contracts.OpJettonInternalTransfer, 32).
		MustStoreUInt(0, 64).MustStoreCoins(100).EndCell()
	msg := contracts.Call(f.wallet(alice), tons("0.05"), bounced)
	msg.Bounce, msg.Bounced = false, true
	steps := f.send(f.wallet(bob), msg)
	require.False(t, steps[0].Aborted)
	require.Equal(t, int64(1000), f.holds(alice))
}

func TestJettonBurn_ReducesTheSupplyOrBounces(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		from   *address.Address
		value  uint64
		amount int64
		exit   int32
	}{
		"success":            {from: alice, value: tons("0.1"), amount: 400},
		"another sender":     {from: bob, value: tons("0.1"), amount: 400, exit: 705},
		"more than balance":  {from: alice, value: tons("0.1"), amount: 1001, exit: 706},
		"too little for gas": {from: alice, value: tons("0.02"), amount: 400, exit: 709},
		"amount zero":        {from: alice, value: tons("0.1"), amount: 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newJetton(t)
			steps := f.send(tc.from, contracts.Call(f.wallet(alice), tc.value, contracts.JettonBurn(3, jettons(tc.amount), alice)))
			require.Equal(t, tc.exit, steps[0].Exit)
			if tc.exit != 0 {
				require.Equal(t, int64(1000), f.supply())
				require.Equal(t, int64(1000), f.holds(alice))
				return
			}
			require.Equal(t, []uint32{contracts.OpJettonBurn, contracts.OpJettonBurnNotification, contracts.OpExcesses}, opcodes(steps))
			require.Equal(t, 1000-tc.amount, f.supply())
			require.Equal(t, 1000-tc.amount, f.holds(alice))
		})
	}
}

func TestJettonMaster_OrdersOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	classic := func() *cell.Cell {
		inner := cell.BeginCell().MustStoreUInt(contracts.OpJettonInternalTransfer, 32).MustStoreUInt(1, 64).MustStoreCoins(50).
			MustStoreAddr(address.NewAddressNone()).MustStoreAddr(admin).MustStoreCoins(0).MustStoreBoolBit(false).EndCell()
		return cell.BeginCell().MustStoreUInt(0x15, 32).MustStoreUInt(1, 64).MustStoreAddr(bob).MustStoreCoins(tons("0.05")).MustStoreRef(inner).EndCell()
	}
	mint := contracts.JettonMint{Recipient: bob, Amount: jettons(50), Value: tons("0.05"), Response: admin}
	for name, tc := range map[string]struct {
		from   *address.Address
		body   *cell.Cell
		exit   int32
		supply int64
		bob    int64
	}{
		"mint":                              {from: admin, body: mint.Body(), supply: 1050, bob: 50},
		"mint with classic opcode":          {from: admin, body: classic(), supply: 1050, bob: 50},
		"mint by another account":           {from: bob, body: mint.Body(), exit: 73, supply: 1000},
		"change admin":                      {from: admin, body: contracts.JettonChangeAdmin(1, bob), supply: 1000},
		"change admin by another account":   {from: bob, body: contracts.JettonChangeAdmin(1, bob), exit: 73, supply: 1000},
		"change content":                    {from: admin, body: contracts.JettonChangeContent(1, contracts.OffchainContent("https://x.test")), supply: 1000},
		"change content by another account": {from: bob, body: contracts.JettonChangeContent(1, contracts.OffchainContent("x")), exit: 73, supply: 1000},
		"forged burn report": {
			from: bob, exit: 74, supply: 1000,
			body: cell.BeginCell().MustStoreUInt(contracts.OpJettonBurnNotification, 32).MustStoreUInt(0, 64).MustStoreCoins(10).
				MustStoreAddr(alice).MustStoreAddr(bob).EndCell(),
		},
		"unknown opcode": {from: bob, body: cell.BeginCell().MustStoreUInt(0x12345678, 32).MustStoreUInt(0, 64).EndCell(), exit: 0xffff, supply: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newJetton(t)
			steps := f.send(tc.from, contracts.Call(f.master.Address, tons("0.1"), tc.body))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.exit != 0, steps[0].Bounced)
			require.Equal(t, tc.supply, f.supply())
			require.Equal(t, tc.bob, f.holds(bob))
		})
	}
}

func TestProvideWalletAddress_ReturnsBasechainWalletsOnly(t *testing.T) {
	t.Parallel()
	f := newJetton(t)
	for name, tc := range map[string]struct {
		owner   *address.Address
		include bool
		found   bool
	}{
		"basechain owner":       {owner: alice, found: true},
		"owner is repeated":     {owner: alice, include: true, found: true},
		"masterchain owner":     {owner: address.NewAddress(0, 255, make([]byte, 32))},
		"masterchain, repeated": {owner: address.NewAddress(0, 255, make([]byte, 32)), include: true},
	} {
		steps := f.send(bob, contracts.Call(f.master.Address, tons("0.1"), contracts.ProvideWalletAddress(17, tc.owner, tc.include)))
		require.Len(t, steps, 2, name)
		require.Equal(t, uint32(contracts.OpTakeWalletAddress), steps[1].inOp(), name)
		r := steps[1].In.Msg.Payload().MustBeginParse()
		_, _ = r.LoadUInt(32)
		require.Equal(t, uint64(17), r.MustLoadUInt(64), name)
		got := r.MustLoadAddr()
		require.Equal(t, !tc.found, got.IsAddrNone(), name)
		if tc.found {
			require.Equal(t, f.wallet(tc.owner).StringRaw(), got.StringRaw(), name)
		}
		ref, err := r.LoadMaybeRef()
		require.NoError(t, err)
		require.Equal(t, tc.include, ref != nil, name)
		if tc.include {
			require.Equal(t, tc.owner.StringRaw(), ref.MustLoadAddr().StringRaw(), name)
		}
	}
	steps := f.send(bob, contracts.Call(f.master.Address, tons("0.009"), contracts.ProvideWalletAddress(17, alice, false)))
	require.Equal(t, int32(75), steps[0].Exit)
}

func TestJettonMaster_ClientLibraryReadsIt(t *testing.T) {
	t.Parallel()
	f := newJetton(t)
	client := jetton.NewJettonMasterClient(f, f.master.Address)
	data, err := client.GetJettonData(t.Context())
	require.NoError(t, err)
	require.True(t, data.Mintable)
	require.Equal(t, admin.StringRaw(), data.AdminAddr.StringRaw())
	require.Equal(t, contracts.JettonWalletCode().Hash(), data.WalletCode.Hash())
	content, ok := data.Content.(*nft.ContentOnchain)
	require.True(t, ok)
	require.Equal(t, "TST", content.GetAttribute("symbol"))
	require.Equal(t, "9", content.GetAttribute("decimals"))

	wallet, err := client.GetJettonWallet(t.Context(), alice)
	require.NoError(t, err)
	require.Equal(t, f.wallet(alice).StringRaw(), wallet.Address().StringRaw())
	balance, err := wallet.GetBalance(t.Context())
	require.NoError(t, err)
	require.Equal(t, "1000", balance.String())

	f.send(admin, contracts.Call(f.master.Address, tons("0.1"), contracts.JettonChangeAdmin(1, nil)))
	data, err = client.GetJettonData(t.Context())
	require.NoError(t, err)
	require.False(t, data.Mintable)
	require.True(t, data.AdminAddr.IsAddrNone())
}

func TestJetton_TransfersWithLibraryCode(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	library := cell.NewDict(256)
	code := contracts.JettonWalletCode()
	entry := cell.BeginCell().MustStoreRef(code).EndCell()
	require.NoError(t, library.Set(cell.BeginCell().MustStoreSlice(code.Hash(), 256).EndCell(), entry))
	s.libraries = []*cell.Cell{library.AsCell()}

	walletCode := contracts.LibraryCode(code)
	master := contracts.JettonMaster(admin, contracts.OffchainContent("https://jetton.test/meta.json"), walletCode)
	s.deploy(master)
	mint := contracts.JettonMint{Recipient: alice, Amount: jettons(1000), Value: tons("0.05")}
	s.send(admin, contracts.Call(master.Address, tons("0.1"), mint.Body()))
	from := contracts.JettonWallet(alice, master.Address, walletCode).Address
	steps := s.send(alice, contracts.Call(from, tons("0.2"), contracts.JettonTransfer{Amount: jettons(1), Destination: bob, Response: alice}.Body()))
	require.Equal(t, []uint32{contracts.OpJettonTransfer, contracts.OpJettonInternalTransfer, contracts.OpExcesses}, opcodes(steps))

	data, err := jetton.NewJettonMasterClient(s, master.Address).GetJettonData(t.Context())
	require.NoError(t, err)
	content, ok := data.Content.(*nft.ContentOffchain)
	require.True(t, ok)
	require.Equal(t, "https://jetton.test/meta.json", content.URI)
}
