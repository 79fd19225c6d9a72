package payment

import (
	"math/big"
	"strconv"

	"tonql/internal/chain"
)

// Match says by what a message was recognised, the strongest first.
type Match uint8

// The matches. The numbers are on disk: never renumber.
const (
	NoMatch   Match = iota
	ByBody          // the hash of the body that was built here
	ByInvoice       // the id of an invoice payload
	ByComment       // a text comment that is or ends with the reference
	ByQuery         // the query id that was drawn here, and the sender
)

// String names what was matched.
func (m Match) String() string {
	return [...]string{"", "body hash", "invoice", "comment", "query id"}[min(m, ByQuery)]
}

// Outcome is what a trace did to a registered transfer.
type Outcome struct {
	Transfer *Transfer
	Status   Status // Success or Failed
	By       Match
	// OtherSender says that somebody else paid than was registered; Sender is who did.
	OtherSender bool
	Sender      chain.Address
	Amount      *big.Int // received, or requested where nothing was received
	Received    *big.Int // that the recipient has; also less than the registered amount, and 0
	// Deducted is what the sender's wallet took from the value that it was requested to send: its fees, in the modes of sending
	// that pay them so. Nil for none.
	Deducted *big.Int

	TraceID chain.Hash
	TxHash  chain.Hash // of the transaction that decided
	LT      uint64
	Now     uint32

	Code    int32 // of a failure
	Message string
	// Comment is the text that came with a payment that was not matched by its body.
	Comment string
}

// Info is the transfer after the outcome. testOnly is the flag of addresses that were not registered as text.
func (f *Outcome) Info(testOnly bool) Info {
	i := f.Transfer.Info()
	i.Status, i.TraceID, i.TxHash, i.Date = f.Status, &f.TraceID, &f.TxHash, at(f.Now)
	i.Amount, i.RawAmount = FormatAmount(f.Amount, f.Transfer.Asset.Decimals), f.Amount
	if f.OtherSender {
		i.SenderAddr = f.Sender.Friendly(false, testOnly)
	}
	if f.By != ByBody && f.Comment != "" {
		i.CommentToRecipient = f.Comment
	}
	i.ErrorCode, i.ErrorMessage = f.Code, f.Message
	return i
}

// tooLittle makes a failure of a payment that does not reach the registered amount.
func (f *Outcome) tooLittle() {
	f.Status, f.Code = Failed, notEnough
	ticker := f.Transfer.Asset.Ticker
	if ticker == "" {
		ticker = "Jettons"
	}
	f.Message = "Not enough " + clean(ticker)
}

// failed takes over why a transaction failed.
func (f *Outcome) failed(tx *chain.TraceTransaction, fallback int32) {
	f.Status, f.Code, f.Received = Failed, codeOf(tx, fallback), new(big.Int)
	f.Message = messageOf(f.Code, f.Transfer.Wallets != nil)
	f.TxHash, f.LT, f.Now = tx.Hash, tx.LT, tx.Now
}

// codeOf is the exit code of the compute phase if that failed, else the result code of the action phase.
func codeOf(tx *chain.TraceTransaction, fallback int32) int32 {
	d := &tx.Description
	if d.Compute != nil && !d.Compute.Skipped && !d.Compute.Success {
		return d.Compute.ExitCode
	}
	if d.Compute != nil && d.Compute.Skipped && d.Compute.Reason == chain.SkipNoGas {
		return -14
	}
	if d.Action != nil && d.Action.ResultCode != 0 {
		return d.Action.ResultCode
	}
	return fallback
}

// String is the text for logs and lists.
func (f *Outcome) String() string {
	s := string(f.Status) + " " + f.Transfer.Reference + " by " + f.By.String()
	if f.Status == Failed {
		s += ", code " + strconv.Itoa(int(f.Code))
	}
	return s
}
