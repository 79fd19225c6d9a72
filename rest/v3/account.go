package v3

import (
	"strings"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/handler"
)

func accountStates(c *call) (func() error, error) {
	f := chain.AccountFilter{
		Addresses: c.q.Addresses("address"), CodeHashes: c.q.Hashes("code_hash"), WithBOC: c.q.Bool("include_boc", true),
	}
	return func() error {
		rows, err := c.svc.AccountStates(c.ctx, f, chain.Page{Limit: c.svc.Limits().Rows})
		if err != nil {
			return err
		}
		states := make([]suspendable, len(rows))
		for i := range rows {
			states[i].AccountState = &rows[i]
		}
		if err := c.markSuspended(states); err != nil {
			return err
		}
		show := func(b []byte, s *suspendable) []byte { return appendAccount(b, s.AccountState, s.suspended) }
		return listing[suspendable]{key: "accounts", name: nameAccount, print: show, metadata: true}.write(c, states, nil)
	}, nil
}

// suspendable is an account state with the word of configuration parameter 44.
type suspendable struct {
	*chain.AccountState
	suspended bool // the account cannot be initialized
}

// markSuspended marks the accounts that cannot be initialized. The list of them is read only for accounts without code.
func (c *call) markSuspended(states []suspendable) error {
	var list resolvers.Suspensions
	read := false
	for i := range states {
		s := &states[i]
		if s.CodeHash != nil {
			continue
		}
		var err error
		if !read {
			if list, err = c.svc.Suspensions(c.ctx, &c.mcSeqno); err != nil {
				return err
			}
			read = true
		}
		if s.suspended, err = list.Include(s.AccountState); err != nil {
			return err
		}
	}
	return nil
}

func nameAccount(named *addresses, s *suspendable) { named.add(&s.Account) }

func walletStates(c *call) (func() error, error) {
	addresses := c.q.Addresses("address")
	return func() error {
		rows, err := c.svc.WalletStates(c.ctx, addresses)
		if err != nil {
			return err
		}
		states := make([]suspendable, len(rows))
		for i := range rows {
			states[i].AccountState = &rows[i].AccountState
		}
		if err := c.markSuspended(states); err != nil {
			return err
		}
		wallets := make([]walletRow, len(rows))
		for i := range rows {
			wallets[i] = walletRow{suspendable: states[i], wallet: rows[i].Wallet}
		}
		return listing[walletRow]{key: "wallets", name: nameWallet, print: appendWallet, metadata: true}.write(c, wallets, nil)
	}, nil
}

// walletRow is a row of /walletStates.
type walletRow struct {
	suspendable
	wallet *resolvers.Wallet // nil: the account is no wallet
}

func nameWallet(named *addresses, w *walletRow) { named.add(&w.Account) }

func topAccountsByBalance(c *call) (func() error, error) {
	p := c.cursored(chain.Page{Limit: c.q.Limit(c.opts.Limit), Offset: c.q.Offset()}, chain.AccountList)
	return func() error {
		rows, err := c.svc.Last().TopAccounts(c.ctx, p)
		if err != nil {
			return err
		}
		if n := len(rows); n > 0 {
			last := chain.AccountState{Account: rows[n-1].Account, Balance: rows[n-1].Balance}
			c.offerNext(n, last.Cursor())
		}
		c.out.B = append(c.out.B, '[')
		for i := range rows {
			if i > 0 {
				c.out.B = append(c.out.B, ',')
			}
			c.out.B = handler.AppendAddress(append(c.out.B, `{"account":`...), &rows[i].Account)
			c.out.B = handler.AppendDecimal(append(c.out.B, `,"balance":`...), rows[i].Balance)
			c.out.B = append(c.out.B, '}')
			if err := c.out.Spill(); err != nil {
				return err
			}
		}
		c.out.B = append(c.out.B, ']')
		return nil
	}, nil
}

// addressBook responds with a row for every value sent, keyed by that value, including values that are not addresses.
func addressBook(c *call) (func() error, error) {
	sent := c.q.Texts("address")
	return func() error {
		keys, list := parseAddressBookKeys(sent)
		if len(keys) == 0 {
			return chain.Invalidf("at least 1 address required")
		}
		if limit := c.svc.Limits().Addresses; len(keys) > limit {
			return chain.Invalidf("%d addresses are too many: at most %d are allowed in one request", len(keys), limit)
		}
		rows, err := c.svc.Last().AddressBook(c.ctx, list)
		if err != nil {
			return err
		}
		c.out.B = append(c.out.B, '{')
		next := 0
		for i, k := range keys {
			if i > 0 {
				c.out.B = append(c.out.B, ',')
			}
			c.out.B = append(handler.AppendString(c.out.B, k.text), ':')
			if k.valid && next < len(rows) {
				c.out.B = appendAddressBookRow(c.out.B, &rows[next], c.svc.TestOnly())
				next++
				continue
			}
			c.out.B = append(c.out.B, `{"user_friendly":null,"domain":null,"interfaces":[]}`...)
		}
		c.out.B = append(c.out.B, '}')
		return nil
	}, nil
}

// addressBookKey is a value that the client sent.
type addressBookKey struct {
	text  string
	valid bool
}

// parseAddressBookKeys returns the distinct values of sent, and the addresses among them in the same order. A value of several
// addresses counts as these.
func parseAddressBookKeys(sent []string) (keys []addressBookKey, list []chain.Address) {
	seen := make(map[string]struct{}, len(sent))
	add := func(text string, a chain.Address, valid bool) {
		if _, again := seen[text]; again {
			return
		}
		seen[text] = struct{}{}
		keys = append(keys, addressBookKey{text, valid})
		if valid {
			list = append(list, a)
		}
	}
	for _, text := range sent {
		a, err := handler.ParseAddress(text)
		separated := parseSeparated(text)
		if err == nil || separated == nil {
			add(text, a, err == nil)
			continue
		}
		for i, part := range strings.Split(text, ",") {
			add(part, separated[i], true)
		}
	}
	return keys, list
}

// parseSeparated reads addresses that are separated by commas; nil if the text is something else.
func parseSeparated(text string) []chain.Address {
	var list []chain.Address
	for part := range strings.SplitSeq(text, ",") {
		a, err := handler.ParseAddress(part)
		if err != nil {
			return nil
		}
		list = append(list, a)
	}
	return list
}

// appendAccount appends an AccountStateFull.
func appendAccount(b []byte, s *chain.AccountState, suspended bool) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &s.Account)
	b = handler.AppendHash(append(b, `,"account_state_hash":`...), &s.Hash)
	b = handler.AppendDecimal(append(b, `,"balance":`...), s.Balance)
	b = appendExtra(append(b, `,"extra_currencies":`...), s.Extra)
	b = append(append(append(b, `,"status":"`...), s.Status.String()...), '"')
	b = appendSuspended(b, suspended)
	b = handler.AppendHash(append(b, `,"last_transaction_hash":`...), lastHash(s))
	b = handler.AppendDecimal(append(b, `,"last_transaction_lt":`...), s.LT)
	b = appendHashIf(b, `,"frozen_hash":`, s.FrozenHash)
	b = appendHashIf(b, `,"data_hash":`, s.DataHash)
	b = appendHashIf(b, `,"code_hash":`, s.CodeHash)
	if s.DataBOC != nil {
		b = appendBOC(append(b, `,"data_boc":`...), s.DataBOC, false)
	}
	if s.CodeBOC != nil {
		b = appendBOC(append(b, `,"code_boc":`...), s.CodeBOC, false)
	}
	b = appendMethods(append(b, `,"contract_methods":`...), s.Methods)
	return append(appendStrings(append(b, `,"interfaces":`...), s.Interfaces), '}')
}

// appendSuspended appends the member suspended of an account that cannot be initialized; others have none.
func appendSuspended(b []byte, suspended bool) []byte {
	if suspended {
		b = append(b, `,"suspended":true`...)
	}
	return b
}

// appendMethods appends get-method ids; null for nil, which means that the code was not analyzed.
func appendMethods(b []byte, ids []int32) []byte {
	if ids == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = handler.AppendInt(b, id)
	}
	return append(b, ']')
}

// lastHash returns the hash of the last transaction, or nil if the account has none.
func lastHash(s *chain.AccountState) *chain.Hash {
	if s.LT == 0 && s.TxHash.IsZero() {
		return nil
	}
	return &s.TxHash
}

func appendHashIf(b []byte, name string, h *chain.Hash) []byte {
	if h == nil {
		return b
	}
	return handler.AppendHash(append(b, name...), h)
}

// appendWallet appends a WalletState. For a contract that is not a wallet, the wallet members are omitted.
func appendWallet(b []byte, w *walletRow) []byte {
	b = handler.AppendAddress(append(b, `{"address":`...), &w.Account)
	b = handler.AppendBool(append(b, `,"is_wallet":`...), w.wallet != nil)
	if w.wallet != nil {
		b = handler.AppendString(append(b, `,"wallet_type":`...), w.wallet.Type)
		b = handler.AppendUint(append(b, `,"seqno":`...), w.wallet.Seqno)
		if w.wallet.ID != nil {
			b = handler.AppendUint(append(b, `,"wallet_id":`...), *w.wallet.ID)
		}
		if w.wallet.SignatureAllowed != nil {
			b = handler.AppendBool(append(b, `,"is_signature_allowed":`...), *w.wallet.SignatureAllowed)
		}
	}
	b = handler.AppendDecimal(append(b, `,"balance":`...), w.Balance)
	if len(w.Extra) > 0 {
		b = appendExtra(append(b, `,"extra_currencies":`...), w.Extra)
	}
	b = append(append(append(b, `,"status":"`...), w.Status.String()...), '"')
	b = appendSuspended(b, w.suspended)
	b = appendHashIf(b, `,"code_hash":`, w.CodeHash)
	b = handler.AppendHash(append(b, `,"last_transaction_hash":`...), lastHash(w.AccountState))
	b = handler.AppendDecimal(append(b, `,"last_transaction_lt":`...), w.LT)
	return append(b, '}')
}
