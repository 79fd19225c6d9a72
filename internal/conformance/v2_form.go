package conformance

import "strings"

func v2FormChecks() []Check {
	return []Check{
		v2Row("detectAddress.forms", Encoding, "`detectAddress` has all forms of the same account.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			result := p.v2("detectAddress", "address", friendlyOf(raw))
			p.equal(strings.ToUpper(result.text("raw_form")), raw, "raw_form")
			for _, kind := range []string{"bounceable", "non_bounceable"} {
				for _, form := range []string{"b64", "b64url"} {
					p.equal(rawOf(result.text(kind, form)), raw, kind+"."+form)
				}
			}
		}),
		v2Row("detectHash.forms", Encoding, "`detectHash` has base64, base64url and hex of the same hash.", func(p *probe) {
			forms := hashForms(p.v2Head().text("root_hash"))
			result := p.v2("detectHash", "hash", forms[1])
			p.equal(result.text("b64"), forms[0], "b64")
			p.equal(result.text("hex"), forms[1], "hex")
			p.equal(strings.TrimRight(result.text("b64url"), "="), strings.TrimRight(forms[2], "="), "b64url")
		}),
		v2Row("packAddress.inverse", Encoding, "`packAddress` and `unpackAddress` are inverse.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			packed := p.v2("packAddress", "address", raw).text()
			p.equal(rawOf(packed), raw, "packAddress")
			p.equal(strings.ToUpper(p.v2("unpackAddress", "address", packed).text()), raw, "unpackAddress")
		}),
	}
}
