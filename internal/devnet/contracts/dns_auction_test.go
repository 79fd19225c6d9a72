package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
)

func (f dnsFixture) name(label string) *contracts.DNSName {
	f.t.Helper()
	n, err := contracts.ReadDNSName(f.data(f.item(label)))
	require.NoError(f.t, err)
	require.NotNil(f.t, n)
	return n
}

func TestDNSAuction_HighestBidOwnsTheName(t *testing.T) {
	t.Parallel()
	f := newDNS(t)
	steps := f.send(alice, contracts.Call(f.collection.Address, tons("0.9"), contracts.DNSRegister("pier")))
	require.Equal(t, int32(402), steps[0].Exit, "less than the first price")
	f.send(alice, contracts.Call(f.collection.Address, tons("2"), contracts.DNSRegister("pier")))
	require.Nil(t, f.name("pier").Owner)
	require.Equal(t, alice.StringRaw(), f.name("pier").Bidder.StringRaw())
	res, err := f.RunGetMethod(t.Context(), nil, f.item("pier"), "get_auction_info")
	require.NoError(t, err)
	require.Equal(t, int64(startTime+contracts.DNSAuctionTime), res.MustInt(2).Int64())

	steps = f.send(bob, contracts.Call(f.item("pier"), tons("2"), nil))
	require.Equal(t, int32(407), steps[0].Exit, "a bid must be 5% higher than the last one")
	steps = f.send(bob, contracts.Call(f.item("pier"), tons("2.2"), contracts.Comment("mine")))
	require.Equal(t, []uint32{0, contracts.OpOutbidNotification}, opcodes(steps))
	require.Equal(t, alice.StringRaw(), steps[1].Account.StringRaw())
	steps = f.send(bob, contracts.Call(f.item("pier"), tons("0.1"), contracts.DNSChangeRecord(1, "wallet", nil)))
	require.Equal(t, int32(413), steps[0].Exit, "the name has no owner yet")

	f.now += contracts.DNSAuctionTime
	steps = f.send(bob, contracts.Call(f.item("pier"), tons("0.1"), contracts.DNSChangeRecord(1, "wallet", contracts.WalletRecord(bob))))
	require.Equal(t, []uint32{contracts.OpDNSChangeRecord, contracts.OpFillUp, contracts.OpExcesses}, opcodes(steps))
	require.Equal(t, f.collection.Address.StringRaw(), steps[1].Account.StringRaw())
	require.False(t, steps[1].Aborted)
	require.Equal(t, bob.StringRaw(), f.name("pier").Owner.StringRaw())
	require.Nil(t, f.name("pier").Bidder)
}

func TestDNSLease_ExpiredNameIsAuctionedAgain(t *testing.T) {
	t.Parallel()
	f := newDNS(t)
	steps := f.send(bob, contracts.Call(f.item("harbour"), tons("1"), contracts.DNSBalanceRelease(1)))
	require.Equal(t, int32(407), steps[0].Exit, "the lease has not expired")
	f.now += contracts.DNSLease + 1
	steps = f.send(alice, contracts.Call(f.item("harbour"), tons("0.1"), contracts.DNSRenew(2)))
	require.False(t, steps[0].Aborted)
	require.Equal(t, uint64(f.now), f.name("harbour").LastFillUp)
	steps = f.send(bob, contracts.Call(f.item("harbour"), tons("1"), contracts.DNSBalanceRelease(3)))
	require.Equal(t, int32(407), steps[0].Exit, "it was renewed")

	f.now += contracts.DNSLease + 1
	steps = f.send(bob, contracts.Call(f.item("harbour"), tons("0.9"), contracts.DNSBalanceRelease(4)))
	require.Equal(t, int32(407), steps[0].Exit, "a first bid is needed")
	steps = f.send(bob, contracts.Call(f.item("harbour"), tons("1"), contracts.DNSBalanceRelease(5)))
	require.False(t, steps[0].Aborted)
	require.Nil(t, f.name("harbour").Owner)
	require.Equal(t, bob.StringRaw(), f.name("harbour").Bidder.StringRaw())
}
