package conformance

import (
	"net/http"
	"strings"
)

func v2AccountChecks() []Check {
	return []Check{
		v2Row("getAddressBalance.agrees", Consistency, "`getAddressBalance` is the balance of `getAddressInformation`.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				return []string{p.v2("getAddressBalance", v2OfAccount(p)...).text()}, []string{p.v2("getAddressInformation", v2OfAccount(p)...).text("balance")}
			})
		}),
		v2Row("getAddressState.agrees", Consistency, "`getAddressState` is the state of `getAddressInformation`.", func(p *probe) {
			p.equal(p.v2("getAddressState", v2OfAccount(p)...).text(), p.v2("getAddressInformation", v2OfAccount(p)...).text("state"), "state")
		}),
		v2Row("getAddressState.unknown", Routes, "An account that never was is `uninitialized`, with balance 0.", func(p *probe) {
			p.equal(p.v2("getAddressState", "address", nobody).text(), "uninitialized", "state")
			p.equal(p.v2("getAddressBalance", "address", nobody).text(), "0", "balance")
		}),
		v2Row("getExtendedAddressInformation.agrees", Consistency, "`getExtendedAddressInformation` has the balance and the last transaction of `getAddressInformation`.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				a, b := p.v2("getExtendedAddressInformation", v2OfAccount(p)...), p.v2("getAddressInformation", v2OfAccount(p)...)
				return []string{a.text("balance"), a.text("last_transaction_id", "hash")}, []string{b.text("balance"), b.text("last_transaction_id", "hash")}
			})
		}),
		v2Row("getAddressInformation.past", Consistency, "With `seqno`, the state is that of the masterchain block, which `block_id` names.", func(p *probe) {
			n := p.v2Head().text("seqno")
			p.equal(p.v2("getAddressInformation", "address", p.v2Account(), "seqno", n).text("block_id", "seqno"), n, "block_id.seqno")
		}),
		v2Row("getAddressInformation.forms", Encoding, "An address is accepted raw in either case and user-friendly, with equal results.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			for _, form := range []string{strings.ToLower(raw), friendlyOf(raw)} {
				p.unchanged(func() ([]string, []string) {
					return []string{p.v2("getAddressInformation", "address", form).text("last_transaction_id", "hash")},
						[]string{p.v2("getAddressInformation", "address", raw).text("last_transaction_id", "hash")}
				})
			}
		}),
		v2Missing("getAddressInformation", "an address"), v2Missing("getExtendedAddressInformation", "an address"), v2Missing("getWalletInformation", "an address"),
		v2Missing("getAddressBalance", "an address"), v2Missing("getTransactions", "an address"), v2Missing("getShards", "a seqno"), v2Missing("lookupBlock", "a block"),
		v2Missing("getBlockHeader", "a block"), v2Missing("getBlockTransactions", "a block"), v2Missing("tryLocateTx", "addresses"), v2Missing("packAddress", "an address"),
		v2Row("getAddressInformation.invalid", Errors, "An unreadable address is refused with 422.", func(p *probe) { p.v2Refused(refusedParameter, "getAddressInformation", "address", "someone") }),
		v2Row("getTokenData.no-token", Errors, "`getTokenData` of an account that is no token is 409.", func(p *probe) { p.v2Refused([]int{http.StatusConflict}, "getTokenData", "address", nobody) }),
	}
}
