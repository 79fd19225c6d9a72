package payment

import (
	"crypto/ed25519"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

func account(n byte) chain.Address { return chain.Address{ID: chain.Hash{n, 31: 1}} }

var (
	payer, payee, thirdParty = account(1), account(2), account(3)
	payerWallet              = account(4) // genuine
	payeeWallet              = account(5)
	forgedWallet             = account(6)
)

func registered(t *testing.T, change ...func(*Transfer)) (*Transfer, *Message) {
	t.Helper()
	tr := &Transfer{Asset: NativeAsset(), Amount: big.NewInt(1000), Sender: payer, SenderText: "the sender", Recipient: payee, CommentToRecipient: "Order 7"}
	for _, c := range change {
		c(tr)
	}
	m, err := Prepare(tr)
	require.NoError(t, err)
	return tr, m
}

func ofJetton(tr *Transfer) {
	tr.Asset = Asset{Master: new(account(9)), Ticker: "USDX", Decimals: 6}
	tr.Wallets = &Wallets{Sender: payerWallet, Recipient: payeeWallet}
}

// traceBuilder builds a trace of messages and the transactions that they cause.
type traceBuilder struct {
	t     *testing.T
	trace chain.TraceContent
	lt    uint64
}

func newTrace(t *testing.T) *traceBuilder {
	t.Helper()
	return &traceBuilder{t: t, lt: 100, trace: chain.TraceContent{Trace: chain.Trace{ID: chain.Hash{0xaa}}}}
}

type edit func(*chain.TraceTransaction)

func (s *traceBuilder) add(in *chain.Message, to chain.Address, edits []edit) int {
	s.lt += 10
	d := chain.TransactionDescription{Compute: &chain.ComputePhase{Success: true}, Action: &chain.ActionPhase{Success: true}}
	tx := chain.TraceTransaction{Transaction: &chain.Transaction{
		Account: to, LT: s.lt, Hash: chain.Hash{byte(s.lt)}, Now: 1_700_000_000, Description: d,
	}, In: in}
	for _, e := range edits {
		e(&tx)
	}
	s.trace.Transactions = append(s.trace.Transactions, tx)
	return len(s.trace.Transactions) - 1
}

// send adds a message of transaction from (an index; -1: outside the trace) and the transaction of its destination,
// whose index it returns.
func (s *traceBuilder) send(from int, source, to chain.Address, value int64, body *cell.Cell, edits ...edit) int {
	s.t.Helper()
	hash := chain.Hash(body.HashKey())
	m := &chain.Message{
		Key: chain.MessageKey{Account: source, LT: s.lt + 1}, Kind: chain.InternalMessage, Source: &source, Destination: &to,
		Value: new(chain.Coins(value)), Bounce: new(false), Bounced: new(false), Body: body.ToBOC(), BodyHash: hash,
	}
	if p, err := body.BeginParse(); err == nil && p.BitsLeft() >= 32 {
		m.Opcode = new(uint32(p.MustLoadUInt(32)))
	}
	if from >= 0 {
		sender := &s.trace.Transactions[from]
		m.SentBy = &chain.TransactionRef{LT: sender.LT, Hash: sender.Hash}
		sender.Out = append(sender.Out, m)
	}
	return s.add(m, to, edits)
}

// dropLast removes the last transaction: its message is sent and not received.
func (s *traceBuilder) dropLast() {
	s.trace.Transactions = s.trace.Transactions[:len(s.trace.Transactions)-1]
}

func aborted(code int32) edit {
	return func(tx *chain.TraceTransaction) {
		tx.Description.Aborted = true
		tx.Description.Compute = &chain.ComputePhase{ExitCode: code}
		tx.Description.Action = nil
	}
}

func skipped(reason chain.SkipReason) edit {
	return func(tx *chain.TraceTransaction) {
		tx.Description.Aborted = true
		tx.Description.Compute = &chain.ComputePhase{Skipped: true, Reason: reason}
		tx.Description.Action = nil
	}
}

func actionFailed(code int32) edit {
	return func(tx *chain.TraceTransaction) {
		tx.Description.Aborted = true
		tx.Description.Action = &chain.ActionPhase{ResultCode: code}
	}
}

func sentBack(tx *chain.TraceTransaction) {
	tx.Out = append(tx.Out, &chain.Message{Kind: chain.InternalMessage, Source: &tx.Account, Destination: tx.In.Source, Bounced: new(true)})
}

func text(s string) *cell.Cell {
	c, err := commentCell(s)
	if err != nil {
		panic(err)
	}
	return c
}

func invoice(t *testing.T, reference string) *cell.Cell {
	t.Helper()
	var id []byte
	for i := 0; i < len(reference); {
		if reference[i] == '-' {
			i++
			continue
		}
		var b byte
		for _, c := range reference[i : i+2] {
			b = b<<4 | byte(map[bool]rune{true: c - '0', false: c - 'a' + 10}[c <= '9'])
		}
		id, i = append(id, b), i+2
	}
	return cell.BeginCell().MustStoreUInt(opInvoice, 32).MustStoreSlice(id, 128).MustStoreUInt(0, 2).EndCell()
}

func order(queryID uint64, amount int64, to chain.Address, payload *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(queryID, 64).MustStoreCoins(uint64(amount)).
		MustStoreAddr(wire(to)).MustStoreUInt(0, 2).MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(payload).EndCell()
}

func internalTransfer(queryID uint64, amount int64, from chain.Address, payload *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).MustStoreUInt(queryID, 64).MustStoreCoins(uint64(amount)).
		MustStoreAddr(wire(from)).MustStoreUInt(0, 2).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(payload).EndCell()
}

// quiet is an internal transfer that orders no notification.
func quiet(queryID uint64, amount int64, from chain.Address, payload *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).MustStoreUInt(queryID, 64).MustStoreCoins(uint64(amount)).
		MustStoreAddr(wire(from)).MustStoreUInt(0, 2).MustStoreCoins(0).MustStoreBoolBit(true).MustStoreRef(payload).EndCell()
}

func notification(queryID uint64, amount int64, from chain.Address, payload *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(jetton.OpTransferNotification, 32).MustStoreUInt(queryID, 64).MustStoreCoins(uint64(amount)).
		MustStoreAddr(wire(from)).MustStoreBoolBit(true).MustStoreRef(payload).EndCell()
}

// credit adds a transfer of Jettons from the wallet of transaction from to the payee's wallet, and the payee's
// notification.
func (s *traceBuilder) credit(from int, queryID uint64, amount int64, sender chain.Address, payload *cell.Cell) int {
	s.t.Helper()
	n := s.send(from, s.trace.Transactions[from].Account, payeeWallet, 5e7, internalTransfer(queryID, amount, sender, payload))
	s.send(n, payeeWallet, payee, 1, notification(queryID, amount, sender, payload))
	return n
}

// outcome is an expected [Outcome].
type outcome struct {
	status Status
	by     Match
	amount int64
	code   int32
	text   string
	other  bool
}

func (s *traceBuilder) expect(name string, transfers []*Transfer, want ...outcome) {
	s.t.Helper()
	var keys MatchKeys
	keys.Add(&s.trace)
	// Only transfers with these match keys would be read from the database.
	registered := map[chain.Hash]bool{}
	names := map[string]bool{}
	queries := map[Query]bool{}
	for _, h := range keys.BodyHashes {
		registered[h] = true
	}
	for _, r := range keys.References {
		names[r] = true
	}
	for _, q := range keys.Queries {
		queries[q] = true
	}
	var found []*Transfer
	for _, t := range transfers {
		if registered[t.BodyHash] || names[t.Reference] || queries[Query{ID: t.QueryID, Sender: t.Sender}] {
			found = append(found, t)
		}
	}
	got := NewRegister(found).Recognise(&s.trace)
	require.Len(s.t, got, len(want), "%s: %v", name, got)
	for i, f := range got {
		w := want[i]
		require.Equal(s.t, w.status, f.Status, name)
		require.Equal(s.t, w.by, f.By, name)
		require.Equal(s.t, w.amount, f.Amount.Int64(), name)
		require.Equal(s.t, w.code, f.Code, name)
		require.Equal(s.t, w.text, f.Message, name)
		require.Equal(s.t, w.other, f.OtherSender, name)
		if w.status == Success || w.code == notEnough && f.Amount.Cmp(f.Transfer.Amount) < 0 {
			require.Equal(s.t, w.amount, f.Received.Int64(), name)
		} else {
			require.Zero(s.t, f.Received.Sign(), name)
		}
		require.Equal(s.t, s.trace.ID, f.TraceID, name)
		require.NotZero(s.t, f.TxHash, name)
	}
}

func TestRecognise_TONByBodyCommentOrInvoice(t *testing.T) {
	t.Parallel()
	tr, m := registered(t)
	for _, c := range []struct {
		name   string
		source chain.Address
		to     chain.Address
		value  int64
		body   *cell.Cell
		edits  []edit
		want   []outcome
	}{
		{"by body", payer, payee, 1000, m.Body, nil, []outcome{{Success, ByBody, 1000, 0, "", false}}},
		{"more than requested", payer, payee, 1001, m.Body, nil, []outcome{{Success, ByBody, 1001, 0, "", false}}},
		{"too little", payer, payee, 999, m.Body, nil, []outcome{{Failed, ByBody, 999, 37, "Not enough TON", false}}},
		{"too little from a third party", thirdParty, payee, 1, m.Body, nil, nil},
		{"a third party pays", thirdParty, payee, 1000, m.Body, nil, []outcome{{Success, ByBody, 1000, 0, "", true}}},
		{"recipient not deployed, no bounce", payer, payee, 1000, m.Body, []edit{skipped(chain.SkipNoState)}, []outcome{{Success, ByBody, 1000, 0, "", false}}},
		{"no gas, no bounce", payer, payee, 1000, m.Body, []edit{skipped(chain.SkipNoGas)}, []outcome{{Success, ByBody, 1000, 0, "", false}}},
		{"contract aborts, no bounce", payer, payee, 1000, m.Body, []edit{aborted(9)}, []outcome{{Success, ByBody, 1000, 0, "", false}}},
		{"bounced by exit code", payer, payee, 1000, m.Body, []edit{aborted(9), sentBack}, []outcome{{Failed, ByBody, 1000, 9, "Cell underflow", false}}},
		{"bounced by result code", payer, payee, 1000, m.Body, []edit{actionFailed(37), sentBack}, []outcome{{Failed, ByBody, 1000, 37, "Not enough TON", false}}},
		{"bounced, not deployed", payer, payee, 1000, m.Body, []edit{skipped(chain.SkipNoState), sentBack}, []outcome{{Failed, ByBody, 1000, 36, "Invalid destination address", false}}},
		{"bounced, and too little", payer, payee, 999, m.Body, []edit{aborted(9), sentBack}, []outcome{{Failed, ByBody, 999, 9, "Cell underflow", false}}},
		{"bounce of a third party", thirdParty, payee, 1000, m.Body, []edit{aborted(9), sentBack}, nil},
		{"somewhere else", payer, thirdParty, 1000, m.Body, nil, nil},
		{"the reference alone", payer, payee, 1000, text(tr.Reference), nil, []outcome{{Success, ByComment, 1000, 0, "", false}}},
		{"reference behind a text", payer, payee, 1000, text("for you " + tr.Reference), nil, []outcome{{Success, ByComment, 1000, 0, "", false}}},
		{"the comment without reference", payer, payee, 1000, text("Order 7"), nil, nil},
		{"invoice", payer, payee, 1000, invoice(t, tr.Reference), nil, []outcome{{Success, ByInvoice, 1000, 0, "", false}}},
		{"encrypted", payer, payee, 1000, cell.BeginCell().MustStoreUInt(opEncryptedComment, 32).MustStoreUInt(1, 64).EndCell(), nil, nil},
		{"empty body", payer, payee, 1000, cell.BeginCell().EndCell(), nil, nil},
		{"short body", payer, payee, 1000, cell.BeginCell().MustStoreUInt(0, 31).EndCell(), nil, nil},
	} {
		s := newTrace(t)
		s.send(-1, c.source, c.to, c.value, c.body, c.edits...)
		s.expect(c.name, []*Transfer{tr}, c.want...)
	}
}

// Whoever pays with the reference of a transfer without a registered sender is its sender, also of a payment that fails.
func TestRecognise_OpenTransfersFromAnybody(t *testing.T) {
	t.Parallel()
	tr := &Transfer{Asset: NativeAsset(), Amount: big.NewInt(1000), Recipient: payee}
	require.NoError(t, PrepareOpen(tr))
	for _, c := range []struct {
		name  string
		value int64
		edits []edit
		want  outcome
	}{
		{"enough", 1000, nil, outcome{Success, ByBody, 1000, 0, "", true}},
		{"too little", 999, nil, outcome{Failed, ByBody, 999, 37, "Not enough TON", true}},
		{"bounced", 1000, []edit{aborted(9), sentBack}, outcome{Failed, ByBody, 1000, 9, "Cell underflow", true}},
	} {
		s := newTrace(t)
		s.send(-1, thirdParty, payee, c.value, text(tr.Reference), c.edits...)
		s.expect(c.name, []*Transfer{tr}, c.want)
	}
}

// A wallet that pays its fees from the value sends less than requested. The difference counts as fees if the signed
// request and the forward fee of the message agree with it; the request alone is not sufficient.
func TestRecognise_DeductedFeesNeedTheSignedRequest(t *testing.T) {
	t.Parallel()
	request := func(m *Message, to chain.Address, value uint64) *cell.Cell {
		message := cell.BeginCell().MustStoreUInt(0, 6).MustStoreAddr(wire(to)).MustStoreCoins(value).MustStoreBoolBit(false).
			MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 96).MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(m.Body).EndCell()
		return cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(0, 8).MustStoreRef(message).EndCell()
	}
	for _, tc := range []struct {
		name              string
		requestedMessages uint64
		arrives           int64
		carried           chain.Coins
		status            Status
		deducted          *big.Int
	}{
		{"mode 0", 1_000_000, 600_000, 266_669, Failed, big.NewInt(400_000)},
		{"mode 1", 1_000_000, 1_000_000, 266_669, Success, nil},
		{"enough was requested", 1_400_000, 1_000_000, 266_669, Success, nil},
		{"less was requested", 600_000, 600_000, 266_669, Failed, nil},
		{"less was requested on a network without fees", 600_000, 600_000, 0, Failed, nil},
		{"a request that lies", 1_000_000_000_000, 600_000, 266_669, Failed, nil},
		{"no fee", 1_000_000, 600_000, 0, Failed, nil},
		{"less than the message still carries", 866_668, 600_000, 266_669, Failed, nil},
		{"all that the message still carries", 866_669, 600_000, 266_669, Failed, big.NewInt(266_669)},
		{"twice what the message still carries", 1_133_338, 600_000, 266_669, Failed, big.NewInt(533_338)},
		{"more than twice what the message still carries", 1_133_339, 600_000, 266_669, Failed, nil},
	} {
		tr, m := registered(t, func(tr *Transfer) { tr.Amount = big.NewInt(1_000_000) })
		s := newTrace(t)
		wallet := s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: request(m, payee, tc.requestedMessages).ToBOC()}, payer, nil)
		i := s.send(wallet, payer, payee, tc.arrives, m.Body)
		s.trace.Transactions[i].In.FwdFee = &tc.carried
		got := NewRegister([]*Transfer{tr}).Recognise(&s.trace)
		require.Len(t, got, 1, tc.name)
		require.Equal(t, tc.status, got[0].Status, tc.name)
		require.Equal(t, tc.arrives, got[0].Received.Int64(), tc.name)
		require.Equal(t, tc.deducted, got[0].Deducted, tc.name)
	}
}

// The request of another message is none of the payment's.
func TestRecognise_DeductedFeesAreThoseOfTheMessage(t *testing.T) {
	t.Parallel()
	request := func(to chain.Address, body *cell.Cell) *cell.Cell {
		message := cell.BeginCell().MustStoreUInt(0, 6).MustStoreAddr(wire(to)).MustStoreCoins(1_000_000).MustStoreBoolBit(false).
			MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 96).MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(body).EndCell()
		return cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(0, 8).MustStoreRef(message).EndCell()
	}
	tr, m := registered(t, func(tr *Transfer) { tr.Amount = big.NewInt(1_000_000) })
	for name, c := range map[string]struct {
		request *cell.Cell
		want    *big.Int
	}{
		"of the payment": {request(payee, m.Body), big.NewInt(400_000)}, "to another account": {request(thirdParty, m.Body), nil}, "with another body": {request(payee, text("x")), nil},
		"of nothing": {cell.BeginCell().EndCell(), nil},
	} {
		s := newTrace(t)
		wallet := s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: c.request.ToBOC()}, payer, nil)
		i := s.send(wallet, payer, payee, 600_000, m.Body)
		s.trace.Transactions[i].In.FwdFee = new(chain.Coins(266_669))
		got := NewRegister([]*Transfer{tr}).Recognise(&s.trace)
		require.Len(t, got, 1, name)
		require.Equal(t, c.want, got[0].Deducted, name)
		s.trace.Transactions[i].In.FwdFee = nil
		require.Nil(t, NewRegister([]*Transfer{tr}).Recognise(&s.trace)[0].Deducted, name)
	}
	s := newTrace(t)
	s.send(s.add(nil, payer, nil), payer, payee, 600_000, m.Body)
	got := NewRegister([]*Transfer{tr}).Recognise(&s.trace)
	require.Len(t, got, 1)
	require.Nil(t, got[0].Deducted, "sent without a request")
}

// A message to another account may contain anything, also what reads as a message.
func TestRequestedMessages_BodiesOfOthersAreNotSearched(t *testing.T) {
	t.Parallel()
	inner := relaxed(payee, text("x"), false)
	wrapped := cell.BeginCell().MustStoreUInt(1, 32).MustStoreRef(inner).EndCell()
	request := func(to chain.Address) *cell.Cell {
		return cell.BeginCell().MustStoreSlice(make([]byte, 64), 512).MustStoreRef(relaxed(to, wrapped, false)).EndCell()
	}
	found := requestedMessages(request(thirdParty), payer)
	require.Len(t, found, 1)
	require.Equal(t, thirdParty, found[0].to)
	found = requestedMessages(request(payer), payer)
	require.Len(t, found, 2, "a message of the wallet to itself carries the others")
	require.Equal(t, payee, found[1].to)
	require.Equal(t, chain.Hash(wrapped.HashKey()), *found[1].via)
	require.Empty(t, requestedMessages(nil, payer))
}

// The first bits of a request are a signature, which may read as anything, also as a message.
func TestRequestedMessages_SignatureIsNoMessage(t *testing.T) {
	t.Parallel()
	header := func(body *cell.Builder) *cell.Builder {
		return cell.BeginCell().MustStoreUInt(0, 6).MustStoreAddr(wire(payee)).MustStoreCoins(7).MustStoreBoolBit(false).
			MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 96).MustStoreBoolBit(false).MustStoreBoolBit(false).MustStoreBuilder(body)
	}
	message := header(cell.BeginCell().MustStoreUInt(1, 32)).EndCell()
	request := header(cell.BeginCell().MustStoreSlice(make([]byte, 20), 160).MustStoreRef(message)).EndCell()
	_, err := contract.ParseRelaxed(request)
	require.NoError(t, err, "the signature reads as a message")
	found := requestedMessages(request, payer)
	require.Len(t, found, 1)
	require.Equal(t, chain.Hash(cell.BeginCell().MustStoreUInt(1, 32).EndCell().HashKey()), found[0].body)
}

// A bounced message may have the body of a payment.
func TestRecognise_BouncedMessageIsNoPayment(t *testing.T) {
	t.Parallel()
	tr, m := registered(t)
	s := newTrace(t)
	i := s.send(-1, payer, payee, 1000, m.Body)
	s.trace.Transactions[i].In.Bounced = new(true)
	s.expect("bounced", []*Transfer{tr})
	require.Empty(t, NewRegister([]*Transfer{tr}).Recognise(&s.trace), "found by another message of the trace")
}

func TestRecognise_EqualCommentsAreDistinguished(t *testing.T) {
	t.Parallel()
	a, ma := registered(t)
	b, mb := registered(t)
	require.NotEqual(t, a.BodyHash, b.BodyHash)
	s := newTrace(t)
	s.send(-1, payer, payee, 1000, mb.Body)
	s.expect("only b", []*Transfer{a, b}, outcome{Success, ByBody, 1000, 0, "", false})
	s.send(-1, payer, payee, 1000, mb.Body)
	s.expect("b twice: the second is distinguished by its position", []*Transfer{a, b},
		outcome{Success, ByBody, 1000, 0, "", false}, outcome{Success, ByBody, 1000, 0, "", false})
	s.send(-1, payer, payee, 1000, ma.Body)
	found := NewRegister([]*Transfer{a, b}).Recognise(&s.trace)
	require.Equal(t, []*Transfer{b, b, a}, []*Transfer{found[0].Transfer, found[1].Transfer, found[2].Transfer})
}

// One request of a highload wallet makes many payments.
func TestRecognise_MatchesEveryMessageOfABatch(t *testing.T) {
	t.Parallel()
	s := newTrace(t)
	wallet := s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: cell.BeginCell().EndCell().ToBOC()}, payer, nil)
	var all []*Transfer
	var want []outcome
	for range 100 {
		tr, m := registered(t)
		all = append(all, tr)
		want = append(want, outcome{Success, ByBody, 1000, 0, "", false})
		s.send(wallet, payer, payee, 1000, m.Body)
	}
	s.expect("batch", all, want...)
}

func TestRecognise_JettonsOfGenuineWalletsOnly(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton)
	require.Equal(t, payerWallet, m.Address)
	parsed, err := jetton.ParseTransfer(m.Body)
	require.NoError(t, err)
	require.Equal(t, payee, *parsed.Destination)
	require.Equal(t, payer, *parsed.Response)
	require.Equal(t, int64(1000), parsed.Amount.Int64())
	payload := parsed.ForwardPayload
	require.Equal(t, tr.Reference, named(payload))
	plain := text("x")
	queryID := tr.QueryID
	good := func(amount int64) outcome { return outcome{Success, ByBody, amount, 0, "", false} }
	for _, c := range []struct {
		name  string
		build func(s *traceBuilder)
		want  []outcome
	}{
		{"credited", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1000, payer, payload)
		}, []outcome{good(1000)}},
		{"less arrives than was ordered", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 990, payer, payload)
		}, []outcome{{Failed, ByBody, 990, 37, "Not enough USDX", false}}},
		{"more arrives than was requested", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1001, payer, payload)
		}, []outcome{good(1001)}},
		{"the wallet notifies of less than it received", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, notification(queryID, 990, payer, payload))
		}, []outcome{{Failed, ByBody, 990, 37, "Not enough USDX", false}}},
		{"the wallet notifies of more than it received", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 990, payer, payload))
			s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload))
		}, []outcome{{Failed, ByBody, 990, 37, "Not enough USDX", false}}},
		{"the wallet sends other messages before its notification", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			credited := &s.trace.Transactions[n]
			credited.Out = append(credited.Out, &chain.Message{Kind: chain.ExternalOut, Source: &payeeWallet, Opcode: new(uint32(jetton.OpTransferNotification))})
			s.send(n, payeeWallet, payee, 1, cell.BeginCell().EndCell())
			s.send(n, payeeWallet, payee, 1, plain)
			s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload))
		}, []outcome{good(1000)}},
		{"no notification was ordered, and the wallet refuses", func(s *traceBuilder) {
			s.send(-1, thirdParty, payeeWallet, 5e7, quiet(queryID, 1000, thirdParty, payload), aborted(707))
		}, nil},
		{"the wallet of another Jetton refuses the order", func(s *traceBuilder) { s.send(-1, payer, forgedWallet, 1e8, m.Body, aborted(706), sentBack) }, nil},
		{"a notification was ordered and not sent", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
		}, nil},
		{"a notification of somebody else", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, thirdParty, 1, notification(queryID, 1000, payer, payload))
		}, nil},
		{"the payload of the notification cannot be read", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, cell.BeginCell().MustStoreUInt(jetton.OpTransferNotification, 32).MustStoreUInt(queryID, 64).
				MustStoreCoins(1000).MustStoreAddr(wire(payer)).MustStoreBoolBit(true).EndCell())
		}, []outcome{good(1000)}},
		{"a notification that cannot be read", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, cell.BeginCell().MustStoreUInt(jetton.OpTransferNotification, 32).EndCell())
		}, nil},
		{"the recipient gives it back", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			i := s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload))
			s.send(i, payee, payeeWallet, 5e7, order(1, 1000, payer, plain))
		}, nil},
		{"the notification bounces, the recipient is not deployed", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload), skipped(chain.SkipNoState), sentBack)
		}, []outcome{good(1000)}},
		{"the notification is not received yet", func(s *traceBuilder) {
			s.send(-1, thirdParty, thirdParty, 1, plain)
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			n := s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload))
			s.dropLast()
		}, nil},
		{"the recipient emits an event", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1000, payer, payload)
			last := &s.trace.Transactions[len(s.trace.Transactions)-1]
			last.Out = append(last.Out, &chain.Message{Kind: chain.ExternalOut, Source: &payee})
		}, []outcome{good(1000)}},
		{"the credit is not received yet", func(s *traceBuilder) {
			s.send(-1, thirdParty, thirdParty, 1, plain, aborted(9))
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.dropLast()
		}, nil},
		{"other messages of the sender's wallet fail", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payer, 1, cell.BeginCell().EndCell(), aborted(9))
			s.send(o, payerWallet, payer, 1, plain, aborted(9))
			s.credit(o, queryID, 1000, payer, payload)
		}, []outcome{good(1000)}},
		{"the order is elsewhere in the trace", func(s *traceBuilder) {
			s.send(-1, thirdParty, forgedWallet, 1e8, m.Body)
			n := s.send(-1, payerWallet, payeeWallet, 5e7, internalTransfer(1, 1000, payer, plain))
			s.send(n, payeeWallet, payee, 1, notification(1, 1000, payer, plain))
		}, nil},
		{"the order is not in the trace", func(s *traceBuilder) {
			n := s.send(-1, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, payeeWallet, payee, 1, notification(queryID, 1000, payer, payload))
		}, []outcome{{Success, ByComment, 1000, 0, "", false}}},
		{"minted for the transfer", func(s *traceBuilder) {
			n := s.send(-1, account(9), payeeWallet, 5e7, cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).MustStoreUInt(1, 64).
				MustStoreCoins(1000).MustStoreUInt(0, 2).MustStoreUInt(0, 2).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(payload).EndCell())
			s.send(n, payeeWallet, payee, 1, notification(1, 1000, payer, payload))
		}, []outcome{{Success, ByComment, 1000, 0, "", false}}},
		{"an order by comment aborts", func(s *traceBuilder) {
			s.send(-1, payer, payerWallet, 1e8, order(1, 1000, payee, payload), aborted(706), sentBack)
		}, []outcome{{Failed, ByComment, 1000, 706, "Not enough Jettons", false}}},
		{"an order by query id and sender aborts", func(s *traceBuilder) {
			s.send(-1, payer, payerWallet, 1e8, order(queryID, 1000, payee, plain), aborted(706), sentBack)
		}, []outcome{{Failed, ByQuery, 1000, 706, "Not enough Jettons", false}}},
		{"the wallet leaves the order out", func(s *traceBuilder) {
			request := cell.BeginCell().MustStoreSlice(make([]byte, ed25519.SignatureSize), 512).MustStoreUInt(3, 8).
				MustStoreRef(relaxed(payerWallet, m.Body, false)).EndCell()
			s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: request.ToBOC()}, payer, nil)
		}, []outcome{{Failed, ByBody, 1000, 37, "Not enough balance", false}}},
		{"the wallet is requested to send the order to the recipient", func(s *traceBuilder) {
			request := cell.BeginCell().MustStoreSlice(make([]byte, ed25519.SignatureSize), 512).MustStoreUInt(3, 8).
				MustStoreRef(relaxed(payee, m.Body, false)).EndCell()
			s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: request.ToBOC()}, payer, nil)
		}, nil},
		{"no notification was ordered", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, order(queryID, 1000, payee, payload))
			s.send(o, payerWallet, payeeWallet, 5e7, quiet(queryID, 1000, payer, payload))
		}, []outcome{{Success, ByComment, 1000, 0, "", false}}},
		{"the balance of a governed wallet is too low", func(s *traceBuilder) { s.send(-1, payer, payerWallet, 1e8, m.Body, aborted(47), sentBack) },
			[]outcome{{Failed, ByBody, 1000, 47, "Not enough Jettons", false}}},
		{"the recipient's wallet lacks gas in its actions", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payeeWallet, 5, internalTransfer(queryID, 1000, payer, payload), actionFailed(37), sentBack)
		}, []outcome{{Failed, ByBody, 1000, 37, "Not enough TON", false}}},
		{"paid twice", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1000, payer, payload)
			o = s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1000, payer, payload)
		}, []outcome{good(1000), good(1000)}},
		{"failed, then paid", func(s *traceBuilder) {
			s.send(-1, payer, payerWallet, 1e8, m.Body, aborted(706), sentBack)
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.credit(o, queryID, 1000, payer, payload)
		}, []outcome{{Failed, ByBody, 1000, 706, "Not enough Jettons", false}, good(1000)}},
		{"the sender's wallet aborts", func(s *traceBuilder) { s.send(-1, payer, payerWallet, 1e8, m.Body, aborted(706), sentBack) },
			[]outcome{{Failed, ByBody, 1000, 706, "Not enough Jettons", false}}},
		{"its actions fail", func(s *traceBuilder) { s.send(-1, payer, payerWallet, 1e8, m.Body, actionFailed(37), sentBack) },
			[]outcome{{Failed, ByBody, 1000, 37, "Not enough TON", false}}},
		{"the sender has no Jetton wallet", func(s *traceBuilder) {
			s.send(-1, payer, payerWallet, 1e8, m.Body, skipped(chain.SkipNoState), sentBack)
		},
			[]outcome{{Failed, ByBody, 1000, 36, "Invalid destination address", false}}},
		{"somebody else makes it abort", func(s *traceBuilder) { s.send(-1, thirdParty, payerWallet, 1e8, m.Body, aborted(705), sentBack) }, nil},
		{"the recipient's wallet aborts", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload), aborted(333), sentBack)
		}, []outcome{{Failed, ByBody, 1000, 333, "Wrong workchain", false}}},
		{"the recipient's wallet is out of gas", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, m.Body)
			s.send(o, payerWallet, payeeWallet, 5, internalTransfer(queryID, 1000, payer, payload), skipped(chain.SkipNoGas))
		}, []outcome{{Failed, ByBody, 1000, -14, "Out of gas", false}}},
		{"forged: wallets of another master", func(s *traceBuilder) {
			o := s.send(-1, payer, forgedWallet, 1e8, m.Body)
			n := s.send(o, forgedWallet, account(7), 5e7, internalTransfer(queryID, 1000, payer, payload))
			s.send(n, account(7), payee, 1, notification(queryID, 1000, payer, payload))
		}, nil},
		{"forged: a notification alone", func(s *traceBuilder) {
			s.send(-1, thirdParty, payee, 1, notification(queryID, 1000, payer, payload))
		}, nil},
		{"forged: a credit that the genuine wallet refuses", func(s *traceBuilder) {
			s.send(-1, thirdParty, payeeWallet, 5e7, internalTransfer(queryID, 1000, payer, payload), aborted(707), sentBack)
		}, nil},
		{"another sender, by comment", func(s *traceBuilder) {
			o := s.send(-1, thirdParty, account(8), 1e8, order(1, 1000, payee, payload))
			s.credit(o, 1, 1000, thirdParty, payload)
		}, []outcome{{Success, ByComment, 1000, 0, "", true}}},
		{"by invoice", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, order(1, 1000, payee, invoice(t, tr.Reference)))
			s.credit(o, 1, 1000, payer, invoice(t, tr.Reference))
		}, []outcome{{Success, ByInvoice, 1000, 0, "", false}}},
		{"by query id and sender", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, order(queryID, 1000, payee, plain))
			s.credit(o, queryID, 1000, payer, plain)
		}, []outcome{{Success, ByQuery, 1000, 0, "", false}}},
		{"the query id of another sender", func(s *traceBuilder) {
			o := s.send(-1, thirdParty, account(8), 1e8, order(queryID, 1000, payee, plain))
			s.credit(o, queryID, 1000, thirdParty, plain)
		}, nil},
		{"to somebody else's wallet", func(s *traceBuilder) {
			o := s.send(-1, payer, payerWallet, 1e8, order(1, 1000, thirdParty, payload))
			s.send(o, payerWallet, account(8), 5e7, internalTransfer(1, 1000, payer, payload))
		}, nil},
		{"coins instead of Jettons", func(s *traceBuilder) { s.send(-1, payer, payee, 1000, payload) }, nil},
		{"a credit that cannot be read", func(s *traceBuilder) {
			s.send(-1, payerWallet, payeeWallet, 1, cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).EndCell())
		}, nil},
	} {
		s := newTrace(t)
		c.build(s)
		s.expect(c.name, []*Transfer{tr}, c.want...)
	}
}

// A transfer of coins is neither paid nor made to fail by Jettons, whoever puts its reference into their payloads.
func TestRecognise_JettonsDoNotPayCoins(t *testing.T) {
	t.Parallel()
	tr, _ := registered(t)
	payload := text(tr.Reference)
	s := newTrace(t)
	o := s.send(-1, payer, payerWallet, 1e8, order(1, 1000, payee, payload))
	s.credit(o, 1, 1000, payer, payload)
	s.expect("credited", []*Transfer{tr})
	s = newTrace(t)
	s.send(-1, payer, payerWallet, 1e8, order(1, 1000, payee, payload), aborted(706))
	s.expect("aborted", []*Transfer{tr})
}

// A message from outside has no sender and no value, whatever its body says.
func TestRecognise_MessageFromOutsideIsNoPayment(t *testing.T) {
	t.Parallel()
	tr, m := registered(t)
	s := newTrace(t)
	s.send(-1, payer, payee, 1000, m.Body)
	in := s.trace.Transactions[0].In
	in.Kind, in.Source, in.Value, in.Bounced = chain.ExternalIn, nil, nil, nil
	require.Empty(t, NewRegister([]*Transfer{tr}).Recognise(&s.trace))
}

// Anyone can send the beginning of a message that would pay, from inside the chain and from outside.
func TestRecognise_MessagesThatAreCutShortPayNothing(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton)
	payload := text(tr.Reference)
	for name, c := range map[string]struct {
		to   chain.Address
		body *cell.Cell
	}{
		"order":        {payerWallet, m.Body},
		"credit":       {payeeWallet, internalTransfer(tr.QueryID, 1000, payer, payload)},
		"notification": {payee, notification(tr.QueryID, 1000, payer, payload)},
		"invoice":      {payee, invoice(t, tr.Reference)},
	} {
		for bits := uint(32); bits < c.body.BitsSize(); bits += 8 {
			body := cell.BeginCell().MustStoreSlice(c.body.MustBeginParse().MustLoadSlice(bits), bits).EndCell()
			s := newTrace(t)
			s.send(-1, payer, c.to, 1e8, body, aborted(9), sentBack)
			s.expect(name, []*Transfer{tr})
			require.Empty(t, NewRegister([]*Transfer{tr}).Recognise(&s.trace), "%s of %d bits", name, bits)
		}
		s := newTrace(t)
		s.send(-1, payer, c.to, 1000, c.body)
		in := s.trace.Transactions[0].In
		in.Kind, in.Source, in.Value, in.Bounced = chain.ExternalIn, nil, nil, nil
		s.expect(name+" from outside", []*Transfer{tr})
		require.Empty(t, NewRegister([]*Transfer{tr}).Recognise(&s.trace), name)
		require.Empty(t, FindRefunds(&s.trace, []*Record{{Transfer: *tr, Status: Success, TxHash: &chain.Hash{1}, TxLT: 50}}, nil), name)
	}
}

// A failed payment names the transaction that failed, and a payment the one that received it.
func TestRecognise_DecidingTransaction(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton)
	payload := text(tr.Reference)
	s := newTrace(t)
	o := s.send(-1, payer, payerWallet, 1e8, m.Body)
	s.send(o, payerWallet, payeeWallet, 5e7, internalTransfer(tr.QueryID, 1000, payer, payload), aborted(333), sentBack)
	o = s.send(-1, payer, payerWallet, 1e8, m.Body)
	n := s.credit(o, tr.QueryID, 1000, payer, payload)
	got := NewRegister([]*Transfer{tr}).Recognise(&s.trace)
	require.Len(t, got, 2)
	for i, at := range []int{1, n} {
		tx := &s.trace.Transactions[at]
		require.Equal(t, []any{tx.Hash, tx.LT, tx.Now}, []any{got[i].TxHash, got[i].LT, got[i].Now})
	}
	i := got[0].Info(false)
	require.Equal(t, []any{Failed, int32(333), "Wrong workchain"}, []any{i.Status, i.ErrorCode, i.ErrorMessage})
	i = got[1].Info(false)
	require.Equal(t, []any{Success, int32(0), ""}, []any{i.Status, i.ErrorCode, i.ErrorMessage})

	nameless, body := registered(t, ofJetton, func(tr *Transfer) { tr.Asset.Ticker = "" })
	s = newTrace(t)
	o = s.send(-1, payer, payerWallet, 1e8, body.Body)
	s.credit(o, nameless.QueryID, 999, payer, text(nameless.Reference))
	got = NewRegister([]*Transfer{nameless}).Recognise(&s.trace)
	require.Equal(t, "Not enough Jettons", got[0].Message)
}

// Transactions without an in-message, those of the elector for example, neither pay nor send what pays.
func TestRecognise_TransactionWithoutMessageIsPassedOver(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton)
	s := newTrace(t)
	tick := s.add(nil, payerWallet, nil)
	n := s.send(tick, payerWallet, payeeWallet, 5e7, internalTransfer(1, 1000, payer, text(tr.Reference)))
	s.send(n, payeeWallet, payee, 1, notification(1, 1000, payer, text(tr.Reference)))
	s.expect("sent by a tick", []*Transfer{tr}, outcome{Success, ByComment, 1000, 0, "", false})
	require.NotNil(t, m)
}

// Traces list transactions in the order of messages; outcomes are in the order of their deciding transactions.
func TestRecognise_OutcomesAreOrderedByLT(t *testing.T) {
	t.Parallel()
	tr, m := registered(t)
	s := newTrace(t)
	s.send(-1, payer, payee, 1000, m.Body)
	s.send(-1, payer, payee, 2000, m.Body)
	first, second := &s.trace.Transactions[0], &s.trace.Transactions[1]
	*first, *second = *second, *first
	s.expect("reversed", []*Transfer{tr}, outcome{Success, ByBody, 1000, 0, "", false}, outcome{Success, ByBody, 2000, 0, "", false})
}

// The comment is what the payer wrote; other bodies have none.
func TestRecognise_CommentOfThePayer(t *testing.T) {
	t.Parallel()
	coins, _ := registered(t)
	jettons, _ := registered(t, ofJetton)
	for _, c := range []struct {
		name string
		body func(reference string) *cell.Cell
		want func(reference string) string
	}{
		{"a text", func(r string) *cell.Cell { return text("for you " + r) }, func(r string) string { return "for you " + r }},
		{"an invoice", func(r string) *cell.Cell { return invoice(t, r) }, func(string) string { return "" }},
	} {
		s := newTrace(t)
		s.send(-1, payer, payee, 1000, c.body(coins.Reference))
		o := s.send(-1, payer, payerWallet, 1e8, order(1, 1000, payee, c.body(jettons.Reference)))
		s.credit(o, 1, 1000, payer, c.body(jettons.Reference))
		found := NewRegister([]*Transfer{coins, jettons}).Recognise(&s.trace)
		require.Len(t, found, 2, c.name)
		require.Equal(t, c.want(coins.Reference), found[0].Comment, c.name)
		require.Equal(t, c.want(jettons.Reference), found[1].Comment, c.name)
	}
	require.Empty(t, comment(text("\xff binary")), "a comment whose first byte is 0xff is binary")
	require.Empty(t, comment(cell.BeginCell().MustStoreUInt(0, 31).EndCell()))
	require.Len(t, comment(text(strings.Repeat("x", longestShown-1)+"é")), longestShown-1, "a character is never cut")
}

// A query id that the merchant chose may repeat, so it identifies no transfer.
func TestRecognise_QueryIDOfTheMerchantProvesNothing(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, ofJetton, func(tr *Transfer) { tr.QueryID = 5 })
	s := newTrace(t)
	o := s.send(-1, payer, payerWallet, 1e8, order(5, 1000, payee, text("x")))
	s.credit(o, 5, 1000, payer, text("x"))
	s.expect("chosen", []*Transfer{tr})
	s.send(-1, payer, payerWallet, 1e8, m.Body, aborted(706))
	s.expect("matched by its body", []*Transfer{tr}, outcome{Failed, ByBody, 1000, 706, "Not enough Jettons", false})
}

func relaxed(to chain.Address, body *cell.Cell, inPlace bool) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0b0100, 4).MustStoreUInt(0, 2).MustStoreAddr(wire(to)).MustStoreCoins(1000).
		MustStoreBoolBit(false).MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 64).MustStoreUInt(0, 32).MustStoreBoolBit(false)
	if inPlace {
		return b.MustStoreBoolBit(false).MustStoreBuilder(body.ToBuilder()).EndCell()
	}
	return b.MustStoreBoolBit(true).MustStoreRef(body).EndCell()
}

// The wallet received the request and did not send the message: silently with mode +2, otherwise with an error code.
func TestRecognise_UnsentRequestFails(t *testing.T) {
	t.Parallel()
	tr, m := registered(t, func(tr *Transfer) { tr.CommentToRecipient = "" })
	for _, inPlace := range []bool{true, false} {
		request := cell.BeginCell().MustStoreSlice(make([]byte, ed25519.SignatureSize), 512).MustStoreUInt(1, 96).MustStoreUInt(3, 8).
			MustStoreRef(relaxed(payee, m.Body, inPlace)).EndCell()
		for _, c := range []struct {
			name   string
			wallet chain.Address
			edits  []edit
			want   []outcome
		}{
			{"skipped", payer, nil, []outcome{{Failed, ByBody, 1000, 37, "Not enough balance", false}}},
			{"action list", payer, []edit{actionFailed(34)}, []outcome{{Failed, ByBody, 1000, 34, "Action not supported", false}}},
			{"exit code", payer, []edit{aborted(4)}, []outcome{{Failed, ByBody, 1000, 4, "Integer overflow", false}}},
			{"no action phase", payer, []edit{func(tx *chain.TraceTransaction) { tx.Description.Action = nil }},
				[]outcome{{Failed, ByBody, 1000, 37, "Not enough balance", false}}},
			{"another wallet", thirdParty, nil, nil},
		} {
			s := newTrace(t)
			s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &c.wallet, Body: request.ToBOC()}, c.wallet, c.edits)
			s.expect(c.name, []*Transfer{tr}, c.want...)
		}
		s := newTrace(t)
		i := s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: request.ToBOC()}, payer, nil)
		s.send(i, payer, payee, 1000, m.Body)
		s.expect("granted", []*Transfer{tr}, outcome{Success, ByBody, 1000, 0, "", false})
	}
}

// Highload wallets send their messages through a message to themselves; each of the two steps may skip messages
// silently.
func TestRecognise_HighloadWalletMaySkipMessages(t *testing.T) {
	t.Parallel()
	a, ma := registered(t)
	b, mb := registered(t)
	both := []*Transfer{a, b}
	pack := cell.BeginCell().MustStoreUInt(0xae42e5a4, 32).MustStoreUInt(7, 64).MustStoreRef(actions(
		relaxed(payee, ma.Body, false), relaxed(payee, mb.Body, false))).EndCell()
	request := cell.BeginCell().MustStoreSlice(make([]byte, ed25519.SignatureSize), 512).MustStoreRef(
		cell.BeginCell().MustStoreUInt(1, 32).MustStoreRef(relaxed(payer, pack, false)).MustStoreUInt(3, 8).EndCell()).EndCell()
	good := outcome{Success, ByBody, 1000, 0, "", false}
	skipped := outcome{Failed, ByBody, 1000, 37, "Not enough balance", false}
	for _, c := range []struct {
		name  string
		build func(s *traceBuilder, first int)
		want  []outcome
	}{
		{"the message to itself is left out", func(*traceBuilder, int) {}, []outcome{skipped, skipped}},
		{"both are sent", func(s *traceBuilder, first int) {
			i := s.send(first, payer, payer, 1e8, pack)
			s.send(i, payer, payee, 1000, ma.Body)
			s.send(i, payer, payee, 1000, mb.Body)
		}, []outcome{good, good}},
		{"one is left out", func(s *traceBuilder, first int) {
			i := s.send(first, payer, payer, 1e8, pack)
			s.send(i, payer, payee, 1000, mb.Body)
		}, []outcome{skipped, good}},
		{"the second step fails", func(s *traceBuilder, first int) { s.send(first, payer, payer, 1e8, pack, aborted(-14)) },
			[]outcome{{Failed, ByBody, 1000, -14, "Out of gas", false}, {Failed, ByBody, 1000, -14, "Out of gas", false}}},
		{"its actions fail", func(s *traceBuilder, first int) { s.send(first, payer, payer, 1e8, pack, actionFailed(33)) },
			[]outcome{{Failed, ByBody, 1000, 33, "Action list too long", false}, {Failed, ByBody, 1000, 33, "Action list too long", false}}},
	} {
		s := newTrace(t)
		c.build(s, s.add(&chain.Message{Kind: chain.ExternalIn, Destination: &payer, Body: request.ToBOC()}, payer, nil))
		s.expect(c.name, both, c.want...)
	}
}

// A relayed request counts only if the wallet executed it, so that third parties cannot make a transfer fail.
func TestRecognise_RelayedRequestCountsWhenExecuted(t *testing.T) {
	t.Parallel()
	tr, m := registered(t)
	request := cell.BeginCell().MustStoreUInt(0x73696e74, 32).MustStoreRef(actions(relaxed(payee, m.Body, false))).EndCell()
	s := newTrace(t)
	s.send(-1, thirdParty, payer, 1e8, request)
	s.expect("not executed", []*Transfer{tr})
	s = newTrace(t)
	s.send(-1, thirdParty, payer, 1e8, request, func(tx *chain.TraceTransaction) { tx.Description.Action.SkippedActions = 1 })
	s.expect("executed, the message skipped", []*Transfer{tr}, outcome{Failed, ByBody, 1000, 37, "Not enough balance", false})
}

// actions makes the list of output actions of a wallet.
func actions(messages ...*cell.Cell) *cell.Cell {
	list := cell.BeginCell().EndCell()
	for _, m := range messages {
		list = cell.BeginCell().MustStoreRef(list).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).MustStoreRef(m).EndCell()
	}
	return list
}

func TestReference_IsFoundInAComment(t *testing.T) {
	t.Parallel()
	for range 100 {
		r := NewReference()
		require.Regexp(t, `^[A-Za-z0-9_-]+$`, r)
		require.Equal(t, r, referenceIn("x\n"+r))
	}
	r := NewReference()
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, r, "a random UUID")
	for _, comment := range []string{r, " " + r + " ", "Order 7\n" + r + "\n", strings.ToUpper(r)} {
		require.Equal(t, r, referenceIn(comment), comment)
	}
	for _, comment := range []string{"", "x" + r, r + "x", r + " x", "(" + r + ")"} {
		require.Empty(t, referenceIn(comment), comment)
	}
	require.NoError(t, CheckComment("c", strings.Repeat("x", MaxComment)))
	require.ErrorContains(t, CheckComment("c", strings.Repeat("x", MaxComment+1)), "at most 500")
	require.Error(t, CheckComment("c", "\xff"))
	require.Error(t, CheckComment("c", "a\x00b"))
	require.NoError(t, CheckComment("c", "Заказ"))
}

func TestOutcomeInfo_NamesTheSenderOnTheChain(t *testing.T) {
	t.Parallel()
	tr, _ := registered(t)
	tr.SenderText, tr.RecipientText, tr.AssetText = "the sender", "the recipient", "TON"
	f := Outcome{Transfer: tr, Status: Success, By: ByComment, Amount: big.NewInt(15e8), Now: 1, Comment: "from the chain"}
	i := f.Info(true)
	require.Equal(t, "1.5", i.Amount)
	require.Equal(t, "the sender", i.SenderAddr)
	require.Equal(t, "from the chain", i.CommentToRecipient)
	f.OtherSender, f.Sender, f.By = true, thirdParty, ByBody
	i = f.Info(true)
	require.Equal(t, thirdParty.Friendly(false, true), i.SenderAddr)
	require.Equal(t, "Order 7", i.CommentToRecipient)
	f.By, f.Comment = ByComment, tr.Reference
	require.Equal(t, tr.Reference, f.Info(true).CommentToRecipient, "of a registered sender, who chose it")
	f.By, f.Comment = ByInvoice, ""
	require.Equal(t, "Order 7", f.Info(true).CommentToRecipient, "the registered comment, where the payment has none")
	require.Equal(t, time.Unix(1, 0).UTC(), i.Date)
	f.Transfer = &Transfer{Asset: NativeAsset(), Amount: big.NewInt(1000), Recipient: payee}
	require.NoError(t, PrepareOpen(f.Transfer))
	f.By, f.Comment = ByComment, f.Transfer.Reference
	require.Empty(t, f.Info(true).CommentToRecipient, "the reference of a transfer from anybody is no comment")
	f.Comment = "thanks " + f.Transfer.Reference
	require.Equal(t, f.Comment, f.Info(true).CommentToRecipient)
}
