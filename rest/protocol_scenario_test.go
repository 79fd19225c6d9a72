package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/scenario"
	"tonql/internal/pacetest"
)

// ran is a transaction of an account as /api/v3 and GraphQL show it.
type ran struct {
	Hash, Kind string
	ExitCode   int32 // 0 without a compute phase
	Skipped    string
}

// ran lists the transactions of an account, oldest first.
func (n *localNetwork) ran(a *address.Address, limit int) []ran {
	n.t.Helper()
	var v3 struct {
		Transactions []struct {
			Hash        string
			Description struct {
				Type    string
				Compute struct {
					Skipped  bool
					Reason   string
					ExitCode int32 `json:"exit_code"`
				} `json:"compute_ph"`
			}
		}
	}
	fetch(n.t, n.api, http.MethodGet, fmt.Sprintf("/api/v3/transactions?sort=asc&limit=%d&account=%s", limit, url.QueryEscape(a.StringRaw())), "", &v3)
	var graph struct {
		Transactions struct {
			Nodes []struct {
				Hash        string
				Description struct {
					Kind    string
					Compute struct {
						Skipped  bool
						Reason   *string
						ExitCode *int32
					}
				}
			}
		}
	}
	query(n.t, n.api, `query($a: Address!, $n: Int!) { transactions(where: {accounts: [$a]}, first: $n, sort: ASC) { nodes { hash
		description { kind compute { skipped reason exitCode } } } } }`, map[string]any{"a": a.StringRaw(), "n": limit}, &graph)
	require.Len(n.t, graph.Transactions.Nodes, len(v3.Transactions))
	kinds := map[string]string{"ORD": "ord", "TICK_TOCK": "tick_tock"}
	var list []ran
	for i, tx := range v3.Transactions {
		c, g := tx.Description.Compute, graph.Transactions.Nodes[i]
		r := ran{tx.Hash, tx.Description.Type, c.ExitCode, c.Reason}
		other := ran{Hash: g.Hash, Kind: kinds[g.Description.Kind]}
		if code := g.Description.Compute.ExitCode; code != nil {
			other.ExitCode = *code
		}
		if reason := g.Description.Compute.Reason; reason != nil {
			other.Skipped = strings.ToLower(*reason)
		}
		require.Equal(n.t, r, other)
		list = append(list, r)
	}
	return list
}

// requireClassified requires that both APIs have actions of a transaction, and /api/v2 the transaction.
func (n *localNetwork) requireClassified(a *address.Address, txs []ran) {
	n.t.Helper()
	var v2 struct {
		Result []struct {
			ID struct{ Hash string } `json:"transaction_id"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v2/getTransactions?limit=100&address="+url.QueryEscape(a.StringRaw()), "", &v2)
	var hashes []string
	for _, tx := range v2.Result {
		hashes = append(hashes, tx.ID.Hash)
	}
	for _, tx := range txs {
		require.Contains(n.t, hashes, tx.Hash)
		require.NotEmpty(n.t, n.actions(tx.Hash))
	}
}

// The scenario with its flows of the protocol, from the chain to every API: accounts freeze and thaw, a library is published, used and
// withdrawn, validators vote for a parameter and change, fundamental contracts run in each block.
func TestScenario_ProtocolFlowsAreShownByEveryAPI(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	seed := [32]byte{0x5c}
	n := startLocal(t, devnet.Options{Seed: seed, Scenario: true, Protocol: true, ActionsPerMinute: 6})
	n.advance(90)
	steps := n.devnet.Scenario.Stats().Steps
	for _, step := range []string{
		"frost: froze", "frost: stayed frozen", "frost: thawed",
		"library: published", "library: deployed", "library: used", "library: withdrawn", "library: missed",
		"vote: proposed", "vote: first round", "vote: validators changed", "vote: second round",
	} {
		require.Positive(t, steps[step], "%s of %v", step, steps)
	}

	relic := scenario.Frozen(0).Address
	life := n.life(relic)
	require.Equal(t, "active, frozen, frozen, no_state", life[0]) //nolint:dupword // of the phase and the end
	require.Contains(t, life, "frozen, unchanged, frozen, bad_state")
	require.Contains(t, life, "frozen, unchanged, active")
	require.Equal(t, state{Status: "active"}, n.state(relic))
	n.requireClassified(relic, n.ran(relic, 10))

	user := scenario.LibraryUser().Address
	runs := n.ran(user, 100)
	n.requireClassified(user, runs)
	codes := map[int32]int{}
	for _, r := range runs {
		require.Empty(t, r.Skipped)
		codes[r.ExitCode]++
	}
	require.Positive(t, codes[0], "with the library")
	require.Positive(t, len(codes)-1, "without it: %v", codes)
	n.requireLibraryHistory(scenario.Library())

	// The vote for the parameter is in force with a key block, after the validators have changed with another.
	value := base64Hash(cell.BeginCell().MustStoreUInt(0, 32).EndCell())
	head := n.devnet.Head()
	require.Equal(t, value, n.param(scenario.VotedParam, head))
	voted, changed := uint32(0), uint32(0)
	for _, seqno := range n.keyBlocks(1) {
		if voted == 0 && n.param(scenario.VotedParam, seqno) == value {
			voted = seqno
		}
		if changed == 0 && seqno > 1 && n.param(paramPrevValidators, seqno) != n.param(paramPrevValidators, seqno-1) {
			changed = seqno
		}
	}
	require.Positive(t, changed)
	require.Greater(t, voted, changed)
	require.Empty(t, n.param(scenario.VotedParam, voted-1))
	require.NotEqual(t, n.param(paramValidators, changed-1), n.param(paramValidators, changed))
	old, later := [genesis.ValidatorCount]int{0, 1, 2, 3, 4, 5, 6}, [genesis.ValidatorCount]int{7, 8, 9, 10, 11, 12, 13}
	require.Subset(t, nodesOf(t, seed, old), n.signers(changed))
	require.Subset(t, nodesOf(t, seed, later), n.signers(changed+1))

	ticks := slices.DeleteFunc(n.ran(genesis.ConfigAddress, 50), func(r ran) bool { return r.Kind != "tick_tock" })
	require.NotEmpty(t, ticks)
	for _, r := range ticks {
		require.Zero(t, r.ExitCode)
	}

	n.requirePages(relic, user, genesis.ConfigAddress, holderOfCurrency(t, n))

	n.requireReplayed()
	report, err := indexer.VerifyRows(n.ctx, n.db.Reader(), chain.SeqnoRange{First: 1, Last: head}, 2)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
	report, err = indexer.New(n.devnet.Client, n.db, indexer.Options{}).VerifyRange(n.ctx, chain.SeqnoRange{First: 1, Last: head})
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
}

// requireLibraryHistory requires that a library is listed where it is public and where it was.
func (n *localNetwork) requireLibraryHistory(library *cell.Cell) {
	n.t.Helper()
	var v2 struct {
		Result struct {
			Libraries []struct{ Hash string } `json:"result"`
		}
	}
	fetch(n.t, n.api, http.MethodGet, "/api/v2/getLibraries?libraries="+url.QueryEscape(base64Hash(library)), "", &v2)
	var public bool
	for _, l := range v2.Result.Libraries {
		public = public || l.Hash == base64Hash(library)
	}
	ranges, err := n.db.Reader().Ranges(n.ctx)
	require.NoError(n.t, err)
	hash := chain.Hash(library.HashKey())
	var was []bool
	for seqno := ranges[0].First; seqno <= ranges[0].Last; seqno++ {
		root, ok, err := n.db.Reader().LibraryRoot(n.ctx, seqno)
		require.NoError(n.t, err)
		require.True(n.t, ok, seqno)
		found, err := n.db.Reader().LibrariesOf(n.ctx, root, []chain.Hash{hash})
		require.NoError(n.t, err)
		if boc, stored := found[hash]; stored {
			was = append(was, boc != nil)
		}
	}
	require.Contains(n.t, was, true)
	require.Contains(n.t, was, false)
	require.Equal(n.t, was[len(was)-1], public)
}

// holderOfCurrency returns the account that the scenario has sent an extra currency to.
func holderOfCurrency(t *testing.T, n *localNetwork) *address.Address {
	t.Helper()
	var after *string
	for range 50 {
		var graph struct {
			Messages struct {
				Nodes []struct {
					Destination          *struct{ Address string }
					ValueExtraCurrencies []amount
				}
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		query(t, n.api, `query($c: String) { messages(where: {}, first: 100, after: $c, sort: DESC) { nodes { destination { address }
			valueExtraCurrencies { id amount } } pageInfo { hasNextPage endCursor } } }`, map[string]any{"c": after}, &graph)
		for _, m := range graph.Messages.Nodes {
			if len(m.ValueExtraCurrencies) > 0 {
				return address.MustParseRawAddr(m.Destination.Address)
			}
		}
		if after = graph.Messages.PageInfo.EndCursor; !graph.Messages.PageInfo.HasNextPage {
			break
		}
	}
	require.Fail(t, "no message carries an extra currency")
	return nil
}

// requirePages sends the queries of the explorer's pages of accounts and of their transactions. The explorer shows their fields; its
// tests with a browser show that it renders.
func (n *localNetwork) requirePages(accounts ...*address.Address) {
	n.t.Helper()
	account, transactions, transaction := explorerQuery(n.t, "account"), explorerQuery(n.t, "account_transactions"), explorerQuery(n.t, "transaction")
	currencies := 0
	for _, a := range accounts {
		var page struct {
			Account struct {
				State struct {
					Status          string
					ExtraCurrencies []amount
				}
			}
		}
		query(n.t, n.api, account, map[string]any{"address": a.StringRaw()}, &page)
		require.NotEmpty(n.t, page.Account.State.Status)
		currencies += len(page.Account.State.ExtraCurrencies)
		var list struct {
			Transactions struct {
				Nodes []struct{ Hash string }
			}
		}
		query(n.t, n.api, transactions, map[string]any{"address": a.StringRaw()}, &list)
		require.NotEmpty(n.t, list.Transactions.Nodes)
		for _, tx := range list.Transactions.Nodes {
			var shown struct {
				Transaction struct {
					Hash, Verification string
					InMessage          *struct{ ValueExtraCurrencies []amount }
				}
			}
			query(n.t, n.api, transaction, map[string]any{"hash": tx.Hash}, &shown)
			require.Equal(n.t, "REPLAYED", shown.Transaction.Verification)
			if in := shown.Transaction.InMessage; in != nil {
				currencies += len(in.ValueExtraCurrencies)
			}
		}
	}
	require.Positive(n.t, currencies)
}

// explorerQuery reads a query of the explorer with the fragments that it uses.
func explorerQuery(t *testing.T, name string) string {
	t.Helper()
	files, err := filepath.Glob("explorer/app/src/queries/*.graphql")
	require.NoError(t, err)
	fragments := map[string]string{}
	var text string
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		if m := regexp.MustCompile(`^fragment (\w+)`).FindSubmatch(content); m != nil {
			fragments[string(m[1])] = string(content)
		}
		if filepath.Base(file) == name+".graphql" {
			text = string(content)
		}
	}
	require.NotEmpty(t, text, name)
	spread, used := regexp.MustCompile(`\.\.\.([A-Z]\w*)`), map[string]bool{}
	for again := true; again; {
		again = false
		for _, m := range spread.FindAllStringSubmatch(text, -1) {
			if !used[m[1]] {
				used[m[1]], again = true, true
				text += "\n" + fragments[m[1]]
			}
		}
	}
	return text
}
