package devnet

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/dns"
	"github.com/xssnick/tonutils-go/ton/jetton"
	"github.com/xssnick/tonutils-go/ton/nft"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// manualNetwork is a network whose blocks the test mines, with the faucet's wallet.
type manualNetwork struct {
	t   *testing.T
	ctx context.Context
	d   *Devnet
}

func newManualNetwork(t *testing.T, opts Options) *manualNetwork {
	t.Helper()
	opts.Interval = ByHand
	ctx := testContext(t)
	return &manualNetwork{t: t, ctx: ctx, d: start(ctx, t, opts)}
}

// order sends messages from the faucet's wallet and mines until they have been processed.
func (s *manualNetwork) order(messages ...*tlb.InternalMessage) {
	s.t.Helper()
	f := s.d.Faucet
	seqno, _, err := f.free(s.ctx)
	require.NoError(s.t, err)
	orders := make([]contracts.Order, len(messages))
	for i, m := range messages {
		orders[i].Message = m
	}
	ext, err := f.wallet.External(contracts.Ticket{Seqno: seqno, ValidUntil: s.d.Chain.Now() + 600}, orders...)
	require.NoError(s.t, err)
	require.NoError(s.t, s.d.Chain.SendExternal(s.ctx, ext))
	for range 4 {
		_, err := s.d.Advance(s.ctx)
		require.NoError(s.t, err)
	}
	after, _, err := f.state(s.d.Chain.Head())
	require.NoError(s.t, err)
	require.Equal(s.t, seqno+1, after)
}

const coin = 1_000_000_000

// TestDevnet_ClientLibraryUsesAJetton deploys a Jetton and reads it with a client library.
func TestDevnet_ClientLibraryUsesAJetton(t *testing.T) {
	t.Parallel()
	s := newManualNetwork(t, Options{Seed: seedOf(20)})
	me := s.d.Faucet.Address()
	friend := address.NewAddress(0, 0, bytes.Repeat([]byte{0x31}, 32))
	content := contracts.OnchainContent(map[string]string{"name": "Test coin", "symbol": "TST"})
	master := contracts.JettonMaster(me, content, contracts.JettonWalletCode())
	mint := contracts.JettonMint{Recipient: me, Amount: tlb.FromNanoTONU(1000), Value: coin / 5, Response: me}
	s.order(master.Deploy(coin, nil), contracts.Call(master.Address, coin, mint.Body()))

	token := jetton.NewJettonMasterClient(connect(t, s.d), master.Address)
	data, err := token.GetJettonData(s.ctx)
	require.NoError(t, err)
	require.Equal(t, "1000", data.TotalSupply.String())
	require.True(t, data.Mintable)
	require.True(t, data.AdminAddr.Equals(me))
	onchain, ok := data.Content.(*nft.ContentOnchain)
	require.True(t, ok)
	require.Equal(t, "Test coin", onchain.GetAttribute("name"))

	mine, err := token.GetJettonWallet(s.ctx, me)
	require.NoError(t, err)
	transfer, err := jetton.BuildTransferPayload(friend, me, tlb.FromNanoTONU(300), tlb.FromNanoTONU(1), contracts.Comment("for you"), nil)
	require.NoError(t, err)
	s.order(contracts.Call(mine.Address(), coin/2, transfer))
	burn, err := jetton.BuildBurnPayload(tlb.FromNanoTONU(100), me)
	require.NoError(t, err)
	s.order(contracts.Call(mine.Address(), coin/2, burn))

	token = jetton.NewJettonMasterClient(connect(t, s.d), master.Address) // nothing cached
	requireJettons(s.ctx, t, token, me, 600)
	requireJettons(s.ctx, t, token, friend, 300)
	data, err = token.GetJettonData(s.ctx)
	require.NoError(t, err)
	require.Equal(t, "900", data.TotalSupply.String())
}

func requireJettons(ctx context.Context, t *testing.T, token *jetton.Client, owner *address.Address, want int64) {
	t.Helper()
	w, err := token.GetJettonWallet(ctx, owner)
	require.NoError(t, err)
	balance, err := w.GetBalance(ctx)
	require.NoError(t, err)
	require.Equal(t, want, balance.Int64())
}

// TestDevnet_ClientLibraryUsesAnNFT deploys a collection with an item and reads them with a client library.
func TestDevnet_ClientLibraryUsesAnNFT(t *testing.T) {
	t.Parallel()
	s := newManualNetwork(t, Options{Seed: seedOf(21)})
	me := s.d.Faucet.Address()
	friend := address.NewAddress(0, 0, bytes.Repeat([]byte{0x32}, 32))
	collection := contracts.NFTCollection(me, contracts.OffchainContent("https://nft.example/all.json"),
		"https://nft.example/", contracts.NFTItemCode(), contracts.Royalty{Numerator: 7, Denominator: 100, Destination: me})
	s.order(collection.Deploy(coin, nil),
		contracts.Call(collection.Address, coin, contracts.NFTMint(1, 0, coin/10, me, "0.json")))

	api := connect(t, s.d)
	c := nft.NewCollectionClient(api, collection.Address)
	data, err := c.GetCollectionData(s.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, data.NextItemIndex.Int64())
	royalty, err := c.RoyaltyParams(s.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 7, royalty.Factor)

	at, err := c.GetNFTAddressByIndex(s.ctx, big.NewInt(0))
	require.NoError(t, err)
	item := nft.NewItemClient(api, at)
	give, err := item.BuildTransferPayload(friend, tlb.FromNanoTONU(1), nil, me)
	require.NoError(t, err)
	s.order(contracts.Call(at, coin/10, give))

	api = connect(t, s.d)
	owned, err := nft.NewItemClient(api, at).GetNFTData(s.ctx)
	require.NoError(t, err)
	require.True(t, owned.Initialized)
	require.True(t, owned.OwnerAddress.Equals(friend))
	require.True(t, owned.CollectionAddress.Equals(collection.Address))
	full, err := nft.NewCollectionClient(api, collection.Address).GetNFTContent(s.ctx, big.NewInt(0), owned.Content)
	require.NoError(t, err)
	require.Equal(t, "https://nft.example/0.json", full.(*nft.ContentOffchain).URI)
}

// TestDevnet_ClientLibraryResolvesAName registers a name of .ton and resolves it from the root that the
// configuration names.
func TestDevnet_ClientLibraryResolvesAName(t *testing.T) {
	t.Parallel()
	s := newManualNetwork(t, Options{Seed: seedOf(22), Scenario: true, ActionsPerMinute: -1, ShardPeriod: -1})
	for range 12 { // the scenario deploys the collection of names
		_, err := s.d.Advance(s.ctx)
		require.NoError(t, err)
	}
	api := connect(t, s.d)
	root, err := dns.GetRootContractAddr(s.ctx, api)
	require.NoError(t, err)
	names := resolverOf(s.ctx, t, api, root)

	s.order(contracts.Call(names, coin, contracts.DNSRegister("very-own-name")))
	item := contracts.DNSItem(names, "very-own-name")
	record := contracts.DNSChangeRecord(1, "wallet", contracts.WalletRecord(s.d.Faucet.Address()))
	s.order(contracts.Call(item.Address, coin/10, record))

	domain, err := dns.NewDNSClient(connect(t, s.d), root).Resolve(s.ctx, "very-own-name.ton")
	require.NoError(t, err)
	require.True(t, domain.GetWalletRecord().Equals(s.d.Faucet.Address()))
	_, err = dns.NewDNSClient(connect(t, s.d), root).Resolve(s.ctx, "nobody-has-this.ton")
	require.ErrorIs(t, err, dns.ErrNoSuchRecord)
}

// resolverOf queries the root for the resolver of the names below ton.
func resolverOf(ctx context.Context, t *testing.T, api *ton.APIClient, root *address.Address) *address.Address {
	t.Helper()
	head, err := api.GetMasterchainInfo(ctx)
	require.NoError(t, err)
	name := cell.BeginCell().MustStoreSlice([]byte("ton\x00"), 32).ToSlice()
	res, err := api.RunGetMethod(ctx, head, root, "dnsresolve", name, big.NewInt(0))
	require.NoError(t, err)
	s, err := res.MustCell(1).BeginParse()
	require.NoError(t, err)
	tag, err := s.LoadUInt(16)
	require.NoError(t, err)
	require.EqualValues(t, 0xba93, tag, "next resolver")
	resolver, err := s.LoadAddr()
	require.NoError(t, err)
	return resolver
}
