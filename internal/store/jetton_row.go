package store

import "tonql/internal/chain"

// Columns of Jetton tables in the order in which they are written and read.
const (
	jettonMasterTable = `address, last_tx_lt, total_supply, mintable, admin, content, wallet_code_hash, mintless_root,
	mintless_apis, code_hash, data_hash`
	jettonMasterWidth = 11

	jettonWalletTable = `address, last_tx_lt, balance, owner, jetton, claimed, mintless_amount, mintless_start,
	mintless_expire, mintless_apis, code_hash, data_hash`
	jettonWalletWidth = 12

	jettonTransferTable = `source_wallet, tx_lt, tx_hash, tx_now, tx_aborted, query_id, source, destination, jetton, amount,
	response_destination, forward_amount, custom_payload, forward_payload, trace_id`
	jettonTransferWidth = 15

	jettonBurnTable = `jetton_wallet, tx_lt, tx_hash, tx_now, tx_aborted, query_id, owner, jetton, amount,
	response_destination, custom_payload, trace_id`
	jettonBurnWidth = 12
)

// The same for SELECT from each table by the alias its statements use.
var (
	jettonMasterColumns   = qualified("c", jettonMasterTable)
	jettonWalletColumns   = qualified("c", jettonWalletTable)
	jettonTransferColumns = qualified("t", jettonTransferTable)
	jettonBurnColumns     = qualified("t", jettonBurnTable)
)

func writeJettonMaster(c *copyBuffer, m *chain.JettonMaster) {
	c.row(jettonMasterWidth)
	c.address(&m.Address)
	c.int8(int64(m.LastTxLT))
	c.amount(m.TotalSupply)
	c.bool(m.Mintable)
	c.address(m.Admin)
	c.content(m.Content)
	c.hash(&m.WalletCodeHash)
	c.hash(m.MintlessRoot)
	c.texts(m.MintlessAPIs)
	c.hash(&m.CodeHash)
	c.hash(&m.DataHash)
}

func scanJettonMaster(r *row, m *chain.JettonMaster) {
	p := &struct {
		admin    chain.Address
		mintless chain.Hash
	}{}
	m.Address = r.address()
	m.LastTxLT = r.lt()
	m.TotalSupply = r.numeric()
	m.Mintable = r.bool()
	m.Admin = r.setAddress(&p.admin)
	m.Content = r.content()
	m.WalletCodeHash = r.hash()
	m.MintlessRoot = r.setHash(&p.mintless)
	m.MintlessAPIs = r.texts()
	m.CodeHash = r.hash()
	m.DataHash = r.hash()
}

func writeJettonWallet(c *copyBuffer, w *chain.JettonWallet) {
	c.row(jettonWalletWidth)
	c.address(&w.Address)
	c.int8(int64(w.LastTxLT))
	c.amount(w.Balance)
	c.address(&w.Owner)
	c.address(&w.Jetton)
	c.optionalBool(w.Claimed)
	if m := w.Mintless; m != nil {
		c.amount(m.Amount)
		optional(c, m.StartFrom)
		optional(c, m.ExpireAt)
		c.texts(m.CustomPayloadAPIs)
	} else {
		for range 4 {
			c.null()
		}
	}
	c.hash(w.CodeHash)
	c.hash(w.DataHash)
}

func scanJettonWallet(r *row, w *chain.JettonWallet) {
	p := &struct{ code, data chain.Hash }{}
	w.Address = r.address()
	w.LastTxLT = r.lt()
	w.Balance = r.numeric()
	w.Owner = r.address()
	w.Jetton = r.address()
	w.Claimed = r.setBool(new(bool))
	m := chain.MintlessInfo{Amount: r.numeric()}
	m.StartFrom = setInt8(r, new(uint64))
	m.ExpireAt = setInt8(r, new(uint64))
	m.CustomPayloadAPIs = r.texts()
	if m.Amount != nil {
		w.Mintless = &m
	}
	w.CodeHash = r.setHash(&p.code)
	w.DataHash = r.setHash(&p.data)
}

func writeJettonTransfer(c *copyBuffer, t *chain.JettonTransfer, trace *chain.Hash) {
	c.row(jettonTransferWidth)
	c.address(&t.SourceWallet)
	c.int8(int64(t.TxLT))
	c.hash(&t.TxHash)
	c.int8(int64(t.TxNow))
	c.bool(t.TxAborted)
	c.int8(int64(t.QueryID))
	c.address(&t.Source)
	c.address(t.Destination)
	c.address(&t.Jetton)
	c.amount(t.Amount)
	c.address(t.ResponseDestination)
	c.amount(t.ForwardAmount)
	c.boc(t.CustomPayload)
	c.boc(t.ForwardPayload)
	c.hash(trace)
}

func scanJettonTransfer(r *row, t *chain.JettonTransfer) {
	p := &struct {
		destination, response chain.Address
		trace                 chain.Hash
	}{}
	t.SourceWallet = r.address()
	t.TxLT = r.lt()
	t.TxHash = r.hash()
	t.TxNow = r.u32()
	t.TxAborted = r.bool()
	t.QueryID = uint64(r.int8())
	t.Source = r.address()
	t.Destination = r.setAddress(&p.destination)
	t.Jetton = r.address()
	t.Amount = r.numeric()
	t.ResponseDestination = r.setAddress(&p.response)
	t.ForwardAmount = r.numeric()
	t.CustomPayload = r.bytes()
	t.ForwardPayload = r.bytes()
	t.TraceID = r.setHash(&p.trace)
}

func writeJettonBurn(c *copyBuffer, t *chain.JettonBurn, trace *chain.Hash) {
	c.row(jettonBurnWidth)
	c.address(&t.JettonWallet)
	c.int8(int64(t.TxLT))
	c.hash(&t.TxHash)
	c.int8(int64(t.TxNow))
	c.bool(t.TxAborted)
	c.int8(int64(t.QueryID))
	c.address(&t.Owner)
	c.address(&t.Jetton)
	c.amount(t.Amount)
	c.address(t.ResponseDestination)
	c.boc(t.CustomPayload)
	c.hash(trace)
}

func scanJettonBurn(r *row, t *chain.JettonBurn) {
	t.JettonWallet = r.address()
	t.TxLT = r.lt()
	t.TxHash = r.hash()
	t.TxNow = r.u32()
	t.TxAborted = r.bool()
	t.QueryID = uint64(r.int8())
	t.Owner = r.address()
	t.Jetton = r.address()
	t.Amount = r.numeric()
	t.ResponseDestination = r.setAddress(new(chain.Address))
	t.CustomPayload = r.bytes()
	t.TraceID = r.setHash(new(chain.Hash))
}
