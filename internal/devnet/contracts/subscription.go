package contracts

import (
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of subscriptions and of plug-ins of v4 wallets.
const (
	OpPluginRequestFunds = 0x706c7567
	OpPluginFunds        = 0xf06c7567
	OpPluginDestruct     = 0x64737472
	OpSubscriptionPay    = 0x73756273
)

// SubscriptionTerms are the parties, the amount and the times of a subscription. The amount is in nanotons, times are in
// seconds.
type SubscriptionTerms struct {
	Wallet, Beneficiary    *address.Address
	Amount                 uint64
	Start, Period, Timeout uint32
	ID                     uint32
}

// Subscription is a plug-in of a v4 wallet that pays a beneficiary once in a period.
//
//	_ wallet:MsgAddress beneficiary:MsgAddress amount:Coins period:uint32 start_time:uint32 timeout:uint32
//	  last_payment:uint32 last_request:uint32 failed_attempts:uint8 subscription_id:uint32 = Storage;
func Subscription(s SubscriptionTerms) Contract {
	b := addr(addr(cell.BeginCell(), s.Wallet), s.Beneficiary).MustStoreCoins(s.Amount)
	for _, n := range []uint32{s.Period, s.Start, s.Timeout, 0, 0} {
		b = b.MustStoreUInt(uint64(n), 32)
	}
	return newContract(Basechain, Code(codeSubscription), b.MustStoreUInt(0, 8).MustStoreUInt(uint64(s.ID), 32).EndCell())
}

// PluginFunds is the message that pays a plug-in: the wallet's response to its request, or its first payment.
//
//	plugin_funds#f06c7567 query_id:uint64 = InternalMsgBody;
func PluginFunds(queryID uint64) *cell.Cell { return op(OpPluginFunds, queryID).EndCell() }

// PluginDestruct ends a plug-in.
//
//	destruct#64737472 query_id:uint64 = InternalMsgBody;
func PluginDestruct(queryID uint64) *cell.Cell { return op(OpPluginDestruct, queryID).EndCell() }

// SubscriptionReminder is the external message with which anyone can request a payment that is due.
func SubscriptionReminder(subscription *address.Address) *cell.Cell {
	return External(subscription, nil, cell.BeginCell().EndCell())
}

// SubscriptionDue returns the unix time from which a subscription accepts a reminder.
func SubscriptionDue(data *cell.Cell) (uint32, error) {
	var s subscriptionData
	if err := tlb.Parse(&s, data); err != nil {
		return 0, fmt.Errorf("subscription data: %w", err)
	}
	return max(s.LastPayment+s.Period, s.LastRequest+s.Timeout), nil
}

type subscriptionData struct {
	Wallet      *address.Address `tlb:"addr"`
	Beneficiary *address.Address `tlb:"addr"`
	Amount      tlb.Coins        `tlb:"."`
	Period      uint32           `tlb:"## 32"`
	Start       uint32           `tlb:"## 32"`
	Timeout     uint32           `tlb:"## 32"`
	LastPayment uint32           `tlb:"## 32"`
	LastRequest uint32           `tlb:"## 32"`
}

var errNoPlugins = errors.New("wallet: only v4r2 takes plug-ins")

// DeployPlugin signs the order of a v4 wallet to deploy a plug-in with a first message and to install it.
//
//	_ signature:bits512 subwallet_id:uint32 valid_until:uint32 seqno:uint32 op:uint8 { op = 1 } workchain:int8 balance:Coins
//	  state_init:^StateInit body:^Cell = Body;
func (w *Wallet) DeployPlugin(t Ticket, plugin Contract, value uint64, body *cell.Cell) (*cell.Cell, error) {
	if w.Version != V4R2 {
		return nil, errNoPlugins
	}
	order := w.plainHead(t).MustStoreUInt(1, 8).MustStoreInt(int64(plugin.Address.Workchain()), 8).MustStoreCoins(value).
		MustStoreRef(mustCell(plugin.Init)).MustStoreRef(body)
	return External(w.Address, nil, w.sealPlain(order)), nil
}

// RemovePlugin signs the order of a v4 wallet to remove a plug-in; the wallet notifies the plug-in with the value.
//
//	_ signature:bits512 subwallet_id:uint32 valid_until:uint32 seqno:uint32 op:uint8 { op = 3 } workchain:int8 hash:uint256
//	  value:Coins query_id:uint64 = Body;
func (w *Wallet) RemovePlugin(t Ticket, plugin *address.Address, value, queryID uint64) (*cell.Cell, error) {
	if w.Version != V4R2 {
		return nil, errNoPlugins
	}
	order := w.plainHead(t).MustStoreUInt(3, 8).MustStoreInt(int64(plugin.Workchain()), 8).MustStoreSlice(plugin.Data(), 256).
		MustStoreCoins(value).MustStoreUInt(queryID, 64)
	return External(w.Address, nil, w.sealPlain(order)), nil
}
