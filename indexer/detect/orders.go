package detect

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
	"tonql/internal/contract/nft"
)

const (
	// maxPayloadCells is the maximum size of a message; larger payloads cannot come from the chain.
	maxPayloadCells = 8192
	// maxPayload is the maximum size of a payload that is stored, in bytes. Both payloads of a thousand orders may be the cells of one
	// message: 600 MiB as bags of cells of their own, in a block of 2 MiB.
	maxPayload = 64 << 10
)

// orders are the transfers and burns that genuine Jetton wallets and NFT items received, executed or not.
type orders struct {
	transfers []chain.JettonTransfer
	burns     []chain.JettonBurn
	moves     []chain.NFTTransfer
}

// newOrders reads the orders from the messages of a block whose Contracts are filled.
func newOrders(m *chain.MasterBlock) *orders {
	o := &orders{}
	genuine := map[chain.Address]*chain.Contract{}
	for i := range m.Contracts {
		if k := &m.Contracts[i]; k.JettonWallet != nil || k.NFTItem != nil {
			genuine[k.Account] = k
		}
	}
	if len(genuine) == 0 {
		return o
	}
	messages := make(map[chain.MessageKey]*chain.Message, len(m.Messages))
	for i := range m.Messages {
		messages[m.Messages[i].Key] = &m.Messages[i]
	}
	for i := range m.Transactions {
		tx := &m.Transactions[i]
		if k := genuine[tx.Account]; k != nil && tx.InMsg != nil {
			if msg := messages[*tx.InMsg]; msg != nil {
				o.add(k, tx, msg)
			}
		}
	}
	return o
}

// add appends the order in the in-message of a transaction, if it contains one.
func (o *orders) add(k *chain.Contract, tx *chain.Transaction, msg *chain.Message) {
	if msg.Kind != chain.InternalMessage || msg.Source == nil || msg.Opcode == nil || msg.Bounced != nil && *msg.Bounced {
		return
	}
	switch op := *msg.Opcode; {
	case k.JettonWallet != nil && op == jetton.OpTransfer:
		o.jettonTransfer(k.JettonWallet, tx, msg)
	case k.JettonWallet != nil && op == jetton.OpBurn:
		o.jettonBurn(k.JettonWallet, tx, msg)
	case k.NFTItem != nil && op == nft.OpTransfer:
		o.nftTransfer(k.NFTItem, tx, msg)
	}
}

func (o *orders) jettonTransfer(w *chain.JettonWallet, tx *chain.Transaction, msg *chain.Message) {
	t, err := jetton.ParseTransfer(bodyOf(msg))
	if err != nil {
		return // another message with the same opcode
	}
	o.transfers = append(o.transfers, chain.JettonTransfer{
		QueryID: t.QueryID, Source: *msg.Source, Destination: t.Destination, Amount: t.Amount,
		SourceWallet: tx.Account, Jetton: w.Jetton,
		TxHash: tx.Hash, TxLT: tx.LT, TxNow: tx.Now, TxAborted: tx.Description.Aborted, TraceID: tx.TraceID,
		ResponseDestination: t.Response, ForwardAmount: t.ForwardAmount,
		CustomPayload: payload(t.CustomPayload), ForwardPayload: inRef(t.ForwardPayload, t.ForwardInRef),
	})
}

func (o *orders) jettonBurn(w *chain.JettonWallet, tx *chain.Transaction, msg *chain.Message) {
	b, err := jetton.ParseBurn(bodyOf(msg))
	if err != nil {
		return
	}
	o.burns = append(o.burns, chain.JettonBurn{
		QueryID: b.QueryID, Owner: *msg.Source, JettonWallet: tx.Account, Jetton: w.Jetton,
		TxHash: tx.Hash, TxLT: tx.LT, TxNow: tx.Now, TxAborted: tx.Description.Aborted, TraceID: tx.TraceID,
		Amount: b.Amount, ResponseDestination: b.Response, CustomPayload: payload(b.CustomPayload),
	})
}

func (o *orders) nftTransfer(item *chain.NFTItem, tx *chain.Transaction, msg *chain.Message) {
	t, err := nft.ParseTransfer(bodyOf(msg))
	if err != nil {
		return
	}
	o.moves = append(o.moves, chain.NFTTransfer{
		QueryID: t.QueryID, NFT: tx.Account, Collection: item.Collection,
		TxHash: tx.Hash, TxLT: tx.LT, TxNow: tx.Now, TxAborted: tx.Description.Aborted, TraceID: tx.TraceID,
		OldOwner: *msg.Source, NewOwner: t.NewOwner, ResponseDestination: t.Response, ForwardAmount: t.ForwardAmount,
		CustomPayload: payload(t.CustomPayload), ForwardPayload: inRef(t.ForwardPayload, t.ForwardInRef),
	})
}

// bodyOf returns the body of a message; nil when it cannot be read, which every layout rejects.
func bodyOf(msg *chain.Message) *cell.Cell {
	c, err := cell.FromBOC(msg.BodyBOC())
	if err != nil {
		return nil
	}
	return c
}

// payload returns a payload as a bag of cells, nil for one that is too large.
func payload(c *cell.Cell) chain.BOC {
	boc, ok := contract.Serialize(c, maxPayloadCells)
	if !ok || len(boc) > maxPayload {
		return nil
	}
	return boc
}

// inRef returns the forward payload in its published form: nil unless it is stored in a reference.
func inRef(c *cell.Cell, ref bool) chain.BOC {
	if !ref {
		return nil
	}
	return payload(c)
}
