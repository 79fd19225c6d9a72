package graphql_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// countedTokens returns an index whose Jettons and collections are counted.
func countedTokens(t *testing.T) *store.DB {
	t.Helper()
	db := testdb.New(t)
	o := synthetic.Options{Transactions: 4000, Accounts: 600, PerBlock: 38, Shards: 2, Seed: 3, Contracts: true}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	info, err := db.Reader().MasterchainInfo(t.Context())
	require.NoError(t, err)
	for _, kind := range []chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection} {
		for after := (*chain.Address)(nil); ; {
			tokens, last, err := db.Reader().TokenRound(t.Context(), kind, after, info.Last.GenUtime)
			require.NoError(t, err)
			require.NoError(t, db.CountTokens(t.Context(), tokens, info.Last.GenUtime))
			if last == nil {
				break
			}
			after = last
		}
	}
	return db
}

// tokenPage is a page of a list of tokens.
type tokenPage struct {
	addresses, cursors []string
	more               bool
	next               *string // the cursor at which the following page begins
}

// readTokens reads a page of tokens in an order.
func readTokens(t *testing.T, l *live, list, order, position string, backwards bool) tokenPage {
	t.Helper()
	query := fmt.Sprintf(`{ list: %s(orderBy: %s, %s) { edges { cursor node { account { address } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, list, order, position)
	_, a := post(t, l.Config.Handler, query, nil)
	require.Empty(t, a.Errors)
	var data struct {
		List struct {
			Edges []struct {
				Cursor string
				Node   struct{ Account struct{ Address string } }
			}
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       *string
			}
		}
	}
	require.NoError(t, json.Unmarshal(a.Data, &data))
	p := tokenPage{more: data.List.PageInfo.HasNextPage, next: data.List.PageInfo.EndCursor}
	if backwards {
		p.more, p.next = data.List.PageInfo.HasPreviousPage, data.List.PageInfo.StartCursor
	}
	for _, e := range data.List.Edges {
		p.addresses, p.cursors = append(p.addresses, e.Node.Account.Address), append(p.cursors, e.Cursor)
	}
	return p
}

// allTokens reads all pages of a size.
func allTokens(t *testing.T, l *live, list, order string, size int, backwards bool) (all, cursors []string) {
	t.Helper()
	names := [2]string{"first", "after"}
	if backwards {
		names = [2]string{"last", "before"}
	}
	position := fmt.Sprintf("%s: %d", names[0], size)
	for {
		p := readTokens(t, l, list, order, position, backwards)
		if backwards {
			all, cursors = append(p.addresses, all...), append(p.cursors, cursors...)
		} else {
			all, cursors = append(all, p.addresses...), append(cursors, p.cursors...)
		}
		if !p.more {
			return all, cursors
		}
		position = fmt.Sprintf("%s: %d, %s: %q", names[0], size, names[1], *p.next)
	}
}

// Tokens that the operator calls a scam come after all others, across the complete list: each token once, in pages of each size, from both
// ends, from every cursor, and while the operator's list changes between two requests.
func TestTokenOrder_ScamsComeLast(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := countedTokens(t)
	var scams atomic.Pointer[map[chain.Address]bool]
	scams.Store(&map[chain.Address]bool{})
	l := gatewayTo(t, db, nil, resolvers.Options{Network: "devnet", Reputation: func(a chain.Address) chain.Reputation {
		if (*scams.Load())[a] {
			return chain.ReputationScam
		}
		return chain.ReputationUnknown
	}}, nil)
	plain := gatewayTo(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	for _, list := range []string{"jettonMasters", "nftCollections"} {
		for _, order := range []string{"HOLDERS", "TRANSFERS", "SUPPLY"} {
			scams.Store(&map[chain.Address]bool{})
			rows, _ := allTokens(t, plain, list, order, 100, false)
			require.Greater(t, len(rows), 5)
			unchanged, _ := allTokens(t, l, list, order, 3, false)
			require.Equal(t, rows, unchanged, "nothing is a scam")

			for name, isScam := range map[string]func(i int) bool{
				"every third": func(i int) bool { return i%3 == 0 }, "the first half": func(i int) bool { return i < len(rows)/2 },
				"all": func(int) bool { return true }, "the last": func(i int) bool { return i == len(rows)-1 },
			} {
				listed, want, last := map[chain.Address]bool{}, []string{}, []string{}
				for i, row := range rows {
					if !isScam(i) {
						want = append(want, row)
						continue
					}
					a, err := chain.ParseAddress(row)
					require.NoError(t, err)
					listed[a] = true
					last = append(last, row)
				}
				want = append(want, last...)
				scams.Store(&listed)
				for _, size := range []int{1, 4, 100} {
					for _, backwards := range []bool{false, true} {
						got, cursors := allTokens(t, l, list, order, size, backwards)
						require.Equal(t, want, got, "%s by %s, %s, pages of %d, backwards %v", list, order, name, size, backwards)
						if size != 4 {
							continue
						}
						for i, c := range cursors {
							if i%9 > 0 && i < len(cursors)-2 {
								continue
							}
							p := readTokens(t, l, list, order, fmt.Sprintf("first: 2, after: %q", c), false)
							require.Equal(t, want[i+1:min(i+3, len(want))], append([]string{}, p.addresses...))
							between := readTokens(t, l, list, order, fmt.Sprintf("first: 100, after: %q, before: %q", cursors[0], c), false)
							require.Equal(t, want[min(1, i):min(i, 101)], append([]string{}, between.addresses...))
							start := readTokens(t, l, list, order, fmt.Sprintf("first: 2, before: %q", c), false)
							require.Equal(t, want[:min(i, 2)], append([]string{}, start.addresses...))
							end := readTokens(t, l, list, order, fmt.Sprintf("last: 2, after: %q", c), true)
							require.Equal(t, want[max(i+1, len(want)-2):], append([]string{}, end.addresses...))
						}
					}
				}
			}
			// A cursor remains a position when its token moves to the other part.
			first := readTokens(t, l, list, order, "first: 2", false)
			scams.Store(&map[chain.Address]bool{})
			p := readTokens(t, l, list, order, fmt.Sprintf("first: 100, after: %q", first.cursors[1]), false)
			require.NotContains(t, p.addresses, first.addresses[1])
		}
	}
}
