package chain

import "encoding/json"

// AtBlock names a masterchain block of the past; exactly one field is set.
type AtBlock struct {
	Seqno *uint32
	LT    *uint64 // the last block that began at this LT or earlier
	Utime *uint32 // the last block made at this time or earlier
}

// Validate checks that exactly one field is set, which the schema's @oneOf promises but variables can evade.
func (a AtBlock) Validate() error {
	set := 0
	for _, given := range [...]bool{a.Seqno != nil, a.LT != nil, a.Utime != nil} {
		if given {
			set++
		}
	}
	if set != 1 {
		return Invalidf("give exactly one of seqno, lt, utime")
	}
	return nil
}

// NFTOwnership is who owned an item as of a masterchain block.
type NFTOwnership struct {
	Account *Account
	Owner   *Account // nil for nobody
	McSeqno uint32
}

// NetworkConfig is the configuration as of a masterchain block; its parameters are read on request.
type NetworkConfig struct {
	McSeqno uint32
}

// ConfigParam is one parameter of the configuration.
type ConfigParam struct {
	Index int
	Value BOC
}

// Fees are the parts of what one transaction costs, in nanotons.
type Fees struct {
	InFwd   uint64 // import of the message; 0 for messages of other contracts, whose senders paid it
	Storage uint64 // rent due up to the block
	Gas     uint64
	Fwd     uint64 // of the messages it sends
}

// FeeEstimate is what the account pays, and what the accounts pay that it sends messages to, in the order of messages.
type FeeEstimate struct {
	Source       Fees
	Destinations []Fees
	Accepted     bool // false: the contract would not take the message, and pays only what it owes anyway
	ExitCode     int32
	GasUsed      int64
	McSeqno      uint32
}

// Decoded is names of opcodes and contents of bodies, in the order of the request.
type Decoded struct {
	Opcodes []string
	Bodies  []json.RawMessage
}
