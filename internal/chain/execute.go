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
	Values   json.RawMessage // the same for people
	McSeqno  uint32          // the masterchain block it ran as of
}

// StackInput is an argument of a get-method as text.
type StackInput struct {
	Type  string // num, cell, slice, address, tuple, list, null
	Value *string
	Items []*StackInput
}

// GetMethod is a get-method of a contract. Name and Arguments are nil when no published standard has it.
type GetMethod struct {
	ID        int32
	Name      *string
	Arguments []*MethodArgument
}

// MethodArgument is an argument of a get-method.
type MethodArgument struct {
	Name string
	Type string
}

// CodeSource is a record of the registry of verified sources about a code.
type CodeSource struct {
	Verifier string
	Item     Address // of the contract with the record
	URI      string  // untrusted
}

// SourceFiles are the files that a record of the registry names, as IPFS gateways returned them. All texts are untrusted.
type SourceFiles struct {
	Compiler        string // func, tolk, tact or fift; empty when the list names none
	CompilerVersion string // empty when the list names none
	CommandLine     string // of the compiler; empty when the list names none
	Files           []*SourceFile
	Error           *string // why there are no files; nil otherwise
}

// SourceFile is a file of the sources of a contract.
type SourceFile struct {
	Name       string // relative path with slashes, without parent folders
	Content    string
	Entrypoint bool // the list marks it as the file to start from
	InCommand  bool // the list marks it as an argument of the compiler, in the order of the list
}

// Disassembly is the code of a contract as text.
type Disassembly struct {
	CodeHash         Hash
	LibraryHash      *Hash // of the library that contains the code; nil when the account contains it
	Text             string
	InstructionCount int32
	Complete         bool
	McSeqno          uint32
}
