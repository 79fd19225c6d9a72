package conformance

import (
	"encoding/base64"
	"net/http"

	"tonql/internal/cellgraph"
)

const (
	emulatePath = "api/emulate/v1/emulateTrace"
	connectPath = "api/emulate/v1/emulateTonConnect"
	docEmulate  = "compatibility.md#apiemulatev1"
)

// emulateRecords are the members of responses of the emulation API.
var emulateRecords = map[string]string{
	"Emulation": `mc_block_seqno int, trace Node, transactions {Transaction}, actions [Action]?, code_cells obj, data_cells obj, address_book obj, metadata obj,
		rand_seed hash, is_incomplete bool~`,
}

// emulateRefused are the statuses of requests that the API refuses: an older server has its own for a body, and one for all mistakes in a message.
var emulateRefused = []int{http.StatusUnprocessableEntity, http.StatusBadRequest, http.StatusInternalServerError}

func emulateRequest(body any) request {
	return request{method: http.MethodPost, path: emulatePath, body: body}
}

func emulateChecks() []Check {
	row := func(id string, class Class, expect string, run func(*probe)) Check {
		return Check{ID: "emulate." + id, Section: Emulate, Class: class, Expect: expect, Doc: docEmulate, run: run}
	}
	refuse := func(id, expect string, body any) Check {
		return row(id, Errors, expect, func(p *probe) { v3Error(p.refused(emulateRequest(body), emulateRefused...)) })
	}
	connect := func(body any) request { return request{method: http.MethodPost, path: connectPath, body: body} }
	return []Check{
		row("trace.fields", Fields, "The response of `emulateTrace` has its members, and transactions and actions in the form of `/api/v3`.", func(p *probe) {
			p.emulated().at("response").conforms("Emulation")
		}),
		row("trace.agrees", Consistency, "`emulateTrace` of an indexed message, on the block before, begins with the transaction of the same account and message.", func(p *probe) {
			e := p.emulated()
			response := e.at("response")
			root := response.at("transactions", response.text("trace", "tx_hash"))
			p.equal(root.text("account"), e.text("transaction", "account"), "the account")
			p.equal(root.text("in_msg", "hash"), e.text("transaction", "in_msg", "hash"), "the hash of the message")
			p.equal(root.text("prev_trans_hash"), e.text("transaction", "prev_trans_hash"), "the transaction before")
		}),
		row("trace.tree", Consistency, "`transactions` of `emulateTrace` are the nodes of its tree.", func(p *probe) {
			response := p.emulated().at("response")
			var visited []string
			p.walk(response.at("trace"), "", response.at("transactions"), &visited)
			p.sameSet(visited, column(response.at("transactions").members(), "hash"), "nodes")
		}),
		row("trace.address-book", Consistency, "`address_book` of `emulateTrace` has every account.", func(p *probe) {
			response := p.emulated().at("response")
			for _, tx := range response.at("transactions").members() {
				response.at("address_book", tx.text("account"))
			}
		}),
		refuse("trace.missing", "`emulateTrace` without a message is refused.", map[string]any{}),
		refuse("trace.malformed", "`emulateTrace` of text that is no bag of cells is refused.", map[string]any{"boc": "!!"}),
		refuse("trace.body", "`emulateTrace` with a body that is no JSON is refused.", `{"boc":`),
		row("trace.get", Errors, "`GET` of `emulateTrace` is refused.", func(p *probe) {
			response, ok := p.send(request{method: http.MethodGet, path: emulatePath})
			p.requiref(!ok || response.Status == http.StatusMethodNotAllowed || response.Status == http.StatusNotFound, "status %d instead of 405 or 404", response.Status)
		}),
		row("connect.agrees", Consistency, "`emulateTonConnect` begins with a transaction of the wallet, which sends the messages of the request.", func(p *probe) {
			if !p.offers(V3) {
				p.skipf("the server has no /api/v3, where a wallet is found")
			}
			wallet := p.wallet().text("address")
			response, ok := p.send(connect(map[string]any{"from": wallet, "messages": []any{map[string]any{"address": nobody, "amount": "1000"}}}))
			if !ok {
				return
			}
			if response.Status != http.StatusOK { // it may be of another version, or have no coins
				p.skipf("the server does not execute a request to %s: status %d", wallet, response.Status)
				return
			}
			body := p.decode(response)
			root := body.at("transactions", body.text("trace", "tx_hash"))
			p.equal(root.text("account"), wallet, "the account")
			sent := p.first(root.at("out_msgs"), "messages that the wallet sends")
			p.equal(sent.text("destination"), nobody, "the destination")
			p.equal(sent.text("value"), "1000", "the value")
		}),
		row("connect.missing", Errors, "`emulateTonConnect` without a wallet is refused.", func(p *probe) {
			v3Error(p.refused(connect(map[string]any{"messages": []any{map[string]any{"address": nobody, "amount": "1000"}}}), emulateRefused...))
		}),
		row("connect.no-messages", Errors, "`emulateTonConnect` without messages is refused.", func(p *probe) {
			v3Error(p.refused(connect(map[string]any{"from": nobody, "messages": []any{}}), emulateRefused...))
		}),
	}
}

// maxEmulated bounds the messages that a server may refuse before the checks of results are skipped.
const maxEmulated = 8

// emulated has the member transaction, one that an external message caused, and the member response, that of emulating the message on the
// masterchain block before.
func (p *probe) emulated() value {
	if !p.offers(V3) || !p.offers(V2) {
		p.skipf("the server has no /api/v3 or no /api/v2, where messages are read")
	}
	return p.fact("emulated message", func() value {
		tried := 0
		for _, tx := range p.sample().rows() {
			in := tx.at("in_msg")
			if in.null() || in.has("source") || tried == maxEmulated {
				continue
			}
			tried++
			if p.followsInItsBlock(tx) {
				continue
			}
			message := p.messageOf(tx)
			if message == "" {
				continue
			}
			response, ok := p.send(emulateRequest(map[string]any{
				"boc": message, "mc_block_seqno": tx.small("mc_block_seqno") - 1,
				"with_actions": true, "include_code_data": true, "include_address_book": true, "include_metadata": true,
			}))
			if ok && response.Status == http.StatusOK { // an earlier message of the same block may have changed the account
				return value{p, map[string]any{"transaction": tx.v, "response": p.decode(response).v}, "emulation", true}
			}
		}
		p.skipf("the server executes none of %d messages on the block before", tried)
		return value{p: p, path: "emulation"}
	})
}

// followsInItsBlock reports whether the masterchain block of a transaction has an earlier one of the account, without which the block before does not
// lead to it.
func (p *probe) followsInItsBlock(tx value) bool {
	for _, before := range p.v3("transactions", "hash", tx.text("prev_trans_hash")).at("transactions").rows() {
		if before.small("mc_block_seqno") == tx.small("mc_block_seqno") {
			return true
		}
	}
	return false
}

// messageOf returns the bag of cells of the message that caused a transaction, in base64; "" if that of the transaction is too large.
func (p *probe) messageOf(tx value) string {
	row := p.first(p.v2("getTransactions", "address", tx.text("account"), "lt", tx.text("lt"), "hash", tx.text("hash"), "limit", "1"), "transactions")
	raw := decodeBase64(row.text("data"))
	if len(raw) == 0 || len(raw) > maxCells {
		return ""
	}
	root, err := cellgraph.FromBOC(raw)
	if err != nil {
		p.failf("%s.data is no bag of cells: %s", row.path, cut(err.Error(), 100))
		return ""
	}
	messages, err := root.PeekRef(0)
	if err != nil {
		return ""
	}
	in, err := messages.PeekRef(0)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(in.ToBOC())
}
