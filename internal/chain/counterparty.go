package chain

import "math/big"

const (
	// CountedMessages bounds the messages of an account in each direction that are counted for its counterparties.
	CountedMessages = 4000
	// MaxCounterparties bounds the counterparties of one request.
	MaxCounterparties = 100
)

// Counterparty is an account with which another one exchanged internal messages.
type Counterparty struct {
	Address       Address
	Received      int // messages that it sent to the other account
	Sent          int // messages that it received from the other account
	ReceivedValue *big.Int
	SentValue     *big.Int
}

// Counterparties are the accounts with which an account exchanged most messages.
type Counterparties struct {
	Accounts      []Counterparty
	CompleteFrom  *uint32 // all messages after it are counted; nil: all messages
	CompleteUntil *uint32 // time of the head, nil while the index is empty
}
