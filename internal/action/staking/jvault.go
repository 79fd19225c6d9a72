package staking

import "tonql/internal/action"

// Opcodes of JVault's staking pools.
const (
	opJVaultRequestStake   = 0xd68a4ac1
	opJVaultReceive        = 0xf5c5baa3
	opJVaultCancelStake    = 0x9eada1d9
	opJVaultConfirm        = 0xae9307ce
	opJVaultSetData        = 0x383411ea
	opJVaultReferral       = 0x55c35b40
	opJVaultReferrer       = 0x076ee4e0
	opJVaultUnstake        = 0x499a9262
	opJVaultUnstakeRequest = 0x0168d4b7
	opJVaultClaim          = 0x78d9f109
	opJVaultSendRewards    = 0x44bc1fe3
)

// maxReferrers bounds the chain of messages that credits referrers.
const maxReferrers = 16

// jvaultReferral matches the chain of messages that credits referrers: requests, each followed by another one or by the credit,
// which another request may follow. It can stop anywhere.
func jvaultReferral() *action.Pattern {
	var next []*action.Pattern
	for range maxReferrers {
		credit := action.Call(opJVaultReferrer).Then(next...).Maybe()
		request := action.Call(opJVaultReferral).Then(append([]*action.Pattern{credit}, next...)...).Maybe()
		next = []*action.Pattern{request}
	}
	return action.Either(next[0], action.Call(opJVaultReferrer).Then(next...)).Maybe()
}

// buildJVaultUnstake builds unstakes and unstake requests. Without the confirmation of the pool, the row has the exit code
// of the stake wallet, and needs the records of both contracts. The wallet alone decides about an unstake, so it fails only with
// the wallet's transaction. A request takes effect in the pool, so it also fails without the confirmation.
func buildJVaultUnstake(c *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	amount := l.Coins()
	if m.Start.Account() == nil || l.Err() != nil {
		return nil
	}
	row := jvaultAssets(c, m.Start)
	row.Source, row.SourceSecondary, row.Amount = action.AddressText(m.Start.From()), action.AddressText(m.Start.Account()), amount
	pool, paid := m.Get("pool"), m.Get("paid")
	switch {
	case pool == nil && row.Asset == "":
		return nil
	case pool == nil && m.Start.Tx != nil:
		if m.Start.Tx.Skipped {
			break // there is no code
		}
		code := uint32(m.Start.Tx.ExitCode)
		row.Opcode = &code
	case paid != nil && row.Asset != paid.Columns.Asset:
		return nil
	case pool != nil:
		row.Destination = action.AddressText(pool.Account())
	}
	failed := m.Start.Aborted() || pool.Aborted() || pool == nil && !m.Start.Calls(opJVaultUnstake)
	return &action.Result{Columns: row, Failed: failed}
}

// jvaultAssets returns the pool of a stake wallet, the Jetton of its deposits and that of the stake. Those without a record are empty.
func jvaultAssets(c *action.Context, stake *action.Block) action.Columns {
	w, pool := c.JettonWallet(stake), c.Records.JVaultPool(*stake.Account())
	if w == nil || pool == nil {
		return action.Columns{}
	}
	row := action.Columns{Destination: pool.String(), Asset2: w.Jetton.String()}
	if lock := c.Records.JVaultLockWallet(*pool); lock != nil {
		if deposits := c.Records.JettonWallet(*lock); deposits != nil {
			row.Asset = deposits.Jetton.String()
		}
	}
	return row
}
