package chain

// Contract is what was found out about an account from its state after one of its transactions: what its code offers,
// and the records of the standards it genuinely follows. A nil record means that the account is none of that kind.
type Contract struct {
	Account    Address
	LT         uint64 // of the transaction that made the state
	McSeqno    uint32 // that committed it
	CodeHash   Hash
	Interfaces []string // ascending
	Methods    []int32  // ids of its get-methods, ascending; nil when the code could not be analysed

	JettonMaster  *JettonMaster
	JettonWallet  *JettonWallet
	NFTCollection *NFTCollection
	NFTItem       *NFTItem
	NFTSale       *NFTSale
	DNS           *DNSRecord
	Multisig      *Multisig
	MultisigOrder *MultisigOrder
	Vesting       *Vesting
	NominatorPool *NominatorPool

	// Partial is set in the result of a redetection that lacks what depends on accounts which could not be read. It does not replace an earlier
	// result about the same state. It is not stored.
	Partial bool
}
