package graphql_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// The history of balances follows the transactions, and counts are bounded. A page of accounts of any size costs the
// same number of statements.
//
//nolint:tparallel // the statements of one shape at a time are counted
func TestBalanceHistory_EqualsTheTransactions(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 60)
	var got struct {
		Account struct {
			BalanceHistory struct {
				Nodes []struct {
					Lt, Balance string
					McSeqno     int
					Transaction struct{ Hash string }
				}
			}
			Transactions     struct{ Nodes []struct{ Hash string } }
			TransactionCount struct {
				Count int
				More  bool
			}
		}
	}
	w.query(t, `query($a: Address!) { account(address: $a) { balanceHistory { nodes { lt balance mcSeqno transaction { hash } } }
		transactions { nodes { hash } } transactionCount { count more } } }`, map[string]any{"a": w.wallets[4].String()}, &got)
	require.Len(t, got.Account.BalanceHistory.Nodes, 1)
	point := got.Account.BalanceHistory.Nodes[0]
	require.Equal(t, "1004", point.Balance)
	require.Equal(t, strconv.FormatUint(w.txs[4].LT, 10), point.Lt)
	require.Equal(t, 5, point.McSeqno)
	require.Equal(t, got.Account.Transactions.Nodes[0].Hash, point.Transaction.Hash)
	require.Equal(t, 1, got.Account.TransactionCount.Count)
	require.False(t, got.Account.TransactionCount.More)
	for name, fields := range map[string]string{
		"history": `balanceHistory(first: 2) { nodes { balance } }`, "counts": `transactionCount { count }`,
	} {
		t.Run(name, func(t *testing.T) {
			statements := map[int]int64{}
			for _, rows := range []int{10, 50} {
				best := int64(1 << 62)
				for range 5 {
					var ignored json.RawMessage
					before := w.count.n.Load()
					w.query(t, `query($n: Int!) { topAccounts(first: $n) { nodes { `+fields+` } } }`, map[string]any{"n": rows}, &ignored)
					best = min(best, w.count.n.Load()-before)
				}
				statements[rows] = best
			}
			require.Equal(t, statements[10], statements[50])
			require.LessOrEqual(t, statements[50], int64(4)) // states are read from two tables
		})
	}
}

// indexStatus counts verified transactions as they are written; a mismatch has the result of the re-execution.
func TestIndexStatus_CountsVerification(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	type status struct {
		IndexStatus struct {
			Verification struct {
				Replayed, Proven, Mismatch, Unverified, OldRules string
				ReplayedShare                                    *float64
			}
			Estimates struct{ Transactions, NftItems string }
		}
		Masterchain *struct{ Block struct{ Seqno int } }
	}
	const query = `{ indexStatus { verification { replayed proven mismatch unverified oldRules replayedShare } estimates { transactions nftItems } }
		masterchain { block { seqno } } }`
	var got status
	w.query(t, query, nil, &got)
	require.Nil(t, got.IndexStatus.Verification.ReplayedShare)
	require.Nil(t, got.Masterchain)
	want := map[chain.Verification]int{}
	var wrong, cut, old chain.Transaction
	for seqno := uint32(1); seqno <= 3; seqno++ {
		mb := testdb.Master(seqno)
		for i := range 4 {
			tx := testdb.NewTransaction(mb, testdb.Address())
			tx.Verification = chain.Replayed
			if i == 0 {
				tx.Verification = chain.Proven
			}
			if i == 3 && seqno == 2 {
				tx.Verification = chain.Mismatch
				wrong = tx
				mb.Mismatches = append(mb.Mismatches, chain.ReplayMismatch{
					TransactionKey: tx.Key(), McSeqno: seqno, Hash: tx.Hash, Got: new(testdb.Hash()), Reason: "another hash",
				})
			}
			if i == 3 && seqno == 3 {
				tx.Verification = chain.Unverified
				cut = tx
				mb.Unverified = append(mb.Unverified, chain.UnverifiedTransaction{
					TransactionKey: tx.Key(), McSeqno: seqno, Hash: tx.Hash, Reason: "time", Limit: "10s",
				})
			}
			if i == 2 && seqno == 1 {
				tx.Verification = chain.OldRules
				old = tx
			}
			want[tx.Verification]++
			testdb.AddTransaction(mb, &tx)
		}
		require.NoError(t, db.Writer().Apply(t.Context(), mb))
		require.NoError(t, db.Writer().Apply(t.Context(), mb), "a block that is written again counts once")
	}
	w.query(t, query, nil, &got)
	v := got.IndexStatus.Verification
	require.Equal(t, []string{"6", "3", "1", "1", "1"}, []string{v.Replayed, v.Proven, v.Mismatch, v.Unverified, v.OldRules})
	require.Equal(t, map[chain.Verification]int{chain.Replayed: 6, chain.Proven: 3, chain.Mismatch: 1, chain.Unverified: 1, chain.OldRules: 1}, want)
	require.InDelta(t, 6.0/12, *v.ReplayedShare, 1e-9)
	require.NotEmpty(t, got.IndexStatus.Estimates.Transactions)

	var one struct {
		Wrong struct {
			Verification string
			Mismatch     *struct {
				Got, GotState *string
				Reason        string
			}
		}
		Cut struct {
			Verification string
			Mismatch     *struct{ Reason string }
			Unverified   *struct{ Reason, Limit string }
		}
		Old struct {
			Verification string
			Mismatch     *struct{ Reason string }
			Unverified   *struct{ Reason, Limit string }
		}
		All struct {
			Nodes []struct{ Mismatch *struct{ Reason string } }
		}
	}
	w.query(t, `query($h: Hash!, $c: Hash!, $o: Hash!) { wrong: transaction(hash: $h) { verification mismatch { got gotState reason } }
		cut: transaction(hash: $c) { verification mismatch { reason } unverified { reason limit } }
		old: transaction(hash: $o) { verification mismatch { reason } unverified { reason limit } }
		all: transactions { nodes { mismatch { reason } } } }`, map[string]any{"h": wrong.Hash.String(), "c": cut.Hash.String(), "o": old.Hash.String()}, &one)
	require.Equal(t, "OLD_RULES", one.Old.Verification)
	require.Nil(t, one.Old.Mismatch)
	require.Nil(t, one.Old.Unverified)
	require.Equal(t, "UNVERIFIED", one.Cut.Verification)
	require.Nil(t, one.Cut.Mismatch)
	require.Equal(t, "time", one.Cut.Unverified.Reason)
	require.Equal(t, "10s", one.Cut.Unverified.Limit)
	require.Equal(t, "MISMATCH", one.Wrong.Verification)
	require.Equal(t, "another hash", one.Wrong.Mismatch.Reason)
	require.NotNil(t, one.Wrong.Mismatch.Got)
	require.Nil(t, one.Wrong.Mismatch.GotState)
	counted := 0
	for _, n := range one.All.Nodes {
		if n.Mismatch != nil {
			counted++
		}
	}
	require.Equal(t, 1, counted)
}

// Sales by contract and by seller, counts of wallets and items, and histories of balances and owners.
func TestHistories_ListSalesCountsAndOwners(t *testing.T) {
	t.Parallel()
	k := newTokens(t)
	sellers := `, where: {sellers: ["` + k.owners[0].String() + `"]}`
	forth, back := k.walk(t, "nftSales", sellers, false), k.walk(t, "nftSales", sellers, true)
	require.Len(t, forth, kinds/2)
	require.Equal(t, forth, back)
	require.True(t, slices.IsSorted(forth))
	require.Equal(t, forth[1:2], k.walk(t, "nftSales", `, where: {addresses: ["`+forth[1]+`", "`+k.items[0]+`"]}`, false))
	require.Equal(t, forth[1:2], k.walk(t, "nftSales", `, where: {addresses: ["`+forth[1]+`"], sellers: ["`+k.owners[0].String()+`"]}`, false))
	require.Empty(t, k.walk(t, "nftSales", `, where: {sellers: ["`+k.owners[1].String()+`"]}`, false))
	_, refused := post(t, k.h, `{ nftSales(where: {}) { nodes { known } } }`, nil)
	require.Len(t, refused.Errors, 1)

	var got struct {
		JettonMaster  struct{ WalletCount struct{ Count int } }
		NftCollection struct{ ItemCount struct{ Count int } }
		JettonWallet  struct {
			Balance        string
			BalanceHistory struct {
				Nodes []struct {
					Lt, Balance string
					McSeqno     int
				}
			}
		}
		NftItem struct {
			Owner        *struct{ Address string }
			OwnerHistory struct {
				Nodes []struct{ Owner *struct{ Address string } }
			}
		}
		Then struct {
			JettonWallets struct {
				Nodes []struct {
					Account struct{ Address string }
					Balance string
				}
				PageInfo struct{ EndCursor *string }
			}
			NftItems struct {
				Nodes []struct{ Account, Owner struct{ Address string } }
			}
		}
	}
	k.query(t, fmt.Sprintf(`{ jettonMaster(address: "%s") { walletCount { count } } nftCollection(address: "%s") { itemCount { count } }
		jettonWallet(address: "%s") { balance balanceHistory { nodes { lt balance mcSeqno } } }
		nftItem(address: "%s") { owner { address } ownerHistory { nodes { owner { address } } } }
		then: account(address: "%s", at: {seqno: 1}) { jettonWallets(first: 100) { nodes { account { address } balance } pageInfo { endCursor } }
			nftItems(first: 100) { nodes { account { address } owner { address } } } } }`,
		k.masters[2], k.collection, k.wallets[0][3], k.items[4], k.owners[0]), nil, &got)
	require.Equal(t, 2, got.JettonMaster.WalletCount.Count)
	require.Equal(t, kinds, got.NftCollection.ItemCount.Count)
	require.Len(t, got.JettonWallet.BalanceHistory.Nodes, 1)
	require.Equal(t, got.JettonWallet.Balance, got.JettonWallet.BalanceHistory.Nodes[0].Balance)
	require.Equal(t, 1, got.JettonWallet.BalanceHistory.Nodes[0].McSeqno)
	require.Equal(t, got.NftItem.Owner, got.NftItem.OwnerHistory.Nodes[0].Owner)

	var wallets, items []string
	for _, n := range got.Then.JettonWallets.Nodes {
		wallets = append(wallets, n.Account.Address)
	}
	for _, n := range got.Then.NftItems.Nodes {
		items = append(items, n.Account.Address)
		require.Equal(t, k.owners[0].String(), n.Owner.Address)
	}
	require.Equal(t, k.wallets[0], wallets, "in the order of their Jettons, at the newest block")
	require.Len(t, items, kinds/2)
	for _, list := range []string{"jettonWallets", "nftItems"} {
		seen, position := []string{}, ""
		for range kinds {
			var page map[string]map[string]rows
			k.query(t, fmt.Sprintf(`{ account(address: "%s") { %s(at: {seqno: 1}, first: 5%s) { nodes { account { address } }
				pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`, k.owners[0], list, position), nil, &page)
			p := page["account"][list]
			for _, n := range p.Nodes {
				seen = append(seen, n.Account.Address)
			}
			if !p.PageInfo.HasNextPage {
				break
			}
			position = `, after: "` + *p.PageInfo.EndCursor + `"`
		}
		require.Equal(t, map[string][]string{"jettonWallets": wallets, "nftItems": items}[list], seen)
	}
}

func TestIndexDigest_ReturnsStoredDigestsAndNamesMissingRanges(t *testing.T) {
	t.Parallel()
	w, db := emptyTestIndex(t)
	var blocks []*chain.MasterBlock
	for seqno := uint32(1); seqno <= 1010; seqno++ {
		mb := testdb.Master(seqno)
		if seqno%100 == 0 {
			testdb.NewTransaction(mb, testdb.Address())
		}
		blocks = append(blocks, mb)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), blocks...))
	const query = `query($from: UInt32!, $to: UInt32!) { indexDigest(from: $from, to: $to) {
		range { first last } hash crossingHash rows crossingTraces wantingTraces actionSets } }`
	failure := func(from, to uint32) string {
		_, body := post(t, w.h, query, map[string]any{"from": from, "to": to})
		require.NotEmpty(t, body.Errors)
		return body.Errors[0].Message
	}
	require.Contains(t, failure(1, 999), "1 to 999 are not computed yet")
	want, stored, err := db.StoreDigest(t.Context(), chain.DigestRange(1))
	require.NoError(t, err)
	require.True(t, stored)
	var got struct {
		IndexDigest []struct {
			Range                               struct{ First, Last uint32 }
			Hash, CrossingHash                  string
			Rows, CrossingTraces, WantingTraces string
			ActionSets                          []int
		}
	}
	w.query(t, query, map[string]any{"from": 0, "to": 1010}, &got)
	require.Len(t, got.IndexDigest, 1)
	d := got.IndexDigest[0]
	require.EqualValues(t, 1, d.Range.First)
	require.EqualValues(t, 999, d.Range.Last)
	require.Equal(t, want.Hash.String(), d.Hash)
	require.Equal(t, want.CrossingHash.String(), d.CrossingHash)
	require.Equal(t, strconv.FormatInt(want.Rows, 10), d.Rows)
	require.Contains(t, failure(1, 2500), "masterchain blocks 1011 to 1999 are not in the index")
	require.Contains(t, failure(0, math.MaxUint32), "at most 100")
}
