package action

import (
	"math/big"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

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

func init() {
	Register(Spec{
		Kind: "jvault_stake", Phase: 48,
		Match: Is("jetton_transfer").Then(
			Call(opJVaultSetData).Maybe(),
			Either(
				Call(opJVaultRequestStake).As("stake").Then(
					Call(opJVaultReceive).Then(jvaultReferral(), Call(opJVaultConfirm).As("done"))),
				Call(opJVaultRequestStake).As("stake").Then(
					Call(opJVaultCancelStake).Then(Is("jetton_transfer").Maybe())),
			)),
		Build: buildJVaultStake,
	})
	Register(Spec{
		Kind: "jvault_unstake", Phase: 49,
		Match: Call(opJVaultUnstake).Then(
			Call(opJVaultReceive).As("pool").Then(
				jvaultReferral(), Is(typeTonTransfer).Maybe(), Is("jetton_transfer"), Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
	Register(Spec{
		Kind: "jvault_claim", Phase: 50,
		Match: Call(opJVaultClaim).Then(
			Call(opJVaultSendRewards).As("pool").Then(Is("jetton_transfer").As("reward"), Call(opJVaultConfirm))),
		Build: buildJVaultClaim,
	})
	Register(Spec{
		Kind: "jvault_unstake_request", Phase: 51,
		Match: Call(opJVaultUnstakeRequest).Then(
			Call(opJVaultReceive).As("pool").Then(jvaultReferral(), Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
}

// jvaultReferral is the chain of messages that credits referrers: it may stop anywhere.
func jvaultReferral() *Pattern {
	end := func() *Pattern { return Call(opJVaultReferrer).Maybe() }
	link := func(next *Pattern) *Pattern { return Call(opJVaultReferral).Then(end(), next).Maybe() }
	return link(link(link(end())))
}

// JVaultStakeData is how long coins stay in the pool, in seconds, and the wallet that stands for the stake.
type JVaultStakeData struct {
	Period      *uint64        `json:"period"`
	StakeWallet *chain.Address `json:"stake_wallet"`
}

// Column names the composite column.
func (*JVaultStakeData) Column() string { return "jvault_stake_data" }

// JVaultClaimData is what a claim asked for and what it got.
type JVaultClaimData struct {
	Jettons []chain.Address `json:"claimed_jettons"`
	Amounts []*big.Int      `json:"claimed_amounts"`
}

// Column names the composite column.
func (*JVaultClaimData) Column() string { return "jvault_claim_data" }

func buildJVaultStake(_ *Context, m *Match) *Result {
	data := jettonData(m.Start)
	if data == nil {
		return nil
	}
	d := &JVaultStakeData{StakeWallet: m.Get("stake").account()}
	l := contract.Load(data.payload)
	l.Uint(32)
	if period := l.Uint(32); l.Err() == nil {
		d.Period = &period
	}
	t := m.Start.columns
	return &Result{
		Failed: m.Get("done") == nil,
		Columns: Columns{
			Source: t.Source, SourceSecondary: t.SourceSecondary, Destination: t.Destination, Asset: t.Asset,
			Amount: t.Amount, Payloads: []Payload{d},
		},
	}
}

func buildJVaultUnstake(c *Context, m *Match) *Result {
	stake, l := m.Start.account(), m.Start.body()
	l.Uint(64)
	amount := l.Coins()
	w := c.wallet(m.Start)
	if stake == nil || w == nil || l.Err() != nil {
		return nil
	}
	pool := c.Records.JVaultPool(*stake)
	if pool == nil {
		return nil
	}
	row := Columns{
		Source: text(m.Start.from()), SourceSecondary: text(stake), Destination: text(pool), Amount: amount,
		Asset2: addr(w.Jetton),
	}
	if lock := c.Records.JVaultLockWallet(*pool); lock != nil {
		if held := c.Records.JettonWallet(*lock); held != nil {
			row.Asset = addr(held.Jetton)
		}
	}
	failed := m.Get("pool") == nil
	if failed && m.Start.Tx != nil {
		code := uint32(m.Start.Tx.ExitCode)
		row.Opcode = &code
	}
	return &Result{Columns: row, Failed: failed}
}

func buildJVaultClaim(_ *Context, m *Match) *Result {
	l := m.Start.body()
	l.Uint(64)
	d := &JVaultClaimData{Amounts: []*big.Int{m.Get("reward").columns.Amount}}
	if dict := l.MaybeRef(); l.Err() == nil && dict != nil {
		it, err := dict.AsDict(267).Iterator(false, false)
		for err == nil && it.Next() {
			if a := contract.Load(it.Item().Key).Address(); a != nil {
				d.Jettons = append(d.Jettons, *a)
			}
		}
	}
	return &Result{Columns: Columns{
		Source: text(m.Start.from()), SourceSecondary: text(m.Start.account()), Destination: text(m.Get("pool").account()),
		Payloads: []Payload{d},
	}}
}
