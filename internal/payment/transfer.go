package payment

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"tonql/internal/chain"
)

// Native is the name of the native coin as an asset.
const Native = "TON"

// nativeDecimals is the number of decimals of the native coin.
const nativeDecimals = 9

// MaxComment bounds a comment, in bytes. The published recommendation is less than 120 characters.
const MaxComment = 500

// Asset is the asset of a transfer.
type Asset struct {
	Master   *chain.Address // of a Jetton; nil is the native coin
	Ticker   string         // symbol; empty when the Jetton has none
	Decimals int
}

// NativeAsset is the native coin.
func NativeAsset() Asset { return Asset{Ticker: Native, Decimals: nativeDecimals} }

// Wallets are the Jetton wallets of sender and recipient, as the Jetton master returned them.
type Wallets struct{ Sender, Recipient chain.Address }

// Transfer is a registered transfer.
type Transfer struct {
	Reference string
	Asset     Asset
	Amount    *big.Int // in the asset's smallest unit
	Sender    chain.Address
	Recipient chain.Address
	Wallets   *Wallets // nil for the native coin
	QueryID   uint64   // of a Jetton transfer
	BodyHash  chain.Hash

	// As in the registration; events repeat these texts unchanged.
	SenderText, RecipientText, AssetText string

	CommentToSender, CommentToRecipient string

	KeyID     int64 // id of the API key that registered it; 0 for none. Reads do not set it
	CreatedAt time.Time
	ExpiresAt time.Time // end of pending; later payments still count
}

// Info returns the transfer with status pending.
func (t *Transfer) Info() Info {
	return Info{
		Amount: FormatAmount(t.Amount, t.Asset.Decimals), RawAmount: t.Amount, SenderAddr: t.SenderText,
		RecipientAddr: t.RecipientText, Asset: t.AssetText, AssetTicker: t.Asset.Ticker, Status: Pending,
		Reference: t.Reference, BodyBase64Hash: t.BodyHash,
		CommentToSender: t.CommentToSender, CommentToRecipient: t.CommentToRecipient,
	}
}

// CheckComment returns an Invalid error for a comment that is too long or not valid text.
func CheckComment(name, text string) error {
	switch {
	case len(text) > MaxComment:
		return chain.Invalidf("%s has %d bytes; at most %d", name, len(text), MaxComment)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return chain.Invalidf("%s has characters that are no text", name)
	}
	return nil
}
