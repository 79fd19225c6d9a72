package genesis

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

func withParam(t *testing.T, id int64, value *cell.Cell) *cell.Cell {
	t.Helper()
	dict := cell.NewDict(32)
	require.NoError(t, dict.SetIntKey(big.NewInt(id), cell.BeginCell().MustStoreRef(value).EndCell()))
	return dict.AsCell()
}

// TestConsensusParam_HasTheLayoutOfTheNode reads parameter 30 bit by bit.
func TestConsensusParam_HasTheLayoutOfTheNode(t *testing.T) {
	t.Parallel()
	param, err := ConsensusParam(Simplex, 400)
	require.NoError(t, err)
	s := param.MustBeginParse()
	require.Equal(t, uint64(0x10), s.MustLoadUInt(8))
	for _, part := range []string{"masterchain", "basechain"} {
		require.True(t, s.MustLoadBoolBit(), part)
		config := s.MustLoadRef()
		require.Equal(t, uint64(0x22), config.MustLoadUInt(8), part)
		require.Zero(t, config.MustLoadUInt(7), "flags")
		require.False(t, config.MustLoadBoolBit(), "QUIC")
		require.Equal(t, uint64(SlotsPerLeaderWindow), config.MustLoadUInt(32))
		noncritical := config.MustLoadDict(8)
		rate, err := noncritical.LoadValueByIntKey(big.NewInt(0))
		require.NoError(t, err)
		require.Equal(t, uint64(400), rate.MustLoadUInt(32))
		require.Zero(t, config.BitsLeft())
	}
	require.Zero(t, s.BitsLeft())

	none, err := ConsensusParam(Ordinary, 400)
	require.NoError(t, err)
	require.Equal(t, cell.BeginCell().MustStoreUInt(0x10, 8).MustStoreUInt(0, 2).EndCell().Hash(), none.Hash())
}

// TestConsensusOf_ReadsTheParameterAsValidatorsDo has every form the parameter can take.
func TestConsensusOf_ReadsTheParameterAsValidatorsDo(t *testing.T) {
	t.Parallel()
	built := func(c Consensus) *cell.Cell {
		param, err := ConsensusParam(c, 1000)
		require.NoError(t, err)
		return param
	}
	part := func(masterchain any) *cell.Cell {
		param, err := tlb.ToCell(tlb.NewConsensusConfigAll{Masterchain: masterchain})
		require.NoError(t, err)
		return param
	}
	older := part(tlb.NewConsensusConfigSimplex{TargetRateMS: 400, SlotsPerLeaderWindow: 4, FirstBlockTimeoutMS: 1000, MaxLeaderWindowDesync: 2})
	basechainOnly := cell.BeginCell().MustStoreUInt(0x10, 8).MustStoreBoolBit(false).MustStoreBoolBit(true).
		MustStoreRef(cell.BeginCell().MustStoreUInt(0x22, 8).MustStoreUInt(0, 8).MustStoreUInt(4, 32).MustStoreBoolBit(false).EndCell()).EndCell()
	malformed := cell.BeginCell().MustStoreUInt(0x10, 8).MustStoreBoolBit(true).MustStoreBoolBit(false).
		MustStoreRef(cell.BeginCell().MustStoreUInt(0x99, 8).EndCell()).EndCell()
	for name, c := range map[string]struct {
		params *cell.Cell
		want   Consensus
	}{
		"absent":             {withParam(t, 19, cell.BeginCell().EndCell()), Ordinary},
		"present":            {withParam(t, ParamConsensus, built(Simplex)), Simplex},
		"without masterpart": {withParam(t, ParamConsensus, built(Ordinary)), Ordinary},
		"older constructor":  {withParam(t, ParamConsensus, older), Simplex},
		"basechain only":     {withParam(t, ParamConsensus, basechainOnly), Ordinary},
		"malformed":          {withParam(t, ParamConsensus, malformed), Ordinary},
		"empty":              {withParam(t, ParamConsensus, cell.BeginCell().EndCell()), Ordinary},
	} {
		require.Equal(t, c.want, ConsensusOf(c.params), name)
	}
}

// TestBuild_ConsensusDecidesParameter30 reads it back with the client library.
func TestBuild_ConsensusDecidesParameter30(t *testing.T) {
	t.Parallel()
	for _, c := range []Consensus{Ordinary, Simplex} {
		o := options()
		o.Consensus = c
		z, err := Build(o)
		require.NoError(t, err)
		params := readParams(t, z)
		require.Equal(t, c, ConsensusOf(params.Root))
		_, err = params.GetParam(ParamConsensus)
		require.Equal(t, c == Simplex, err == nil, c)
	}
}

func TestParseConsensus_OtherNamesAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Simplex", "catchain"} {
		_, err := ParseConsensus(name)
		require.ErrorContains(t, err, "should be ordinary or simplex", name)
	}
	for _, c := range []Consensus{Ordinary, Simplex} {
		got, err := ParseConsensus(string(c))
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
}
