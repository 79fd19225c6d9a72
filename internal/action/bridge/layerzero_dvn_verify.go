package bridge

import (
	"strconv"

	"tonql/internal/action"
)

// Fields of the response to a verifier.
const (
	lzStatusNonce = 0
	lzStatusCode  = 1
)

// lzStatuses are the response codes with a name.
var lzStatuses = map[uint64]string{
	0x3bbc306b: "succeeded",
	0x7fcbb4ac: "nonce_out_of_range",
	0x29c53fab: "dvn_not_configured",
}

// A verifier calls the ULN through a proxy; the ULN's connection for the path responds.
func init() {
	action.Register(action.Spec{
		Kind: "layerzero_dvn_verify", Phase: 80,
		Match: action.Call(0xa0d51a8d).Then(action.Call(0x09f047d9).As("proxy").Then(action.Call(0x994aaf4e).As("uln").Then(
			action.Call(0x4ec8f80a).As("connection").Then(
				action.Call(opLzEvent).Maybe(),
				action.Call(0x3cb38090).As("reply").Then(action.Is(action.TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroDVNVerify,
	})
}

// LayerZeroDVNVerifyData is the verification of a packet by a verifier network (DVN), and its status.
type LayerZeroDVNVerifyData struct {
	Nonce         uint64 `json:"nonce"`
	Status        string `json:"status"` // unknown_ and the decimal code when it has no name
	DVN           string `json:"dvn"`
	Proxy         string `json:"proxy"`
	ULN           string `json:"uln"`
	ULNConnection string `json:"uln_connection"`
}

// Column implements [action.Payload].
func (*LayerZeroDVNVerifyData) Column() string { return "layerzero_dvn_verify_data" }

func buildLayerZeroDVNVerify(_ *action.Context, m *action.Match) *action.Result {
	reply := lzPayload(m.Get("reply"), "MdObj").object(lzMdObjFirst, "veristatus")
	code := reply.uint64(lzStatusCode, lzUint32)
	d := &LayerZeroDVNVerifyData{
		Nonce: reply.uint64(lzStatusNonce, lzUint64), Status: lzStatuses[code], DVN: action.AddressText(m.Start.Account()),
		Proxy: action.AddressText(m.Get("proxy").Account()), ULN: action.AddressText(m.Get("uln").Account()),
		ULNConnection: action.AddressText(m.Get("connection").Account()),
	}
	if reply.failed() {
		return nil
	}
	if d.Status == "" {
		d.Status = "unknown_" + strconv.FormatUint(code, 10)
	}
	return &action.Result{Columns: action.Columns{Source: action.AddressText(m.Start.From()), Payloads: []action.Payload{d}}}
}
