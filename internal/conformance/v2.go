package conformance

import (
	"net/http"
	"slices"
	"strconv"
)

const docV2 = "compatibility.md#apiv2"

// v2Checks is the table of /api/v2.
func v2Checks() []Check {
	return slices.Concat(
		v2FieldChecks(), v2AccountChecks(), v2TransactionChecks(), v2BlockChecks(), v2FormChecks(), v2ConfigChecks(), v2MethodChecks(), v2RPCChecks(), v2AgreementChecks(),
	)
}

// v2Row makes a row of the table.
func v2Row(id string, class Class, expect string, run func(*probe)) Check {
	doc := docV2
	if class == Encoding {
		doc = docForms
	}
	return Check{ID: "v2." + id, Section: V2, Class: class, Expect: expect, Doc: doc, run: run}
}

const masterShard = "-9223372036854775808"

// v2 calls a method and returns its result.
func (p *probe) v2(method string, pairs ...string) value {
	return p.envelope(p.read(request{method: http.MethodGet, path: "api/v2/" + method, query: parameters(pairs)}))
}

func (p *probe) envelope(response value) value {
	p.requiref(!response.ok || response.truth("ok"), "ok is false in a response with status 200")
	return response.at("result")
}

// v2Refused calls a method that must refuse the request, in the envelope of errors.
func (p *probe) v2Refused(statuses []int, method string, pairs ...string) {
	v2Error(p.refused(request{method: http.MethodGet, path: "api/v2/" + method, query: parameters(pairs)}, statuses...))
}

func v2Error(body value) {
	body.p.requiref(!body.ok || !body.truth("ok"), "ok is not false")
	body.p.requiref(!body.ok || body.text("error") != "", "the member error is empty")
	status := 0
	if n := len(body.p.exchanges); n > 0 {
		status = body.p.exchanges[n-1].Status
	}
	body.p.requiref(!body.ok || body.text("code") == strconv.Itoa(status), "code is not the status %d", status)
}

// v2Post is a call of a method with a body.
func v2Post(name string, body any) request {
	return request{method: http.MethodPost, path: "api/v2/" + name, body: body}
}

// v2Missing checks a method without a parameter that it needs.
func v2Missing(name, what string) Check {
	return v2Row(name+".missing", Errors, "`"+name+"` without "+what+" is refused with 422.", func(p *probe) { p.v2Refused(refusedParameter, name) })
}
