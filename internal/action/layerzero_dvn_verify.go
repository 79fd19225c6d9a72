package action

import "strconv"

// Fields of the answer to a verifier.
const (
	lzStatusNonce = 0
	lzStatusCode  = 1
)

// lzStatuses are the answers that have a name.
var lzStatuses = map[uint64]string{
	0x3bbc306b: "succeeded",
	0x7fcbb4ac: "nonce_out_of_range",
	0x29c53fab: "dvn_not_configured",
}

// A verifier speaks through a proxy to the ULN, whose connection for the path answers.
func init() {
	Register(Spec{
		Kind: "layerzero_dvn_verify", Phase: 80,
		Match: Call(0xa0d51a8d).Then(Call(0x09f047d9).As("proxy").Then(Call(0x994aaf4e).As("uln").Then(
			Call(0x4ec8f80a).As("connection").Then(
				Call(opLzEvent).Maybe(),
				Call(0x3cb38090).As("answer").Then(Is(TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroDVNVerify,
	})
}

// LayerZeroDVNVerifyData is what a verifier (DVN) said of a packet, and what became of it.
type LayerZeroDVNVerifyData struct {
	Nonce         uint64 `json:"nonce"`
	Status        string `json:"status"` // unknown_ and the decimal code when it has no name
	DVN           string `json:"dvn"`
	Proxy         string `json:"proxy"`
	ULN           string `json:"uln"`
	ULNConnection string `json:"uln_connection"`
}

// Column names the composite column.
func (*LayerZeroDVNVerifyData) Column() string { return "layerzero_dvn_verify_data" }

func buildLayerZeroDVNVerify(_ *Context, m *Match) *Result {
	answer := lzPayload(m.Get("answer"), "MdObj").object(lzMdObjFirst, "veristatus")
	code := answer.uint64(lzStatusCode, lzUint32)
	d := &LayerZeroDVNVerifyData{
		Nonce: answer.uint64(lzStatusNonce, lzUint64), Status: lzStatuses[code], DVN: AddressText(m.Start.Account()),
		Proxy: AddressText(m.Get("proxy").Account()), ULN: AddressText(m.Get("uln").Account()),
		ULNConnection: AddressText(m.Get("connection").Account()),
	}
	if answer.failed() {
		return nil
	}
	if d.Status == "" {
		d.Status = "unknown_" + strconv.FormatUint(code, 10)
	}
	return &Result{Columns: Columns{Source: AddressText(m.Start.From()), Payloads: []Payload{d}}}
}
