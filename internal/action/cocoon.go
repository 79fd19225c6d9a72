package action

import (
	"encoding/hex"
	"math/big"

	"tonql/internal/contract"
)

// Opcodes that Cocoon's requests share.
const (
	opCocoonPayout   = 0xc59a7cd3
	opCocoonExcesses = 0x2565934c
	opCocoonToProxy  = 0x65448ff4
	opCocoonWorker   = 0x4d725d2c
	opCocoonLast     = 0xf5f26a36
	opCocoonWallet   = 0x9c69f376
	opCocoonWithdraw = 0xc68ebc7b
)

// CocoonData is the payload of every Cocoon kind; each fills the fields it has.
type CocoonData struct {
	QueryID        uint64   `json:"query_id"`
	PayoutType     *string  `json:"payout_type,omitempty"` // regular or last
	NewTokens      *uint64  `json:"new_tokens,omitempty"`
	WorkerState    *uint64  `json:"worker_state,omitempty"`
	WorkerTokens   *uint64  `json:"worker_tokens,omitempty"`
	Seqno          *uint64  `json:"seqno,omitempty"`
	Nonce          *uint64  `json:"nonce,omitempty"`
	NewSecretHash  *string  `json:"new_secret_hash,omitempty"` // hex
	ViaWallet      *bool    `json:"via_wallet,omitempty"`
	WithdrawAmount *big.Int `json:"withdraw_amount,omitempty"`

	column string
}

// Column names the composite column, which is the kind's own.
func (d *CocoonData) Column() string { return d.column }

// cocoonRead fills row and payload from what follows the query id of the request. The destination is already set to
// the account that was called.
type cocoonRead func(m *Match, l *contract.Loader, c *Columns, d *CocoonData)

func init() {
	x := func() *Pattern { return Call(opCocoonExcesses).As("excesses") }
	p := func() *Pattern { return Call(opCocoonPayout).As("payout") }
	toProxy := func() *Pattern { return Call(opCocoonToProxy).As("proxy") }
	cocoon("cocoon_worker_payout", 81, Call(0xa040ad28, opCocoonLast).Then(Call(opCocoonWorker).As("worker").Then(p(), x().Maybe())), cocoonWorkerPayout)
	cocoon("cocoon_proxy_payout", 82, Call(0x7610e6eb).Then(p(), x()), cocoonProxyPayout)
	cocoon("cocoon_client_top_up", 84, Call(0xf172e6c2).Then(toProxy().Then(x())), cocoonTopUp)
	cocoon("cocoon_register_proxy", 85, Call(0x927c7cb5).Then(x()), func(*Match, *contract.Loader, *Columns, *CocoonData) {})
	cocoon("cocoon_unregister_proxy", 86, Call(0x6d49eaf2).Then(x()), func(_ *Match, l *contract.Loader, _ *Columns, d *CocoonData) {
		seqno := l.Uint(32)
		d.Seqno = &seqno
	})
	cocoon("cocoon_client_register", 87, Call(0xc45f9f3b).Then(x(), toProxy()), func(_ *Match, l *contract.Loader, c *Columns, d *CocoonData) {
		nonce := l.Uint(64)
		d.Nonce, c.Source = &nonce, text(l.Address())
	})
	cocoon("cocoon_client_change_secret_hash", 88, Call(0xa9357034).Then(x(), toProxy()), func(_ *Match, l *contract.Loader, c *Columns, d *CocoonData) {
		h := l.Hash()
		s := hex.EncodeToString(h[:])
		d.NewSecretHash, c.Source = &s, text(l.Address())
	})
	refund := Call(0xfafa6cc1).After(Call(opCocoonWallet).As("wallet").Maybe()).Then(x(), toProxy())
	cocoon("cocoon_client_request_refund", 89, refund, func(m *Match, l *contract.Loader, c *Columns, d *CocoonData) {
		via := m.Get("wallet") != nil
		d.ViaWallet, c.Source = &via, text(l.Address())
	})
	cocoon("cocoon_client_withdraw", 92, Call(0xda068e78).Then(toProxy().Then(p(), x().Maybe())), cocoonClientWithdraw)
}

// cocoon registers one request.
func cocoon(kind string, phase int, match *Pattern, read cocoonRead) {
	Register(Spec{Kind: kind, Phase: phase, Match: match, Build: func(_ *Context, m *Match) *Result {
		l := m.Start.body()
		d := &CocoonData{QueryID: l.Uint(64), column: kind + "_data"}
		c := Columns{Destination: text(m.Start.account()), Payloads: []Payload{d}}
		read(m, l, &c, d)
		if l.Err() != nil {
			return nil
		}
		failed := m.Start.aborted()
		if kind == "cocoon_worker_payout" || kind == "cocoon_proxy_payout" {
			failed = m.Get("payout").aborted()
		}
		return &Result{Columns: c, Failed: failed}
	}})
}

func cocoonWorkerPayout(m *Match, l *contract.Loader, c *Columns, d *CocoonData) {
	tokens, kind := l.Uint(64), "regular"
	if m.Start.calls(opCocoonLast) {
		kind = "last"
	}
	d.PayoutType, d.NewTokens = &kind, &tokens
	w := m.Get("worker").body()
	w.Uint(64)
	w.Address()
	state, worker := w.Uint(2), w.Uint(64)
	if w.Err() == nil {
		d.WorkerState, d.WorkerTokens = &state, &worker
	}
	payout := m.Get("payout")
	c.Source, c.SourceSecondary = text(m.Start.from()), text(m.Start.account())
	c.Destination, c.Amount = text(payout.account()), payout.Msg.Value
}

func cocoonProxyPayout(m *Match, _ *contract.Loader, c *Columns, _ *CocoonData) {
	c.Source, c.Destination = c.Destination, text(m.Get("payout").account())
	c.DestinationSecondary = text(m.Get("excesses").account())
}

func cocoonTopUp(m *Match, l *contract.Loader, c *Columns, _ *CocoonData) {
	c.Amount = l.Coins()
	c.Source, c.DestinationSecondary = text(m.Get("excesses").account()), text(m.Get("proxy").account())
}

func cocoonClientWithdraw(m *Match, l *contract.Loader, c *Columns, d *CocoonData) {
	c.Source, c.Amount = text(l.Address()), m.Get("payout").Msg.Value
	d.WithdrawAmount = new(big.Int)
	proxy := m.Get("proxy").body()
	proxy.Uint(64)
	proxy.Address()
	proxy.Ref() // the state of the client
	request := contract.Load(proxy.MaybeRef())
	request.Opcode(opCocoonWithdraw)
	if n := request.Coins(); request.Err() == nil {
		d.WithdrawAmount = n
	}
}
