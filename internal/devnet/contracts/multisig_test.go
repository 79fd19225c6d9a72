package contracts_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

// multisigFixture is a wallet of the signers alice, bob and carol with a threshold of two, and the proposer dave.
type multisigFixture struct {
	*sandbox
	wallet contracts.Contract
}

var carol, dave = party("carol"), party("dave")

func newMultisig(t *testing.T) multisigFixture {
	t.Helper()
	f := multisigFixture{sandbox: newSandbox(t)}
	f.wallet = contracts.Multisig(contracts.MultisigMembers{
		Threshold: 2, Signers: []*address.Address{alice, bob, carol}, Proposers: []*address.Address{dave},
	})
	f.deploy(f.wallet)
	f.send(admin, contracts.Transfer(f.wallet.Address, tons("100"), "funds"))
	return f
}

func (f multisigFixture) propose(from *address.Address, seqno uint64, signer bool, index uint8, actions ...contracts.MultisigAction) []step {
	body := contracts.MultisigNewOrder(1, seqno, signer, index, uint64(f.now+100), actions...)
	return f.send(from, contracts.Call(f.wallet.Address, tons("0.5"), body))
}

func (f multisigFixture) approve(from *address.Address, seqno uint64, index uint8) []step {
	order := contracts.MultisigOrder(f.wallet.Address, seqno).Address
	return f.send(from, contracts.Call(order, tons("0.2"), contracts.MultisigApprove(2, index)))
}

func pay(to *address.Address) contracts.MultisigAction {
	return contracts.MultisigSend(1, contracts.Transfer(to, tons("3"), "wages"))
}

func TestMultisigOrder_IsExecutedAtTheThreshold(t *testing.T) {
	t.Parallel()
	f := newMultisig(t)
	steps := f.propose(alice, 0, true, 0, pay(admin))
	require.Equal(t, []uint32{contracts.OpMultisigNewOrder, contracts.OpMultisigOrderInit}, opcodes(steps))
	require.False(t, steps[1].Aborted, "exit %d", steps[1].Exit)
	steps = f.approve(alice, 0, 0)
	require.Equal(t, []uint32{contracts.OpMultisigApprove, contracts.OpMultisigApproveRejected}, opcodes(steps), "the proposer has approved already")
	steps = f.approve(bob, 0, 2)
	require.Equal(t, int32(106), steps[0].Exit, "carol's index")

	before := f.balance(admin)
	steps = f.approve(bob, 0, 1)
	require.Equal(t, []uint32{contracts.OpMultisigApprove, contracts.OpMultisigApproveAccepted, contracts.OpMultisigExecute, 0}, opcodes(steps))
	require.False(t, steps[2].Aborted, "exit %d", steps[2].Exit)
	require.Equal(t, before+tons("3"), f.balance(admin))
	steps = f.approve(carol, 0, 2)
	require.Equal(t, contracts.OpMultisigApproveRejected, int(opcodes(steps)[1]), "the order is executed")

	next, err := contracts.MultisigNextOrder(f.data(f.wallet.Address))
	require.NoError(t, err)
	require.Equal(t, uint64(1), next)
}

func TestMultisig_MembersProposeTheNextOrderOnly(t *testing.T) {
	t.Parallel()
	f := newMultisig(t)
	for name, tc := range map[string]struct {
		from   *address.Address
		seqno  uint64
		signer bool
		index  uint8
		exit   int32
	}{
		"another account":    {from: admin, exit: 106},
		"another's index":    {from: alice, signer: true, index: 1, exit: 106},
		"no such index":      {from: alice, signer: true, index: 9, exit: 106},
		"not the next order": {from: alice, signer: true, seqno: 7, exit: 105},
	} {
		steps := f.propose(tc.from, tc.seqno, tc.signer, tc.index, pay(admin))
		require.Equal(t, tc.exit, steps[0].Exit, name)
		require.True(t, steps[0].Bounced, name)
	}
	f.propose(dave, 0, false, 0, pay(admin))
	order := contracts.MultisigOrder(f.wallet.Address, 0).Address
	steps := f.send(dave, contracts.Transfer(order, tons("0.2"), "approve"))
	require.Equal(t, int32(106), steps[0].Exit, "a proposer may not approve")
	steps = f.send(carol, contracts.Transfer(order, tons("0.2"), "approve"))
	require.Equal(t, []uint32{0, contracts.OpMultisigApproveAccepted}, opcodes(steps))
	steps = f.send(bob, contracts.Transfer(order, tons("0.2"), "approve"))
	require.Equal(t, []uint32{0, contracts.OpMultisigApproveAccepted, contracts.OpMultisigExecute, 0}, opcodes(steps))
}

func TestMultisigOrder_ExpiredRejectsApprovals(t *testing.T) {
	t.Parallel()
	f := newMultisig(t)
	f.propose(alice, 0, true, 0, pay(admin))
	f.now += 101
	steps := f.approve(bob, 0, 1)
	require.Equal(t, []uint32{contracts.OpMultisigApprove, contracts.OpMultisigApproveRejected}, opcodes(steps))
	body := steps[1].In.AsInternal().Body.MustBeginParse()
	body.MustLoadUInt(32)
	body.MustLoadUInt(64)
	require.Equal(t, uint64(111), body.MustLoadUInt(32))
}

func TestMultisig_NewSignersInvalidateOldOrders(t *testing.T) {
	t.Parallel()
	f := newMultisig(t)
	f.propose(alice, 0, true, 0, pay(admin))
	f.propose(alice, 1, true, 0, contracts.MultisigUpdate(contracts.MultisigMembers{Threshold: 1, Signers: []*address.Address{bob, carol}}))
	f.approve(bob, 1, 1)
	steps := f.approve(bob, 0, 1)
	require.Equal(t, []uint32{contracts.OpMultisigApprove, contracts.OpMultisigApproveAccepted, contracts.OpMultisigExecute, contracts.OpMultisigExecute}, opcodes(steps))
	require.Equal(t, int32(107), steps[2].Exit, "the signers of the order are no longer those of the wallet")
	require.True(t, steps[2].Bounced)
	steps = f.propose(bob, 2, true, 0, pay(admin))
	require.Equal(t, []uint32{contracts.OpMultisigNewOrder, contracts.OpMultisigOrderInit, contracts.OpMultisigExecute, 0}, opcodes(steps), "one signer is enough now")
}
