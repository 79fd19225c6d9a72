package contracts_test

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/ton/dns"

	"tonql/internal/devnet/contracts"
)

var mintKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32))

// telemintFixture is the zone .t.me below a root.
type telemintFixture struct {
	*sandbox
	root, collection contracts.Contract
}

func newTelemint(t *testing.T) telemintFixture {
	t.Helper()
	f := telemintFixture{sandbox: newSandbox(t)}
	f.collection = contracts.TelemintCollection(mintKey.Public().(ed25519.PublicKey), contracts.OffchainContent("https://names.test/c.json"),
		contracts.Royalty{Numerator: 1, Denominator: 20, Destination: author})
	me := contracts.DNSTopLevel(admin, map[string]*address.Address{"t": f.collection.Address})
	f.root = contracts.DNSRoot(admin, map[string]*address.Address{"me": me.Address})
	for _, c := range []contracts.Contract{f.collection, me, f.root} {
		f.deploy(c)
	}
	return f
}

func (f telemintFixture) terms() contracts.TelemintTerms {
	return contracts.TelemintTerms{Beneficiary: admin, MinBid: tons("2"), MinStep: 10, MinExtendTime: 5, Duration: 60}
}

func (f telemintFixture) mint(from *address.Address, name string, value uint64) []step {
	body := contracts.TelemintDeploy(mintKey, f.now, name, contracts.OffchainContent("https://names.test/"+name+".json"), f.terms())
	return f.send(from, contracts.Call(f.collection.Address, value, body))
}

func (f telemintFixture) item(name string) *address.Address {
	return contracts.TelemintItem(f.collection.Address, name).Address
}

func (f telemintFixture) name(name string) *contracts.TelemintName {
	f.t.Helper()
	n, err := contracts.ReadTelemintName(f.data(f.item(name)))
	require.NoError(f.t, err)
	require.NotNil(f.t, n)
	return n
}

func TestTelemint_HighestBidOwnsTheName(t *testing.T) {
	t.Parallel()
	f := newTelemint(t)
	steps := f.mint(alice, "skipper", tons("2.1"))
	require.Equal(t, []uint32{contracts.OpTelemintDeploy, contracts.OpTeleitemDeploy}, opcodes(steps))
	require.False(t, steps[1].Aborted, "exit %d", steps[1].Exit)
	require.Equal(t, alice.StringRaw(), f.name("skipper").Bidder.StringRaw())

	steps = f.send(bob, contracts.Transfer(f.item("skipper"), tons("2.2"), ""))
	require.Equal(t, int32(207), steps[0].Exit)
	steps = f.send(bob, contracts.Transfer(f.item("skipper"), tons("3"), ""))
	require.Equal(t, []uint32{0, contracts.OpOutbidNotification}, opcodes(steps))
	f.now += 60
	steps = f.send(alice, contracts.Transfer(f.item("skipper"), tons("0.05"), ""))
	require.Equal(t, []uint32{0, contracts.OpNFTOwnershipAssign, contracts.OpFillUp, contracts.OpFillUp}, opcodes(steps))
	require.Equal(t, bob.StringRaw(), steps[1].Account.StringRaw())
	require.Equal(t, author.StringRaw(), steps[2].Account.StringRaw())
	require.Equal(t, admin.StringRaw(), steps[3].Account.StringRaw())
	require.Equal(t, bob.StringRaw(), f.name("skipper").Owner.StringRaw())

	steps = f.send(bob, contracts.Call(f.item("skipper"), tons("0.1"), contracts.DNSChangeRecord(1, "wallet", contracts.WalletRecord(bob))))
	require.Equal(t, []uint32{contracts.OpDNSChangeRecord, contracts.OpTeleitemOk}, opcodes(steps))
	domain, err := dns.NewDNSClient(f, f.root.Address).Resolve(t.Context(), "skipper.t.me")
	require.NoError(t, err)
	require.Equal(t, bob.StringRaw(), domain.GetWalletRecord().StringRaw())
	res, err := f.RunGetMethod(t.Context(), nil, f.item("skipper"), "get_full_domain")
	require.NoError(t, err)
	full, err := res.MustSlice(0).LoadBinarySnake()
	require.NoError(t, err)
	require.Equal(t, "me\x00t\x00skipper\x00", string(full))

	steps = f.mint(alice, "skipper", tons("2.1"))
	require.NotZero(t, steps[1].Exit, "the name exists")
}

func TestTelemint_InvalidOrdersAreRefused(t *testing.T) {
	t.Parallel()
	f := newTelemint(t)
	steps := f.mint(alice, "pilot", tons("1"))
	require.Equal(t, int32(207), steps[1].Exit, "less than the first bid")
	wrong := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32))
	for body, exit := range map[string]int32{"key": 35, "late": 36} {
		key, from := mintKey, f.now
		if body == "key" {
			key = wrong
		} else {
			from -= 601
		}
		order := contracts.TelemintDeploy(key, from, "pilot", contracts.OffchainContent("x"), f.terms())
		steps = f.send(alice, contracts.Call(f.collection.Address, tons("3"), order))
		require.Equal(t, exit, steps[0].Exit, body)
		require.True(t, steps[0].Bounced)
	}
}

func TestTelemint_OwnerSellsByAuction(t *testing.T) {
	t.Parallel()
	f := newTelemint(t)
	f.mint(alice, "pilot", tons("2.1"))
	f.now += 60
	f.send(alice, contracts.Transfer(f.item("pilot"), tons("0.05"), ""))
	terms := contracts.TelemintTerms{Beneficiary: alice, MinBid: tons("4"), MaxBid: tons("9"), MinStep: 5, MinExtendTime: 5, Duration: 30}
	start := contracts.TeleitemStartAuction(3, terms)
	steps := f.send(bob, contracts.Call(f.item("pilot"), tons("0.1"), start))
	require.Equal(t, int32(401), steps[0].Exit)
	steps = f.send(alice, contracts.Call(f.item("pilot"), tons("0.1"), start))
	require.Equal(t, []uint32{contracts.OpTeleitemStartAuction, contracts.OpTeleitemOk}, opcodes(steps))
	steps = f.send(alice, contracts.Call(f.item("pilot"), tons("0.1"), contracts.NFTTransfer{NewOwner: bob}.Body()))
	require.Equal(t, int32(202), steps[0].Exit)
	steps = f.send(alice, contracts.Call(f.item("pilot"), tons("0.1"), contracts.TeleitemCancelAuction(4)))
	require.Equal(t, []uint32{contracts.OpTeleitemCancelAuction, contracts.OpTeleitemOk}, opcodes(steps))
	require.False(t, f.name("pilot").Auction)

	f.send(alice, contracts.Call(f.item("pilot"), tons("0.1"), start))
	steps = f.send(bob, contracts.Transfer(f.item("pilot"), tons("9"), ""))
	require.Equal(t, []uint32{0, contracts.OpNFTOwnershipAssign, contracts.OpFillUp, contracts.OpFillUp}, opcodes(steps), "the highest price ends it")
	require.Equal(t, bob.StringRaw(), f.name("pilot").Owner.StringRaw())
	steps = f.send(bob, contracts.Call(f.item("pilot"), tons("0.2"), contracts.NFTTransfer{NewOwner: alice, Response: bob, ForwardValue: 1}.Body()))
	require.Equal(t, []uint32{contracts.OpNFTTransfer, contracts.OpNFTOwnershipAssign, contracts.OpExcesses}, opcodes(steps))
}
