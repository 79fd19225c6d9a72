package devnet

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"
)

// form returns the consensus whose form the signatures of a block have.
func form(t *testing.T, d *Devnet, seqno uint32) Consensus {
	t.Helper()
	sigs, err := d.Chain.Signatures(seqno)
	require.NoError(t, err)
	switch sigs.(type) {
	case ton.SignatureSet:
		return Ordinary
	case ton.SignatureSetSimplex:
		return Simplex
	default:
		require.Failf(t, "unexpected signatures", "%T", sigs)
		return ""
	}
}

func advance(ctx context.Context, t *testing.T, d *Devnet, blocks int) {
	t.Helper()
	for range blocks {
		_, err := d.Advance(ctx)
		require.NoError(t, err)
	}
}

func TestStart_NewNetworkHasTheConsensusOfTheOptions(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	for option, want := range map[Consensus]Consensus{"": Simplex, Simplex: Simplex, Ordinary: Ordinary} {
		d := start(ctx, t, Options{Seed: seedOf(61), Interval: ByHand, Consensus: option})
		require.Equal(t, want, d.Chain.Consensus())
		require.Equal(t, want, form(t, d, 1))
	}
}

// TestStart_StoredNetworkSwitchesAtAKeyBlock restarts a network with another consensus, then without a choice.
func TestStart_StoredNetworkSwitchesAtAKeyBlock(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	opts := Options{Dir: t.TempDir(), Interval: ByHand, Scenario: true, Consensus: Ordinary}
	d := start(ctx, t, opts)
	advance(ctx, t, d, 3)
	require.NoError(t, d.Close())

	opts.Consensus = Simplex
	d = start(ctx, t, opts)
	advance(ctx, t, d, 2)
	key, err := d.Chain.BySeqno(-1, -1<<63, 5)
	require.NoError(t, err)
	require.True(t, key.KeyBlock)
	require.Equal(t, Ordinary, form(t, d, 5), "the key block is signed by the session before it")
	require.Equal(t, Simplex, form(t, d, 6))
	require.NoError(t, d.Close())

	opts.Consensus = ""
	d = start(ctx, t, opts)
	advance(ctx, t, d, 1)
	require.Equal(t, Simplex, form(t, d, 7))
	require.Equal(t, Ordinary, form(t, d, 4))
}

func TestAdmin_ConsensusIsSwitched(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := start(ctx, t, Options{Seed: seedOf(62), Interval: ByHand, Admin: "127.0.0.1:0"})
	var s Status
	call(ctx, t, d, http.MethodGet, "/status", "", http.StatusOK, &s)
	require.Equal(t, Simplex, s.Consensus)
	for _, to := range []Consensus{Ordinary, Simplex} {
		call(ctx, t, d, http.MethodPost, "/consensus", `{"to": "`+string(to)+`"}`, http.StatusOK, &s)
		call(ctx, t, d, http.MethodPost, "/mine", `{"count": 2}`, http.StatusOK, &s)
		require.Equal(t, to, s.Consensus)
		require.Equal(t, to, form(t, d, s.Seqno))
	}
	var refused map[string]string
	call(ctx, t, d, http.MethodPost, "/consensus", `{"to": "catchain"}`, http.StatusBadRequest, &refused)
	require.Contains(t, refused["error"], "should be ordinary or simplex")
}
