package v3

import (
	"encoding/json"
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/resolvers"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

// golden compares a printed value with testdata/name.json, which is indented.
func golden(t *testing.T, name string, printed []byte) {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(printed, &value), "not JSON: %s", printed)
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	path := filepath.Join("testdata", name+".json")
	if *update {
		require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(printed))
}

func hash(n byte) chain.Hash { return chain.Hash{0: n, 31: n} }

func account(n byte) chain.Address { return chain.Address{Workchain: 0, ID: hash(n)} }

// bocOf is a bag of one empty cell, without CRC.
var emptyCell = chain.BOC{0xb5, 0xee, 0x9c, 0x72, 0x01, 0x01, 0x01, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00}

func internalMessage() *chain.Message {
	return &chain.Message{
		Key: chain.MessageKey{Account: account(1), LT: 101}, Hash: hash(10), Kind: chain.InternalMessage,
		Source: new(account(1)), Destination: new(account(2)), Value: new(chain.Coins(1_000_000_000)),
		ValueExtra: chain.ExtraCurrencies{7: big.NewInt(5), 3: new(big.Int).Lsh(big.NewInt(1), 100)},
		FwdFee:     new(chain.Coins(400_000)), IHRFee: new(chain.Coins(0)), CreatedLT: new(uint64(101)),
		CreatedAt: new(uint32(1_700_000_000)), IHRDisabled: new(true), Bounce: new(true), Bounced: new(false),
		ExtraFlags: big.NewInt(3), Opcode: new(uint32(0x0f8a7ea5)), BodyHash: hash(11), Body: emptyCell,
		InitHash: new(hash(12)), Init: emptyCell,
		SentBy: &chain.TransactionRef{LT: 100, Hash: hash(20)}, ReceivedBy: &chain.TransactionRef{LT: 110, Hash: hash(21)},
	}
}

func externalIn() *chain.Message {
	return &chain.Message{
		Key: chain.MessageKey{Account: account(2), LT: 110}, Hash: hash(13), HashNorm: new(hash(14)), Kind: chain.ExternalIn,
		Destination: new(account(2)), ImportFee: big.NewInt(0), BodyHash: hash(15), Body: emptyCell,
		ReceivedBy: &chain.TransactionRef{LT: 110, Hash: hash(21)},
	}
}

func externalOut() *chain.Message {
	return &chain.Message{
		Key: chain.MessageKey{Account: account(2), LT: 111}, Hash: hash(16), Kind: chain.ExternalOut, Source: new(account(2)),
		CreatedLT: new(uint64(111)), CreatedAt: new(uint32(1_700_000_001)), Opcode: new(uint32(1)), BodyHash: hash(15),
		Body: emptyCell, SentBy: &chain.TransactionRef{LT: 110, Hash: hash(21)},
	}
}

// transaction returns a transaction of the given kind with the phases of that kind.
func transaction(kind chain.TransactionKind) *chain.FullTransaction {
	t := &chain.FullTransaction{Transaction: chain.Transaction{
		Account: account(2), LT: 110, Hash: hash(21), PrevHash: hash(22), PrevLT: 90, Now: 1_700_000_000,
		OrigStatus: chain.Active, EndStatus: chain.Active, TotalFees: 123_456, StateHashBefore: hash(30), StateHashAfter: hash(31),
		Block:   chain.BlockID{Workchain: 0, Shard: 0x2000000000000000, Seqno: 77},
		McSeqno: 99, Verification: chain.Replayed,
	}}
	t.StateBefore.Hash, t.StateAfter.Hash = hash(30), hash(31)
	t.StateAfter = chain.AccountState{
		Account: account(2), LT: 110, TxHash: hash(21), Hash: hash(31), Status: chain.Active, Balance: 5_000_000_000,
		CodeHash: new(hash(40)), DataHash: new(hash(41)), Extra: chain.ExtraCurrencies{3: big.NewInt(9)},
	}
	d := &t.Description
	d.Kind = kind
	storage := &chain.StoragePhase{FeesCollected: 12, FeesDue: new(chain.Coins(3))}
	compute := &chain.ComputePhase{
		Success: true, MsgStateUsed: true, GasFees: 400_000, GasUsed: 1000, GasLimit: 1_000_000, GasCredit: new(uint64(10_000)),
		Mode: 0, ExitCode: -14, ExitArg: new(int32(5)), VMSteps: 44,
	}
	action := &chain.ActionPhase{
		Success: true, Valid: true, TotalFwdFees: new(chain.Coins(800)), TotalFees: new(chain.Coins(300)), ResultArg: new(int32(-1)),
		TotalActions: 2, SpecActions: 1, MsgsCreated: 1, ActionListHash: hash(50), MsgSize: chain.MessageSize{Cells: 3, Bits: 900},
	}
	split := &chain.SplitInfo{CurShardPfxLen: 2, AccSplitDepth: 3, ThisAddr: hash(60), SiblingAddr: hash(61)}
	switch kind {
	case chain.Ordinary:
		d.CreditFirst, d.Aborted = true, true
		d.Storage, d.Compute, d.Action = storage, compute, action
		d.Credit = &chain.CreditPhase{DueFeesCollected: new(chain.Coins(1)), Credit: 1_000_000_000, CreditExtra: chain.ExtraCurrencies{3: big.NewInt(1)}}
		d.Bounce = &chain.BouncePhase{Kind: chain.BounceOK, MsgSize: chain.MessageSize{Cells: 1, Bits: 2}, MsgFees: 4, FwdFees: 5}
		t.InMessage, t.OutMessages = internalMessage(), []chain.Message{*externalOut()}
		t.TraceID, t.TraceExternalHash = new(hash(70)), new(hash(71))
	case chain.Storage:
		d.Storage = &chain.StoragePhase{FeesCollected: 9, StatusChange: chain.StatusFrozen}
		t.EndStatus = chain.Frozen
	case chain.TickTock:
		d.IsTock, d.Storage = true, storage
		d.Compute = &chain.ComputePhase{Skipped: true, Reason: chain.SkipNoGas}
	case chain.SplitPrepare:
		d.Split, d.Storage, d.Compute, d.Action = split, storage, compute, action
	case chain.SplitInstall, chain.MergeInstall:
		d.Split, d.Installed, d.Storage = split, true, storage
	case chain.MergePrepare:
		d.Split, d.Storage = split, storage
	}
	return t
}

func TestPrintTransactions_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	for kind := chain.Ordinary; kind <= chain.MergeInstall; kind++ {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			golden(t, "transaction_"+kind.String(), appendTransaction(nil, transaction(kind)))
		})
	}
	t.Run("first transaction of an account", func(t *testing.T) {
		t.Parallel()
		tx := transaction(chain.Ordinary)
		tx.OrigStatus, tx.InMessage, tx.OutMessages = chain.Nonexist, externalIn(), nil
		tx.Description = chain.TransactionDescription{Bounce: &chain.BouncePhase{Kind: chain.BounceNoFunds, ReqFwdFees: 8}}
		golden(t, "transaction_first", appendTransaction(nil, tx))
	})
}

func TestPrintMessages_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	golden(t, "message_internal", appendMessage(nil, internalMessage(), chain.Both))
	golden(t, "message_internal_in", appendMessage(nil, internalMessage(), chain.In))
	golden(t, "message_internal_out", appendMessage(nil, internalMessage(), chain.Out))
	golden(t, "message_external_in", appendMessage(nil, externalIn(), chain.Both))
	golden(t, "message_external_out", appendMessage(nil, externalOut(), chain.Both))
}

func block() *chain.Block {
	return &chain.Block{
		BlockIDExt: chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: 0, Shard: 0x8000000000000000, Seqno: 77},
			RootHash: hash(1), FileHash: hash(2),
		},
		McSeqno: 99, GlobalID: -239, Version: 12, GenUtime: 1_700_000_000, StartLT: 1000, EndLT: 1010,
		ValidatorListHashShort: 4_000_000_000, GenCatchainSeqno: 3, MinRefMcSeqno: 90, PrevKeyBlockSeqno: 1,
		MasterRefSeqno: new(uint32(98)), RandSeed: hash(3), CreatedBy: hash(4), TxCount: 5, AfterMerge: true,
		PrevBlocks: []chain.BlockID{{Workchain: 0, Shard: 0x4000000000000000, Seqno: 76}, {Workchain: 0, Shard: 0xC000000000000000, Seqno: 75}},
	}
}

func TestPrintBlock_EqualsItsGoldenFile(t *testing.T) {
	t.Parallel()
	golden(t, "block", appendBlock(nil, block()))
	master := block()
	master.BlockID = chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: 99}
	master.MasterRefSeqno, master.PrevBlocks = nil, nil
	golden(t, "block_master", appendBlock(nil, master))
}

func TestPrintShard_EqualsString(t *testing.T) {
	t.Parallel()
	for _, s := range []chain.Shard{chain.FullShard, 0x2000000000000000, 0x0800000000000000, 1, 0x10, 0xABCDEF8000000000} {
		require.Equal(t, s.String(), string(appendShard(nil, s)))
	}
}

func TestPrintAccounts_EqualTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	state := chain.AccountState{
		Account: account(2), LT: 110, TxHash: hash(21), Hash: hash(31), Status: chain.Active, Balance: 5_000_000_000,
		CodeHash: new(hash(40)), DataHash: new(hash(41)), CodeBOC: emptyCell, DataBOC: emptyCell,
		Methods: []int32{78748, 85143}, Interfaces: []string{"wallet_v4r2"},
	}
	golden(t, "account", appendAccount(nil, &state, false))
	golden(t, "account_untouched", appendAccount(nil, &chain.AccountState{Account: account(3), Hash: hash(32)}, false))
	golden(t, "account_suspended", appendAccount(nil, &chain.AccountState{Account: account(3), Hash: hash(32), Status: chain.Uninit}, true))
	golden(t, "wallet", appendWallet(nil, &walletRow{
		suspendable: suspendable{AccountState: &state},
		wallet:      &resolvers.Wallet{Type: "wallet v5 r1", Seqno: 5, ID: new(uint32(2147483409)), SignatureAllowed: new(true)},
	}))
	golden(t, "wallet_not", appendWallet(nil, &walletRow{suspendable: suspendable{AccountState: &state}}))
	golden(t, "wallet_suspended", appendWallet(nil, &walletRow{
		suspendable: suspendable{AccountState: &chain.AccountState{Account: account(3), Hash: hash(32), Status: chain.Uninit}, suspended: true},
	}))
}

// Addresses of contracts are bounceable, those of wallets and unknown accounts are not. Testnet addresses have their
// flag.
func TestPrintAddressBookRow_ContractsAreBounceable(t *testing.T) {
	t.Parallel()
	contract := chain.AddressBookRow{Address: account(2), Known: true, CodeHash: new(hash(40)), Interfaces: []string{"jetton_wallet"}, Domain: new("a.ton")}
	wallet := chain.AddressBookRow{Address: account(2), Known: true, CodeHash: new(hash(41)), Wallet: true}
	unusedAddress := chain.AddressBookRow{Address: account(2)}
	for _, c := range []struct {
		row      chain.AddressBookRow
		testOnly bool
		prefix   string
	}{
		{contract, false, "EQ"}, {contract, true, "kQ"}, {wallet, false, "UQ"}, {wallet, true, "0Q"}, {unusedAddress, false, "UQ"},
	} {
		var printed struct {
			UserFriendly string `json:"user_friendly"`
			Interfaces   []string
			Domain       *string
		}
		require.NoError(t, json.Unmarshal(appendAddressBookRow(nil, &c.row, c.testOnly), &printed))
		require.Equal(t, c.prefix, printed.UserFriendly[:2])
		require.NotNil(t, printed.Interfaces)
		require.Equal(t, c.row.Domain, printed.Domain)
	}
}

// Bodies are printed with a CRC and code without, however they are stored.
func TestPrintBOC_AddsAndRemovesTheCRC(t *testing.T) {
	t.Parallel()
	with := append(chain.BOC(nil), emptyCell...)
	printed := appendBOC(nil, with, true)
	require.Equal(t, `"te6cckEBAQEAAgAAAEysuc0="`, string(printed)) // the well-known empty cell
	require.Equal(t, `"te6ccgEBAQEAAgAAAA=="`, string(appendBOC(nil, with, false)))
	require.Equal(t, "null", string(appendBOC(nil, nil, true)))
	require.Equal(t, `"AQI="`, string(appendBOC(nil, chain.BOC{1, 2}, true))) // not a bag of cells: unchanged
}

// Adding and removing a CRC restores the bag, for every length modulo a base64 group.
func TestPrintBOC_EveryLengthRoundTrips(t *testing.T) {
	t.Parallel()
	for n := range 7 {
		bag := append(append(chain.BOC(nil), emptyCell...), make([]byte, n)...)
		var with []byte
		require.NoError(t, json.Unmarshal(appendBOC(nil, bag, true), &with))
		require.Len(t, with, len(bag)+crcSize)
		var without []byte
		require.NoError(t, json.Unmarshal(appendBOC(nil, with, false), &without))
		require.Equal(t, []byte(bag), without)
	}
}

// BenchmarkAppendTransactions prints ten transactions with a message on each side.
func BenchmarkAppendTransactions(b *testing.B) {
	tx := transaction(chain.Ordinary)
	tx.OutMessages = append(tx.OutMessages, *internalMessage())
	tx.InMessage.ValueExtra, tx.OutMessages[1].ValueExtra = nil, nil
	tx.StateAfter.Extra, tx.Description.Credit.CreditExtra = nil, nil
	buf := make([]byte, 0, 128<<10)
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for range 10 {
			buf = appendTransaction(buf, tx)
		}
	}
	b.SetBytes(int64(len(buf)))
}
