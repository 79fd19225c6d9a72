package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/ton/nft"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

var authority = party("authority")

// newSBT makes a collection whose soul-bound item 0 belongs to alice.
func newSBT(t *testing.T) nftFixture {
	t.Helper()
	f := newCollection(t, contracts.SBTItemCode())
	f.send(admin, contracts.Call(f.collection.Address, tons("0.2"), contracts.SBTMint(1, 0, tons("0.1"), alice, authority, "0.json")))
	require.Equal(t, alice.StringRaw(), f.owner(0).StringRaw())
	return f
}

func (f nftFixture) getInt(a *address.Address, method string) int64 {
	f.t.Helper()
	res, err := f.RunGetMethod(f.t.Context(), nil, a, method)
	require.NoError(f.t, err)
	v, err := res.Int(0)
	require.NoError(f.t, err)
	return v.Int64()
}

func TestSBT_IsNotTransferableAndRevokedByItsAuthority(t *testing.T) {
	t.Parallel()
	data := contracts.Comment("for the verifier")
	for name, tc := range map[string]struct {
		from    *address.Address
		body    *cell.Cell
		exit    int32
		opcodes []uint32
	}{
		"transfer": {
			from: alice, body: contracts.NFTTransfer{NewOwner: bob}.Body(), exit: 413,
			opcodes: []uint32{contracts.OpNFTTransfer, contracts.OpNFTTransfer},
		},
		"static data": {
			from: bob, body: contracts.NFTGetStaticData(1),
			opcodes: []uint32{contracts.OpNFTGetStaticData, contracts.OpNFTReportStaticData},
		},
		"prove ownership": {
			from: alice, body: contracts.SBTProveOwnership(2, party("verifier"), data, true),
			// The verifier is no contract: the proof bounces, and the item notifies its owner.
			opcodes: []uint32{contracts.OpSBTProveOwnership, contracts.OpSBTOwnershipProof, contracts.OpSBTOwnershipProof, contracts.OpSBTProofBounced},
		},
		"prove ownership by another account": {
			from: bob, body: contracts.SBTProveOwnership(2, bob, data, true), exit: 401,
			opcodes: []uint32{contracts.OpSBTProveOwnership, contracts.OpSBTProveOwnership},
		},
		"request owner": {
			from: bob, body: contracts.SBTRequestOwner(3, party("verifier"), data, false),
			opcodes: []uint32{contracts.OpSBTRequestOwner, contracts.OpSBTOwnerInfo, contracts.OpSBTOwnerInfo},
		},
		"revoke": {
			from: authority, body: contracts.SBTRevoke(4),
			opcodes: []uint32{contracts.OpSBTRevoke},
		},
		"revoke by the owner": {
			from: alice, body: contracts.SBTRevoke(4), exit: 401,
			opcodes: []uint32{contracts.OpSBTRevoke, contracts.OpSBTRevoke},
		},
		"destroy": {
			from: alice, body: contracts.SBTDestroy(5),
			opcodes: []uint32{contracts.OpSBTDestroy, contracts.OpExcesses},
		},
		"destroy by the authority": {
			from: authority, body: contracts.SBTDestroy(5), exit: 401,
			opcodes: []uint32{contracts.OpSBTDestroy, contracts.OpSBTDestroy},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSBT(t)
			steps := f.send(tc.from, contracts.Call(f.item(0), tons("0.1"), tc.body))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.opcodes, opcodes(steps))
		})
	}
}

func TestSBT_ProofContainsItsFields(t *testing.T) {
	t.Parallel()
	f := newSBT(t)
	steps := f.send(alice, contracts.Call(f.item(0), tons("0.1"), contracts.SBTProveOwnership(21, party("verifier"), contracts.Comment("x"), true)))
	r := steps[1].In.Msg.Payload().MustBeginParse()
	require.Equal(t, uint64(contracts.OpSBTOwnershipProof), r.MustLoadUInt(32))
	require.Equal(t, uint64(21), r.MustLoadUInt(64))
	require.Zero(t, r.MustLoadBigUInt(256).Sign())
	require.Equal(t, alice.StringRaw(), r.MustLoadAddr().StringRaw())
	require.Equal(t, contracts.Comment("x").Hash(), r.MustLoadRef().MustToCell().Hash())
	require.Zero(t, r.MustLoadUInt(64), "not revoked")
	require.NotNil(t, r.MustLoadMaybeRef(), "content was requested")
}

func TestSBT_RevokedOnceThenDestroyed(t *testing.T) {
	t.Parallel()
	f := newSBT(t)
	require.Zero(t, f.getInt(f.item(0), "get_revoked_time"))
	f.send(authority, contracts.Call(f.item(0), tons("0.1"), contracts.SBTRevoke(1)))
	require.Equal(t, int64(startTime), f.getInt(f.item(0), "get_revoked_time"))
	steps := f.send(authority, contracts.Call(f.item(0), tons("0.1"), contracts.SBTRevoke(2)))
	require.Equal(t, int32(403), steps[0].Exit)

	res, err := f.RunGetMethod(t.Context(), nil, f.item(0), "get_authority_address")
	require.NoError(t, err)
	require.Equal(t, authority.StringRaw(), res.MustSlice(0).MustLoadAddr().StringRaw())

	f.send(alice, contracts.Call(f.item(0), tons("0.1"), contracts.SBTDestroy(3)))
	require.Nil(t, f.owner(0))
	item, err := nft.NewItemClient(f, f.item(0)).GetNFTData(t.Context())
	require.NoError(t, err)
	require.True(t, item.OwnerAddress.IsAddrNone())
}
