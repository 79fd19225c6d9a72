package ledger

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// reward returns the coins that the protocol creates for a block: half as much per split
// level.
func (c *collator) reward() (*big.Int, error) {
	fees, err := c.ref.params.GetBlockCreateFees()
	if err != nil {
		return nil, fmt.Errorf("block rewards: %w", err)
	}
	if c.master != nil {
		return fees.MasterchainBlockFee.Nano(), nil
	}
	return new(big.Int).Rsh(fees.BasechainBlockFee.Nano(), uint(layout.ShardDepth(c.shard))), nil
}

// payFees sends the collected fees to the elector, by a message that only the protocol can
// create. The fees of this block follow in the next one.
func (c *collator) payFees() error {
	if c.master == nil {
		return nil
	}
	created, err := c.reward()
	if err != nil {
		return err
	}
	amount := layout.Sum(c.state.ValidatorFees, created, c.master.feesImported())
	elector, err := c.ref.params.GetElectorAddress()
	if err != nil {
		return fmt.Errorf("fee payout: %w", err)
	}
	if amount.Sign() == 0 {
		return nil
	}
	msg := cell.BeginCell().
		MustStoreUInt(0b0110, 4). // int_msg_info$0, ihr_disabled, bounce, not bounced
		MustStoreAddr(genesis.MinterAddress).
		MustStoreAddr(address.NewAddress(0, 0xff, elector))
	layout.StoreGrams(msg, amount)
	root := msg.MustStoreCoins(0).MustStoreCoins(0). // ihr_fee, fwd_fee
								MustStoreUInt(c.startLT, 64).
								MustStoreUInt(uint64(c.now), 32).
								MustStoreUInt(0, 2). // no state-init, body in place
								EndCell()
	prepared, err := tvm.PrepareMessage(root)
	if err != nil {
		return fmt.Errorf("fee payout: %w", err)
	}
	res, err := c.execute(prepared, nil, c.startLT)
	if err != nil {
		return fmt.Errorf("fee payout: %w", err)
	}
	env, err := tlb.MsgEnvelope{
		CurAddr:  tlb.IntermediateAddress{UseDestBits: 96},
		NextAddr: tlb.IntermediateAddress{UseDestBits: 96},
		Msg:      root,
	}.ToCell()
	if err != nil {
		return err
	}
	c.recovered = amount
	c.payout = layout.ImportImmediate(env, res.TransactionCell, new(big.Int))
	return c.addInMsg(root, c.payout)
}
