package v3

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func emptyTrace() chain.Trace {
	return chain.Trace{
		ID: hash(1), ExternalHash: new(hash(2)), ExternalHashNorm: new(hash(3)), StartLT: 1 << 60, EndLT: 1<<60 + 5, StartUtime: 1_700_000_000,
		EndUtime: 1_700_000_009, McSeqnoStart: 7, McSeqnoEnd: 9, Transactions: 5000, Messages: 5001, Classification: chain.ClassificationFailed,
	}
}

func TestPrintTraces_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "trace_too_large", appendTrace(nil, &chain.FullTrace{Trace: emptyTrace(), TooLarge: true, Actions: []chain.Action{}}))

	tx := func(n byte, outs int) *chain.FullTransaction {
		full := &chain.FullTransaction{Transaction: chain.Transaction{Account: account(n), Hash: hash(n), LT: uint64(n)}}
		for range outs {
			full.OutMessages = append(full.OutMessages, *internalMessage())
		}
		return full
	}
	broken := chain.FullTrace{Trace: emptyTrace(), MissingNode: true}
	broken.State, broken.ExternalHash, broken.Finality = chain.TraceBroken, nil, chain.Pending
	broken.Tree = &chain.TraceNode{Transaction: tx(1, 2), Children: []*chain.TraceNode{{Transaction: tx(2, 1)}, {Transaction: tx(3, 0)}}}
	golden(t, "trace_node", appendTraceNode(nil, broken.Tree))
	broken.Tree = &chain.TraceNode{Transaction: tx(1, 0)}
	broken.Transactions = []chain.FullTransaction{*tx(1, 0)}
	golden(t, "trace_broken", appendTrace(nil, &broken))
}

func TestPrintActions_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	a := chain.Action{
		TraceID: hash(1), ID: hash(2), Type: "call_contract", StartLT: 1 << 60, EndLT: 1<<60 + 3, StartUtime: 1_700_000_000, EndUtime: 1_700_000_001,
		TraceEndLT: 1<<60 + 5, TraceEndUtime: 1_700_000_009, TraceMcSeqnoEnd: 9, TxHashes: []chain.Hash{hash(3), hash(4)},
		Details: json.RawMessage(`{"destination":"` + account(1).String() + `","extra_currencies":{}}`), Finality: chain.Confirmed,
		TraceExternalHash: new(hash(5)),
	}
	golden(t, "action", append(appendActionMembers(nil, &a), '}'))
	a.Type, a.Success, a.TraceExternalHash = "unknown", true, nil
	a.Details = json.RawMessage(`{"error":"unsupported action type: 'unknown'"}`)
	a.Accounts, a.Ancestors, a.Opcode, a.ParentID = []chain.Address{account(1)}, []string{"x"}, new(uint32(7)), new(hash(6))
	golden(t, "action_unsupported", append(appendActionMembers(nil, &a), '}'))
}

func TestPrintBalanceChanges_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "balance_changes", appendBalanceChanges(nil, &chain.BalanceChanges{
		Changes: map[chain.Address]chain.Amount{account(2): "-9223372036854775809", account(1): "5"},
		Fees:    map[chain.Address]chain.Amount{account(2): "7"},
		Jettons: map[chain.Address]map[chain.Address]chain.Amount{account(2): {account(4): "-1", account(3): "340282366920938463463374607431768211456"}},
	}))
	golden(t, "balance_changes_none", appendBalanceChanges(nil, &chain.BalanceChanges{}))
}

// Addresses are found in all members of details except user-written texts.
func TestNameAction_IgnoresUserTexts(t *testing.T) {
	t.Parallel()
	for details, want := range map[string]int{
		`{}`:   0,
		`null`: 0,
		`{"source":"` + account(1).String() + `","asset":null}`:                                      1,
		`{"source":"` + account(1).String() + `","asset":"` + account(1).String() + `"}`:             1,
		`{"a":{"b":[{"c":"` + account(1).String() + `"},"` + account(2).String() + `"]}}`:            2,
		`{"comment":"` + account(1).String() + `","x":"` + account(2).String() + `"}`:                1,
		`{"comment":null,"x":"` + account(2).String() + `"}`:                                         1,
		`{"comment":"a \" \\","x":"` + account(2).String() + `"}`:                                    1,
		`{"x":"-1:` + account(3).String()[2:] + `"}`:                                                 1,
		`{"x":"` + account(3).Friendly(true, false) + `","y":"0:12","z":"` + hash(3).String() + `"}`: 0,
		`{"` + account(1).String() + `":1}`:                                                          0,
		`{"x":"`:                                                                                     0,
		`{"comment":"`:                                                                               0,
		`"\`:                                                                                         0,
	} {
		var named addresses
		nameAction(&named, &chain.Action{Details: json.RawMessage(details)})
		require.Len(t, named.list, want, details)
	}
}

// FuzzNameAction_DoesNotPanic collects the addresses of arbitrary details.
func FuzzNameAction_DoesNotPanic(f *testing.F) {
	f.Add([]byte(`{"comment":"` + account(1).String() + `","x":"` + account(2).String() + `"}`))
	f.Fuzz(func(_ *testing.T, details []byte) {
		var named addresses
		nameAction(&named, &chain.Action{Details: details})
	})
}
