package v3

import (
	"net/http"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// legacyAccount reads the parameters of addressInformation and walletInformation.
func (c *call) legacyAccount() (resolvers.AccountRequest, bool, error) {
	address := c.q.Address("address")
	v2 := c.q.Bool("use_v2", false)
	seqno := c.q.Int32("seqno")
	q := resolvers.AccountRequest{Node: v2}
	if _, sent := c.q.Text("address"); !sent {
		return q, v2, missing("address of account is required")
	}
	if address != nil {
		q.Account = *address
	}
	if seqno != nil {
		if *seqno <= 0 {
			c.q.Refuse(chain.Invalidf("seqno: not a positive number"))
			return q, v2, nil
		}
		q.Seqno = new(uint32(*seqno))
	}
	return q, v2, nil
}

func addressInformation(c *call) (func() error, error) {
	q, v2, refusal := c.legacyAccount()
	return func() error {
		if refusal != nil {
			return refusal
		}
		s, err := c.svc.AccountInformation(c.ctx, q)
		if err != nil {
			return err
		}
		b := handler.AppendDecimal(append(c.out.B, `{"balance":`...), s.Balance)
		b = appendBOC(append(b, `,"code":`...), s.CodeBOC, false)
		b = appendBOC(append(b, `,"data":`...), s.DataBOC, false)
		b = appendLast(b, s)
		b = append(b, `,"frozen_hash":`...)
		if v2 { // always null in the v3 format
			b = handler.AppendHash(b, s.FrozenHash)
		} else {
			b = append(b, "null"...)
		}
		return c.endLegacyAccount(b, s, q.Seqno, v2)
	}, nil
}

func walletInformation(c *call) (func() error, error) {
	q, v2, refusal := c.legacyAccount()
	return func() error {
		if refusal != nil {
			return refusal
		}
		w, err := c.svc.WalletInformation(c.ctx, q)
		if err != nil {
			return err
		}
		if w.Wallet == nil && w.Status != chain.Uninit && w.Status != chain.Nonexist && (!v2 || !uninitialized(&w.AccountState)) {
			return &statusError{status: http.StatusConflict, text: "not a wallet"}
		}
		b := handler.AppendDecimal(append(c.out.B, `{"balance":`...), w.Balance)
		if w.Wallet != nil {
			b = handler.AppendString(append(b, `,"wallet_type":`...), w.Wallet.Type)
			b = handler.AppendUint(append(b, `,"seqno":`...), w.Wallet.Seqno)
			if w.Wallet.ID != nil {
				b = handler.AppendUint(append(b, `,"wallet_id":`...), *w.Wallet.ID)
			}
		}
		b = appendLast(b, &w.AccountState)
		return c.endLegacyAccount(b, &w.AccountState, q.Seqno, v2)
	}, nil
}

// endLegacyAccount appends the status of an account and whether it is suspended, and ends the object.
func (c *call) endLegacyAccount(b []byte, s *chain.AccountState, mcSeqno *uint32, v2 bool) error {
	b = appendLegacyStatus(b, s, v2)
	if s.CodeHash == nil {
		list, err := c.svc.Suspensions(c.ctx, mcSeqno)
		if err != nil {
			return err
		}
		suspended, err := list.Include(s)
		if err != nil {
			return err
		}
		b = appendSuspended(b, suspended)
	}
	c.out.B = append(b, '}')
	return nil
}

func appendLast(b []byte, s *chain.AccountState) []byte {
	b = handler.AppendDecimal(append(b, `,"last_transaction_lt":`...), s.LT)
	return handler.AppendHash(append(b, `,"last_transaction_hash":`...), &s.TxHash)
}

// uninitialized is the one status of the v2 API for all accounts without code that are not frozen, also for active ones.
func uninitialized(s *chain.AccountState) bool {
	return s.Status != chain.Frozen && len(s.CodeBOC) == 0
}

// appendLegacyStatus appends an account status. From the index, an account that it does not know is uninit, and one that was deleted nonexist.
func appendLegacyStatus(b []byte, s *chain.AccountState, v2 bool) []byte {
	text := s.Status.String()
	switch {
	case v2 && uninitialized(s):
		text = "uninitialized"
	case s.Status == chain.Nonexist && s.LT == 0:
		text = "uninit"
	}
	return handler.AppendString(append(b, `,"status":`...), text)
}
