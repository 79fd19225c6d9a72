package chain

import (
	"encoding/json"
	"regexp"
	"slices"
)

// Action is what a trace, or a part of it, did for its users.
type Action struct {
	TraceID Hash
	ID      Hash // derived from the message it starts with and its internal type; unique within the trace
	Type    string
	Success bool

	StartLT    uint64
	EndLT      uint64
	StartUtime uint32
	EndUtime   uint32
	McSeqnoEnd uint32 // of its own transactions

	TxHashes []Hash    // ascending
	Accounts []Address // that take part, ascending

	ParentID  *Hash    // the action it is a part of
	Ancestors []string // internal types of all actions above it, ascending
	Opcode    *uint32

	// Details is the JSON object of what this type has for itself, as v3 prints it.
	Details json.RawMessage

	// Of the trace.
	TraceEndLT            uint64
	TraceEndUtime         uint32
	TraceMcSeqnoEnd       uint32
	TraceExternalHash     *Hash
	TraceExternalHashNorm *Hash
	Finality              Finality
}

// ActionKey names an action.
type ActionKey struct {
	TraceID Hash
	ID      Hash
}

// Key is the action's natural key.
func (a *Action) Key() ActionKey { return ActionKey{TraceID: a.TraceID, ID: a.ID} }

// ActionFilter selects actions; nil and empty fields do not restrict, all others combine with AND. Ranges are inclusive
// and on the end of the trace.
type ActionFilter struct {
	Account    *Address // takes part
	TxHashes   []Hash   // the action covers one of them
	MsgHashes  []Hash   // plain or normalised; the action covers a transaction that sent or received one of them
	IDs        []Hash
	TraceIDs   []Hash
	McSeqno    *uint32 // of the block that committed the last transaction of the trace
	StartUtime *uint32
	EndUtime   *uint32
	StartLT    *uint64
	EndLT      *uint64

	Types        []string // keep only these, whatever Supported says of them
	ExcludeTypes []string
	// Supported are the types the client understands, expanded (see [ExpandActionTypes]); nil is the latest set. An
	// action of another type is hidden, and so is one below an action of a supported type.
	Supported []string
}

// EveryType returns a copy of f that selects actions of every type, also those that are parts of others.
func (f ActionFilter) EveryType() ActionFilter {
	f.Types, f.Supported = everyActionType(), []string{}
	return f
}

// Shows reports whether a client that understands the types sees the action.
func (a *Action) Shows(supported []string) bool {
	return slices.Contains(supported, a.Type) &&
		!slices.ContainsFunc(a.Ancestors, func(above string) bool { return slices.Contains(supported, above) })
}

var actionTypeName = regexp.MustCompile(`^[A-Za-z0-9_.]*$`)

// Validate refuses names of types that cannot be ones.
func (f *ActionFilter) Validate() error {
	for _, list := range []struct {
		name  string
		types []string
	}{{"action_type", f.Types}, {"exclude_action_type", f.ExcludeTypes}} {
		for _, t := range list.types {
			if !actionTypeName.MatchString(t) {
				return Invalidf("%s contains invalid characters", list.name)
			}
		}
	}
	return nil
}

// ByHash reports whether the filter names actions, or the traces they are in, by hashes.
func (f *ActionFilter) ByHash() bool {
	return len(f.IDs) > 0 || len(f.TraceIDs) > 0 || len(f.TxHashes) > 0 || len(f.MsgHashes) > 0
}

// Cursor is the action's position in the list of actions.
func (a *Action) Cursor() Cursor {
	return Cursor{ListKind: ActionList, Major: a.TraceEndLT, Minor: string(a.TraceID[:]) + string(a.ID[:])}
}
