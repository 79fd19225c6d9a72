package rest_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/contract/contracttest"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// conditions are instructions that leave 0 or 1: by chance, which differs in each block, by the time, by the own balance.
var conditions = []string{"f81072a908", "f82372a908", "f8276f1072a908"}

// fickle are the get-methods of [agreeable], which deny and throw now and then.
func fickle(condition string) map[string]*cell.Cell {
	const orOwnAddress = "01f828e304" // or the own address
	methods := map[string]*cell.Cell{
		"get_wallet_address":       contracttest.Asm(condition + orOwnAddress),
		"get_nft_address_by_index": contracttest.Asm(numberToAddress + condition + orOwnAddress),
		"get_nft_content":          contracttest.Asm("31"),
		"get_order_address":        contracttest.Asm(numberToAddress + condition + orOwnAddress),
	}
	for _, name := range []string{"get_jetton_data", "get_collection_data"} {
		throws := contracttest.Asm(condition + "f2aa").ToBuilder() // THROWIFNOT
		methods[name] = throws.MustStoreBuilder(agreeable()[name].ToBuilder()).EndCell()
	}
	return methods
}

// setsCode is a receiver that takes the code in the reference of a message.
const setsCode = "20d74add" + "d430fb04" // DUP; SREFS; IFNOTRET; LDREF; DROP; SETCODE

// changing are the codes of a contract that is another one after each message.
func changing(sponsor chain.Address) []*cell.Cell {
	a, content := contracttest.Address("somebody"), contracts.OffchainContent("x")
	wallet := map[string]*cell.Cell{"get_wallet_data": contracttest.MethodReturning(0, 7, ownAddress, sponsor, contracttest.Asm(""))}
	item := map[string]*cell.Cell{"get_nft_data": contracttest.MethodReturning(0, -1, ownNumber, sponsor, a, content)}
	foreign := map[string]*cell.Cell{"get_nft_data": contracttest.MethodReturning(0, -1, 5, sponsor, a, content)} // its collection denies it
	alone := map[string]*cell.Cell{"get_nft_data": contracttest.MethodReturning(0, -1, ownNumber, nil, a, content)}
	both := maps.Clone(wallet)
	maps.Copy(both, item)
	codes := make([]*cell.Cell, 0, 8)
	for _, methods := range []map[string]*cell.Cell{{}, wallet, item, foreign, both, {}, agreeable(), alone} {
		methods = maps.Clone(methods)
		methods[contracttest.Receiver] = contracttest.Asm(setsCode)
		codes = append(codes, contracttest.Code(methods))
	}
	return codes
}

// Contracts that confirm and deny others by chance, time and balance, and contracts with another code after each message, are what they were at
// the block of their newest transaction, in whatever order blocks are indexed. Nothing of what they were before remains.
func TestHostileContracts_ThatChangeInEachBlockLeaveNoRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startHostile(t)
	honest := contractOf(agreeable())
	list := []contracts.Contract{honest}
	for _, condition := range conditions {
		sponsor := contractOf(fickle(condition))
		a, content := chainAddress(sponsor.Address), contracts.OffchainContent("x")
		list = append(list, sponsor,
			contractOf(map[string]*cell.Cell{"get_wallet_data": contracttest.MethodReturning(0, 7, ownAddress, a, contracttest.Asm(""))}),
			contractOf(map[string]*cell.Cell{"get_nft_data": contracttest.MethodReturning(0, -1, ownNumber, a, a, content)}),
			contractOf(map[string]*cell.Cell{
				"get_order_data": contracttest.MethodReturning(0, a, ownNumber, nil, nil, nil, nil, nil, nil, nil),
			}),
		)
	}
	codes := changing(chainAddress(honest.Address))
	changer := func(i int) contracts.Contract {
		init := &tlb.StateInit{Code: codes[0], Data: cell.BeginCell().MustStoreUInt(uint64(i), 8).EndCell()}
		return contracts.Contract{Address: init.CalcAddress(0), Init: init}
	}
	first := len(list)
	for i := range codes {
		list = append(list, changer(i))
	}
	c := n.newCrowd(1000e9)
	c.deploy(list...)
	const rounds = 10
	for round := range rounds {
		var messages []*tlb.InternalMessage
		for i, k := range list {
			body := cell.BeginCell()
			if i >= first {
				body.MustStoreRef(codes[(i+round)%len(codes)])
			}
			messages = append(messages, contracts.Call(k.Address, 2e7+uint64(i*round%7), body.EndCell()))
		}
		c.send(messages...)
	}
	n.advance(4)
	want, err := n.db.Reader().Digest(n.ctx, nil)
	require.NoError(t, err)
	require.Equal(t, want, n.digestBackward())
	n.requireNoDanglingRecords()

	// Each changer is what its last code is.
	for i := range codes {
		a := url.QueryEscape(list[first+i].Address.String())
		code := (i + first + rounds - 1) % len(codes)
		for path, is := range map[string]bool{
			"jetton/wallets?address=": code == 1 || code == 4, "nft/items?address=": code == 2 || code == 4 || code == 7,
			"jetton/masters?address=": code == 6, "nft/collections?collection_address=": code == 6,
		} {
			status, text := n.do(http.MethodGet, "/api/v3/"+path+a, nil)
			require.Equal(t, http.StatusOK, status, text)
			require.Equal(t, is, len(text) > 120, "code %d: %s: %s", code, path, text)
		}
	}
	after := []int{0}
	for round := range rounds {
		after = append(after, (first+round)%len(codes))
	}
	n.requireHistory(list[first].Address, after)

	for range 2 {
		_, err = indexer.New(n.devnet.Client, n.db, indexer.Options{}).Redetect(n.ctx, nil, true, func(indexer.Redetection) {})
		require.NoError(t, err)
		n.requireNoDanglingRecords()
	}
}

// requireHistory requires that a contract was a wallet and an item at the blocks at which it had such a code. codes are the codes after
// each of its transactions.
func (n *localNetwork) requireHistory(a *address.Address, codes []int) {
	n.t.Helper()
	f := chain.TransactionFilter{Accounts: []chain.Address{chainAddress(a)}}
	txs, err := n.db.Reader().Transactions(n.ctx, f, chain.Page{Limit: 1000, Sort: chain.Ascending})
	require.NoError(n.t, err)
	require.Len(n.t, txs, len(codes))
	for i := range txs {
		text := n.graph(`query($a: Address!, $at: AtBlock!) { jettonWallet(address: $a, at: $at) { balance } nftOwner(address: $a, at: $at) { mcSeqno } }`,
			map[string]any{"a": a.String(), "at": map[string]any{"seqno": txs[i].McSeqno}})
		wallet, item := codes[i] == 1 || codes[i] == 4, codes[i] == 2 || codes[i] == 4 || codes[i] == 7
		require.Equal(n.t, wallet, strings.Contains(text, `"balance":"7"`), "block %d with code %d: %s", txs[i].McSeqno, codes[i], text)
		require.Equal(n.t, item, strings.Contains(text, `"mcSeqno":`), "block %d with code %d: %s", txs[i].McSeqno, codes[i], text)
	}
}

// requireNoDanglingRecords requires that records and metadata are those that the detections of their accounts name.
func (n *localNetwork) requireNoDanglingRecords() {
	n.t.Helper()
	db := n.db.SQLDB()
	defer func() { require.NoError(n.t, db.Close()) }()
	count := func(query string) (rows int) {
		n.t.Helper()
		require.NoError(n.t, db.QueryRowContext(n.ctx, query).Scan(&rows), query)
		return rows
	}
	for bit, table := range []string{"jetton_masters", "jetton_wallets", "nft_collections", "nft_items", "nft_sales"} {
		require.Zero(n.t, count(fmt.Sprintf(`SELECT count(*) FROM %s r FULL JOIN (SELECT * FROM contracts WHERE kinds & %d <> 0) c
			ON c.account = r.address WHERE c.account IS NULL OR r.address IS NULL OR c.lt <> r.last_tx_lt`, table, 1<<bit)), table)
	}
	for kind, table := range map[chain.TokenKind]string{
		chain.TokenJettonMaster: "jetton_masters", chain.TokenNFTCollection: "nft_collections", chain.TokenNFTItem: "nft_items",
	} {
		require.Zero(n.t, count(fmt.Sprintf(`SELECT count(*) FROM %s r FULL JOIN (SELECT * FROM metadata WHERE kind = %d) m
			ON m.address = r.address WHERE m.address IS NULL OR r.address IS NULL OR m.content::text <> r.content::text`, table, kind)), table)
	}
}
