package payment

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNewKey_HintIsTheBeginningOfARandomKey(t *testing.T) {
	t.Parallel()
	key, hash, hint := NewKey()
	require.Regexp(t, `^tqpay_[A-Za-z0-9_-]{43}$`, key)
	require.Equal(t, key[:10], hint, "four characters of the key")
	require.Equal(t, HashOf(key), hash)
	other, _, _ := NewKey()
	require.NotEqual(t, key, other)
}

func TestDrawQueryID_IsNoCountedNumber(t *testing.T) {
	t.Parallel()
	seen := map[uint64]bool{}
	for range 100 {
		id := drawQueryID()
		require.GreaterOrEqual(t, id, uint64(1<<63))
		require.False(t, seen[id])
		seen[id] = true
	}
}

func TestRecordAmounts_MissingAndSurplusOfAllPayments(t *testing.T) {
	t.Parallel()
	tr, _ := registered(t, ofJetton)
	for _, c := range []struct {
		name                        string
		received, further, deducted *big.Int
		want                        Amounts
	}{
		{"pending", nil, nil, nil, Amounts{Requested: "0.001"}},
		{"paid", big.NewInt(1000), nil, nil, Amounts{Requested: "0.001", Received: "0.001"}},
		{"too little, with fees", big.NewInt(900), nil, big.NewInt(40), Amounts{Requested: "0.001", Received: "0.0009", Missing: "0.0001", Deducted: "0.00004"}},
		{"in two payments", big.NewInt(900), big.NewInt(100), nil, Amounts{Requested: "0.001", Received: "0.001"}},
		{"twice", big.NewInt(1000), big.NewInt(1001), nil, Amounts{Requested: "0.001", Received: "0.002001", Surplus: "0.001001"}},
	} {
		r := Record{Transfer: *tr, Received: c.received, Further: c.further, Deducted: c.deducted}
		require.Equal(t, c.want, r.Amounts(), c.name)
	}
}

func TestRecordExpired_OnlyWhilePending(t *testing.T) {
	t.Parallel()
	end := time.Unix(1_700_000_000, 0)
	r := Record{Status: Pending, Transfer: Transfer{ExpiresAt: end}}
	require.False(t, r.Expired(end))
	require.True(t, r.Expired(end.Add(time.Nanosecond)))
	r.Status = Success
	require.False(t, r.Expired(end.Add(time.Hour)))
}

// A code of a Jetton wallet means something else in another contract.
func TestMessageOf_CodesOfJettonWalletsAreTheirs(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Jetton wallet is locked", messageOf(45, true))
	require.Equal(t, "Contract error 45", messageOf(45, false))
	require.Equal(t, "Out of gas", messageOf(-14, true))
	require.Equal(t, "Not enough TON", messageOf(37, true))
}
