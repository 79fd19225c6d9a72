package payment

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// paidRecord returns the record of a Jetton payment of 1000 that the payer made at LT 50.
func paidRecord(t *testing.T, change ...func(*Record)) *Record {
	t.Helper()
	tr, _ := registered(t, ofJetton)
	r := &Record{Transfer: *tr, Status: Success, TxHash: &chain.Hash{1}, TxLT: 50, Received: big.NewInt(1000)}
	for _, c := range change {
		c(r)
	}
	return r
}

// jettonRefund is a transfer of Jettons in a trace: the order to a Jetton wallet, the credit of another one and its notification.
type jettonRefund struct {
	from, wallet chain.Address // owner and Jetton wallet that send
	to           chain.Address // as ordered
	credited     chain.Address // Jetton wallet that receives
	amount       int64
	comment      *cell.Cell
	orders       []edit // of the transaction that receives the order
	credits      []edit // of the transaction that receives the credit
	outside      bool   // the order is in no transaction of the trace
}

// genuine is a refund of the payee's genuine Jetton wallet to the payer's.
func genuine(amount int64, comment *cell.Cell, change ...func(*jettonRefund)) jettonRefund {
	r := jettonRefund{from: payee, wallet: payeeWallet, to: payer, credited: payerWallet, amount: amount, comment: comment}
	for _, c := range change {
		c(&r)
	}
	return r
}

func (r *jettonRefund) trace(t *testing.T) *chain.TraceContent {
	t.Helper()
	s := newTrace(t)
	at := -1
	if !r.outside {
		at = s.send(-1, r.from, r.wallet, 1e8, order(7, r.amount, r.to, r.comment), r.orders...)
	}
	n := s.send(at, r.wallet, r.credited, 5e7, internalTransfer(7, r.amount, r.from, r.comment), r.credits...)
	s.send(n, r.credited, r.to, 1, notification(7, r.amount, r.from, r.comment))
	return &s.trace
}

func TestFindRefunds_Jettons(t *testing.T) {
	t.Parallel()
	record := paidRecord(t)
	named, none := text("refund of "+record.Reference), text("sorry")
	for _, c := range []struct {
		name   string
		refund jettonRefund
		record *Record
		want   int64 // 0: none is found
	}{
		{"complete, with the reference", genuine(1000, named), record, 1000},
		{"partial, with the reference", genuine(300, named), record, 300},
		{"more than was paid, with the reference", genuine(1500, named), record, 1500},
		{"exact amount without a reference", genuine(1000, none), record, 1000},
		{"another amount without a reference", genuine(999, none), record, 0},
		{"exact amount with the reference of another payment", genuine(1000, text(NewReference())), record, 0},
		{"forged Jetton wallet", genuine(1000, named, func(r *jettonRefund) { r.wallet = forgedWallet }), record, 0},
		{"forged Jetton wallet, exact amount", genuine(1000, none, func(r *jettonRefund) { r.wallet = forgedWallet }), record, 0},
		{"ordered by somebody else", genuine(1000, named, func(r *jettonRefund) { r.from = thirdParty }), record, 0},
		{"to another account", genuine(1000, named, func(r *jettonRefund) { r.to = thirdParty }), record, 0},
		{"back to the recipient", genuine(1000, named, func(r *jettonRefund) { r.to = payee }), record, 0},
		{"refused credit", genuine(1000, named, func(r *jettonRefund) { r.credits = []edit{aborted(705)} }), record, 0},
		{"account that does not exist", genuine(1000, named, func(r *jettonRefund) { r.credits = []edit{skipped(chain.SkipNoState)} }), record, 0},
		{"credit without an order", genuine(1000, named, func(r *jettonRefund) { r.outside = true }), record, 0},
		{"before the payment", genuine(1000, named), paidRecord(t, func(r *Record) { r.Transfer, r.TxLT = record.Transfer, 1000 }), 0},
		{"before the payment, exact amount", genuine(1000, none), paidRecord(t, func(r *Record) { r.TxLT = 1000 }), 0},
		{"not paid yet", genuine(1000, named), paidRecord(t, func(r *Record) { r.Transfer, r.TxHash, r.Status = record.Transfer, nil, Pending }), 0},
		{"of less than the amount, with the reference", genuine(400, named), paidRecord(t, func(r *Record) {
			r.Transfer, r.Status, r.Received = record.Transfer, Failed, big.NewInt(400)
		}), 400},
		{"of less than the amount, exactly", genuine(400, none), paidRecord(t, func(r *Record) { r.Status, r.Received = Failed, big.NewInt(400) }), 0},
		{"to the registered sender, while somebody else paid", genuine(1000, named), paidRecord(t, func(r *Record) { r.Transfer, r.PaidBy = record.Transfer, &thirdParty }), 0},
		{"to who paid", genuine(1000, named, func(r *jettonRefund) { r.to = thirdParty }), paidRecord(t, func(r *Record) { r.Transfer, r.PaidBy = record.Transfer, &thirdParty }), 1000},
		{"of a payment in coins", genuine(1000, named), paidRecord(t, func(r *Record) { r.Transfer = record.Transfer; r.Wallets, r.Asset = nil, NativeAsset() }), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			trace := c.refund.trace(t)
			found := FindRefunds(trace, []*Record{c.record}, nil)
			if c.want == 0 {
				require.Empty(t, found)
				return
			}
			credit := &trace.Transactions[1]
			require.Equal(t, []Refund{{
				Reference: c.record.Reference, Amount: big.NewInt(c.want), To: c.refund.to, TraceID: trace.ID, TxHash: credit.Hash, LT: credit.LT, Now: credit.Now,
			}}, found)
			var keys MatchKeys
			keys.Add(trace)
			require.Contains(t, keys.Pairs, Pair{payee, c.refund.to}, "the payment is read from the database")
			require.Empty(t, FindRefunds(trace, []*Record{c.record}, map[chain.Hash]string{credit.Hash: c.record.Reference}), "found once")
		})
	}
}

func TestFindRefunds_Coins(t *testing.T) {
	t.Parallel()
	tr, _ := registered(t)
	record := &Record{Transfer: *tr, Status: Success, TxHash: &chain.Hash{1}, TxLT: 50, Received: big.NewInt(1000)}
	named, empty := text("refund of "+tr.Reference), cell.BeginCell().EndCell()
	for _, c := range []struct {
		name  string
		value int64
		body  *cell.Cell
		edits []edit
		want  bool
	}{
		{"complete, with the reference", 1000, named, nil, true},
		{"partial, with the reference", 1, named, nil, true},
		{"nothing, with the reference", 0, named, nil, false},
		{"exact amount without a body", 1000, empty, nil, true},
		{"another amount without a body", 999, empty, nil, false},
		{"the payer's wallet aborts, no bounce", 1000, named, []edit{aborted(9)}, true},
		{"the payer's wallet bounces it", 1000, named, []edit{aborted(9), sentBack}, false},
		{"a message that bounced", 1000, empty, []edit{func(tx *chain.TraceTransaction) { tx.In.Bounced = new(true) }}, false},
	} {
		s := newTrace(t)
		s.add(nil, payee, nil) // a transaction without a message
		s.send(-1, payee, payer, c.value, c.body, c.edits...)
		found := FindRefunds(&s.trace, []*Record{record}, nil)
		var keys MatchKeys
		keys.Add(&s.trace)
		if !c.want {
			require.Empty(t, found, c.name)
			continue
		}
		require.Len(t, found, 1, c.name)
		require.Equal(t, tr.Reference, found[0].Reference, c.name)
		require.Equal(t, c.value, found[0].Amount.Int64(), c.name)
		require.Equal(t, []Pair{{payee, payer}}, keys.Pairs, c.name)
	}
}

// Who pays oneself has nothing to refund.
func TestFindRefunds_PaymentsToOneselfHaveNone(t *testing.T) {
	t.Parallel()
	tr, _ := registered(t, func(tr *Transfer) { tr.Sender = payee })
	record := &Record{Transfer: *tr, Status: Success, TxHash: &chain.Hash{1}, TxLT: 50, Received: big.NewInt(1000)}
	s := newTrace(t)
	s.send(-1, payee, payee, 1000, text(tr.Reference))
	require.Empty(t, FindRefunds(&s.trace, []*Record{record}, nil))
	var keys MatchKeys
	keys.Add(&s.trace)
	require.Empty(t, keys.Pairs)
}

// A wallet that credits itself by an order that names nobody, or by no order, refunds nobody.
func TestFindRefunds_CreditWithoutADestinationIsPassedOver(t *testing.T) {
	t.Parallel()
	record := paidRecord(t)
	named := text(record.Reference)
	nobody := cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).MustStoreUInt(1, 64).MustStoreCoins(1000).
		MustStoreUInt(0, 2).MustStoreUInt(0, 2).MustStoreBoolBit(false).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(named).EndCell()
	for _, by := range []*cell.Cell{
		nobody, cell.BeginCell().MustStoreUInt(jetton.OpTransfer, 32).EndCell(), cell.BeginCell().MustStoreUInt(7, 32).EndCell(), cell.BeginCell().EndCell(),
	} {
		s := newTrace(t)
		at := s.send(-1, payee, payeeWallet, 1e8, by)
		s.send(at, payeeWallet, payerWallet, 5e7, internalTransfer(1, 1000, payee, named))
		require.Empty(t, FindRefunds(&s.trace, []*Record{record}, nil))
	}
	s := newTrace(t)
	at := s.add(nil, payeeWallet, nil)
	s.send(at, payeeWallet, payerWallet, 5e7, internalTransfer(1, 1000, payee, named))
	require.Empty(t, FindRefunds(&s.trace, []*Record{record}, nil), "sent without a message")
}

// Coins with the reference refund no payment of a Jetton.
func TestFindRefunds_CoinsDoNotRefundJettons(t *testing.T) {
	t.Parallel()
	record := paidRecord(t)
	s := newTrace(t)
	s.send(-1, payee, payer, 1000, text(record.Reference))
	require.Empty(t, FindRefunds(&s.trace, []*Record{record}, nil))
	s = newTrace(t)
	s.send(-1, payee, payer, 1000, cell.BeginCell().EndCell())
	require.Empty(t, FindRefunds(&s.trace, []*Record{record}, nil))
}

// Without a reference, an exact amount refunds the newest payment, and each payment once.
func TestFindRefunds_ExactAmountsOfJettonsAreTakenOnce(t *testing.T) {
	t.Parallel()
	newer, older := paidRecord(t, func(r *Record) { r.TxLT = 60 }), paidRecord(t)
	refund := genuine(1000, text("sorry"))
	trace := refund.trace(t)
	records := []*Record{newer, older}
	require.Equal(t, newer.Reference, FindRefunds(trace, records, nil)[0].Reference)
	earlier := map[chain.Hash]string{{9}: newer.Reference}
	require.Equal(t, older.Reference, FindRefunds(trace, records, earlier)[0].Reference)
	earlier[chain.Hash{8}] = older.Reference
	require.Empty(t, FindRefunds(trace, records, earlier))
}

// A wallet sends several refunds in one transaction: each refunds one payment, and without a reference each payment once.
func TestFindRefunds_TransfersOfOneTraceRefundOnePaymentEach(t *testing.T) {
	t.Parallel()
	paid := func(lt uint64) *Record {
		tr, _ := registered(t)
		return &Record{Transfer: *tr, Status: Success, TxHash: &chain.Hash{byte(lt)}, TxLT: lt, Received: big.NewInt(1000)}
	}
	newer, older := paid(60), paid(50)
	empty := cell.BeginCell().EndCell()
	for _, c := range []struct {
		name   string
		bodies []*cell.Cell // of transfers of the received amount
		want   []*Record    // that they refund
	}{
		{"the newest payment", []*cell.Cell{empty}, []*Record{newer}},
		{"then the one before", []*cell.Cell{empty, empty}, []*Record{newer, older}},
		{"then none", []*cell.Cell{empty, empty, empty}, []*Record{newer, older}},
		{"a reference takes its payment from those without one", []*cell.Cell{text(newer.Reference), empty, empty}, []*Record{newer, older}},
		{"a reference refunds once more", []*cell.Cell{empty, text(newer.Reference), text(newer.Reference)}, []*Record{newer, newer, newer}},
	} {
		s := newTrace(t)
		var want []string
		for _, body := range c.bodies {
			s.send(-1, payee, payer, 1000, body)
		}
		for _, r := range c.want {
			want = append(want, r.Reference)
		}
		var got []string
		for _, f := range FindRefunds(&s.trace, []*Record{newer, older}, nil) {
			got = append(got, f.Reference)
		}
		require.Equal(t, want, got, c.name)
	}
}

// Jettons that a master mints come from nobody, so there is nobody to refund.
func TestFindRefunds_MintedPaymentOfALinkHasNoPayer(t *testing.T) {
	t.Parallel()
	tr := &Transfer{Asset: Asset{Master: new(account(9))}, Amount: big.NewInt(1000), Recipient: payee, Wallets: &Wallets{Recipient: payeeWallet}}
	require.NoError(t, PrepareOpen(tr))
	s := newTrace(t)
	named := text(tr.Reference)
	n := s.send(-1, account(9), payeeWallet, 5e7, cell.BeginCell().MustStoreUInt(jetton.OpInternalTransfer, 32).MustStoreUInt(1, 64).
		MustStoreCoins(1000).MustStoreUInt(0, 2).MustStoreUInt(0, 2).MustStoreCoins(1).MustStoreBoolBit(true).MustStoreRef(named).EndCell())
	s.send(n, payeeWallet, payee, 1, notification(1, 1000, payer, named))
	s.expect("minted", []*Transfer{tr}, outcome{Success, ByComment, 1000, 0, "", false})

	record := &Record{Transfer: *tr, Status: Success, TxHash: &chain.Hash{1}, TxLT: 50, Received: big.NewInt(1000)}
	_, paid := record.Payer()
	require.False(t, paid)
	refund := genuine(1000, named, func(r *jettonRefund) { r.to = tr.Sender })
	require.Empty(t, FindRefunds(refund.trace(t), []*Record{record}, nil))
}
