package contracts_test

import (
	"bytes"
	"crypto/ed25519"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
)

var vestingKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, 32))

func newVesting(t *testing.T) (*sandbox, contracts.VestingTerms, contracts.Contract) {
	t.Helper()
	s := newSandbox(t)
	terms := contracts.VestingTerms{
		Start: startTime, Duration: 1000, Period: 100, Cliff: 200, Amount: tons("100"), Sender: admin, Owner: alice,
		Subwallet: 1, Key: vestingKey.Public().(ed25519.PublicKey),
	}
	c := contracts.VestingWallet(terms)
	s.deploy(c)
	s.send(admin, contracts.Transfer(c.Address, tons("100"), ""))
	return s, terms, c
}

func TestVesting_LockedCoinsGoToTheWhitelistOnly(t *testing.T) {
	t.Parallel()
	s, _, c := newVesting(t)
	f := nftFixture{sandbox: s}
	for after, want := range map[uint32]string{0: "100", 199: "100", 200: "80", 250: "80", 950: "10", 1000: "0"} {
		res, err := s.RunGetMethod(t.Context(), nil, c.Address, "get_locked_amount", int(startTime+after))
		require.NoError(t, err)
		require.Equal(t, tons(want), res.MustInt(0).Uint64(), "after %d seconds", after)
	}
	require.Zero(t, f.getInt(c.Address, "seqno"))
	send := func(mode uint8, value string) []step {
		return s.send(alice, contracts.Call(c.Address, tons("0.1"), contracts.VestingSend(1, mode, contracts.Transfer(bob, tons(value), "x"))))
	}
	steps := send(128, "0")
	require.Equal(t, int32(101), steps[0].Exit, "mode 128 is refused")
	send(3, "50")
	require.Zero(t, s.balance(bob), "the coins are locked")

	steps = s.send(alice, contracts.Call(c.Address, tons("0.1"), contracts.VestingAddWhitelist(1, bob)))
	require.Equal(t, int32(104), steps[0].Exit, "the owner may not change the whitelist")
	allowed, err := contracts.VestingAllows(s.data(c.Address))
	require.NoError(t, err)
	require.False(t, allowed)
	steps = s.send(admin, contracts.Call(c.Address, tons("0.1"), contracts.VestingAddWhitelist(1, carol, bob, dave)))
	require.Equal(t, []uint32{contracts.OpVestingAddWhitelist, contracts.OpVestingAddWhitelistResponse}, opcodes(steps))
	allowed, err = contracts.VestingAllows(s.data(c.Address))
	require.NoError(t, err)
	require.True(t, allowed)
	steps = send(3, "50")
	require.Contains(t, opcodes(steps), uint32(contracts.OpVestingSendResponse))
	require.Equal(t, tons("50"), s.balance(bob))
	steps = s.send(bob, contracts.Call(c.Address, tons("0.1"), contracts.VestingSend(1, 3, contracts.Transfer(bob, 1, ""))))
	require.Equal(t, int32(105), steps[0].Exit)
}

func TestVesting_ExternalMessageNeedsKeySeqnoAndTime(t *testing.T) {
	t.Parallel()
	s, terms, _ := newVesting(t)
	s.now += 1000
	msg := contracts.Transfer(bob, tons("99"), "free at last")
	ext := contracts.VestingExternal(terms, vestingKey, 0, s.now+60, 3, msg)
	_, accepted := s.external(contracts.VestingExternal(terms, mintKey, 0, s.now+60, 3, msg))
	require.False(t, accepted, "another key")
	_, accepted = s.external(contracts.VestingExternal(terms, vestingKey, 1, s.now+60, 3, msg))
	require.False(t, accepted, "another number")
	_, accepted = s.external(contracts.VestingExternal(terms, vestingKey, 0, s.now, 3, msg))
	require.False(t, accepted, "too late")
	_, accepted = s.external(ext)
	require.True(t, accepted)
	require.Equal(t, tons("99"), s.balance(bob))
	_, accepted = s.external(ext)
	require.False(t, accepted, "a replay")
}

// The locked amount equals the contract's at every second, for schedules that divide evenly and others.
func TestVesting_ProgressAgreesWithTheContract(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for i, terms := range []contracts.VestingTerms{
		{Duration: 100, Period: 10}, {Duration: 100, Period: 10, Cliff: 25}, {Duration: 95, Period: 10, Cliff: 90},
		{Duration: 60, Period: 60}, {Duration: 100, Period: 33, Cliff: 200},
	} {
		terms.Start, terms.Amount, terms.Sender, terms.Owner = startTime, tons("7")+1, admin, alice
		terms.Subwallet, terms.Key = uint32(i), vestingKey.Public().(ed25519.PublicKey)
		c := contracts.VestingWallet(terms)
		s.deploy(c)
		v := chain.Vesting{
			StartTime: terms.Start, TotalDuration: terms.Duration, UnlockPeriod: terms.Period, CliffDuration: terms.Cliff,
			TotalAmount: new(big.Int).SetUint64(terms.Amount),
		}
		for at := startTime - 2; at < startTime+110; at++ {
			res, err := s.RunGetMethod(t.Context(), nil, c.Address, "get_locked_amount", at)
			require.NoError(t, err)
			require.Equal(t, res.MustInt(0).String(), v.Progress(uint32(at)).LockedAmount.String(), "%+v at %d", terms, at)
		}
	}
}
