package dashboard

import (
	"cmp"
	"encoding/csv"
	"html/template"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/rest/handler"
	"tonql/rest/qr"
)

const (
	perPage   = 50
	perExport = 500
	maxLines  = 100_000 // of an export
	chartDays = 30
)

// bar is one day of the chart, in units of the SVG.
type bar struct {
	payments.Day

	X, Success, SuccessY, Failed, FailedY, Pending, PendingY int
}

const (
	chartHeight = 80
	barWidth    = 20
)

// busiest returns the highest number of payments of a day.
func busiest(days []payments.Day) (most int) {
	for _, day := range days {
		most = max(most, day.Success+day.Failed+day.Pending)
	}
	return most
}

// bars scales days to the height of the chart: success below, then failed, then pending.
func bars(days []payments.Day) []bar {
	most := max(1, busiest(days))
	list := make([]bar, len(days))
	for i, day := range days {
		b := bar{Day: day, X: i * barWidth}
		b.Success, b.Failed, b.Pending = day.Success*chartHeight/most, day.Failed*chartHeight/most, day.Pending*chartHeight/most
		b.SuccessY = chartHeight - b.Success
		b.FailedY = b.SuccessY - b.Failed
		b.PendingY = b.FailedY - b.Pending
		list[i] = b
	}
	return list
}

// expired is the status that is shown for pending transfers after their expiry.
const expired = "expired"

// filterOf returns the filter of the form above the list.
func (d *dashboard) filterOf(q url.Values, merchant int64) payments.Filter {
	f := payments.Filter{
		Merchant: merchant, Text: strings.TrimSpace(q.Get("q")), From: day(q.Get("from")), To: dayAfter(q.Get("to")),
		Before: q.Get("before"), Limit: perPage,
	}
	switch s := payment.Status(q.Get("status")); s {
	case payment.Pending, expired:
		f.Status, f.Now, f.Expired = payment.Pending, d.Now(), s == expired
	case payment.Success, payment.Failed:
		f.Status = s
	case payment.Refunded: // no status of a payment
	}
	return f
}

func (d *dashboard) payments(w http.ResponseWriter, r *http.Request, s *session) error {
	q := r.URL.Query()
	f := d.filterOf(q, s.merchant.ID)
	list, err := d.Payments.List(r.Context(), f)
	if err != nil {
		return err
	}
	references := make([]string, len(list))
	for i := range list {
		references[i] = list[i].Reference
	}
	refunded, err := d.Payments.Refunded(r.Context(), references)
	if err != nil {
		return err
	}
	days, err := d.Payments.PaymentDays(r.Context(), s.merchant.ID, chartDays)
	if err != nil {
		return err
	}
	warnings, err := d.warnings(r, s)
	if err != nil {
		return err
	}
	more := ""
	q.Del("before")
	export := Prefix + "/payments.csv?" + q.Encode()
	if len(list) == perPage {
		q.Set("before", list[len(list)-1].Reference)
		more = Prefix + "/payments?" + q.Encode()
	}
	d.show(w, r, http.StatusOK, "payments", s, view{Title: "Payments", Section: "payments", Live: true, Warnings: warnings, Data: struct {
		List                                 []payment.Record
		Bars                                 []bar
		First, Last                          string // days of the chart
		Most                                 int
		Status, Text, From, To, More, Export string
		Refunded                             map[string]*big.Int
		Filtered                             bool // not all payments were selected
	}{
		list, bars(days), days[0].Date, days[len(days)-1].Date, busiest(days), q.Get("status"), f.Text, q.Get("from"), q.Get("to"), more, export, refunded,
		f.Text != "" || f.Status != "" || !f.From.IsZero() || !f.To.IsZero() || f.Before != "",
	}})
	return nil
}

func (d *dashboard) payment(w http.ResponseWriter, r *http.Request, s *session) error {
	record, err := d.ownPayment(r, s)
	if err != nil {
		return err
	}
	surplus, err := d.Payments.Surplus(r.Context(), record.Reference)
	if err != nil {
		return err
	}
	endpoints, _, err := d.endpoints(r, s)
	if err != nil {
		return err
	}
	deliveries, err := d.Payments.Deliveries(r.Context(), payments.DeliveryFilter{Endpoints: numbers(endpoints), About: record.Reference, Limit: perPage})
	if err != nil {
		return err
	}
	refunds, err := d.Payments.Refunds(r.Context(), record.Reference)
	if err != nil {
		return err
	}
	refund, err := d.refundOf(record)
	if err != nil {
		return err
	}
	page, _, err := d.Payments.PageOf(r.Context(), record.Reference)
	if err != nil {
		return err
	}
	if page != "" {
		page = d.origin(r) + PayPrefix + "/" + page
	}
	d.show(w, r, http.StatusOK, "payment", s, view{Title: "Payment", Section: "payments", Live: true, Data: struct {
		Payment    *payment.Record
		Info       payment.Info
		Surplus    []payment.Surplus
		Refunds    []payment.Refund
		Refund     *refundForm // nil while nothing can be refunded
		Deliveries []payment.Delivery
		PayURL     string
	}{record, record.Shown(d.TestOnly), surplus, refunds, refund, deliveries, page}})
	return nil
}

// refundForm is what the recipient's wallet has to send to refund a payment.
type refundForm struct {
	To, Amount string
	Links      []payment.WalletLink
	QR         template.HTML
}

// refundOf returns the transfer that refunds the deciding payment, nil when nothing was received.
func (d *dashboard) refundOf(p *payment.Record) (*refundForm, error) {
	payer, paid := p.Payer()
	if !paid || p.Received == nil || p.Received.Sign() == 0 {
		return nil, nil //nolint:nilnil // nothing can be refunded
	}
	f := &refundForm{
		To: payer.Friendly(false, d.TestOnly), Amount: payment.FormatAmount(p.Received, p.Asset.Decimals),
		Links: payment.WalletLinks(p.Asset, p.Received, payer, p.Reference, d.TestOnly),
	}
	var err error
	f.QR, err = qr.SVG(f.Links[0].URL, "QR code of the refund, for the wallet that received the payment")
	return f, err
}

func (d *dashboard) ownPayment(r *http.Request, s *session) (*payment.Record, error) {
	record, err := d.Payments.Payment(r.Context(), r.PathValue("reference"))
	if err == nil && record.Merchant != s.merchant.ID {
		return nil, notYours("payment")
	}
	return record, err
}

// paymentsCSV exports the list as CSV, page by page.
func (d *dashboard) paymentsCSV(w http.ResponseWriter, r *http.Request, s *session) error {
	f := d.filterOf(r.URL.Query(), s.merchant.ID)
	f.Before, f.Limit = "", perExport
	list, err := d.Payments.List(r.Context(), f)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="payments.csv"`)
	out := csv.NewWriter(w)
	_ = out.Write([]string{"reference", "status", "amount", "asset", "ticker", "sender", "recipient", "comment", "registered", "decided", "tx_hash", "trace_id", "error_code", "error_message",
		"requested", "received", "missing", "surplus"})
	for lines := 0; len(list) > 0; {
		s.free() // a client may receive slowly
		for i := range list {
			_ = out.Write(d.line(&list[i])) // the error is sticky and checked below
		}
		out.Flush()
		if out.Error() != nil || len(list) < perExport {
			break
		}
		if lines += len(list); lines >= cmp.Or(d.ExportLines, maxLines) {
			_ = out.Write([]string{"There may be further payments. Export a shorter period."})
			break
		}
		f.Before = list[len(list)-1].Reference
		if err := d.occupy(r.Context(), s); err != nil {
			return aborted(r, err)
		}
		if list, err = d.Payments.List(r.Context(), f); err != nil {
			return aborted(r, err)
		}
	}
	s.free()
	out.Flush()
	return nil
}

// aborted ends a response that has started without its end, so that the client does not take it for complete.
func aborted(r *http.Request, err error) error {
	handler.RecordOf(r.Context()).Err = err
	panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler cuts a response
}

func (d *dashboard) line(p *payment.Record) []string {
	i := p.Shown(d.TestOnly)
	decided, tx, trace, code := "", "", "", ""
	if p.Status != payment.Pending {
		decided, tx, trace = i.Date.Format(time.RFC3339), i.TxHash.Hex(), i.TraceID.Hex()
	}
	if p.Status == payment.Failed {
		code = strconv.Itoa(int(p.Code))
	}
	a := p.Amounts()
	return []string{
		i.Reference, string(i.Status), i.Amount, i.Asset, cell(i.AssetTicker), i.SenderAddr, i.RecipientAddr, cell(i.CommentToRecipient),
		p.CreatedAt.UTC().Format(time.RFC3339), decided, tx, trace, code, i.ErrorMessage,
		a.Requested, a.Received, a.Missing, a.Surplus,
	}
}

// cell prefixes untrusted text that spreadsheets would interpret as a formula.
func cell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}
