package v2_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/chaintest"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

type params = map[string]any

// systemAddress is the source of messages that the block itself sends.
const systemAddress = "Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU"

type blockID struct {
	Workchain int32
	Shard     string
	Seqno     uint32
	Root      string `json:"root_hash"`
	File      string `json:"file_hash"`
}

func (id blockID) params() params {
	return params{"workchain": id.Workchain, "shard": id.Shard, "seqno": id.Seqno}
}

func with(p params, more params) params {
	all := maps.Clone(p)
	maps.Copy(all, more)
	return all
}

func masterID(seqno uint32) blockID {
	return blockID{Workchain: -1, Shard: "-9223372036854775808", Seqno: seqno}
}

// Responses of all methods on a devnet conform to our OpenAPI document and the published one. Blocks, shards and pages agree
// with each other, and the cell of each transaction has the returned hash.
func TestDevnet_ResponsesConformAndAgree(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 1, 56)
	accounts := n.walkBlocks(t)
	require.Greater(t, len(accounts), 40)
	n.readAccounts(t, accounts)
	n.readNetwork(t)
}

// walkBlocks reads every block in every way and lists the accounts that have transactions.
func (n *network) walkBlocks(t *testing.T) map[string]bool {
	t.Helper()
	accounts, shards := map[string]bool{}, map[string]bool{}
	for seqno := uint32(1); seqno <= n.head(); seqno++ {
		var list struct{ Shards []blockID }
		n.read("getShards", params{"seqno": seqno}, &list)
		for _, id := range append(list.Shards, masterID(seqno)) {
			if id.Seqno == 0 {
				continue
			}
			shards[id.Shard] = true
			var header struct {
				ID       blockID
				StartLT  string `json:"start_lt"`
				EndLT    string `json:"end_lt"`
				GenUtime uint32 `json:"gen_utime"`
			}
			n.read("getBlockHeader", id.params(), &header)
			if id.Root != "" {
				require.Equal(t, id, header.ID)
			}
			for _, by := range []params{{"seqno": id.Seqno}, {"lt": header.StartLT}} {
				var found blockID
				n.read("lookupBlock", with(params{"workchain": id.Workchain, "shard": id.Shard}, by), &found)
				require.Equal(t, header.ID, found)
			}
			n.read("lookupBlock", params{"workchain": id.Workchain, "shard": id.Shard, "unixtime": header.GenUtime}, nil)
			var data struct {
				ID   blockID
				Data []byte
			}
			n.read("getBlock", header.ID.params(), &data)
			require.Equal(t, header.ID, data.ID)
			file := sha256.Sum256(data.Data)
			require.Equal(t, header.ID.File, base64.StdEncoding.EncodeToString(file[:]))
			n.pageThrough(t, id, accounts)
			if seqno%8 == 0 {
				n.read("getShardBlockProof", id.params(), nil)
				n.read("getShardBlockProof", with(id.params(), params{"from_seqno": seqno}), nil)
			}
		}
		if seqno%8 == 0 {
			n.read("getMasterchainBlockSignatures", params{"seqno": seqno}, nil)
		}
	}
	require.Greater(t, len(shards), 2, "the network splits")
	return accounts
}

type shortID struct{ Account, LT, Hash string }

// pageThrough reads the transactions of a block in small pages and in one page, and compares them.
func (n *network) pageThrough(t *testing.T, id blockID, accounts map[string]bool) {
	t.Helper()
	var all struct {
		Incomplete   bool
		Transactions []shortID
	}
	n.read("getBlockTransactions", with(id.params(), params{"count": 1000}), &all)
	require.False(t, all.Incomplete)
	at := params{"count": 3}
	var paged []shortID
	for {
		var page struct {
			Incomplete   bool
			Transactions []struct {
				Account string
				Data    string
				ID      struct{ LT, Hash string } `json:"transaction_id"`
			}
		}
		n.read("getBlockTransactionsExt", with(id.params(), at), &page)
		for _, tx := range page.Transactions {
			requireHash(t, tx.Data, tx.ID.Hash)
			paged = append(paged, shortID{strings.ToLower(tx.Account), tx.ID.LT, tx.ID.Hash})
			accounts[tx.Account] = true
		}
		if !page.Incomplete {
			break
		}
		last := paged[len(paged)-1]
		at = params{"count": 3, "after_lt": last.LT, "after_hash": last.Account}
	}
	require.Equal(t, all.Transactions, append([]shortID{}, paged...))
}

// requireHash checks the root hash of a bag of cells.
func requireHash(t *testing.T, data, hash string) {
	t.Helper()
	boc, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	c, err := cell.FromBOC(boc)
	require.NoError(t, err)
	require.Equal(t, hash, base64.StdEncoding.EncodeToString(c.Hash()))
}

// readAccounts calls every method about each account.
func (n *network) readAccounts(t *testing.T, accounts map[string]bool) {
	t.Helper()
	kinds, refused := map[string]int{}, map[string]int{}
	for a := range accounts {
		p := params{"address": a}
		var state struct{ Balance, State string }
		n.read("getAddressInformation", p, &state)
		var balance, status string
		n.read("getAddressBalance", p, &balance)
		n.read("getAddressState", p, &status)
		require.Equal(t, state.Balance, balance)
		require.Equal(t, state.State, status)
		n.read("getExtendedAddressInformation", p, nil)
		n.read("getWalletInformation", p, nil)
		n.read("getShardAccountCell", p, nil)
		token := n.post("getTokenData", p)
		if token.OK {
			var data struct {
				Type string `json:"contract_type"`
			}
			require.NoError(t, json.Unmarshal(token.Result, &data))
			kinds[data.Type]++
		} else {
			require.Equal(t, http.StatusConflict, token.Code, token.Error)
		}
		n.readHistory(t, a)
		for route, method := range map[string]string{"runGetMethod": "seqno", "runGetMethodStd": "get_nft_data"} {
			response := n.post(route, params{"address": a, "method": method, "stack": []any{}})
			if !response.OK { // the scenario has hostile contracts, too
				status, text := http.StatusUnprocessableEntity, "the result is too large"
				if response.Code == 533 {
					status, text = 533, "the stack is nested too deep"
				}
				require.Equal(t, status, response.Code, response.Error)
				require.Contains(t, response.Error, text)
				refused[a]++
			}
		}
	}
	require.LessOrEqual(t, len(refused), len(contracts.Malices()))
	for _, kind := range []string{"jetton_master", "jetton_wallet", "nft_collection", "nft_item"} {
		require.NotZero(t, kinds[kind], kind)
	}
}

type historyItem struct {
	Data string
	ID   struct{ LT, Hash string } `json:"transaction_id"`
	In   *struct {
		Source, Destination any
		LT                  string `json:"created_lt"`
	} `json:"in_msg"`
}

// readHistory reads an account's transactions in pages of both forms, and finds those that messages made.
func (n *network) readHistory(t *testing.T, a string) {
	t.Helper()
	var all []historyItem
	n.read("getTransactions", params{"address": a, "limit": 1000}, &all)
	var paged []string
	at := params{"address": a, "limit": 4}
	for {
		var page struct {
			Transactions []historyItem
			Previous     struct{ LT, Hash string } `json:"previous_transaction_id"`
		}
		n.read("getTransactionsStd", at, &page)
		for _, tx := range page.Transactions {
			requireHash(t, tx.Data, tx.ID.Hash)
			paged = append(paged, tx.ID.LT)
		}
		if page.Previous.LT == "0" {
			break
		}
		at = params{"address": a, "limit": 4, "lt": page.Previous.LT, "hash": page.Previous.Hash}
	}
	require.Len(t, paged, len(all))
	for i, tx := range all {
		require.Equal(t, tx.ID.LT, paged[i])
		if tx.In == nil || tx.In.LT == "0" || i > 2 {
			continue
		}
		q := params{"source": tx.In.Source, "destination": tx.In.Destination, "created_lt": tx.In.LT}
		var received, sent historyItem
		n.read("tryLocateTx", q, &received)
		require.Equal(t, tx.ID, received.ID)
		n.read("tryLocateResultTx", q, &received)
		if tx.In.Source == systemAddress { // no transaction sent it
			require.Equal(t, http.StatusNotFound, n.post("tryLocateSourceTx", q).Code)
			continue
		}
		n.read("tryLocateSourceTx", q, &sent)
	}
}

// readNetwork reads what belongs to no account or block.
func (n *network) readNetwork(t *testing.T) {
	t.Helper()
	var info struct {
		Last blockID
		Root string `json:"state_root_hash"`
		Init blockID
	}
	n.read("getMasterchainInfo", params{}, &info)
	require.Equal(t, n.head(), info.Last.Seqno)
	require.Equal(t, uint32(0), info.Init.Seqno)
	require.NotEmpty(t, info.Init.Root)
	state, err := n.devnet.Chain.State(n.devnet.Chain.Head().ID)
	require.NoError(t, err)
	require.Equal(t, base64.StdEncoding.EncodeToString(state.Hash()), info.Root)
	n.read("getConsensusBlock", params{}, nil)
	var sizes struct {
		Shards []struct{ ID blockID }
	}
	n.read("getOutMsgQueueSize", params{}, &sizes)
	n.read("getOutMsgQueueSizes", params{}, nil)
	require.Equal(t, info.Last, sizes.Shards[0].ID)
	for id := range 60 {
		n.read("getConfigParam", params{"config_id": id}, nil)
	}
	n.read("getConfigParam", params{"param": 0, "seqno": 3}, nil)
	n.read("getConfigAll", params{}, nil)
	n.read("getLibraries", params{"libraries": []string{strings.Repeat("0", 64)}}, nil)
	n.read("detectAddress", params{"address": chaintest.Wallet.String()}, nil)
	n.read("packAddress", params{"address": chaintest.Wallet.String()}, nil)
	n.read("unpackAddress", params{"address": chaintest.Wallet.Friendly(true, false)}, nil)
	n.read("detectHash", params{"hash": strings.Repeat("0", 64)}, nil)
}

// An index that starts at a late block responds to requests about earlier blocks like a complete index.
func TestPartialIndex_RespondsLikeACompleteOne(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const begins = 40
	old := startNetwork(t, 1, begins)
	young := *old
	young.db = testdb.New(t)
	from, err := indexer.ParseFrom(strconv.Itoa(begins))
	require.NoError(t, err)
	old.devnet.Index(t, young.db, indexer.Options{From: from})
	young.serve(t, old.devnet.Client)
	young.advance(begins + 6)
	old.advance(begins + 6)

	same := func(route string, p params) envelope {
		t.Helper()
		a, b := old.post(route, p), young.post(route, p)
		require.Equal(t, a.OK, b.OK, "%s %v: %s %s", route, p, a.Error, b.Error)
		require.Equal(t, string(a.Result), string(b.Result), "%s %v", route, p)
		return a
	}
	accounts := map[string]bool{}
	for seqno := uint32(2); seqno < begins; seqno += 3 {
		var list struct{ Shards []blockID }
		require.NoError(t, json.Unmarshal(same("getShards", params{"seqno": seqno}).Result, &list))
		for _, id := range append(list.Shards, masterID(seqno)) {
			if id.Seqno == 0 {
				continue
			}
			same("getBlockHeader", id.params())
			same("getBlockTransactions", id.params())
			same("getBlockTransactions", with(id.params(), params{"count": 2}))
			same("lookupBlock", id.params())
			var page struct{ Transactions []shortID }
			require.NoError(t, json.Unmarshal(same("getBlockTransactionsExt", id.params()).Result, &page))
			for _, tx := range page.Transactions {
				accounts[tx.Account] = true
			}
			require.NoError(t, json.Unmarshal(same("getBlockTransactions", id.params()).Result, &page))
			for _, tx := range page.Transactions[len(page.Transactions)/2:] { // pages behind a transaction, and behind an LT that none has
				lt, err := strconv.ParseUint(tx.LT, 10, 64)
				require.NoError(t, err)
				for _, after := range []uint64{lt, lt - 1} {
					at := with(id.params(), params{"count": 2, "after_lt": after, "after_hash": tx.Account})
					e := same("getBlockTransactions", at)
					require.Equal(t, after < lt, strings.Contains(string(e.Result), tx.Hash))
					same("getBlockTransactionsExt", at)
				}
			}
		}
		block, err := old.svc.FindBlock(t.Context(), chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, Seqno: &seqno})
		require.NoError(t, err)
		for _, by := range []params{{"lt": block.StartLT}, {"unixtime": block.GenUtime}} {
			same("lookupBlock", with(params{"workchain": -1, "shard": "-9223372036854775808"}, by))
			same("lookupBlock", with(params{"workchain": 0, "shard": "-9223372036854775808"}, by))
		}
		same("getConfigAll", params{"seqno": seqno})
	}
	require.NotEmpty(t, accounts)
	const enough = 8
	located := 0
	for _, a := range slices.Sorted(maps.Keys(accounts))[:enough] {
		for _, seqno := range []int{5, 20, begins - 1} {
			at := params{"address": a, "seqno": seqno}
			same("getAddressInformation", at)
			same("getWalletInformation", at)
			same("runGetMethod", with(at, params{"method": "get_jetton_data", "stack": []any{}}))
			same("getTokenData", at)
		}
		e := same("getTransactions", params{"address": a, "limit": 1000})
		var all []historyItem
		require.NoError(t, json.Unmarshal(e.Result, &all))
		last := all[len(all)-1]
		same("getTransactions", params{"address": a, "limit": 3, "lt": last.ID.LT, "hash": last.ID.Hash})
		same("getTransactionsStd", params{"address": a, "limit": 1000, "to_lt": last.ID.LT})
		for _, tx := range all {
			if tx.In == nil {
				continue
			}
			q := params{"source": tx.In.Source, "destination": tx.In.Destination, "created_lt": tx.In.LT}
			if tx.In.Source != "" {
				located++
				require.True(t, same("tryLocateTx", q).OK)
				require.Equal(t, tx.In.Source != systemAddress, same("tryLocateSourceTx", q).OK)
			}
			same("tryLocateResultTx", with(q, params{"source": tx.In.Destination}))
		}
		for _, lt := range []string{"1", "20000001", last.ID.LT} { // no message is created at the LT of a transaction
			require.Equal(t, http.StatusNotFound, same("tryLocateTx", params{"source": a, "destination": a, "created_lt": lt}).Code)
			require.Equal(t, http.StatusNotFound, same("tryLocateSourceTx", params{"source": a, "destination": a, "created_lt": lt}).Code)
		}
		wrong := params{"address": a, "lt": last.ID.LT, "hash": strings.Repeat("1", 64)}
		require.Equal(t, "LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time", same("getTransactions", wrong).Error)
	}
	require.Greater(t, located, 10)
}

// An index with a gap responds like a complete one about accounts that changed in the gap, and about configurations of blocks in it. So it does
// when the blocks around the gap were dropped, and nothing fills it any more.
func TestIndexWithAGap_RespondsLikeACompleteOne(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const before, after, dropped, last = 12, 48, 52, 58 // the blocks between before and after are not indexed
	complete := startNetwork(t, 1, before+4)
	require.NoError(t, complete.devnet.SetConsensus(complete.ctx, devnet.Ordinary)) // a key block in the gap
	complete.advance(last)
	gap := *complete
	gap.db = testdb.New(t)
	gap.fill(1, before)
	gap.fill(after, last)
	gap.serve(t, complete.devnet.Client)
	newest := complete.newestTransactions(t)
	requireSameAccounts(t, complete, &gap, newest, before, after, last)

	for step := (store.DropStep{Piece: true}); !step.Nothing(); {
		var err error
		step, err = gap.db.Writer().Drop(t.Context(), dropped, 20)
		require.NoError(t, err)
	}
	gap.serve(t, complete.devnet.Client)
	requireSameAccounts(t, complete, &gap, newest, before, after, last)

	gap.serve(t, nil)
	later, unproven := 0, 0
	for a, tx := range newest {
		e := gap.post("getAddressInformation", params{"address": a.String()})
		switch {
		case tx.McSeqno < after:
			if !e.OK {
				unproven++
			}
			continue
		case tx.McSeqno <= dropped:
			later++
		}
		require.True(t, e.OK, "account %s, which changed last in block %d: %s", a, tx.McSeqno, e.Error)
	}
	require.NotZero(t, unproven, "accounts whose newest state is from before the gap")
	require.NotZero(t, later, "accounts that changed last in a dropped block after the gap")
}

// requireSameAccounts compares what two indexes return about accounts. The second one lacks the blocks between two.
func requireSameAccounts(t *testing.T, complete, gap *network, all map[chain.Address]*chain.Transaction, before, after uint32, last int) {
	t.Helper()
	same := func(route string, p params) envelope {
		t.Helper()
		a, b := complete.post(route, p), gap.post(route, p)
		require.Equal(t, a.OK, b.OK, "%s %v: %s %s", route, p, a.Error, b.Error)
		require.Equal(t, string(a.Result), string(b.Result), "%s %v", route, p)
		return a
	}
	for seqno := 2; seqno <= last; seqno++ {
		same("getConfigAll", params{"seqno": seqno})
	}
	deleted, changed := 0, 0
	for a, newest := range all {
		p := params{"address": a.String()}
		var state struct {
			Last shortID `json:"last_transaction_id"`
		}
		require.NoError(t, json.Unmarshal(same("getAddressInformation", p).Result, &state))
		for _, seqno := range []uint32{6, before, 20, after - 1, after, after + 2, after + 6} {
			same("getAddressInformation", with(p, params{"seqno": seqno}))
		}
		same("getShardAccountCell", p)
		same("runGetMethod", with(p, params{"method": "get_wallet_data", "stack": []any{}}))
		if state.Last.LT == "0" {
			deleted++
			continue // only an index has its transactions
		}
		for _, page := range []params{{"limit": 1}, {"limit": 1000}, {"limit": 1, "archival": false}, {"limit": 1000, "to_lt": newest.LT - 1}} {
			same("getTransactions", with(p, page))
		}
		if newest.McSeqno > before && newest.McSeqno < after {
			changed++
		}
	}
	require.NotZero(t, deleted, "accounts that do not exist any more")
	require.Greater(t, changed, 5, "accounts that changed in the gap and not later")
}

// fill indexes the masterchain blocks from first to last.
func (n *network) fill(first, last uint32) {
	n.t.Helper()
	from, err := indexer.ParseFrom(strconv.Itoa(int(first)))
	require.NoError(n.t, err)
	require.NoError(n.t, indexer.New(n.devnet.Client, n.db, indexer.Options{From: from}).Fill(n.ctx, last))
}

// newestTransactions returns the newest transaction of each account.
func (n *network) newestTransactions(t *testing.T) map[chain.Address]*chain.Transaction {
	t.Helper()
	newest := map[chain.Address]*chain.Transaction{}
	const rows = 1000
	for page := (chain.Page{Limit: rows, Sort: chain.Ascending}); ; page.Offset += rows {
		txs, err := n.db.Reader().Transactions(t.Context(), chain.TransactionFilter{}, page)
		require.NoError(t, err)
		for i := range txs {
			newest[txs[i].Account] = &txs[i]
		}
		if len(txs) < rows {
			return newest
		}
	}
}
