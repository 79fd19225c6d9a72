package recordedtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/recordedtest"
)

// row is an object of a response.
type row map[string]any

// at returns a value by its path; nil when there is none.
func (r row) at(path ...string) any {
	var v any = map[string]any(r)
	for _, name := range path {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func number(v any) *big.Int {
	text, _ := v.(string)
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil
	}
	return n
}

// filterTest compares filtered lists with the rows of lists that are not filtered.
type filterTest struct {
	t *testing.T
	h http.Handler
}

func (f filterTest) query(text string, into any) {
	f.t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	require.NoError(f.t, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, r)
	var response struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	require.NoError(f.t, json.Unmarshal(w.Body.Bytes(), &response), w.Body.String())
	require.Empty(f.t, response.Errors, text)
	require.NoError(f.t, json.Unmarshal(response.Data, into))
}

// list reads all pages of a list. within is the field around it, with its closing braces, or empty.
func (f filterTest) list(open, name, arguments, fields, shut string, of int, backwards bool) (rows []row) {
	f.t.Helper()
	cursor := ""
	for range 2000 {
		page := fmt.Sprintf("first: %d", of)
		if cursor != "" {
			page += fmt.Sprintf(", after: %q", cursor)
		}
		if backwards {
			page = fmt.Sprintf("last: %d", of)
			if cursor != "" {
				page += fmt.Sprintf(", before: %q", cursor)
			}
		}
		var data map[string]any
		f.query(fmt.Sprintf("{ %s list: %s(%s%s) { nodes { %s } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } %s }", open, name, page, arguments, fields, shut), &data)
		if inner, ok := data["parent"].(map[string]any); ok {
			data = inner
		}
		text, err := json.Marshal(data["list"])
		require.NoError(f.t, err)
		var p struct {
			Nodes    []row
			PageInfo struct {
				HasNextPage, HasPreviousPage bool
				StartCursor, EndCursor       string
			}
		}
		require.NoError(f.t, json.Unmarshal(text, &p))
		require.LessOrEqual(f.t, len(p.Nodes), of)
		if backwards {
			rows, cursor = append(p.Nodes, rows...), p.PageInfo.StartCursor
		} else {
			rows, cursor = append(rows, p.Nodes...), p.PageInfo.EndCursor
		}
		if more := p.PageInfo.HasNextPage; !backwards && !more || backwards && !p.PageInfo.HasPreviousPage {
			return rows
		}
	}
	require.Fail(f.t, "the list does not end")
	return nil
}

// require compares a filtered list with those rows of the complete one that match, in pages of two sizes and from both ends. It returns
// the number of rows.
func (f filterTest) require(open, name, where, fields, shut, key string, all []row, match func(row) bool) int {
	f.t.Helper()
	var want []any
	for _, r := range all {
		if match(r) {
			want = append(want, r.at(key))
		}
	}
	for _, backwards := range []bool{false, true} {
		var got []any
		for _, r := range f.list(open, name, ", where: {"+where+"}", fields, shut, 40, backwards) {
			got = append(got, r.at(key))
		}
		require.Equal(f.t, want, got, "%s %s backwards: %v", name, where, backwards)
	}
	return len(want)
}

// most returns the most frequent values, at most n.
func most(all []row, n int, value func(row) []any) (list []any) {
	counts := map[any]int{}
	var order []any
	for _, r := range all {
		for _, v := range value(r) {
			if v == nil {
				continue
			}
			if counts[v]++; counts[v] == 1 {
				order = append(order, v)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b any) int { return counts[b] - counts[a] })
	return order[:min(n, len(order))]
}

const transactionFields = `hash account { address } description { outcome kind compute { skipped exitCode } }
	inMessage { kind opcode value source { address } } outMessages { kind value destination { address } }`

// messageMatches reports whether a transaction has an internal message that was received or sent, with a counterparty and a least value.
func messageMatches(r row, direction string, other any, least *big.Int) bool {
	one := func(m map[string]any, side string) bool {
		who, value := row(m).at(side, "address"), number(m["value"])
		return m != nil && m["kind"] == "INTERNAL" && who != nil && (other == nil || who == other) && (least == nil || value != nil && value.Cmp(least) >= 0)
	}
	if in, _ := r["inMessage"].(map[string]any); direction != "OUT" && one(in, "source") {
		return true
	}
	sent, _ := r["outMessages"].([]any)
	return direction != "IN" && slices.ContainsFunc(sent, func(m any) bool {
		message, _ := m.(map[string]any)
		return one(message, "destination")
	})
}

// Each filter of a list selects exactly the rows whose fields say so, at the root and within an object.
func TestFilters_SelectTheRowsWhoseFieldsMatch(t *testing.T) {
	t.Parallel()
	db := recordedtest.Index(t, devnetBlocks(t))
	f := filterTest{t, newService(t, db, "devnet")}
	t.Run("transactions", func(t *testing.T) { t.Parallel(); filterTest{t, f.h}.transactions() })
	t.Run("messages", func(t *testing.T) { t.Parallel(); filterTest{t, f.h}.messages() })
	t.Run("actions", func(t *testing.T) { t.Parallel(); filterTest{t, f.h}.actions() })
	t.Run("actions by hashes", func(t *testing.T) { t.Parallel(); filterTest{t, f.h}.named() })
	t.Run("transfers", func(t *testing.T) { t.Parallel(); filterTest{t, f.h}.transfers() })
}

func (f filterTest) transactions() {
	all := f.list("", "transactions", "", transactionFields, "", 100, false)
	require.NotEmpty(f.t, all)
	account := most(all, 1, func(r row) []any { return []any{r.at("account", "address")} })[0]
	var own []row
	for _, r := range all {
		if r.at("account", "address") == account {
			own = append(own, r)
		}
	}
	type condition struct {
		where string
		match func(row) bool
	}
	conditions := []condition{
		{`success: true`, func(r row) bool { return r.at("description", "outcome") == "SUCCESS" }},
		{`success: false`, func(r row) bool { return r.at("description", "outcome") != "SUCCESS" }},
		{`outcomes: [BOUNCED, CREDITED]`, func(r row) bool {
			o := r.at("description", "outcome")
			return o == "BOUNCED" || o == "CREDITED"
		}},
		{`kind: TICK_TOCK`, func(r row) bool { return r.at("description", "kind") == "TICK_TOCK" }},
	}
	for _, code := range most(all, 5, func(r row) []any { return []any{r.at("description", "compute", "exitCode")} }) {
		conditions = append(conditions, condition{fmt.Sprintf("exitCode: %v", code), func(r row) bool {
			return r.at("description", "compute", "exitCode") == code && r.at("description", "compute", "skipped") == false
		}})
	}
	for _, opcode := range most(all, 3, func(r row) []any { return []any{r.at("inMessage", "opcode")} }) {
		conditions = append(conditions, condition{fmt.Sprintf("opcode: %q", opcode), func(r row) bool { return r.at("inMessage", "opcode") == opcode }})
	}
	least := big.NewInt(300_000_000)
	for _, direction := range []string{"ANY", "IN", "OUT"} {
		conditions = append(conditions, condition{`minValue: "300000000", direction: ` + direction, func(r row) bool { return messageMatches(r, direction, nil, least) }})
		for _, other := range most(own, 2, func(r row) []any { return []any{r.at("inMessage", "source", "address")} }) {
			conditions = append(conditions, condition{fmt.Sprintf("counterparties: [%q], direction: %s", other, direction), func(r row) bool {
				return messageMatches(r, direction, other, nil)
			}})
		}
	}
	found := 0
	for _, c := range conditions {
		found += f.require("", "transactions", c.where, "hash", "", "hash", all, c.match)
		f.require(fmt.Sprintf("parent: account(address: %q) {", account), "transactions", c.where, "hash", "}", "hash", own, c.match)
		f.require("", "transactions", fmt.Sprintf("accounts: [%q], %s", account, c.where), "hash", "", "hash", own, c.match)
	}
	require.Greater(f.t, found, len(all)/2)
}

func (f filterTest) messages() {
	all := f.list("", "messages", "", "hash value bounced source { address } destination { address }", "", 100, false)
	least, largest := big.NewInt(100_000_000), big.NewInt(1_000_000_000)
	within := func(r row) bool {
		v := number(r["value"])
		return v != nil && v.Cmp(least) >= 0 && v.Cmp(largest) <= 0
	}
	require.Positive(f.t, f.require("", "messages", `minValue: "100000000", maxValue: "1000000000"`, "hash", "", "hash", all, within))
	f.require("", "messages", `bounced: true`, "hash", "", "hash", all, func(r row) bool { return r["bounced"] == true })
	receiver := most(all, 1, func(r row) []any { return []any{r.at("destination", "address")} })[0]
	received := slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r.at("destination", "address") != receiver })
	sender := most(received, 1, func(r row) []any { return []any{r.at("source", "address")} })[0]
	open := fmt.Sprintf("parent: account(address: %q) {", receiver)
	require.Positive(f.t, f.require(open, "receivedMessages", fmt.Sprintf("source: %q", sender), "hash", "}", "hash", received, func(r row) bool { return r.at("source", "address") == sender }))
	f.require(open, "receivedMessages", `minValue: "100000000", maxValue: "1000000000"`, "hash", "}", "hash", received, within)
}

const actionFields = `hash type success opcode accounts { address } details { ... on TonTransferDetails { source destination value }
	... on JettonTransferDetails { asset sender receiver amount } ... on NFTTransferDetails { old_owner: oldOwner new_owner: newOwner nft_item: nftItem } }`

func (f filterTest) actions() {
	all := f.list("", "actions", "", actionFields, "", 50, false)
	f.require("", "actions", "success: false", "hash", "", "hash", all, func(r row) bool { return r["success"] == false })
	of := func(kind string) []row {
		return slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r["type"] != kind })
	}
	coins, jettons := of("ton_transfer"), of("jetton_transfer")
	require.NotEmpty(f.t, coins)
	require.NotEmpty(f.t, jettons)
	detail := func(name string) func(row) []any { return func(r row) []any { return []any{r.at("details", name)} } }

	sender := most(coins, 1, detail("source"))[0]
	sent := fmt.Sprintf(`account: %q, types: ["ton_transfer"]`, sender)
	require.Positive(f.t, f.require("", "actions", sent+", direction: OUT", "hash", "", "hash", coins, func(r row) bool { return r.at("details", "source") == sender }))
	f.require("", "actions", sent+", direction: IN", "hash", "", "hash", coins, func(r row) bool { return r.at("details", "destination") == sender })
	f.require(fmt.Sprintf("parent: account(address: %q) {", sender), "actions", `types: ["ton_transfer"], direction: OUT, minAmount: "1000000000"`, "hash", "}", "hash", coins, func(r row) bool {
		return r.at("details", "source") == sender && number(r.at("details", "value")).Cmp(big.NewInt(1_000_000_000)) >= 0
	})

	owner, asset := most(jettons, 1, detail("receiver"))[0], most(jettons, 1, detail("asset"))[0]
	received := fmt.Sprintf(`account: %q, types: ["jetton_transfer"]`, owner)
	require.Positive(f.t, f.require("", "actions", received+", direction: IN", "hash", "", "hash", jettons, func(r row) bool { return r.at("details", "receiver") == owner }))
	party := func(r row, a any) bool {
		list, _ := r["accounts"].([]any)
		return slices.ContainsFunc(list, func(x any) bool { o, _ := x.(map[string]any); return o["address"] == a })
	}
	f.require("", "actions", received+fmt.Sprintf(", asset: %q", asset), "hash", "", "hash", jettons, func(r row) bool {
		return party(r, owner) && r.at("details", "asset") == asset
	})
	amount := most(jettons, 1, detail("amount"))[0]
	require.Positive(f.t, f.require("", "actions", fmt.Sprintf(`types: ["jetton_transfer"], asset: %q, minAmount: %q, maxAmount: %q`, asset, amount, amount), "hash", "", "hash", jettons, func(r row) bool {
		return r.at("details", "asset") == asset && r.at("details", "amount") == amount
	}))
	other := most(jettons, 1, detail("sender"))[0]
	f.require("", "actions", received+fmt.Sprintf(", counterparties: [%q]", other), "hash", "", "hash", jettons, func(r row) bool {
		return other != owner && party(r, owner) && party(r, other)
	})
}

// named requires that the hashes of a filter of actions restrict it together with each of the other fields.
func (f filterTest) named() {
	all := f.list("", "actions", "", `hash type traceHash traceMcSeqnoEnd transactionHashes accounts { address } transactions { inMessage { hash } outMessages { hash } }`, "", 20, false)
	sample := func(name string, value func(row) []any, n int) (where string, match func(row) bool) {
		values := most(all, n, value)
		text, err := json.Marshal(values)
		require.NoError(f.t, err)
		return fmt.Sprintf("%s: %s", name, text), func(r row) bool {
			return slices.ContainsFunc(value(r), func(v any) bool { return slices.Contains(values, v) })
		}
	}
	list := func(v any) []any { l, _ := v.([]any); return l }
	messages := func(r row) (hashes []any) {
		for _, t := range list(r["transactions"]) {
			tx, _ := t.(map[string]any)
			in, _ := tx["inMessage"].(map[string]any)
			for _, m := range append(list(tx["outMessages"]), any(in)) {
				message, _ := m.(map[string]any)
				hashes = append(hashes, message["hash"])
			}
		}
		return hashes
	}
	account := most(all, 3, func(r row) []any { return []any{row(list(r["accounts"])[0].(map[string]any)).at("address")} })[2]
	conditions := map[string]func(row) bool{
		fmt.Sprintf("account: %q", account): func(r row) bool {
			return slices.ContainsFunc(list(r["accounts"]), func(x any) bool { o, _ := x.(map[string]any); return o["address"] == account })
		},
	}
	for name, value := range map[string]func(row) []any{
		"hashes": func(r row) []any { return []any{r["hash"]} }, "traces": func(r row) []any { return []any{r["traceHash"]} },
		"transactions": func(r row) []any { return list(r["transactionHashes"]) }, "messages": messages,
		"types": func(r row) []any { return []any{r["type"]} },
	} {
		n := 60
		if name == "types" {
			n = 2
		}
		where, match := sample(name, value, n)
		conditions[where] = match
	}
	seqno := most(all, 1, func(r row) []any { return []any{r["traceMcSeqnoEnd"]} })[0]
	conditions[fmt.Sprintf("mcSeqno: %v", seqno)] = func(r row) bool { return r["traceMcSeqnoEnd"] == seqno }
	narrower := 0
	for one, matchOne := range conditions {
		for two, matchTwo := range conditions {
			if one < two {
				both := f.require("", "actions", one+", "+two, "hash", "", "hash", all, func(r row) bool { return matchOne(r) && matchTwo(r) })
				if both < 60 && both > 0 {
					narrower++
				}
			}
		}
	}
	require.Positive(f.t, narrower)
}

func (f filterTest) transfers() {
	const fields = "transactionHash amount source { address } destination { address } jettonAccount { address }"
	all := f.list("", "jettonTransfers", "", fields, "", 100, false)
	require.NotEmpty(f.t, all)
	owner := most(all, 1, func(r row) []any { return []any{r.at("destination", "address")} })[0]
	from := func(r row, a any) bool { return r.at("source", "address") == a }
	to := func(r row, a any) bool { return r.at("destination", "address") == a }
	own := slices.DeleteFunc(slices.Clone(all), func(r row) bool { return !from(r, owner) && !to(r, owner) })
	other := most(own, 1, func(r row) []any {
		if to(r, owner) {
			return []any{r.at("source", "address")}
		}
		return nil
	})[0]
	owned := fmt.Sprintf("owners: [%q], counterparties: [%q]", owner, other)
	incoming := func(r row) bool { return from(r, other) && to(r, owner) }
	require.Positive(f.t, f.require("", "jettonTransfers", owned+", direction: IN", "transactionHash", "", "transactionHash", own, incoming))
	f.require("", "jettonTransfers", owned, "transactionHash", "", "transactionHash", own, func(r row) bool {
		return incoming(r) || from(r, owner) && to(r, other)
	})
	amount := number(most(all, 1, func(r row) []any { return []any{r["amount"]} })[0])
	enough := func(r row) bool { return number(r["amount"]).Cmp(amount) >= 0 }
	f.require("", "jettonTransfers", fmt.Sprintf("minAmount: %q", amount.String()), "transactionHash", "", "transactionHash", all, enough)
	jetton := most(all, 1, func(r row) []any { return []any{r.at("jettonAccount", "address")} })[0]
	f.require(fmt.Sprintf("parent: jettonMaster(address: %q) {", jetton), "transfers", fmt.Sprintf("minAmount: %q", amount.String()), "transactionHash", "}", "transactionHash", all, func(r row) bool {
		return r.at("jettonAccount", "address") == jetton && enough(r)
	})
	moves := f.list("", "nftTransfers", "", "transactionHash aborted", "", 100, false)
	f.require("", "nftTransfers", "success: true", "transactionHash", "", "transactionHash", moves, func(r row) bool { return r["aborted"] == false })
	burns := f.list("", "jettonBurns", "", "transactionHash aborted", "", 100, false)
	f.require("", "jettonBurns", "success: false", "transactionHash", "", "transactionHash", burns, func(r row) bool { return r["aborted"] == true })
}

// A condition that needs another filter is refused with its name.
func TestFilters_ThatNeedOthersAreRefused(t *testing.T) {
	t.Parallel()
	o := sets()[3]
	db := recordedtest.Index(t, o.blocks(t))
	h := newService(t, db, o.network)
	address := `"0:` + fmt.Sprintf("%064d", 1) + `"`
	for query, want := range map[string]string{
		`{ actions(where: {direction: IN}) { nodes { hash } } }`:                                                      "direction and counterparties need account",
		`{ jettonTransfers(where: {counterparties: [` + address + `]}) { nodes { amount } } }`:                        "counterparties need owners",
		`{ account(address: ` + address + `) { transactions(where: {accounts: []}) { nodes { hash } } } }`:            "",
		`{ account(address: ` + address + `) { actions(where: {account: ` + address + `}) { nodes { hash } } } }`:     "where: the object that the list belongs to sets account",
		`{ account(address: ` + address + `) { sentMessages(where: {source: ` + address + `}) { nodes { hash } } } }`: "where: the object that the list belongs to sets source",
		`{ jettonMasters(orderBy: HOLDERS, where: {admins: [` + address + `]}) { nodes { mintable } } }`:              "where can be given with orderBy: ADDRESS only",
	} {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if want == "" {
			require.NotContains(t, w.Body.String(), `"errors"`, query)
			continue
		}
		require.Contains(t, w.Body.String(), want, query)
	}
}
