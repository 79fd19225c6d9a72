package chain

// A choice is the filter of a list inside a list, without its page. Choices are comparable, so that parents with equal
// choices share a statement.

// JettonWalletChoice selects among the Jetton wallets of an owner or of a Jetton.
type JettonWalletChoice struct {
	ExcludeZero bool // keep wallets with a balance or an unclaimed mintless amount
	ByBalance   bool // order by balance in the page's direction
}

// TransferChoice selects among transfers or burns.
type TransferChoice struct {
	Of        TransferParent
	Direction TransferDirection // of an owner only
}

// TransferParent says what a parent is to its transfers.
type TransferParent uint8

// The parents.
const (
	TransfersOfOwner    TransferParent = iota // who sends and receives
	TransfersOfToken                          // the Jetton or the collection
	TransfersOfContract                       // the sending Jetton wallet, or the item
)
