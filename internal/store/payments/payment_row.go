package payments

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

// paymentColumns are what [scanPayment] reads, in its order.
const paymentColumns = `p.reference, p.merchant_id, p.master, p.ticker, p.decimals, p.amount, p.sender, p.recipient, p.sender_wallet,
	p.recipient_wallet, p.query_id, p.body_hash, p.sender_text, p.recipient_text, p.asset_text, p.comment_to_sender,
	p.comment_to_recipient, p.created_at, p.expires_at, p.status, p.matched, p.paid, p.paid_by, p.paid_comment, p.trace_id,
	p.tx_hash, p.tx_lt, p.tx_now, p.error_code, p.error_message, p.received, p.deducted,
	(SELECT sum(s.paid) FROM payment_surplus s WHERE s.reference = p.reference)`

// statuses of payments and types of events as they are on disk.
var paymentStatuses = [...]payment.Status{payment.Pending, payment.Success, payment.Failed, payment.Refunded}

func statusNumber(s payment.Status) int16 {
	for i, recognized := range paymentStatuses {
		if s == recognized {
			return int16(i)
		}
	}
	return 0
}

func statusOf(n int16) payment.Status {
	if n < 0 || int(n) >= len(paymentStatuses) {
		return payment.Pending
	}
	return paymentStatuses[n]
}

func scanPayment(r *sqlbuild.Row, p *payment.Record) {
	p.Reference, p.Merchant = r.Text(), r.Int8()
	p.Asset.Master = r.SetAddress(new(chain.Address))
	p.Asset.Ticker, p.Asset.Decimals = r.Text(), int(r.Int2())
	p.Amount, p.Sender, p.Recipient = r.Numeric(), r.Address(), r.Address()
	from, to := r.SetAddress(new(chain.Address)), r.SetAddress(new(chain.Address))
	if from != nil && to != nil {
		p.Wallets = &payment.Wallets{Sender: *from, Recipient: *to}
	}
	p.QueryID, p.BodyHash = uint64(r.Int8()), r.Hash()
	p.SenderText, p.RecipientText, p.AssetText = r.Text(), r.Text(), r.Text()
	p.CommentToSender, p.CommentToRecipient = r.Text(), r.Text()
	p.CreatedAt, p.ExpiresAt = r.Time(), r.Time()
	p.Status, p.By = statusOf(r.Int2()), payment.Match(r.Int2())
	p.Paid = r.Numeric()
	p.PaidBy, p.Comment = r.SetAddress(new(chain.Address)), r.Text()
	p.TraceID, p.TxHash = r.SetHash(new(chain.Hash)), r.SetHash(new(chain.Hash))
	p.TxLT, p.TxNow = uint64(r.Int8OrZero()), uint32(r.Int8OrZero())
	p.Code, p.Message = r.Int4(), r.Text()
	p.Received, p.Deducted, p.Further = r.Numeric(), r.Numeric(), r.Numeric()
}

// readPayments runs a query of [paymentColumns].
func readPayments(rows pgx.Rows) ([]payment.Record, error) {
	return sqlbuild.ReadAll(rows, 8, scanPayment)
}
