package chain

import "encoding/json"

// SentMessage names a message that the network took. That it took it does not mean that it will be executed.
type SentMessage struct {
	Hash     Hash
	HashNorm Hash // as TEP-467 writes it: the same whatever relays made of the free fields
}

// MethodRun is how a get-method ended, its stack printed: a list of entries with a type and a value.
type MethodRun struct {
	ExitCode int32 // 0 and 1 are successes
	GasUsed  uint64
	Stack    json.RawMessage
	McSeqno  uint32 // the masterchain block it ran as of
}

// StackInput is an argument of a get-method as text.
type StackInput struct {
	Type  string // num, cell, slice
	Value string
}
