package conformance

func v2MethodChecks() []Check {
	return []Check{
		v2Row("runGetMethod.fields", Fields, "`runGetMethod` returns gas, stack and exit code.", func(p *probe) {
			p.envelope(p.read(v2Post("runGetMethod", map[string]any{"address": p.v2Wallet(), "method": "seqno", "stack": []any{}}))).conforms("v2Run")
		}),
		v2Row("runGetMethodStd.agrees", Consistency, "`runGetMethod` and `runGetMethodStd` end with the same exit code.", func(p *probe) {
			body := map[string]any{"address": p.v2Wallet(), "method": "seqno", "stack": []any{}}
			p.equal(p.envelope(p.read(v2Post("runGetMethodStd", body))).text("exit_code"), p.envelope(p.read(v2Post("runGetMethod", body))).text("exit_code"), "exit_code")
		}),
		v2Row("runGetMethod.id", Consistency, "`runGetMethod` takes the id of a method, as a number or as text in decimal or hex, for its name.", func(p *probe) {
			run := func(method any) string {
				result := p.envelope(p.read(v2Post("runGetMethod", map[string]any{"address": p.v2Wallet(), "method": method, "stack": []any{}})))
				return result.text("exit_code") + " with gas " + result.text("gas_used")
			}
			named := run("seqno")
			for _, id := range []any{85143, "85143", "0x14c97"} {
				p.equal(run(id), named, "exit code and gas of an id")
			}
		}),
		v2Row("runGetMethod.fraction", Errors, "`runGetMethod` with a method that is a number and no integer is refused with 422.", func(p *probe) {
			v2Error(p.refused(v2Post("runGetMethod", map[string]any{"address": p.v2Account(), "method": 1.5, "stack": []any{}}), refusedParameter...))
		}),
		v2Row("runGetMethod.missing", Errors, "`runGetMethod` without a method is refused with 422.", func(p *probe) {
			v2Error(p.refused(v2Post("runGetMethod", map[string]any{"address": p.v2Account(), "stack": []any{}}), refusedParameter...))
		}),
		v2Row("runGetMethod.malformed", Errors, "`runGetMethod` with a body that is no JSON is refused with 422.", func(p *probe) { v2Error(p.refused(v2Post("runGetMethod", "{"), refusedParameter...)) }),
		v2Row("sendBoc.empty", Errors, "`sendBoc` of an empty message is refused with 422.", func(p *probe) { v2Error(p.refused(v2Post("sendBoc", map[string]any{"boc": ""}), refusedParameter...)) }),
		v2Row("sendBoc.malformed", Errors, "`sendBoc` of text that is no base64 is refused.", func(p *probe) {
			v2Error(p.refused(v2Post("sendBoc", map[string]any{"boc": "!!"}), refusedRule...))
		}),
		v2Row("estimateFee.missing", Errors, "`estimateFee` without an address is refused with 422.", func(p *probe) { v2Error(p.refused(v2Post("estimateFee", map[string]any{}), refusedParameter...)) }),
	}
}
