package wallet_test

import (
	"crypto/ed25519"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/wallet"
	"tonql/internal/devnet/contracts"
)

// codeHashOf returns the published code hash of an interface.
func codeHashOf(t *testing.T, name string) chain.Hash {
	t.Helper()
	for _, i := range contract.AllInterfaces() {
		if i.Name == name {
			require.NotEmpty(t, i.CodeHashes)
			return i.CodeHashes[0]
		}
	}
	require.Fail(t, "no interface "+name)
	return chain.Hash{}
}

var key = chain.Hash{1, 2, 3}

func storage() *cell.Builder { return cell.BeginCell() }

func withKey(b *cell.Builder) *cell.Builder { return b.MustStoreSlice(key[:], 256) }

func TestParse_ReadsEveryLayout(t *testing.T) {
	t.Parallel()
	v1 := withKey(storage().MustStoreUInt(7, 32)).EndCell()
	v3 := withKey(storage().MustStoreUInt(7, 32).MustStoreUInt(698983191, 32)).EndCell()
	v4 := withKey(storage().MustStoreUInt(7, 32).MustStoreUInt(698983191, 32)).MustStoreDict(nil).EndCell()
	v5 := withKey(storage().MustStoreBoolBit(true).MustStoreUInt(7, 32).MustStoreUInt(2147483409, 32)).MustStoreDict(nil).EndCell()
	beta := withKey(storage().MustStoreUInt(7, 33).MustStoreInt(-239, 32).MustStoreUInt(0, 48)).MustStoreDict(nil).EndCell()
	highload2 := withKey(storage().MustStoreUInt(11, 32).MustStoreUInt(99, 64)).MustStoreDict(nil).EndCell()
	highload3 := withKey(storage()).MustStoreUInt(0x10ad, 32).MustStoreUInt(0, 2+64+22).EndCell()
	preprocessed := withKey(storage()).MustStoreUInt(7, 16).EndCell()
	telegram := withKey(storage().MustStoreUInt(3, 8).MustStoreUInt(7, 32).MustStoreUInt(2147483409, 32)).MustStoreUInt(1, 5).EndCell()
	network := int32(-239)

	seqno := func(w chain.WalletInfo) chain.WalletInfo { w.Seqno, w.PublicKey = new(uint32(7)), &key; return w }
	withID := func(w chain.WalletInfo, id uint32) chain.WalletInfo { w.WalletID, w.PublicKey = &id, &key; return w }
	for _, tc := range []struct {
		name string
		data *cell.Cell
		want chain.WalletInfo
	}{
		{"wallet_v1r1", v1, seqno(chain.WalletInfo{Type: "wallet v1 r1"})},
		{"wallet_v1r2", v1, seqno(chain.WalletInfo{Type: "wallet v1 r2"})},
		{"wallet_v1r3", v1, seqno(chain.WalletInfo{Type: "wallet v1 r3"})},
		{"wallet_v2r1", v1, seqno(chain.WalletInfo{Type: "wallet v2 r1"})},
		{"wallet_v2r2", v1, seqno(chain.WalletInfo{Type: "wallet v2 r2"})},
		{"wallet_v3r1", v3, withID(seqno(chain.WalletInfo{Type: "wallet v3 r1"}), 698983191)},
		{"wallet_v3r2", v3, withID(seqno(chain.WalletInfo{Type: "wallet v3 r2"}), 698983191)},
		{"wallet_v4r1", v4, withID(seqno(chain.WalletInfo{Type: "wallet v4 r1"}), 698983191)},
		{"wallet_v4r2", v4, withID(seqno(chain.WalletInfo{Type: "wallet v4 r2"}), 698983191)},
		{"wallet_v5_beta", beta, withID(seqno(chain.WalletInfo{Type: "wallet v5 beta", IsSignatureAllowed: new(false)}), uint32(network))},
		{"wallet_v5r1", v5, withID(seqno(chain.WalletInfo{Type: "wallet v5 r1", IsSignatureAllowed: new(true)}), 2147483409)},
		{"wallet_tg", telegram, withID(seqno(chain.WalletInfo{Type: "tg-wallet"}), 2147483409)},
		{"wallet_highload_v1r1", v3, withID(seqno(chain.WalletInfo{}), 698983191)},
		{"wallet_highload_v1r2", v3, withID(seqno(chain.WalletInfo{}), 698983191)},
		{"wallet_highload_v2", highload2, withID(chain.WalletInfo{}, 11)},
		{"wallet_highload_v2r1", highload2, withID(chain.WalletInfo{}, 11)},
		{"wallet_highload_v2r2", highload2, withID(chain.WalletInfo{}, 11)},
		{"wallet_highload_v3r1", highload3, withID(chain.WalletInfo{}, 0x10ad)},
		{"wallet_preprocessed_v2", preprocessed, seqno(chain.WalletInfo{})},
		{"wallet_vesting", v4, withID(seqno(chain.WalletInfo{}), 698983191)},
	} {
		code := codeHashOf(t, tc.name)
		tc.want.Name = tc.name
		require.True(t, wallet.Is(code))
		got, err := wallet.Parse(code, tc.data)
		require.NoError(t, err, tc.name)
		require.Equal(t, &tc.want, got, tc.name)

		_, err = wallet.Parse(code, storage().MustStoreUInt(1, 20).EndCell())
		require.Equal(t, chain.Invalid, chain.KindOf(err), "cut short")
		_, err = wallet.Parse(code, nil)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
	_, err := wallet.Parse(chain.Hash{}, v1)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	require.False(t, wallet.Is(codeHashOf(t, "jetton_wallet_v1")))
}

func TestIs_EveryWalletInterfaceHasALayout(t *testing.T) {
	t.Parallel()
	for _, i := range contract.AllInterfaces() {
		if len(i.Name) > 7 && i.Name[:7] == "wallet_" {
			require.True(t, wallet.Is(i.CodeHashes[0]), i.Name)
		}
	}
}

// The devnet's wallets are the published ones; the parsed public keys agree with their get-methods.
func TestDetect_WalletsOfTheDevnetAgreeWithGetMethods(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	config, err := fat.Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	r := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	for _, version := range []contracts.WalletVersion{contracts.V3R2, contracts.V4R2, contracts.V5R1, contracts.HighloadV3} {
		w, err := contracts.NewWallet(version, 0, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), -777)
		require.NoError(t, err)
		st := contract.State{Address: contracttest.Address("w"), Code: w.Init.Code, Data: w.Init.Data}
		facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
		require.NotNil(t, facts.Wallet, version)
		require.Equal(t, []string{facts.Wallet.Name}, facts.Interfaces)
		res, err := r.Run(t.Context(), &st, "get_public_key")
		require.NoError(t, err)
		require.Equal(t, res.Stack[0].(*big.Int).FillBytes(make([]byte, 32)), facts.Wallet.PublicKey[:])
	}
}

func FuzzParse_HasAPublicKey(f *testing.F) {
	f.Add(contracttest.Seed(withKey(storage().MustStoreUInt(7, 32).MustStoreUInt(698983191, 32)).EndCell()))
	var codes []chain.Hash
	for _, i := range contract.AllInterfaces() {
		codes = append(codes, i.CodeHashes...)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := contracttest.Tree(data)
		for _, code := range codes {
			if info, err := wallet.Parse(code, c); err == nil {
				require.NotNil(t, info.PublicKey)
			}
		}
	})
}
