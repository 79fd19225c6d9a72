package conformance

import "net/http"

func v2RPCChecks() []Check {
	return []Check{
		v2Row("jsonRPC.agrees", Consistency, "A method returns the same by `jsonRPC` as by its route.", func(p *probe) {
			n := p.v2Head().text("seqno")
			result := p.envelope(p.read(v2Post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "method": "getShards", "params": map[string]any{"seqno": p.v2Head().small("seqno")}})))
			p.same(column(result.at("shards").rows(), "root_hash"), column(p.v2("getShards", "seqno", n).at("shards").rows(), "root_hash"), "shards")
		}),
		v2Row("jsonRPC.names", Errors, "Names of members of a call by `jsonRPC` are exact.", func(p *probe) {
			v2Error(p.refused(v2Post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "METHOD": "getMasterchainInfo"}), refusedParameter...))
		}),
		v2Row("jsonRPC.get", Errors, "`GET jsonRPC` is 405.", func(p *probe) { p.v2Refused([]int{http.StatusMethodNotAllowed}, "jsonRPC") }),
		v2Row("jsonRPC.error", Errors, "Refused parameters of a method by `jsonRPC` have the status and the envelope of its route.", func(p *probe) {
			v2Error(p.refused(v2Post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "method": "getShards", "params": map[string]any{"seqno": "x"}}), refusedParameter...))
		}),
		v2Row("routes.unknown", Errors, "An unknown method is 404 in the envelope.", func(p *probe) { p.v2Refused([]int{http.StatusNotFound}, "getNothing") }),
	}
}
