package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// readersSaw is what readers.mjs saw.
type readersSaw struct {
	Axe, Overflow, Console []string
	Texts, Titles          map[string]string
	Balance, Unknown, Form string
	Forms                  []int
	Opened, Supply         string
	Filters                []bool
	FailedAction, Bounced  []string
	Hashes                 []string
	Names                  map[string][3]string
	Recovered              int
}

// People who know nothing of an index learn from its explorer what an account has, why a transaction failed, which names are false, and
// what is missing: in a real browser, with a second index of the same chain that begins late.
func TestExplorer_ExplainsWhatReadersDoNotKnow(t *testing.T) {
	t.Parallel()
	folder, shots := browser(t)
	data := filepath.Join(t.TempDir(), "data")
	chain := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--traffic", "600")
	base := "http://" + chain.expect(`page +http://([^/]+)/`, time.Minute)
	objects := readerObjects(t, base)
	chain.interrupt(20 * time.Second)
	// Without traffic, the accounts that are not in the late index stay so.
	chain = start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario")
	base = "http://" + chain.expect(`page +http://([^/]+)/`, time.Minute)

	late := start(t, "up", "--network", "devnet", "--global-config", filepath.Join(data, "devnet", "global.config.json"),
		"--from", "latest", "--data", filepath.Join(t.TempDir(), "late"), "--listen", "127.0.0.1:0")
	lateBase := "http://" + late.expect(`page +http://([^/]+)/`, time.Minute)
	lacksAccounts(t, base, lateBase, objects)

	text, err := json.Marshal(objects)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "node", "readers.mjs", base, lateBase, shots, string(text))
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var seen readersSaw
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Overflow, "wider than a phone")

	requireLateIndex(t, &seen, objects)
	requireExplained(t, &seen)
	requireHonestNames(t, &seen)
	late.interrupt(10 * time.Second)
	chain.interrupt(10 * time.Second)
}

func requireLateIndex(t *testing.T, seen *readersSaw, objects map[string]string) {
	t.Helper()
	require.Equal(t, objects["balance"], seen.Balance, "the balance that the other index has")
	require.Contains(t, seen.Texts["late"], "The index of this service begins with block")
	require.Contains(t, seen.Texts["late"], "Wallet v", "the kind is read from the network, too")
	require.Equal(t, "not known", seen.Unknown)
	require.NotContains(t, seen.Texts["unreachable"], "0 TON")
	require.Equal(t, objects["contract"], seen.Form, "a contract has a bounceable address")
	require.Contains(t, seen.Texts["before"], "The index does not have this transaction")
	require.Contains(t, seen.Texts["before"], "older history is not shown")
	require.Contains(t, seen.Texts["before"], "Local chain")
	require.Contains(t, seen.Texts["stale"], "The index is 3 h 3 min behind the network")
}

func requireExplained(t *testing.T, seen *readersSaw) {
	t.Helper()
	require.Contains(t, seen.Texts["nobody"], "not used yet")
	require.Contains(t, seen.Texts["nobody"], "Nothing has been sent to this address yet")
	require.Contains(t, seen.Texts["nobody"], "is in the form for the main network")
	require.Equal(t, []int{0, 0}, seen.Forms, "there is nothing to filter or to export")
	require.Regexp(t, `/explorer/account/[Ek0U]Q[\w-]{46}$`, seen.Opened, "the address that was typed")
	require.Equal(t, []bool{false, true}, seen.Filters)

	require.Regexp(t, `^failed: .+ \(result \d+\)$`, seen.FailedAction[0], "no exit code 0")
	require.Contains(t, seen.FailedAction[1], "The coins stayed in the account")
	require.Contains(t, seen.Bounced[0], "failed and bounced")
	require.Regexp(t, `The rest of the coins, [\d.]+ TON, went back to`, seen.Bounced[1])
	require.Regexp(t, `^Transaction [0-9a-f]{6}…[0-9a-f]{6} · Explorer$`, seen.Titles["bounced"])
	require.Contains(t, seen.Texts["bounced"], "GMT+5:30", "the time of the reader beside UTC")

	require.Contains(t, seen.Hashes[0], "No transaction, message, trace or block with this hash")
	require.Contains(t, seen.Hashes[1], "on its way")
	require.Contains(t, seen.Hashes[2], "no coins were moved")
	require.Contains(t, seen.Texts["stale"], "QR code to pay to this account")
	require.NotContains(t, seen.Texts["imitation"], "QR code", "nobody pays to the contract of a token")
	require.Contains(t, seen.Texts["imitation"], "Do not send coins or Jettons to it")
	require.Contains(t, seen.Texts["word"], "An address has 48 characters")
	require.NotContains(t, seen.Texts["word"], "checksum")
	require.Contains(t, seen.Texts["mistyped"], "The checksum of this address is wrong")
	require.Contains(t, seen.Texts["cut"], "A hash has 64 hex digits")
	require.Contains(t, seen.Texts["nowhere"], "This service has no page at this address")
	require.Contains(t, seen.Texts["noscript"], "needs JavaScript")
	require.Contains(t, seen.Texts["more"], "actions are shown; the trace has more")
	require.Contains(t, seen.Texts["offline"], "The service cannot be reached")
	require.Contains(t, seen.Texts["offline"], "Balance", "what was there stays")
	require.Positive(t, seen.Recovered)
}

func requireHonestNames(t *testing.T, seen *readersSaw) {
	t.Helper()
	for name, like := range map[string]string{"TON": "TON", "ТОN": "TON", "U\u200bSDT": "USDT", "USD₮": "USDT", "T\u202eON": "TON"} {
		shown, ok := seen.Names[name]
		require.True(t, ok, name)
		require.Contains(t, shown[1], "not "+like, "%q beside the name", name)
		require.Contains(t, shown[2], "(not "+like+")", "%q beside the amount", name)
		require.False(t, strings.ContainsAny(shown[0], "\u202e\u200b"), "%q", shown[0])
	}
	require.Contains(t, seen.Names["Claim at ton-gift.com"][1], "beware of links")
	require.Contains(t, seen.Names["mayor.ton"][1], "not a domain")
	require.NotContains(t, seen.Names["Harbour"][1], "beware")
	require.NotContains(t, seen.Names["Harbour"][1], "not ")
	require.NotContains(t, seen.Names["Harbour"][2], "(not ")
	require.Regexp(t, `^\d+ units of`, seen.Supply, "no decimals are made up")
	require.Contains(t, seen.Texts["undecided"], "not known: the metadata has not been read")
}

// readerObjects waits until the index has what the pages of the test show.
func readerObjects(t *testing.T, base string) map[string]string {
	t.Helper()
	objects := map[string]string{}
	eventually(t, 3*time.Minute, "objects of all kinds are indexed", func() bool {
		type list struct{ Nodes []struct{ Hash string } }
		var seen struct {
			Failed, Bounced, Old list
			JettonMasters        struct {
				Nodes []struct {
					TotalSupply string
					Account     struct{ Friendly string }
				}
			}
		}
		query(t, base, `{ old: transactions(first: 1, sort: ASC, where: { workchain: 0, startUtime: "2020-01-01T00:00:00Z" }) { nodes { hash } }
			failed: transactions(first: 1, where: { outcomes: [FAILED], exitCode: 0 }) { nodes { hash } }
			bounced: transactions(first: 1, where: { outcomes: [BOUNCED], exitCode: 706 }) { nodes { hash } }
			jettonMasters(first: 20) { nodes { totalSupply account { friendly } } } }`, &seen)
		for name, found := range map[string]list{"old": seen.Old, "failedAction": seen.Failed, "bounced": seen.Bounced} {
			for _, n := range found.Nodes {
				objects[name] = hashInHex(t, n.Hash)
			}
		}
		for _, j := range seen.JettonMasters.Nodes {
			if j.TotalSupply != "0" {
				objects["jetton"] = j.Account.Friendly
			}
		}
		return len(objects) == 4
	})
	objects["nobody"] = "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF"
	return objects
}

// lacksAccounts finds a wallet and another contract whose states the late index lacks, with the balance of the wallet.
func lacksAccounts(t *testing.T, base, late string, objects map[string]string) {
	t.Helper()
	type account struct {
		Address, Friendly, Other string
		Wallet                   *struct{ Name string }
		State                    *struct{ Balance, Status string }
	}
	eventually(t, time.Minute, "the late index lacks a wallet and a contract", func() bool {
		var all struct{ Accounts struct{ Nodes []account } }
		query(t, base, `{ accounts: topAccounts(first: 100) { nodes { address friendly other: friendly(bounceable: true) wallet { name } state { balance status } } } }`, &all)
		for _, a := range all.Accounts.Nodes {
			if a.State == nil || a.State.Status != "ACTIVE" {
				continue
			}
			var there struct{ Account account }
			query(t, late, `{ account(address: "`+a.Address+`") { state { balance } } }`, &there)
			switch {
			case there.Account.State != nil:
			case a.Wallet == nil:
				objects["contract"] = a.Friendly
			default:
				objects["wallet"], objects["other"], objects["balance"] = a.Friendly, a.Other, coinsText(a.State.Balance)
			}
		}
		return objects["wallet"] != "" && objects["contract"] != ""
	})
}

// coinsText writes nanotons as the explorer does, without separators.
func coinsText(nano string) string {
	const decimals = 9
	nano = strings.Repeat("0", max(0, decimals+1-len(nano))) + nano
	integer, rest := nano[:len(nano)-decimals], strings.TrimRight(nano[len(nano)-decimals:], "0")
	if rest == "" {
		return integer
	}
	return integer + "." + rest
}
