package contracts

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Columns of Jetton tables in the order in which they are written and read.
const (
	JettonMasterTable = `address, last_tx_lt, total_supply, mintable, admin, content, wallet_code_hash, mintless_root,
	mintless_apis, code_hash, data_hash`
	jettonMasterWidth = 11

	JettonWalletTable = `address, last_tx_lt, balance, owner, jetton, claimed, mintless_amount, mintless_start,
	mintless_expire, mintless_apis, code_hash, data_hash`
	jettonWalletWidth = 12

	JettonTransferTable = `source_wallet, tx_lt, tx_hash, tx_now, tx_aborted, query_id, source, destination, jetton, amount,
	response_destination, forward_amount, custom_payload, forward_payload, trace_id`
	jettonTransferWidth = 15

	JettonBurnTable = `jetton_wallet, tx_lt, tx_hash, tx_now, tx_aborted, query_id, owner, jetton, amount,
	response_destination, custom_payload, trace_id`
	jettonBurnWidth = 12
)

// The same for SELECT from each table by the alias its statements use.
var (
	jettonMasterColumns   = sqlbuild.Qualified("c", JettonMasterTable)
	jettonWalletColumns   = sqlbuild.Qualified("c", JettonWalletTable)
	jettonTransferColumns = sqlbuild.Qualified("t", JettonTransferTable)
	jettonBurnColumns     = sqlbuild.Qualified("t", JettonBurnTable)
)

func writeJettonMaster(c *sqlbuild.CopyBuffer, m *chain.JettonMaster) {
	c.Row(jettonMasterWidth)
	c.Address(&m.Address)
	c.Int8(int64(m.LastTxLT))
	c.Amount(m.TotalSupply)
	c.Bool(m.Mintable)
	c.Address(m.Admin)
	c.Content(m.Content)
	c.Hash(&m.WalletCodeHash)
	c.Hash(m.MintlessRoot)
	c.Texts(m.MintlessAPIs)
	c.Hash(&m.CodeHash)
	c.Hash(&m.DataHash)
}

func scanJettonMaster(r *sqlbuild.Row, m *chain.JettonMaster) {
	p := &struct {
		admin    chain.Address
		mintless chain.Hash
	}{}
	m.Address = r.Address()
	m.LastTxLT = r.LT()
	m.TotalSupply = r.Numeric()
	m.Mintable = r.Bool()
	m.Admin = r.SetAddress(&p.admin)
	m.Content = r.Content()
	m.WalletCodeHash = r.Hash()
	m.MintlessRoot = r.SetHash(&p.mintless)
	m.MintlessAPIs = r.Texts()
	m.CodeHash = r.Hash()
	m.DataHash = r.Hash()
}

func writeJettonWallet(c *sqlbuild.CopyBuffer, w *chain.JettonWallet) {
	c.Row(jettonWalletWidth)
	c.Address(&w.Address)
	c.Int8(int64(w.LastTxLT))
	c.Amount(w.Balance)
	c.Address(&w.Owner)
	c.Address(&w.Jetton)
	c.OptionalBool(w.Claimed)
	if m := w.Mintless; m != nil {
		c.Amount(m.Amount)
		sqlbuild.Optional(c, m.StartFrom)
		sqlbuild.Optional(c, m.ExpireAt)
		c.Texts(m.CustomPayloadAPIs)
	} else {
		for range 4 {
			c.Null()
		}
	}
	c.Hash(w.CodeHash)
	c.Hash(w.DataHash)
}

func scanJettonWallet(r *sqlbuild.Row, w *chain.JettonWallet) {
	p := &struct{ code, data chain.Hash }{}
	w.Address = r.Address()
	w.LastTxLT = r.LT()
	w.Balance = r.Numeric()
	w.Owner = r.Address()
	w.Jetton = r.Address()
	w.Claimed = r.SetBool(new(bool))
	m := chain.MintlessInfo{Amount: r.Numeric()}
	m.StartFrom = sqlbuild.SetInt8(r, new(uint64))
	m.ExpireAt = sqlbuild.SetInt8(r, new(uint64))
	m.CustomPayloadAPIs = r.Texts()
	if m.Amount != nil {
		w.Mintless = &m
	}
	w.CodeHash = r.SetHash(&p.code)
	w.DataHash = r.SetHash(&p.data)
}

// WriteJettonTransfer writes a row of [JettonTransferTable]. trace is nil for a transaction without a trace.
func WriteJettonTransfer(c *sqlbuild.CopyBuffer, t *chain.JettonTransfer, trace *chain.Hash) {
	c.Row(jettonTransferWidth)
	c.Address(&t.SourceWallet)
	c.Int8(int64(t.TxLT))
	c.Hash(&t.TxHash)
	c.Int8(int64(t.TxNow))
	c.Bool(t.TxAborted)
	c.Int8(int64(t.QueryID))
	c.Address(&t.Source)
	c.Address(t.Destination)
	c.Address(&t.Jetton)
	c.Amount(t.Amount)
	c.Address(t.ResponseDestination)
	c.Amount(t.ForwardAmount)
	c.BOC(t.CustomPayload)
	c.BOC(t.ForwardPayload)
	c.Hash(trace)
}

func scanJettonTransfer(r *sqlbuild.Row, t *chain.JettonTransfer) {
	p := &struct {
		destination, response chain.Address
		trace                 chain.Hash
	}{}
	t.SourceWallet = r.Address()
	t.TxLT = r.LT()
	t.TxHash = r.Hash()
	t.TxNow = r.Uint32()
	t.TxAborted = r.Bool()
	t.QueryID = uint64(r.Int8())
	t.Source = r.Address()
	t.Destination = r.SetAddress(&p.destination)
	t.Jetton = r.Address()
	t.Amount = r.Numeric()
	t.ResponseDestination = r.SetAddress(&p.response)
	t.ForwardAmount = r.Numeric()
	t.CustomPayload = r.Bytes()
	t.ForwardPayload = r.Bytes()
	t.TraceID = r.SetHash(&p.trace)
}

// WriteJettonBurn writes a row of [JettonBurnTable]. trace is nil for a transaction without a trace.
func WriteJettonBurn(c *sqlbuild.CopyBuffer, t *chain.JettonBurn, trace *chain.Hash) {
	c.Row(jettonBurnWidth)
	c.Address(&t.JettonWallet)
	c.Int8(int64(t.TxLT))
	c.Hash(&t.TxHash)
	c.Int8(int64(t.TxNow))
	c.Bool(t.TxAborted)
	c.Int8(int64(t.QueryID))
	c.Address(&t.Owner)
	c.Address(&t.Jetton)
	c.Amount(t.Amount)
	c.Address(t.ResponseDestination)
	c.BOC(t.CustomPayload)
	c.Hash(trace)
}

func scanJettonBurn(r *sqlbuild.Row, t *chain.JettonBurn) {
	t.JettonWallet = r.Address()
	t.TxLT = r.LT()
	t.TxHash = r.Hash()
	t.TxNow = r.Uint32()
	t.TxAborted = r.Bool()
	t.QueryID = uint64(r.Int8())
	t.Owner = r.Address()
	t.Jetton = r.Address()
	t.Amount = r.Numeric()
	t.ResponseDestination = r.SetAddress(new(chain.Address))
	t.CustomPayload = r.Bytes()
	t.TraceID = r.SetHash(new(chain.Hash))
}
