package transactions

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func randomHash(r *rand.Rand) (h chain.Hash) {
	for i := range h {
		h[i] = byte(r.Uint32())
	}
	return h
}

// randomState returns a state of any shape, with the extremes of each field.
func randomState(r *rand.Rand, at chain.TransactionKey) *chain.AccountState {
	numbers := [...]uint64{0, 1, 127, 128, 1 << 32, 1<<63 - 1}
	number := func() uint64 { return numbers[r.IntN(len(numbers))] }
	maybe := func() *chain.Hash {
		if r.IntN(2) == 0 {
			return nil
		}
		return new(randomHash(r))
	}
	s := &chain.AccountState{
		Account: at.Account, LT: at.LT, TxHash: randomHash(r), Hash: randomHash(r), Status: chain.AccountStatus(r.IntN(3)),
		Balance: chain.Coins(number()), CodeHash: maybe(), DataHash: maybe(), FrozenHash: maybe(),
		LastPaid: uint32(number()), UsedCells: number(), UsedBits: number(), Rest: make([]byte, r.IntN(4)),
	}
	if r.IntN(3) == 0 {
		s.DuePayment = new(chain.Coins(number()))
	}
	for range r.IntN(3) {
		if s.Extra == nil {
			s.Extra = chain.ExtraCurrencies{}
		}
		s.Extra[r.Uint32()] = new(big.Int).Lsh(big.NewInt(int64(number()>>1)), uint(r.IntN(180)))
	}
	return s
}

func TestStates_AreDecodedAsTheyWereEncoded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		tx := &chain.Transaction{Account: chain.Address{ID: randomHash(r)}, LT: 1000, PrevLT: 900, Hash: randomHash(r), Now: r.Uint32()}
		after, before := randomState(r, tx.Key()), randomState(r, chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT})
		switch r.IntN(6) {
		case 0: // deleted
			*after = chain.AccountState{Account: tx.Account, LT: tx.LT, TxHash: after.TxHash, Hash: after.Hash, Status: chain.Nonexist}
		case 1: // deleted before
			*before = chain.AccountState{Account: tx.Account, LT: tx.PrevLT, TxHash: before.TxHash, Hash: before.Hash, Status: chain.Nonexist}
		case 2:
			before.CodeHash, before.DataHash = after.CodeHash, after.DataHash
		}
		after.TxHash = tx.Hash
		tx.PrevHash, tx.StateHashBefore, tx.StateHashAfter = before.TxHash, before.Hash, after.Hash
		states := map[chain.TransactionKey]*chain.AccountState{tx.Key(): after}
		given := r.IntN(3) > 0
		if given {
			states[chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT}] = before
		}
		tx.States = EncodeStates(tx, states)
		require.NotEmpty(t, tx.States)
		gotBefore, gotAfter, gotGiven, err := readStates(tx)
		require.NoError(t, err)
		require.Equal(t, given, gotGiven)
		require.Equal(t, *after, gotAfter)
		before.Rest = nil
		if !given {
			*before = chain.AccountState{Account: tx.Account, Hash: before.Hash}
		}
		require.Equal(t, *before, gotBefore)
	}
}

func TestStates_ThatTheTransactionDoesNotNameAreNotEncoded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	tx := &chain.Transaction{Account: chain.Address{ID: randomHash(r)}, LT: 1000, PrevLT: 900, Hash: randomHash(r), StateHashAfter: randomHash(r)}
	after := randomState(r, tx.Key())
	states := map[chain.TransactionKey]*chain.AccountState{tx.Key(): after}
	require.Nil(t, EncodeStates(tx, nil), "no state")
	require.Nil(t, EncodeStates(tx, states), "another state and another transaction")
	after.Hash, after.TxHash = tx.StateHashAfter, tx.Hash
	require.NotNil(t, EncodeStates(tx, states))
	after.Rest = nil
	require.Nil(t, EncodeStates(tx, states), "a state without its rest")
}

func TestStates_OfANewAccountNeedNoLookup(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	tx := &chain.Transaction{Account: chain.Address{ID: randomHash(r)}, LT: 1000, OrigStatus: chain.Nonexist, StateHashBefore: randomHash(r)}
	after := randomState(r, tx.Key())
	tx.Hash, tx.StateHashAfter = after.TxHash, after.Hash
	tx.States = EncodeStates(tx, map[chain.TransactionKey]*chain.AccountState{tx.Key(): after})
	before, _, given, err := readStates(tx)
	require.NoError(t, err)
	require.True(t, given)
	require.Equal(t, chain.AccountState{Account: tx.Account, Hash: tx.StateHashBefore}, before)
}

// FuzzStates_DamageIsAnError reads damaged columns: each is an error or has states, and none makes a reader allocate more than it holds.
func FuzzStates_DamageIsAnError(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		tx := &chain.Transaction{LT: 1000, PrevLT: 900, Hash: randomHash(r)}
		after, before := randomState(r, tx.Key()), randomState(r, chain.TransactionKey{LT: 900})
		tx.Hash, tx.StateHashAfter, tx.PrevHash, tx.StateHashBefore = after.TxHash, after.Hash, before.TxHash, before.Hash
		f.Add(EncodeStates(tx, map[chain.TransactionKey]*chain.AccountState{tx.Key(): after, {LT: 900}: before}))
	}
	f.Add([]byte{})
	f.Add([]byte{0x10, 0x10, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, states []byte) {
		tx := &chain.Transaction{LT: 1000, PrevLT: 900, States: states}
		before, after, _, err := readStates(tx)
		if err != nil {
			require.ErrorIs(t, err, ErrDamaged)
			return
		}
		require.LessOrEqual(t, len(before.Extra)+len(after.Extra)+len(after.Rest), len(states))
	})
}
