package wallet_test

import (
	"crypto/ed25519"
	"errors"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	tonwallet "github.com/xssnick/tonutils-go/ton/wallet"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

// The codes in tonutils-go are recognized, and the parsed fields agree with the get-methods.
func TestDetect_WalletsOfTonutilsAgreeWithGetMethods(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	config, err := fat.Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	seed := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, ok := seed.Public().(ed25519.PublicKey)
	require.True(t, ok)
	seen, compared := map[string]bool{}, map[string]int{}
	for _, version := range []tonwallet.VersionConfig{
		tonwallet.V1R1, tonwallet.V1R2, tonwallet.V1R3, tonwallet.V2R1, tonwallet.V2R2, tonwallet.V3R1, tonwallet.V3R2,
		tonwallet.V4R1, tonwallet.V4R2,
		tonwallet.HighloadV2R2, tonwallet.HighloadV2Verified, //nolint:staticcheck // old wallets are on the chain for ever
		tonwallet.ConfigHighloadV3{MessageTTL: 60}, tonwallet.ConfigV5R1Beta{NetworkGlobalID: -239},
		tonwallet.ConfigV5R1Final{NetworkGlobalID: -239},
	} {
		init, err := tonwallet.GetStateInit(public, version, 5)
		if errors.Is(err, tonwallet.ErrUnsupportedWalletVersion) {
			continue
		}
		require.NoError(t, err)
		st := contract.State{Address: contracttest.Address("w"), Code: init.Code, Data: init.Data}
		libs, err := fat.Libraries(t.Context(), contract.LibraryRefs(init.Code))
		require.NoError(t, err)
		r := contracttest.Runner(t, config, contract.Env{Libraries: contract.LibraryMap(libs)}, contract.Options{})
		info := contracttest.Detect(t, r, contracttest.Snapshot{}, st).Wallet
		require.NotNil(t, info, "%v: code %s", version, st.CodeHash())
		seen[info.Name] = true
		require.Equal(t, chain.HashFrom(public), *info.PublicKey, info.Name)
		for method, field := range map[string]*uint32{"seqno": info.Seqno, "get_subwallet_id": info.WalletID} {
			if equalsResult(t, r, &st, method, field) {
				compared[method]++
			}
		}
	}
	require.Len(t, seen, 9, "the wallets whose code the library has")
	require.Equal(t, map[string]int{"seqno": 6, "get_subwallet_id": 4}, compared)
}

// equalsResult requires that a field equals the result of a get-method and reports whether both exist.
func equalsResult(t *testing.T, r *contract.Runner, st *contract.State, method string, field *uint32) bool {
	t.Helper()
	res, err := r.Run(t.Context(), st, method)
	if err != nil || field == nil {
		require.True(t, err == nil || contract.IsFault(err))
		return false
	}
	n, ok := res.Stack[len(res.Stack)-1].(*big.Int)
	require.True(t, ok)
	require.Equal(t, uint32(n.Uint64()), *field, method)
	return true
}
