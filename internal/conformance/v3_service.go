package conformance

import (
	"math/big"
	"net/http"
)

func v3ServiceChecks() []Check {
	post := func(path string, body any) request {
		return request{method: http.MethodPost, path: "api/v3/" + path, body: body}
	}
	seqno := func(p *probe) value {
		return p.read(post("runGetMethod", map[string]any{"address": p.wallet().text("address"), "method": "seqno", "stack": []any{}}))
	}
	return []Check{
		v3("decode.opcode", Routes, "`/api/v3/decode` names the opcode of a Jetton transfer.", func(p *probe) {
			p.same(column(p.v3("decode", "opcodes", "0x0f8a7ea5").at("opcodes").rows()), []string{"jetton_transfer"}, "opcodes")
		}),
		v3("decode.post", Consistency, "`POST /api/v3/decode` and `GET /api/v3/decode` return the same.", func(p *probe) {
			p.same(column(p.read(post("decode", map[string]any{"opcodes": []string{"0x0f8a7ea5"}})).at("opcodes").rows()),
				column(p.v3("decode", "opcodes", "0x0f8a7ea5").at("opcodes").rows()), "opcodes")
		}),
		v3("decode.malformed", Errors, "`POST /api/v3/decode` with a body that is no JSON is refused with 422.", func(p *probe) { v3Error(p.refused(post("decode", `{"opcodes":`), refusedParameter...)) }),
		v3("run-get-method.fields", Fields, "`/api/v3/runGetMethod` returns gas, exit code and a stack of typed entries.", func(p *probe) { seqno(p).conforms("GetMethod") }),
		v3("run-get-method.seqno", Consistency, "The get-method `seqno` of a wallet returns the seqno that `/api/v3/walletStates` has.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				result := seqno(p)
				entry := p.first(result.at("stack"), "entries on the stack")
				state := p.first(p.v3("walletStates", "address", p.wallet().text("address")).at("wallets"), "wallets")
				number := entry.text("value")
				return []string{result.text("exit_code"), entry.text("type"), number}, []string{"0", "num", hexOf(state.integer("seqno"))}
			})
		}),
		v3("run-get-method.unknown", Routes, "A get-method that a contract lacks ends with a nonzero exit code, and status 200.", func(p *probe) {
			result := p.read(post("runGetMethod", map[string]any{"address": p.wallet().text("address"), "method": "no_such_method", "stack": []any{}}))
			p.requiref(result.integer("exit_code").Sign() != 0, "the exit code is 0")
		}),
		v3("run-get-method.malformed", Errors, "`/api/v3/runGetMethod` with a body that is no JSON is refused with 422.", func(p *probe) { v3Error(p.refused(post("runGetMethod", `{`), refusedParameter...)) }),
		v3("run-get-method.missing", Errors, "`/api/v3/runGetMethod` without a method is refused.", func(p *probe) {
			v3Error(p.refused(post("runGetMethod", map[string]any{"address": p.busiest(), "stack": []any{}}), refusedMissing...))
		}),
		v3("message.missing", Errors, "`/api/v3/message` without a message is refused.", func(p *probe) { v3Error(p.refused(post("message", map[string]any{}), refusedMissing...)) }),
		v3("message.malformed", Errors, "`/api/v3/message` with text that is no bag of cells is refused.", func(p *probe) {
			v3Error(p.refused(post("message", map[string]any{"boc": "!!"}), refusedRule...))
		}),
		v3("estimate-fee.missing", Errors, "`/api/v3/estimateFee` without an address is refused.", func(p *probe) { v3Error(p.refused(post("estimateFee", map[string]any{}), refusedMissing...)) }),
	}
}

// hexOf prints a number as stacks do.
func hexOf(n *big.Int) string { return "0x" + n.Text(16) }
