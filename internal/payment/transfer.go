package payment

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"tonql/internal/chain"
)

// Native is the text that stands for the native coin where an asset is named.
const Native = "TON"

// nativeDecimals is how many decimals the native coin has.
const nativeDecimals = 9

// MaxComment bounds a comment, in bytes. The published advice is to stay below 120 characters.
const MaxComment = 500

// Asset is what a transfer is of.
type Asset struct {
	Master   *chain.Address // of a Jetton; nil is the native coin
	Ticker   string         // for people; empty when the Jetton has none
	Decimals int
}

// NativeAsset is the native coin.
func NativeAsset() Asset { return Asset{Ticker: Native, Decimals: nativeDecimals} }

// Wallets are the Jetton wallets of a transfer's two sides, as the Jetton's master named them.
type Wallets struct{ Sender, Recipient chain.Address }

// Transfer is a registered payment: everything that was known before it was signed.
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

	KeyID     int64 // of the API key that registers it; 0 for none. It is written and not read back
	CreatedAt time.Time
	ExpiresAt time.Time // nobody waits for it any longer; it still counts when it comes
}

// Info is the transfer as pending.
func (t *Transfer) Info() Info {
	return Info{
		Amount: FormatAmount(t.Amount, t.Asset.Decimals), RawAmount: t.Amount, SenderAddr: t.SenderText,
		RecipientAddr: t.RecipientText, Asset: t.AssetText, AssetTicker: t.Asset.Ticker, Status: Pending,
		Reference: t.Reference, BodyBase64Hash: t.BodyHash,
		CommentToSender: t.CommentToSender, CommentToRecipient: t.CommentToRecipient,
	}
}

// CheckComment refuses a comment that would not fit or could not be printed.
func CheckComment(name, text string) error {
	switch {
	case len(text) > MaxComment:
		return chain.Invalidf("%s has %d bytes; at most %d", name, len(text), MaxComment)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return chain.Invalidf("%s has characters that are no text", name)
	}
	return nil
}
