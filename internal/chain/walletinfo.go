package chain

// WalletInfo is what a wallet's data says. A field is nil when this kind of wallet has no such thing.
type WalletInfo struct {
	Name               string // interface name: wallet_v4r2, wallet_highload_v3r1 …
	Type               string // v3's wallet_type; empty for kinds v3 does not print as wallets
	Seqno              *uint32
	WalletID           *uint32 // the subwallet id; of v5 the id that is signed
	IsSignatureAllowed *bool
	PublicKey          *Hash // 256 bits of an Ed25519 key
}
