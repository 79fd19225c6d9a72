package contracts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/ton/dns"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// dnsFixture is a root with the top-level domain ton, in which alice owns the name harbour.
type dnsFixture struct {
	*sandbox
	root, collection contracts.Contract
}

func newDNS(t *testing.T) dnsFixture {
	t.Helper()
	f := dnsFixture{sandbox: newSandbox(t)}
	f.collection = contracts.DNSCollection(contracts.OffchainContent("https://dns.test/c.json"))
	f.root = contracts.DNSRoot(admin, map[string]*address.Address{"ton": f.collection.Address})
	f.deploy(f.root)
	f.deploy(f.collection)
	steps := f.send(alice, contracts.Call(f.collection.Address, tons("0.2"), contracts.DNSRegister("harbour")))
	require.False(t, steps[0].Aborted, "exit %d", steps[0].Exit)
	require.False(t, steps[1].Aborted, "exit %d", steps[1].Exit)
	return f
}

func (f dnsFixture) item(label string) *address.Address {
	return contracts.DNSItem(f.collection.Address, label).Address
}

func (f dnsFixture) set(category string, record *cell.Cell) []step {
	return f.send(alice, contracts.Call(f.item("harbour"), tons("0.1"), contracts.DNSChangeRecord(1, category, record)))
}

func TestDNS_ClientResolvesRecords(t *testing.T) {
	t.Parallel()
	f := newDNS(t)
	client := dns.NewDNSClient(f, f.root.Address)
	domain, err := client.Resolve(t.Context(), "harbour.ton")
	require.NoError(t, err)
	require.Nil(t, domain.GetWalletRecord())

	adnl := [32]byte{1, 2, 3}
	for category, record := range map[string]*cell.Cell{
		"wallet": contracts.WalletRecord(bob),
		"site":   contracts.SiteRecord(adnl),
		"text":   contracts.TextRecord("quay 7"),
	} {
		require.Equal(t, []uint32{contracts.OpDNSChangeRecord, contracts.OpExcesses}, opcodes(f.set(category, record)))
	}
	domain, err = client.Resolve(t.Context(), "harbour.ton")
	require.NoError(t, err)
	require.Equal(t, bob.StringRaw(), domain.GetWalletRecord().StringRaw())
	site, inStorage := domain.GetSiteRecord()
	require.Equal(t, adnl[:], site)
	require.False(t, inStorage)

	f.set("site", contracts.StorageRecord([32]byte{9}))
	f.set("wallet", nil)
	domain, err = client.Resolve(t.Context(), "harbour.ton")
	require.NoError(t, err)
	require.Nil(t, domain.GetWalletRecord())
	_, inStorage = domain.GetSiteRecord()
	require.True(t, inStorage)

	data, err := domain.GetNFTData(t.Context())
	require.NoError(t, err)
	require.Equal(t, alice.StringRaw(), data.OwnerAddress.StringRaw())
	editor, err := domain.GetEditor(t.Context())
	require.NoError(t, err)
	require.Equal(t, alice.StringRaw(), editor.StringRaw())

	_, err = client.Resolve(t.Context(), "unknown.ton")
	require.ErrorIs(t, err, dns.ErrNoSuchRecord)
}

func TestDNS_SubdomainIsResolvedByTheNextResolver(t *testing.T) {
	t.Parallel()
	f := newDNS(t)
	// A second collection serves the names below harbour.ton.
	inner := contracts.DNSCollection(contracts.OffchainContent("https://dns.test/inner.json"))
	f.deploy(inner)
	f.send(bob, contracts.Call(inner.Address, tons("0.2"), contracts.DNSRegister("jetty")))
	f.set("dns_next_resolver", contracts.NextResolverRecord(inner.Address))
	domain, err := dns.NewDNSClient(f, f.root.Address).Resolve(t.Context(), "jetty.harbour.ton")
	require.NoError(t, err)
	data, err := domain.GetNFTData(t.Context())
	require.NoError(t, err)
	require.Equal(t, bob.StringRaw(), data.OwnerAddress.StringRaw())
}

func TestDNSRegister_RefusesInvalidAndTakenNames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		label string
		value uint64
		exit  int32 // of the collection
		taken bool  // refused by the item
	}{
		"letters, digits, hyphen": {label: "a-1-b", value: tons("0.2")},
		"already taken":           {label: "harbour", value: tons("0.2"), taken: true},
		"too short":               {label: "abc", value: tons("0.2"), exit: 200},
		"too long":                {label: strings.Repeat("a", 121), value: tons("0.2"), exit: 200},
		"capital letter":          {label: "Harbour", value: tons("0.2"), exit: 203},
		"hyphen in front":         {label: "-abcd", value: tons("0.2"), exit: 203},
		"hyphen at the end":       {label: "abcd-", value: tons("0.2"), exit: 203},
		"a dot":                   {label: "ab.cd", value: tons("0.2"), exit: 203},
		"too little money":        {label: "cheap", value: tons("0.09"), exit: 402},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newDNS(t)
			steps := f.send(bob, contracts.Call(f.collection.Address, tc.value, contracts.DNSRegister(tc.label)))
			require.Equal(t, tc.exit, steps[0].Exit)
			if tc.exit != 0 {
				require.True(t, steps[0].Bounced)
				return
			}
			if tc.taken {
				require.Equal(t, int32(406), steps[1].Exit)
				return
			}
			res, err := f.RunGetMethod(t.Context(), nil, f.item(tc.label), "get_domain")
			require.NoError(t, err)
			name, err := res.MustSlice(0).LoadBinarySnake()
			require.NoError(t, err)
			require.Equal(t, tc.label, string(name))
		})
	}
}

func TestDNSItem_ChangesForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	content := cell.BeginCell().MustStoreUInt(0, 8).MustStoreDict(nil).EndCell()
	for name, tc := range map[string]struct {
		from *address.Address
		body *cell.Cell
		exit int32
	}{
		"record by another account":  {from: bob, body: contracts.DNSChangeRecord(1, "wallet", contracts.WalletRecord(bob)), exit: 401},
		"content":                    {from: alice, body: contracts.DNSEditContent(1, content)},
		"content by another account": {from: bob, body: contracts.DNSEditContent(1, content), exit: 401},
		"content without records": {
			from: alice, body: contracts.DNSEditContent(1, cell.BeginCell().EndCell()), exit: 9,
		},
		"transfer":                    {from: alice, body: contracts.NFTTransfer{NewOwner: bob, Response: alice}.Body()},
		"transfer by another account": {from: bob, body: contracts.NFTTransfer{NewOwner: bob}.Body(), exit: 401},
		"static data":                 {from: bob, body: contracts.NFTGetStaticData(1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newDNS(t)
			steps := f.send(tc.from, contracts.Call(f.item("harbour"), tons("0.1"), tc.body))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.exit != 0, steps[0].Bounced)
		})
	}
}

func TestDNSRoot_SetsDomainsForItsAdminOnly(t *testing.T) {
	t.Parallel()
	f := newDNS(t)
	client := dns.NewDNSClient(f, f.root.Address)
	steps := f.send(bob, contracts.Call(f.root.Address, tons("1"), contracts.DNSSetDomain(1, "me", f.collection.Address)))
	require.Equal(t, int32(401), steps[0].Exit)

	f.send(admin, contracts.Call(f.root.Address, tons("1"), contracts.DNSSetDomain(1, "me", f.collection.Address)))
	_, err := client.Resolve(t.Context(), "harbour.me")
	require.NoError(t, err)

	f.send(admin, contracts.Call(f.root.Address, tons("1"), contracts.DNSSetDomain(1, "me", nil)))
	domain, err := client.Resolve(t.Context(), "harbour.me")
	require.NoError(t, err)
	require.True(t, domain.Records.IsEmpty(), "the client returns an empty domain for an unresolved name")
}
