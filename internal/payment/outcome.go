package payment

import (
	"math/big"
	"strconv"

	"tonql/internal/chain"
)

// Match is the kind of key by which a message matched, strongest first.
type Match uint8

// The matches. The numbers are on disk: never renumber.
const (
	NoMatch   Match = iota
	ByBody          // the hash of the generated body
	ByInvoice       // the id of an invoice payload
	ByComment       // a text comment that is or ends with the reference
	ByQuery         // the generated query id and the sender
)

// String returns the name of the key.
func (m Match) String() string {
	return [...]string{"", "body hash", "invoice", "comment", "query id"}[min(m, ByQuery)]
}

// Outcome is the result of a trace for a registered transfer.
type Outcome struct {
	Transfer *Transfer
	Status   Status // Success or Failed
	By       Match
	// OtherSender reports that Sender is not the registered sender.
	OtherSender bool
	Sender      chain.Address
	Amount      *big.Int // received, or requested where nothing was received
	Received    *big.Int // amount that the recipient received, which may be below the registered amount or 0
	// Deducted is what the sender's wallet took from the value that it was requested to send: its fees, in the modes of sending
	// that pay them so. Nil for none.
	Deducted *big.Int

	TraceID chain.Hash
	TxHash  chain.Hash // of the deciding transaction
	LT      uint64
	Now     uint32

	Code    int32 // exit or result code of a failure
	Message string
	// Comment is the comment of a payment that did not match by its body.
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
	if f.By != ByBody && f.Comment != "" && (!f.Transfer.IsOpen() || f.Comment != f.Transfer.Reference) {
		i.CommentToRecipient = f.Comment
	}
	i.ErrorCode, i.ErrorMessage = f.Code, f.Message
	return i
}

// tooLittle marks a payment below the registered amount as failed.
func (f *Outcome) tooLittle() {
	f.Status, f.Code = Failed, notEnough
	ticker := f.Transfer.Asset.Ticker
	if ticker == "" {
		ticker = "Jettons"
	}
	f.Message = "Not enough " + clean(ticker)
}

// failed marks the outcome as failed by a transaction.
func (f *Outcome) failed(tx *chain.TraceTransaction, fallback int32) {
	f.Status, f.Code, f.Received = Failed, codeOf(tx, fallback), new(big.Int)
	f.Message = messageOf(f.Code, f.Transfer.Wallets != nil)
	f.TxHash, f.LT, f.Now = tx.Hash, tx.LT, tx.Now
}

// codeOf returns the exit code of a failed compute phase, else the result code of the action phase, else fallback.
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

// String returns a text for logs.
func (f *Outcome) String() string {
	s := string(f.Status) + " " + f.Transfer.Reference + " by " + f.By.String()
	if f.Status == Failed {
		s += ", code " + strconv.Itoa(int(f.Code))
	}
	return s
}
