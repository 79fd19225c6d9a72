package chain

// TraceContent is a complete trace as the classifier sees it: its transactions by LT, then account, the root first.
type TraceContent struct {
	Trace

	Transactions []TraceTransaction
}

// TraceTransaction is a transaction of a trace with its messages. It shares them with others: read only.
type TraceTransaction struct {
	*Transaction

	In  *Message   // nil for a tick or tock
	Out []*Message // by creation LT
}

// MaxTraceURI is how many characters of the uri of an item the classifier uses.
const MaxTraceURI = 1000

// TraceRecord is what the index knows of an account as of the end of a trace. Nil and empty fields: nothing. Records have at least the
// fields that the classifier uses.
type TraceRecord struct {
	JettonWallet  *JettonWallet
	NFTItem       *NFTItem // its content may be the first MaxTraceURI characters of the uri alone
	NFTSale       *NFTSale
	MultisigOrder *MultisigOrder
	CodeHash      *Hash
	Data          BOC    // its first cell and some of those below it; only for traces that need it; nil also when the index does not have it
	McSeqno       uint32 // of the newest block that changed the contract; 0 for none
}

// TraceRecords are the records that a trace needs, by account.
type TraceRecords map[Address]*TraceRecord

// TraceClassifier finds the actions of complete traces. It does no I/O; the result depends on the arguments alone.
type TraceClassifier interface {
	// Version changes when the same trace may be classified otherwise than before.
	Version() int16
	// Read takes a trace apart.
	Read(t *TraceContent) TraceReading
}

// RecordRounds is how often a [TraceReading] lists accounts: those of the trace, what their records name, and what the records of
// these name.
const RecordRounds = 3

// TraceReading is a trace on its way to actions.
type TraceReading interface {
	// Accounts lists the accounts whose records are needed. It is called [RecordRounds] times: without records, and with those of the
	// accounts that it listed, for what only these name.
	Accounts(records TraceRecords) []Address
	// NeedsData reports whether records must have the data of their accounts.
	NeedsData() bool
	// Classify gives the actions of the trace.
	Classify(records TraceRecords) ([]Action, error)
}
