package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

func TestThrower_FailsAsRequested(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body    *cell.Cell
		exit    int32
		action  int32
		aborted bool
		bounced bool
	}{
		"empty body is accepted":   {body: nil},
		"custom exit code":         {body: contracts.ThrowCode(1234), exit: 1234, aborted: true, bounced: true},
		"system exit code":         {body: contracts.ThrowCode(9), exit: 9, aborted: true, bounced: true},
		"out of gas":               {body: contracts.ThrowBurnGas(), exit: -14, aborted: true},
		"not enough toncoin":       {body: contracts.ThrowSendTooMuch(), action: 37, aborted: true},
		"invalid action list":      {body: contracts.ThrowBadActionList(), action: 32, aborted: true},
		"invalid send mode":        {body: contracts.ThrowBadSendMode(), action: 34, aborted: true},
		"bounce on action failure": {body: contracts.ThrowBounceOnActionFailure(), action: 37, aborted: true, bounced: true},
		"unknown opcode":           {body: cell.BeginCell().MustStoreUInt(1, 32).EndCell(), exit: 0xffff, aborted: true, bounced: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			thrower := contracts.Thrower(contracts.Basechain, 0)
			s.deploy(thrower)
			steps := s.send(alice, contracts.Call(thrower.Address, tons("0.1"), tc.body))
			require.Equal(t, tc.exit, steps[0].Exit)
			require.Equal(t, tc.action, steps[0].Action)
			require.Equal(t, tc.aborted, steps[0].Aborted)
			require.Equal(t, tc.bounced, steps[0].Bounced)
			require.Zero(t, s.data(thrower.Address).MustBeginParse().MustLoadUInt(32), "a failed call changes no data")
		})
	}
}

func TestThrower_PaysForAFailedExternalMessage(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	thrower := contracts.Thrower(contracts.Basechain, 3)
	s.deploy(thrower)
	before := s.balance(thrower.Address)
	steps, accepted := s.external(contracts.External(thrower.Address, nil, contracts.ThrowExternal(777, 1)))
	require.True(t, accepted)
	require.Equal(t, int32(777), steps[0].Exit)
	require.True(t, steps[0].Aborted)
	require.Less(t, s.balance(thrower.Address), before, "the account pays for the failure")
}

func TestEmitter_SendsTheRequestedExternalOutMessages(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	emitter := contracts.Emitter()
	s.deploy(emitter)
	for _, tc := range []struct {
		topic uint64
		count uint8
	}{{topic: 0, count: 1}, {topic: 42, count: 3}, {topic: 1, count: 0}} {
		payload := contracts.Comment("note")
		steps := s.send(alice, contracts.Call(emitter.Address, tons("0.1"), contracts.Emit(8, tc.topic, tc.count, payload)))
		require.False(t, steps[0].Aborted)
		require.Len(t, steps[0].Out, int(tc.count))
		for _, out := range steps[0].Out {
			require.Equal(t, tlb.MsgTypeExternalOut, out.MsgType)
			log := out.AsExternalOut()
			require.Equal(t, tc.topic == 0, log.DstAddr.IsAddrNone())
			r := log.Body.MustBeginParse()
			require.Equal(t, uint64(contracts.OpLogLine), r.MustLoadUInt(32))
		}
	}
	require.Equal(t, uint64(4), s.data(emitter.Address).MustBeginParse().MustLoadUInt(32))
}

func TestLibrarian_PublishesForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	librarian := contracts.Librarian(admin)
	s.deploy(librarian)
	library := contracts.JettonWalletCode()

	steps := s.send(bob, contracts.Call(librarian.Address, tons("1"), contracts.PublishLibrary(1, library)))
	require.Equal(t, int32(401), steps[0].Exit)

	steps = s.send(admin, contracts.Call(librarian.Address, tons("1"), contracts.PublishLibrary(2, library)))
	require.False(t, steps[0].Aborted, "exit %d action %d", steps[0].Exit, steps[0].Action)
	published := s.state(librarian.Address).StateInit.Lib
	require.NotNil(t, published)
	key := cell.BeginCell().MustStoreSlice(library.Hash(), 256).EndCell()
	entry, err := published.LoadValue(key)
	require.NoError(t, err)
	require.Equal(t, uint64(1), entry.MustLoadUInt(1), "public")
	require.Equal(t, library.Hash(), entry.MustLoadRef().MustToCell().Hash())

	steps = s.send(admin, contracts.Call(librarian.Address, tons("1"), contracts.WithdrawLibrary(3, library)))
	require.False(t, steps[0].Aborted)
	left := s.state(librarian.Address).StateInit.Lib
	require.True(t, left == nil || left.IsEmpty())
}
