package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Internal types of Hipo's actions.
const (
	typeHipoDeposit    = "hipo_stake_deposit"
	typeHipoRequest    = "hipo_stake_withdrawal_request"
	typeHipoWithdrawal = "hipo_stake_withdrawal"
)

// Opcodes of Hipo. The treasury has the coins; the parent is the Jetton master and passes messages on to the wallets of its
// Jetton; a bill is an NFT item that represents a request until the validation round ends.
const (
	opHipoDeposit       = 0x3d3761a6
	opHipoProxyMinted   = 0x5be57626 // treasury to parent
	opHipoMinted        = 0x5445efee // parent to wallet
	opHipoProxySave     = 0x47daa10f
	opHipoSave          = 0x4cce0e74
	opHipoMintBill      = 0x4b2d7871 // treasury to the collection of bills
	opHipoAssignBill    = 0x3275dfc2
	opHipoProxyReserve  = 0x688b0213 // wallet to parent
	opHipoReserve       = 0x386a358b // parent to treasury
	opHipoProxyBurned   = 0x4476fde0
	opHipoBurned        = 0x5b512e25
	opHipoPaid          = 0xf0fa223b // wallet to owner, with the coins
	opHipoProxyRollback = 0x32b67194
	opHipoRollback      = 0x1b77fd1a
	opHipoBurnBill      = 0x6f89f5e3 // collection to bill
	opHipoBillBurned    = 0x840f6369
	opHipoMintTokens    = 0x42684479 // collection to treasury, for the burned bill of a deposit
	opHipoBurnTokens    = 0x7cffe1ee // collection to treasury, for the burned bill of a withdrawal
)

// Hipo's contracts of the main network. Parents are replaced by later versions, the treasury is not.
var (
	hipoTreasury = action.MustAddress("0:8BC991CFE177BC7E9721433EFA3BEFD199485A55CFFD040A06C89AF026B71BCF")
	hipoParent   = action.MustAddress("0:CF76AF318C0872B58A9F1925FC29C156211782B9FB01F56760D292E56123BF87")
)

// isHipoTreasury reports whether the treasury received the message of a block. Opcodes alone prove nothing: other contracts
// can send each other the same messages, with any owner in them.
func isHipoTreasury(b *action.Block) bool { return action.SameAddress(b.Account(), &hipoTreasury) }

// hipoRow has what the actions of Hipo have in common.
type hipoRow struct {
	owner  *chain.Address
	wallet *chain.Address // of the owner; nil when the trace does not reach it
	parent *chain.Address
	amount *big.Int
	data   Data
	failed bool
}

func (r *hipoRow) result() *action.Result {
	r.data.Provider = providerHipo
	return &action.Result{
		Failed: r.failed,
		Columns: action.Columns{
			Source: action.AddressText(r.owner), SourceSecondary: action.AddressText(r.wallet), Destination: hipoTreasury.String(),
			Asset: action.AddressText(r.parent), Amount: r.amount, Payloads: []action.Payload{&r.data},
		},
	}
}

// hipoAmounts has the amounts of a message about an owner.
type hipoAmounts struct {
	tokens, coins *big.Int
	owner         *chain.Address
}

// parseHipoProxy reads a message of the treasury to the parent. Its layout depends on the opcode.
//
//	proxy_tokens_minted#5be57626 query_id:uint64 tokens:Coins coins:Coins owner:MsgAddress round_since:uint32
//	proxy_tokens_burned#4476fde0 query_id:uint64 tokens:Coins coins:Coins owner:MsgAddress
//	proxy_save_coins#47daa10f query_id:uint64 coins:Coins owner:MsgAddress round_since:uint32
//	proxy_rollback_unstake#32b67194 query_id:uint64 tokens:Coins owner:MsgAddress
func parseHipoProxy(b *action.Block) (hipoAmounts, bool) {
	var a hipoAmounts
	l := b.Body()
	l.Uint(64)
	if !b.Calls(opHipoProxySave) {
		a.tokens = l.Coins()
	}
	if !b.Calls(opHipoProxyRollback) {
		a.coins = l.Coins()
	}
	a.owner = l.Address()
	return a, l.Err() == nil
}

// hipoBillRequest has the fields of a request for a bill.
type hipoBillRequest struct {
	amount        *big.Int
	owner, parent *chain.Address
}

// parseHipoBill reads the request for a bill, whose amount is in tokens if it is for a withdrawal.
//
//	mint_bill#4b2d7871 query_id:uint64 amount:Coins unstake:Bool owner:MsgAddress parent:MsgAddress ownership_assigned_amount:Coins
func parseHipoBill(b *action.Block) (hipoBillRequest, bool) {
	l := b.Body()
	l.Uint(64)
	r := hipoBillRequest{amount: l.Coins()}
	l.Bool()
	r.owner, r.parent = l.Address(), l.Address()
	return r, l.Err() == nil
}

// hipoBill returns the bill that the collection deployed; nil without one. With a record of the item, its deployment is a
// mint.
func hipoBill(request *action.Block) *chain.Address {
	if request == nil {
		return nil
	}
	for _, n := range request.Next {
		if n.Type == "nft_mint" || n.Calls(opHipoAssignBill) {
			return n.Account()
		}
	}
	return nil
}

// hipoBurnedBill matches the bill that was burned directly before the start.
func hipoBurnedBill() *action.Pattern {
	return action.Call(opHipoBillBurned).As("bill").Maybe().After(action.Call(opHipoBurnBill).Maybe())
}

// hipoMinted matches the tokens of a deposit on their way to the wallet of the owner.
func hipoMinted() *action.Pattern {
	return action.Call(opHipoProxyMinted).As("proxy").Then(
		action.Call(opHipoMinted).As("wallet").Then(action.Call(jetton.OpTransferNotification).Maybe()))
}

// hipoPaid matches the coins of a withdrawal on their way to the owner.
func hipoPaid() *action.Pattern {
	return action.Call(opHipoProxyBurned).As("proxy").Then(
		action.Call(opHipoBurned).As("wallet").Then(action.Call(opHipoPaid).Maybe()))
}

// hipoUnstake matches the burn of tokens, up to the message to the treasury.
func hipoUnstake(then *action.Pattern) *action.Pattern {
	return action.Call(jetton.OpBurn).Then(action.Call(opHipoProxyReserve).As("parent").Then(
		action.Where(func(b *action.Block) bool { return b.Calls(opHipoReserve) && isHipoTreasury(b) }).
			Calling(opHipoReserve).As("treasury").Then(then)))
}

// hipoSettles matches a message that settles the request of a burned bill.
func hipoSettles(op uint32) *action.Pattern {
	return action.Where(func(b *action.Block) bool { return b.Calls(op) && isHipoTreasury(b) }).
		Calling(op).After(hipoBurnedBill())
}

// parseHipoReserve returns the owner of the tokens in the message to the treasury; nil without one.
//
//	reserve_tokens#386a358b query_id:uint64 tokens:Coins owner:MsgAddress mode:uint4 ownership_assigned_amount:Coins
func parseHipoReserve(b *action.Block) *chain.Address {
	l := b.Body()
	l.Uint(64)
	l.Coins()
	return l.Address()
}

// firstAddress returns the first address that is set.
func firstAddress(of ...*chain.Address) *chain.Address {
	for _, a := range of {
		if a != nil {
			return a
		}
	}
	return nil
}
