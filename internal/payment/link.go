package payment

import (
	"crypto/rand"
	"encoding/base64"
	"math/big"
	"net/url"
	"time"

	"tonql/internal/chain"
)

// Link is a payment link: a page on which anyone can start a payment of a fixed amount.
type Link struct {
	ID        int64
	Merchant  int64
	Page      string // random; in the URL
	Title     string // for the buyer; the comment of its payments
	Asset     Asset
	Amount    *big.Int // in the asset's smallest unit
	Recipient chain.Address
	// RecipientWallet is the recipient's Jetton wallet, as the Jetton master returned it; nil for the native coin.
	RecipientWallet          *chain.Address
	RecipientText, AssetText string
	Once                     bool // ends with its first successful payment
	CreatedAt                time.Time
	ClosedAt                 *time.Time // nil: open
	Paid                     int        // number of successful payments
}

// Ended reports whether the link starts no further payments.
func (l *Link) Ended() bool { return l.ClosedAt != nil || l.Once && l.Paid > 0 }

// pageBytes is the size of the random part of the URL of a page.
const pageBytes = 18

// NewPage returns a random id of a page, which cannot be guessed.
func NewPage() string {
	var b [pageBytes]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// IsPage reports whether a text has the form of an id of a page.
func IsPage(text string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(raw) == pageBytes
}

// Transfer returns a payment of the link that [PrepareOpen] completes.
func (l *Link) Transfer(now time.Time, lives time.Duration) *Transfer {
	t := &Transfer{
		Asset: l.Asset, Amount: l.Amount, Recipient: l.Recipient, RecipientText: l.RecipientText, AssetText: l.AssetText,
		CommentToRecipient: l.Title, CreatedAt: now, ExpiresAt: now.Add(lives),
	}
	if l.RecipientWallet != nil {
		t.Wallets = &Wallets{Recipient: *l.RecipientWallet}
	}
	return t
}

// PrepareOpen completes a transfer without a registered sender: whoever pays with a comment that has its reference is the sender. It sets
// Reference and BodyHash, of the comment that is the reference.
func PrepareOpen(t *Transfer) error {
	t.Reference, t.SenderText, t.Sender = NewReference(), "", chain.Address{}
	comment, err := commentCell(t.Reference)
	if err != nil {
		return err
	}
	t.BodyHash = chain.Hash(comment.HashKey())
	return nil
}

// IsOpen reports whether the transfer has no registered sender. Registrations by the API always have one.
func (t *Transfer) IsOpen() bool { return t.SenderText == "" }

// WalletLink is a link that opens a wallet with a transfer.
type WalletLink struct{ Name, URL string }

// WalletLinks returns links to pay an amount of an asset to a wallet with a comment: first the one that every wallet registers for, which
// is also the text of a QR code, then those of wallets that open from the web.
func WalletLinks(a Asset, amount *big.Int, to chain.Address, comment string, testOnly bool) []WalletLink {
	v := url.Values{"amount": {amount.String()}, "text": {comment}}
	if a.Master != nil {
		v.Set("jetton", a.Master.Friendly(true, testOnly))
	}
	path := "transfer/" + to.Friendly(false, testOnly) + "?" + v.Encode()
	links := []WalletLink{{"Open in a wallet", "ton://" + path}, {"Tonkeeper", "https://app.tonkeeper.com/" + path}}
	if !testOnly { // the others open mainnet wallets
		links = append(links, WalletLink{"MyTonWallet", "https://my.tt/" + path}, WalletLink{"Tonhub", "https://tonhub.com/" + path})
	}
	return links
}
