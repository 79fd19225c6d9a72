package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"time"
)

// TokenKind is the kind of contract an entry of metadata describes.
type TokenKind uint8

// The kinds. Only the masters, collections and items have content of their own; a Jetton wallet's entry is derived.
const (
	TokenJettonMaster TokenKind = iota + 1
	TokenJettonWallet
	TokenNFTCollection
	TokenNFTItem
)

// String is v3's name of the kind.
func (k TokenKind) String() string {
	switch k {
	case TokenJettonMaster:
		return "jetton_masters"
	case TokenJettonWallet:
		return "jetton_wallets"
	case TokenNFTCollection:
		return "nft_collections"
	case TokenNFTItem:
		return "nft_items"
	default:
		return ""
	}
}

// Metadata is what a token's content leads to: the attributes on the chain over those of the document its uri names
// (TEP-64). All of it is untrusted: it is bounded valid text and must never be used as markup.
type Metadata struct {
	Address Address
	Kind    TokenKind
	Indexed bool // false until the content was followed for the first time; the rest is then empty, or of an emulated contract what it says on the chain
	Valid   bool // false when the content could not be followed; the fields are then what the chain alone says, if that

	Name        string
	Symbol      string
	Description string
	Image       string   // http, https or ipfs address, or a data address of an image; empty otherwise
	Images      Images   // addresses of the image as this server makes it
	NFTIndex    *big.Int // items only; known from the item, not from its content
	NSFW        *bool    // set by overrides only; nil when nobody judged
	Scam        *bool    // as NSFW

	// Extra has the remaining attributes as JSON values: string, bool, json.Number, nil, []any and map[string]any.
	Extra map[string]any

	FetchedAt time.Time // of the last try; zero before the first
	Reason    string    // one word for what failed last, empty when nothing did
	Error     string    // the sentence to Reason
}

// Images are the addresses of a token's image in three sizes on this server; empty when it makes none.
type Images struct{ Small, Medium, Big string }

// MetadataJob requests the off-chain metadata of a token.
type MetadataJob struct {
	Address Address
	Kind    TokenKind
	Content Content
	Tries   int // that failed since the content last changed or was followed
}

// MetadataResult ends one try of a job. It belongs to the job's Content: when a newer state has other content, the
// result is out of date and dropped, and the newer content is due at once.
type MetadataResult struct {
	Job MetadataJob

	// Metadata is what was found. It is nil when the job was only put off: then NextTry alone is of use, and what
	// is known of the token stays. After a failed try Valid is false; what an earlier try of the same content found
	// stays valid, beside the error.
	Metadata *Metadata

	Tries   int        // to remember: 0 after success
	NextTry *time.Time // nil: not again until the content changes
}

// ImageVersionBytes is the number of bytes that [ImageVersion] has in hexadecimal.
const ImageVersionBytes = 16

// ImageVersion identifies the address of an image: the first bytes of its SHA-256, in hexadecimal.
func ImageVersion(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:ImageVersionBytes])
}
