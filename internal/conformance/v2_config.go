package conformance

func v2ConfigChecks() []Check {
	return []Check{
		v2Row("getConfigParam.cell", Consistency, "`getConfigParam` 0 is the address of the configuration contract: 256 bits.", func(p *probe) {
			p.requiref(len(decodeBase64(p.v2("getConfigParam", "config_id", "0").text("config", "bytes"))) >= 32 || p.over(), "the cell is too short")
		}),
		v2Row("getConfigParam.missing", Errors, "`getConfigParam` without an index is refused with 422.", func(p *probe) { p.v2Refused(refusedParameter, "getConfigParam") }),
		v2Row("getLibraries.unknown", Routes, "`getLibraries` of an unknown hash is an empty list.", func(p *probe) {
			p.same(column(p.v2("getLibraries", "libraries", noHash).at("result").rows(), "hash"), nil, "libraries")
		}),
	}
}
