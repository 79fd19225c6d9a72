package contracts

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of TEP-74 and TEP-89.
const (
	OpJettonTransfer             = 0x0f8a7ea5
	OpJettonInternalTransfer     = 0x178d4519
	OpJettonTransferNotification = 0x7362d09c
	OpJettonBurn                 = 0x595f07bc
	OpJettonBurnNotification     = 0x7bdd97de
	OpProvideWalletAddress       = 0x2c76b973
	OpTakeWalletAddress          = 0xd1735400
	OpJettonMint                 = 0x642b7d07
	OpJettonChangeAdmin          = 3
	OpJettonChangeContent        = 4
	OpExcesses                   = 0xd53276db
)

// JettonMaster returns the master of a Jetton whose admin may mint, with the code of its Jetton wallets.
//
//	_ total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell = Storage;
func JettonMaster(admin *address.Address, content, walletCode *cell.Cell) Contract {
	data := addr(cell.BeginCell().MustStoreCoins(0), admin).MustStoreRef(content).MustStoreRef(walletCode).EndCell()
	return newContract(Basechain, Code(codeJettonMaster), data)
}

// JettonWalletCode returns the code of Jetton wallets, not a library cell.
func JettonWalletCode() *cell.Cell { return Code(codeJettonWallet) }

// JettonWallet returns owner's wallet of the Jetton whose wallets have the given code.
//
//	_ balance:Coins owner:MsgAddress master:MsgAddress = Storage;
func JettonWallet(owner, master *address.Address, walletCode *cell.Cell) Contract {
	data := addr(addr(cell.BeginCell().MustStoreCoins(0), owner), master).EndCell()
	return newContract(Basechain, walletCode, data)
}

// JettonBalance reads the balance from a Jetton wallet's data cell.
func JettonBalance(data *cell.Cell) (*big.Int, error) {
	s, err := data.BeginParse()
	if err != nil {
		return nil, fmt.Errorf("jetton wallet data: %w", err)
	}
	balance, err := s.LoadBigCoins()
	if err != nil {
		return nil, fmt.Errorf("jetton wallet data: %w", err)
	}
	return balance, nil
}

// JettonTransfer is the owner's order to a Jetton wallet to transfer Jettons.
type JettonTransfer struct {
	QueryID        uint64
	Amount         tlb.Coins
	Destination    *address.Address // the new owner, not its Jetton wallet
	Response       *address.Address // receives the excesses; nil = none
	CustomPayload  *cell.Cell
	ForwardValue   uint64     // nanotons forwarded with the notification; 0 = no notification
	ForwardPayload *cell.Cell // nil = empty
}

// Body serializes the order.
//
//	transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress
//	  custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell) = InternalMsgBody;
func (t JettonTransfer) Body() *cell.Cell {
	b := op(OpJettonTransfer, t.QueryID).MustStoreBigCoins(t.Amount.Nano())
	b = addr(addr(b, t.Destination), t.Response)
	b = b.MustStoreMaybeRef(t.CustomPayload).MustStoreCoins(t.ForwardValue)
	return payload(b, t.ForwardPayload).EndCell()
}

// JettonBurn destroys an amount of the sender's Jettons.
//
//	burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress custom_payload:(Maybe ^Cell) = InternalMsgBody;
func JettonBurn(queryID uint64, amount tlb.Coins, response *address.Address) *cell.Cell {
	b := op(OpJettonBurn, queryID).MustStoreBigCoins(amount.Nano())
	return addr(b, response).MustStoreMaybeRef(nil).EndCell()
}

// JettonMint is the admin's order to the master to mint Jettons.
type JettonMint struct {
	QueryID        uint64
	Recipient      *address.Address
	Amount         tlb.Coins
	Value          uint64           // nanotons for the deployment of the Jetton wallet
	Response       *address.Address // receives the excesses; nil = none
	ForwardValue   uint64           // part of Value that is forwarded with the notification
	ForwardPayload *cell.Cell
}

// Body serializes the order.
//
//	mint#642b7d07 query_id:uint64 recipient:MsgAddress ton_amount:Coins master_msg:^InternalTransfer = InternalMsgBody;
//	internal_transfer#178d4519 query_id:uint64 amount:Coins from:MsgAddress response_address:MsgAddress
//	  forward_ton_amount:Coins forward_payload:(Either Cell ^Cell) = InternalTransfer;
func (m JettonMint) Body() *cell.Cell {
	inner := op(OpJettonInternalTransfer, m.QueryID).MustStoreBigCoins(m.Amount.Nano())
	inner = addr(addr(inner, nil), m.Response).MustStoreCoins(m.ForwardValue)
	b := addr(op(OpJettonMint, m.QueryID), m.Recipient).MustStoreCoins(m.Value)
	return b.MustStoreRef(payload(inner, m.ForwardPayload).EndCell()).EndCell()
}

// ProvideWalletAddress requests the address of owner's Jetton wallet from the master, which replies to the sender.
//
//	provide_wallet_address#2c76b973 query_id:uint64 owner_address:MsgAddress include_address:Bool = InternalMsgBody;
//	take_wallet_address#d1735400 query_id:uint64 wallet_address:MsgAddress owner_address:(Maybe ^MsgAddress) = InternalMsgBody;
func ProvideWalletAddress(queryID uint64, owner *address.Address, includeOwner bool) *cell.Cell {
	return addr(op(OpProvideWalletAddress, queryID), owner).MustStoreBoolBit(includeOwner).EndCell()
}

// JettonChangeAdmin changes the admin; nil removes the right to mint permanently.
//
//	change_admin#00000003 query_id:uint64 new_admin:MsgAddress = InternalMsgBody;
func JettonChangeAdmin(queryID uint64, admin *address.Address) *cell.Cell {
	return addr(op(OpJettonChangeAdmin, queryID), admin).EndCell()
}

// JettonChangeContent replaces the metadata.
//
//	change_content#00000004 query_id:uint64 content:^Cell = InternalMsgBody;
func JettonChangeContent(queryID uint64, content *cell.Cell) *cell.Cell {
	return op(OpJettonChangeContent, queryID).MustStoreRef(content).EndCell()
}
