package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkLists filters, sorts and exports lists of the explorer of a running service, in a real browser.
func checkLists(t *testing.T, base string) {
	t.Helper()
	folder, shots := browser(t)
	cmd := exec.CommandContext(t.Context(), "node", "lists.mjs", base, shots)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Outside, Console, Failed, Axe, Overflow            []string
		Directions, Changes, Exported, Sent, Live, Resumed []string
		Counterparty                                       []int
		File, Searched, Refused, Auction, Domain           string
		Restored, FailedRows, Traits                       []any
		Chosen                                             []map[string]string
		Jettons, Collections, Distribution, Owners         []string
		DomainTabs, Holders                                []string
		Orders                                             map[string][]string
		Largest                                            []float64
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Failed, "requests that failed")
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Overflow, "pages wider than the window")

	require.Subset(t, []string{"received", "sent"}, seen.Directions)
	require.NotEmpty(t, seen.Directions, "the direction on each row")
	for _, change := range seen.Changes {
		require.Regexp(t, `^([+−]\d|0 )`, change, "the change of the balance on each row")
	}
	require.Positive(t, seen.Counterparty[0])
	require.InDelta(t, seen.Counterparty[1], seen.Counterparty[0], 3, "the page shows what the service finds, and the chain continues")
	require.Equal(t, "9000000000", seen.Searched, "filters are in the address")
	require.Positive(t, seen.Restored[0], "going back restores the rows")
	require.Empty(t, seen.Restored[1], "and the filters")
	require.InDelta(t, seen.FailedRows[2], seen.FailedRows[1], 3, "failed transactions")
	require.NotEmpty(t, seen.Refused, "an address that is none is refused in words")
	require.NotEmpty(t, seen.Exported)
	require.Equal(t, "transactions.jsonl", seen.File)
	require.Equal(t, "time,lt,hash,message,outcome,exit_code,source,value,balance_change,balance,fees", seen.Resumed[0])
	require.InDelta(t, len(seen.Exported), len(seen.Resumed)-1, 10, "an export that failed continues")
	require.Subset(t, seen.Sent, seen.Exported, "the export has the rows that match, each once")
	require.InDelta(t, len(seen.Sent), len(seen.Exported), 10)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(seen.Exported))), len(seen.Exported))
	require.NotEqual(t, seen.Live[0], seen.Live[1], "the list is updated by itself")

	for _, row := range seen.Jettons {
		require.Regexp(t, `holders?.*transfers? within 24 hours`, row, "counts on the row")
	}
	requireDescending(t, seen.Orders["HOLDERS"], `(\S+) holders?`)
	requireDescending(t, seen.Orders["TRANSFERS"], `(\S+) transfers?`)
	require.Len(t, seen.Orders["SUPPLY"], len(seen.Orders["HOLDERS"]))
	require.Regexp(t, `the largest 1\s`, seen.Distribution[0])
	share := regexp.MustCompile(`(\d+\.\d\d) %`).FindStringSubmatch(seen.Distribution[0])
	require.NotNil(t, share, seen.Distribution[0])
	part, err := strconv.ParseFloat(share[1], 64)
	require.NoError(t, err)
	require.GreaterOrEqual(t, part, slices.Min(seen.Largest)-2, "the share of the largest holder, which changes meanwhile")
	require.LessOrEqual(t, part, slices.Max(seen.Largest)+2)
	require.Greater(t, len(seen.Holders), 1)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(seen.Holders))), len(seen.Holders), "a holder whose balance changed is listed once")
	for _, row := range seen.Collections {
		require.Regexp(t, `owners?.*transfers? within 24 hours`, row)
	}
	require.NotEmpty(t, seen.Owners)
	require.Contains(t, seen.Owners[0], "owns it since block")
	require.Equal(t, []any{seen.Traits[0], 1.0, "Colour: red", "<b>x</b>"}, seen.Traits, "the items with a trait, and their traits as text")
	require.Greater(t, seen.Traits[0], 1.0)
	require.NotEmpty(t, seen.Chosen, "the server selects the items")
	for _, chosen := range seen.Chosen {
		require.Equal(t, map[string]string{"name": "Colour", "value": "grey"}, chosen)
	}
	require.Regexp(t, `No auction is running\.|Highest bid|Bidder\s+nobody\s+Lowest bid`, seen.Auction, "ended, with a bid, or without one yet")
	require.Subset(t, seen.DomainTabs, []string{"Auction", "History of owners", "Owners"})
	require.Contains(t, seen.Domain, "Domain")
	require.Contains(t, seen.Domain, "Expires")
}

// requireDescending requires that a number of the rows does not increase, apart from one step: rows without a name come last.
func requireDescending(t *testing.T, rows []string, pattern string) {
	t.Helper()
	require.NotEmpty(t, rows)
	steps, last := 0, int64(1<<62)
	for _, row := range rows {
		m := regexp.MustCompile(pattern).FindStringSubmatch(row)
		require.NotNil(t, m, row)
		n, err := strconv.ParseInt(strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, m[1]), 10, 64)
		require.NoError(t, err, row)
		if n > last {
			steps++
		}
		last = n
	}
	require.LessOrEqual(t, steps, 1, "%v", rows)
}
