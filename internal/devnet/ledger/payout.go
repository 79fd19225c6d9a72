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
	if c.payout, err = c.sendSystem(layout.Nano(amount), elector); err != nil {
		return fmt.Errorf("fee payout: %w", err)
	}
	c.recovered = amount
	return nil
}

// mintCurrencies sends the minter what config parameter 7 demands and the chain does not have yet.
func (c *collator) mintCurrencies() error {
	if c.master == nil {
		return nil
	}
	param, err := c.ref.params.GetExtraCurrencyToMint()
	if err != nil || param.ToMint.IsEmpty() {
		return nil //nolint:nilerr // a parameter that is absent or not valid mints nothing, as on the network
	}
	wanted, err := layout.LoadExtra(cell.BeginCell().MustStoreMaybeRef(param.ToMint.AsCell()).EndCell().MustBeginParse())
	if err != nil {
		return nil //nolint:nilerr // likewise
	}
	extra, err := layout.ParseMcExtra(c.state.Extra)
	if err != nil {
		return err
	}
	missing := map[uint32]*big.Int{}
	for id, n := range wanted {
		if lack := new(big.Int).Sub(n, layout.Sum(extra.GlobalBalance.Extra[id])); lack.Sign() > 0 {
			missing[id] = lack
		}
	}
	if len(missing) == 0 {
		return nil
	}
	minter, err := c.ref.params.GetMinterAddress()
	if err != nil {
		return fmt.Errorf("minter: %w", err)
	}
	minted := layout.Currencies{Extra: missing}
	if c.mint, err = c.sendSystem(minted, minter); err != nil {
		return fmt.Errorf("minted currencies: %w", err)
	}
	c.minted = minted
	return nil
}

// sendSystem executes a message that only the protocol can create, and returns its InMsg. The message comes from nowhere, so
// the value flow names its value apart.
func (c *collator) sendSystem(value layout.Currencies, to []byte) (*cell.Cell, error) {
	msg := cell.BeginCell().
		MustStoreUInt(0b0110, 4). // int_msg_info$0, ihr_disabled, bounce, not bounced
		MustStoreAddr(genesis.MinterAddress).
		MustStoreAddr(address.NewAddress(0, 0xff, to))
	value.Store(msg)
	root := msg.MustStoreCoins(0).MustStoreCoins(0). // ihr_fee, fwd_fee
								MustStoreUInt(c.startLT, 64).
								MustStoreUInt(uint64(c.now), 32).
								MustStoreUInt(0, 2). // no state-init, body in place
								EndCell()
	prepared, err := tvm.PrepareMessage(root)
	if err != nil {
		return nil, err
	}
	res, err := c.execute(prepared, nil, c.startLT)
	if err != nil {
		return nil, err
	}
	env, err := tlb.MsgEnvelope{
		CurAddr:  tlb.IntermediateAddress{UseDestBits: 96},
		NextAddr: tlb.IntermediateAddress{UseDestBits: 96},
		Msg:      root,
	}.ToCell()
	if err != nil {
		return nil, err
	}
	imported := layout.ImportImmediate(env, res.TransactionCell, new(big.Int))
	return imported, c.addInMsg(root, imported)
}
