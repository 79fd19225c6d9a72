package validator_test

import (
	"crypto/ed25519"
	"hash/crc32"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/adnl/keys"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/modtest"
	"tonql/internal/validator"
)

func TestMasterSession_TakesTheFirstEntriesInTheirOrder(t *testing.T) {
	t.Parallel()
	list := validators(30)
	for name, catchainParam := range map[string]*cell.Cell{
		"catchain_config#c1":     cell.BeginCell().MustStoreUInt(0xc1, 8).MustStoreSlice(make([]byte, 16), 128).EndCell(),
		"catchain_config_new#c2": catchain(false),
		"absent":                 nil,
	} {
		params := map[int]*cell.Cell{34: extSet(21, list)}
		if catchainParam != nil {
			params[28] = catchainParam
		}
		s, err := validator.MasterSession(config(params), 77)
		require.NoError(t, err, name)
		require.Equal(t, list[:21], s.Validators, name)
	}
}

func TestMasterSession_ShufflesAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	list := validators(30)
	for _, seqno := range []uint32{0, 1, 77, 0x7fffffff, 0xffffffff} {
		s, err := validator.MasterSession(config(map[int]*cell.Cell{28: catchain(true), 34: plainSet(21, list)}), seqno)
		require.NoError(t, err)
		prng := ton.NewValidatorSetPRNG(-1<<63, -1, seqno, nil)
		order := make([]uint64, 21)
		for i := range order {
			j := prng.NextRanged(uint64(i) + 1)
			order[i] = order[j]
			order[j] = uint64(i)
		}
		for i, j := range order {
			require.Equal(t, list[j], s.Validators[i], "place %d of session %d", i, seqno)
		}
	}
}

func TestMasterSession_HashesTheListAsTL(t *testing.T) {
	t.Parallel()
	list := validators(12)
	s, err := validator.MasterSession(config(map[int]*cell.Cell{28: catchain(true), 35: plainSet(12, list)}), 4)
	require.NoError(t, err)
	items := make([]ton.ValidatorItemHashable, len(list))
	for i, v := range s.Validators {
		items[i] = ton.ValidatorItemHashable{Key: v.Key[:], Weight: v.Weight, Addr: v.ADNL[:]}
		id, err := tl.Hash(keys.PublicKeyED25519{Key: v.Key[:]})
		require.NoError(t, err)
		require.Equal(t, chain.HashFrom(id), v.NodeID())
	}
	data, err := tl.Serialize(ton.ValidatorSetHashable{CCSeqno: 4, Validators: items}, true)
	require.NoError(t, err)
	require.Equal(t, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)), s.ListHash)
}

func TestMasterSession_UnknownCatchainConfigurationsAreRefused(t *testing.T) {
	t.Parallel()
	set := plainSet(3, validators(3))
	for name, root := range map[string]*cell.Cell{
		"another constructor": cell.BeginCell().MustStoreUInt(0xc3, 8).MustStoreSlice(make([]byte, 17), 136).EndCell(),
		"unknown flags":       cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(3, 8).MustStoreSlice(make([]byte, 16), 128).EndCell(),
		"too short":           cell.BeginCell().MustStoreUInt(0xc2, 8).EndCell(),
		"two shuffles":        cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 16), 128).EndCell(),
		"a cell behind":       catchain(true).ToBuilder().MustStoreRef(set).EndCell(),
		"no flags":            cell.BeginCell().MustStoreUInt(0xc2, 8).MustStoreUInt(0, 7).EndCell(),
		"empty":               cell.BeginCell().EndCell(),
		"too long":            catchain(true).ToBuilder().MustStoreUInt(0, 1).EndCell(),
	} {
		_, err := validator.MasterSession(config(map[int]*cell.Cell{28: root, 34: set}), 1)
		require.ErrorContains(t, err, "config parameter 28", name)
	}
	for name, value := range map[string]*cell.Builder{
		"bits before the reference": cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(catchain(true)), "no reference": cell.BeginCell(),
		"two references": cell.BeginCell().MustStoreRef(catchain(true)).MustStoreRef(set),
	} {
		params := config(map[int]*cell.Cell{34: set})
		require.NoError(t, params.SetIntKey(big.NewInt(28), value.EndCell()))
		_, err := validator.MasterSession(params, 1)
		require.ErrorContains(t, err, "config parameter 28: the value is not one reference", name)
	}
	for name, params := range map[string]*cell.Dictionary{"none": nil, "keys of another size": cell.NewDict(16)} {
		_, err := validator.MasterSession(params, 1)
		require.ErrorContains(t, err, "the configuration is missing", name)
	}
	full := config(map[int]*cell.Cell{28: catchain(true), 34: set})
	_, err := validator.MasterSession(pruneParam(t, full, 34, 35), 1)
	require.ErrorContains(t, err, "config parameter 28: a branch that is needed is pruned")
	_, err = validator.MasterSession(pruneParam(t, full, 28, 34, 35), 1)
	require.NoError(t, err)
}

// sign makes the signatures of the validators with the given numbers.
func sign(payload []byte, numbers ...int) []ton.Signature {
	var list []ton.Signature
	for _, i := range numbers {
		v := validators(i + 1)[i]
		id := v.NodeID()
		list = append(list, ton.Signature{NodeIDShort: id[:], Signature: ed25519.Sign(privateKey(i), payload)})
	}
	return list
}

func TestVerify_NeedsMoreThanTwoThirdsOfTheWeight(t *testing.T) {
	t.Parallel()
	list := validators(6)
	for i := range list {
		list[i].Weight = 1 << 58
	}
	s, err := validator.MasterSession(config(map[int]*cell.Cell{34: plainSet(6, list)}), 1)
	require.NoError(t, err)
	payload := []byte("a block")
	require.ErrorContains(t, s.Verify(payload, sign(payload, 5, 1, 3, 0)), "not more than two thirds")
	require.NoError(t, s.Verify(payload, sign(payload, 5, 1, 3, 0, 2)))
	require.NoError(t, s.Verify(payload, sign(payload, 0, 1, 2, 3, 4, 5)))
}

func TestVerify_RefusesEverySignatureThatDoesNotCount(t *testing.T) {
	t.Parallel()
	s, err := validator.MasterSession(config(map[int]*cell.Cell{28: catchain(true), 34: plainSet(6, validators(9))}), 1)
	require.NoError(t, err)
	payload := []byte("a block")
	valid := sign(payload, 0, 1, 2, 3, 4)
	require.NoError(t, s.Verify(payload, valid))

	with := func(change func(*ton.Signature)) []ton.Signature {
		list := slices.Clone(valid)
		last := &list[len(list)-1]
		last.NodeIDShort, last.Signature = slices.Clone(last.NodeIDShort), slices.Clone(last.Signature)
		change(last)
		return list
	}
	for name, tc := range map[string]struct {
		list []ton.Signature
		want string
	}{
		"none":                 {nil, "no signatures"},
		"one twice":            {append(slices.Clone(valid), valid[2]), "signed twice"},
		"of one who only main": {append(slices.Clone(valid), sign(payload, 8)...), "no validator of the session"},
		"more than validators": {sign(payload, 0, 1, 2, 3, 4, 5, 5), "7 signatures of 6 validators"},
		"of another payload":   {append(sign(payload, 0, 1, 2, 3), sign([]byte("another"), 4)...), "does not hold"},
		"a changed bit":        {with(func(s *ton.Signature) { s.Signature[63] ^= 1 }), "does not hold"},
		"too short":            {with(func(s *ton.Signature) { s.Signature = s.Signature[:63] }), "does not hold"},
		"no signature":         {with(func(s *ton.Signature) { s.Signature = nil }), "does not hold"},
		"no name":              {with(func(s *ton.Signature) { s.NodeIDShort = nil }), "names no validator"},
		"another's name":       {with(func(s *ton.Signature) { s.NodeIDShort = sign(payload, 5)[0].NodeIDShort }), "does not hold"},
	} {
		require.ErrorContains(t, s.Verify(payload, tc.list), tc.want, name)
	}
}

// Configurations of the test network of 2022 and the main network of 2023 and 2026. A masterchain state has the hash of
// its session's validators, in their order, taken with a catchain seqno of 0.
func TestMasterSession_AgreesWithRealStates(t *testing.T) {
	t.Parallel()
	for seqno, want := range map[string]struct{ total, main int }{
		"4324374": {15, 15}, "33651872": {319, 100}, "65466080": {400, 100},
	} {
		boc, err := modtest.Read(modtest.Tongo, "ton/testdata/config_proof_"+seqno+".boc")
		require.NoError(t, err)
		proof, err := cell.FromBOC(boc)
		require.NoError(t, err)
		var state tlb.ShardStateUnsplit
		require.NoError(t, tlb.LoadFromCellAsProof(&state, proof.MustPeekRef(0).MustBeginParse()))
		var extra tlb.McStateExtra
		require.NoError(t, tlb.LoadFromCellAsProof(&extra, state.McStateExtra.MustBeginParse()))
		var info tlb.McStateExtraBlockInfo
		require.NoError(t, tlb.LoadFromCellAsProof(&info, extra.Info.MustBeginParse()))
		config := extra.ConfigParams.Config.Params

		set, err := validator.Current(config)
		require.NoError(t, err, seqno)
		require.EqualValues(t, want.total, set.Total)
		s, err := validator.MasterSession(config, info.ValidatorInfo.CatchainSeqno)
		require.NoError(t, err, seqno)
		require.Len(t, s.Validators, want.main)
		require.NotEqual(t, set.Main, s.Validators, "shuffled")
		require.Equal(t, info.ValidatorInfo.ValidatorListHashShort, s.ListHashAs(0), seqno)
	}
}

// The zerostate of the main network lists five validators of equal weight in the old forms. Its first block, of session
// 0, has the hash of that list.
func TestMasterSession_ReadsTheMainNetworksFirstValidators(t *testing.T) {
	t.Parallel()
	first := mainnet.OpenFirstBlocks(t)
	root, err := first.Config(t.Context(), first.Zerostate)
	require.NoError(t, err)
	config := root.AsDict(32)
	value, err := config.LoadValueByUintKey(validator.ParamCurrent)
	require.NoError(t, err)
	require.EqualValues(t, 0x11, value.MustLoadRef().MustPreloadUInt(8), "validators#11")

	block, err := first.MasterBlock(t.Context(), 1)
	require.NoError(t, err)
	var b tlb.Block
	require.NoError(t, tlb.Parse(&b, block.Master.Root))
	s, err := validator.MasterSession(config, b.BlockInfo.GenCatchainSeqno)
	require.NoError(t, err)
	require.Equal(t, b.BlockInfo.GenValidatorListHashShort, s.ListHash)
	require.Len(t, s.Validators, 5)
	for _, v := range s.Validators {
		require.True(t, v.ADNL.IsZero(), "validator#53")
		require.EqualValues(t, 17, v.Weight)
	}
}
