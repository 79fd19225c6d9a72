package store

import (
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
)

// paymentColumns are what [scanPayment] reads, in its order.
const paymentColumns = `p.reference, p.merchant_id, p.master, p.ticker, p.decimals, p.amount, p.sender, p.recipient, p.sender_wallet,
	p.recipient_wallet, p.query_id, p.body_hash, p.sender_text, p.recipient_text, p.asset_text, p.comment_to_sender,
	p.comment_to_recipient, p.created_at, p.expires_at, p.status, p.matched, p.paid, p.paid_by, p.paid_comment, p.trace_id,
	p.tx_hash, p.tx_lt, p.tx_now, p.error_code, p.error_message, p.received, p.deducted,
	(SELECT sum(s.paid) FROM payment_surplus s WHERE s.reference = p.reference)`

// statuses of payments as they are on disk.
var paymentStatuses = [...]payment.Status{payment.Pending, payment.Success, payment.Failed}

func statusNumber(s payment.Status) int16 {
	for i, known := range paymentStatuses {
		if s == known {
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

func scanPayment(r *row, p *payment.Record) {
	p.Reference, p.Merchant = r.text(), r.int8()
	p.Asset.Master = r.setAddress(new(chain.Address))
	p.Asset.Ticker, p.Asset.Decimals = r.text(), int(r.int2())
	p.Amount, p.Sender, p.Recipient = r.numeric(), r.address(), r.address()
	from, to := r.setAddress(new(chain.Address)), r.setAddress(new(chain.Address))
	if from != nil && to != nil {
		p.Wallets = &payment.Wallets{Sender: *from, Recipient: *to}
	}
	p.QueryID, p.BodyHash = uint64(r.int8()), r.hash()
	p.SenderText, p.RecipientText, p.AssetText = r.text(), r.text(), r.text()
	p.CommentToSender, p.CommentToRecipient = r.text(), r.text()
	p.CreatedAt, p.ExpiresAt = r.time(), r.time()
	p.Status, p.By = statusOf(r.int2()), payment.Match(r.int2())
	p.Paid = r.numeric()
	p.PaidBy, p.Comment = r.setAddress(new(chain.Address)), r.text()
	p.TraceID, p.TxHash = r.setHash(new(chain.Hash)), r.setHash(new(chain.Hash))
	p.TxLT, p.TxNow = uint64(r.int8OrZero()), uint32(r.int8OrZero())
	p.Code, p.Message = r.int4(), r.text()
	p.Received, p.Deducted, p.Further = r.numeric(), r.numeric(), r.numeric()
}

// readPayments runs a query of [paymentColumns].
func readPayments(rows pgx.Rows) ([]payment.Record, error) {
	return readAll(rows, 8, scanPayment)
}
