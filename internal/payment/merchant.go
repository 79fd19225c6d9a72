package payment

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
	"time"

	"tonql/internal/chain"
)

// Merchant receives payments on one network.
type Merchant struct {
	ID        int64
	Name      string
	Network   string   // devnet, testnet or mainnet
	Wallet    string   // default recipient as registered; empty for none
	Assets    []string // that may be requested: TON, or masters in raw form; empty for all
	HasLogin  bool     // a password is set
	CreatedAt time.Time
}

// Accepts reports whether the merchant accepts payments in an asset.
func (m *Merchant) Accepts(a Asset) bool {
	if len(m.Assets) == 0 {
		return true
	}
	name := Native
	if a.Master != nil {
		name = a.Master.String()
	}
	return slices.Contains(m.Assets, name)
}

// ParseAssetName converts TON or the address of a Jetton master to the form of [Merchant].Assets. It returns an Invalid
// error for other text.
func ParseAssetName(text string) (string, error) {
	if text == Native {
		return Native, nil
	}
	master, err := chain.ParseAddress(text)
	if err != nil {
		return "", chain.Invalidf("an asset is %s or the address of a Jetton master, not %s", Native, chain.Quote(text))
	}
	return master.String(), nil
}

// ParseWallet returns the address of a wallet that can be paid: in a workchain that exists. Errors are Invalid.
func ParseWallet(text string) (chain.Address, error) {
	a, err := chain.ParseAddress(text)
	if err == nil && a.Workchain != chain.BasechainID && a.Workchain != chain.MasterchainID {
		err = chain.Invalidf("there is no workchain %d", a.Workchain)
	}
	return a, err
}

// Key is a merchant's stored API key. A key may be public: it creates and reads transfers, nothing else.
type Key struct {
	ID        int64
	Hint      string // first characters of the key
	Label     string
	CreatedAt time.Time
	UsedAt    *time.Time // nil: never
	RevokedAt *time.Time
}

const (
	keyPrefix   = "tqpay_"
	tokenBytes  = 32
	hintLength  = len(keyPrefix) + 4
	longestName = 100
)

// NewKey returns a random API key. Only its hash and hint are stored.
func NewKey() (key string, hash chain.Hash, hint string) {
	key = keyPrefix + NewToken()
	return key, HashOf(key), key[:hintLength]
}

// NewToken returns 256 random bits as text for a URL or a cookie.
func NewToken() string {
	var b [tokenBytes]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// HashOf returns the hash by which a key or a token is stored and looked up.
func HashOf(token string) chain.Hash { return sha256.Sum256([]byte(token)) }

// CheckName refuses a name or label that cannot be stored or printed.
func CheckName(what, name string, needed bool) error {
	switch {
	case needed && strings.TrimSpace(name) == "":
		return chain.Invalidf("the %s is missing", what)
	case len(name) > longestName:
		return chain.Invalidf("the %s is longer than %d bytes", what, longestName)
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }):
		return chain.Invalidf("the %s has characters that cannot be printed", what)
	}
	return nil
}

// Record is a registered transfer with its outcome.
type Record struct {
	Transfer

	Merchant int64
	Status   Status
	By       Match
	Paid     *big.Int       // the amount in events: the received one or, if none, the requested one; nil while pending
	Received *big.Int       // amount of the deciding payment; nil while pending
	Further  *big.Int       // amount of other payments of the same transfer
	Deducted *big.Int       // fees that the sender's wallet deducted from the value; nil for none
	PaidBy   *chain.Address // nil: the registered sender
	Comment  string         // of a payment that did not match by its body
	TraceID  *chain.Hash
	TxHash   *chain.Hash
	TxLT     uint64
	TxNow    uint32
	Code     int32
	Message  string
}

// Shown is the transfer as the status route prints it. testOnly is the flag of addresses that were not registered as text.
func (r *Record) Shown(testOnly bool) Info {
	if r.Status == Pending {
		return r.Info()
	}
	f := Outcome{
		Transfer: &r.Transfer, Status: r.Status, By: r.By, Amount: r.Paid, Now: r.TxNow, Code: r.Code, Message: r.Message, Comment: r.Comment,
		TraceID: *r.TraceID, TxHash: *r.TxHash,
	}
	if r.PaidBy != nil {
		f.OtherSender, f.Sender = true, *r.PaidBy
	}
	return f.Info(testOnly)
}

// Amounts are the amounts of a registered transfer in units of its asset; empty where there is none.
type Amounts struct {
	Requested string
	Received  string // in all payments; empty while pending
	Missing   string // of what was requested
	Surplus   string // above what was requested
	Deducted  string // fees that the sender's wallet took from the value
}

// Amounts compares what was requested with what was received.
func (r *Record) Amounts() Amounts {
	show := func(n *big.Int) string { return FormatAmount(n, r.Asset.Decimals) }
	a := Amounts{Requested: show(r.Amount)}
	if r.Received == nil {
		return a
	}
	total := new(big.Int).Set(r.Received)
	if r.Further != nil {
		total.Add(total, r.Further)
	}
	a.Received = show(total)
	switch difference := new(big.Int).Sub(total, r.Amount); difference.Sign() {
	case -1:
		a.Missing = show(difference.Neg(difference))
	case 1:
		a.Surplus = show(difference)
	}
	if r.Deducted != nil {
		a.Deducted = show(r.Deducted)
	}
	return a
}

// Expired reports whether a pending transfer has expired.
func (r *Record) Expired(now time.Time) bool { return r.Status == Pending && now.After(r.ExpiresAt) }

// Surplus is a payment of a transfer besides the deciding one: below the amount, or after the transfer was paid.
type Surplus struct {
	TraceID chain.Hash
	TxHash  chain.Hash
	Paid    *big.Int
	PaidBy  chain.Address
	TxNow   uint32
}

// RefundInfo is the transfer as the event of a refund prints it.
func (r *Record) RefundInfo(f *Refund, testOnly bool) Info {
	i := r.Shown(testOnly)
	i.Amount, i.RawAmount = FormatAmount(f.Amount, r.Asset.Decimals), f.Amount
	i.TxHash, i.TraceID, i.Date = &f.TxHash, &f.TraceID, at(f.Now)
	return i
}

// LogLine is an entry of the log of a merchant.
type LogLine struct {
	At     time.Time
	What   string
	Member string // who did it; empty for the merchant's own account, the operator, or an earlier version
}
