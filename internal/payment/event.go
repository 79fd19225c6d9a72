package payment

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"strconv"
	"time"

	"tonql/internal/chain"
)

// TransferCompleted is the name of the event of a transfer whose on-chain processing has ended, with or without success.
const TransferCompleted = "transfer.completed"

// TransferRefunded is the name of the event of a payment that was sent back. Its transfer is the payment, with the amount, the
// transaction and the date of the refund.
const TransferRefunded = "transfer.refunded"

// Status is the status of a registered transfer.
type Status string

// The statuses. Pending is never in an event.
const (
	Pending Status = "pending"
	Success Status = "success"
	Failed  Status = "failed"
	// Refunded is the type of events about refunds, never the status of a transfer.
	Refunded Status = "refunded"
)

// EventTypes are the types of events that an endpoint can receive, as they are stored.
func EventTypes() []Status { return []Status{Success, Failed, Refunded} }

// Info is a transfer as events and the status route print it; its members are the published ones, in their order.
type Info struct {
	Amount             string
	RawAmount          *big.Int
	SenderAddr         string
	RecipientAddr      string
	Asset              string
	AssetTicker        string // omitted when empty
	Status             Status
	Reference          string
	BodyBase64Hash     chain.Hash
	TxHash             *chain.Hash // encoded as hex; empty while pending
	TraceID            *chain.Hash // as TxHash
	CommentToSender    string      // omitted when empty
	CommentToRecipient string      // omitted when empty
	Date               time.Time   // of the deciding transaction; zero while pending
	ErrorCode          int32       // of failed transfers only
	ErrorMessage       string
}

// AppendJSON appends the transfer as a JSON object without white space.
func (i *Info) AppendJSON(b []byte) []byte {
	member := func(name, value string) {
		b = append(appendString(append(appendString(b, name), ':'), value), ',')
	}
	optional := func(name, value string) {
		if value != "" {
			member(name, value)
		}
	}
	b = append(b, '{')
	member("amount", i.Amount)
	member("rawAmount", i.RawAmount.String())
	member("senderAddr", i.SenderAddr)
	member("recipientAddr", i.RecipientAddr)
	member("asset", i.Asset)
	optional("assetTicker", clean(i.AssetTicker))
	member("status", string(i.Status))
	member("reference", i.Reference)
	member("bodyBase64Hash", i.BodyBase64Hash.String())
	member("txHash", hexOf(i.TxHash))
	member("traceId", hexOf(i.TraceID))
	optional("commentToSender", clean(i.CommentToSender))
	optional("commentToRecipient", clean(i.CommentToRecipient))
	member("date", Time(i.Date))
	if i.Status == Failed {
		b = strconv.AppendInt(append(appendString(b, "errorCode"), ':'), int64(i.ErrorCode), 10)
		b = append(b, ',')
		member("errorMessage", i.ErrorMessage)
	}
	b[len(b)-1] = '}'
	return b
}

func hexOf(h *chain.Hash) string {
	if h == nil {
		return ""
	}
	return h.Hex()
}

// Time formats a time as JavaScript's toISOString; "" for the zero time.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Event returns the body of the event of a completed transfer; at is its creation time.
func Event(at time.Time, i *Info) []byte { return eventOf(TransferCompleted, at, i) }

// RefundEvent returns the body of the event of a refund.
func RefundEvent(at time.Time, i *Info) []byte { return eventOf(TransferRefunded, at, i) }

func eventOf(name string, at time.Time, i *Info) []byte {
	b := append([]byte(`{"event":"`+name+`","timestamp":`), '"')
	b = append(append(b, Time(at)...), `","data":`...)
	return append(i.AppendJSON(b), '}')
}

// EventID is the id of the event for a status of a transfer. It follows from these alone, so that whoever finds the same
// outcome again makes no second event.
func EventID(reference string, s Status) string {
	sum := sha256.Sum256([]byte(reference + " " + string(s)))
	return "evt_" + hex.EncodeToString(sum[:16])
}

// RefundEventID is the id of the event of a refund, which follows from the payment and the transaction.
func RefundEventID(reference string, tx chain.Hash) string {
	return EventID(reference, Refunded+" "+Status(tx.Hex()))
}
