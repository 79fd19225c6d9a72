package v2_test

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet"
)

// signatures is the result of getMasterchainBlockSignatures in both of its forms.
type signatures struct {
	Type       string `json:"@type"`
	ID         blockID
	Signatures []struct {
		NodeIDShort string `json:"node_id_short"`
		Signature   string
	}
	SessionID string `json:"session_id"`
	Slot      int32
	Candidate string
}

// list returns the signatures with their bytes.
func (s *signatures) list(t *testing.T) (list []ton.Signature) {
	t.Helper()
	for _, one := range s.Signatures {
		list = append(list, ton.Signature{NodeIDShort: fromBase64(t, one.NodeIDShort), Signature: fromBase64(t, one.Signature)})
	}
	return list
}

func fromBase64(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	require.NoError(t, err)
	return b
}

// TestBlockSignatures_ClientsCanCheckBothForms switches the consensus, reads the signatures of every block and checks
// them with a client library, by nothing but the response, the block's id and the validators.
func TestBlockSignatures_ClientsCanCheckBothForms(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 1, 6)
	require.NoError(t, n.devnet.SetConsensus(n.ctx, devnet.Ordinary))
	n.advance(10)
	require.NoError(t, n.devnet.SetConsensus(n.ctx, devnet.Simplex))
	n.advance(14)

	config := tlb.BlockchainConfig{Root: n.devnet.Chain.Config()}
	set, err := config.GetCurrentValidators()
	require.NoError(t, err)
	catchain, err := config.GetCatchainConfig()
	require.NoError(t, err)
	var forms strings.Builder
	for seqno := uint32(1); seqno <= n.head(); seqno++ {
		block, err := n.devnet.Chain.BySeqno(-1, -1<<63, seqno)
		require.NoError(t, err)
		var header struct {
			ListHash int32  `json:"validator_list_hash_short"`
			Catchain uint32 `json:"gen_catchain_seqno"`
		}
		n.read("getBlockHeader", masterID(seqno).params(), &header)
		validators, err := ton.GetMainValidators(&block.ID, catchain, *set, header.Catchain)
		require.NoError(t, err)
		var s signatures
		n.read("getMasterchainBlockSignatures", params{"seqno": strconv.Itoa(int(seqno))}, &s)
		require.Equal(t, seqno, s.ID.Seqno)
		switch s.Type {
		case "blocks.blockSignatures":
			forms.WriteString("O")
			err = ton.CheckBlockSignatures(&block.ID, header.Catchain, uint32(header.ListHash), s.list(t), validators)
		case "blocks.blockSignatures.simplex":
			forms.WriteString("S")
			err = ton.CheckBlockSignaturesSimplex(&block.ID, header.Catchain, uint32(header.ListHash), fromBase64(t, s.SessionID), s.Slot, fromBase64(t, s.Candidate), s.list(t), validators)
		}
		require.NoError(t, err, "block %d", seqno)
	}
	require.Equal(t, "SSSSSSSOOOOSSS", forms.String())
}
