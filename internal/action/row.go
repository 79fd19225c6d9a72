package action

import (
	"encoding/base64"
	"encoding/json"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Action is a row: one action of a trace.
type Action struct {
	ID       string `json:"action_id"`
	Type     string `json:"type"`
	Success  bool   `json:"success"`
	StartLT  uint64 `json:"start_lt"`
	EndLT    uint64 `json:"end_lt"`
	StartUtc uint32 `json:"start_utime"`
	EndUtc   uint32 `json:"end_utime"`

	TxHashes   []chain.Hash    `json:"tx_hashes"`
	Accounts   []chain.Address `json:"accounts"`
	HexKeys    []string        `json:"-"` // entries of the published accounts that are not addresses: public keys in hexadecimal
	McSeqnoEnd uint32          `json:"mc_seqno_end"`

	TraceID               chain.Hash  `json:"trace_id"`
	TraceEndLT            uint64      `json:"trace_end_lt"`
	TraceEndUtime         uint32      `json:"trace_end_utime"`
	TraceMcSeqnoEnd       uint32      `json:"trace_mc_seqno_end"`
	TraceExternalHash     *chain.Hash `json:"trace_external_hash"`
	TraceExternalHashNorm *chain.Hash `json:"trace_external_hash_norm,omitempty"`

	ParentID  string   `json:"parent_action_id,omitempty"`
	Ancestors []string `json:"ancestor_type,omitempty"` // internal types, ascending

	Columns
}

// Columns are the values whose meaning depends on the type. An empty text and a nil number have no value; an empty asset is
// TON.
type Columns struct {
	Source               string              `json:"source,omitempty"`
	SourceSecondary      string              `json:"source_secondary,omitempty"`
	Destination          string              `json:"destination,omitempty"`
	DestinationSecondary string              `json:"destination_secondary,omitempty"`
	Asset                string              `json:"asset,omitempty"`
	AssetSecondary       string              `json:"asset_secondary,omitempty"`
	Asset2               string              `json:"asset2,omitempty"`
	Asset2Secondary      string              `json:"asset2_secondary,omitempty"`
	Value                *big.Int            `json:"value,omitempty"`
	Amount               *big.Int            `json:"amount,omitempty"`
	Opcode               *uint32             `json:"opcode,omitempty"`
	Extra                map[string]*big.Int `json:"value_extra_currencies"`
	Payloads             []Payload           `json:"-"`
}

// Payload is the composite column of one type, or of several related types.
type Payload interface {
	// Column returns the name of the composite column.
	Column() string
}

// MarshalJSON returns the row with its payloads as columns.
func (a *Action) MarshalJSON() ([]byte, error) {
	type plain Action
	row, err := json.Marshal((*plain)(a))
	if len(a.HexKeys) > 0 {
		accounts := make([]any, 0, len(a.Accounts)+len(a.HexKeys))
		for i := range a.Accounts {
			accounts = append(accounts, a.Accounts[i])
		}
		for _, text := range a.HexKeys {
			accounts = append(accounts, text)
		}
		row, err = json.Marshal(struct {
			*plain

			Accounts []any `json:"accounts"`
		}{(*plain)(a), accounts})
	}
	if err != nil {
		return nil, err
	}
	for _, p := range a.Payloads {
		value, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		row = append(row[:len(row)-1], `,"`+p.Column()+`":`...)
		row = append(append(row, value...), '}')
	}
	return row, nil
}

// AddressText formats an address; "" for nil.
func AddressText(a *chain.Address) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// EncodeBOC serializes a cell as a bag of cells in base64; nil for nil.
func EncodeBOC(c *cell.Cell, checksum bool) *string {
	if c == nil {
		return nil
	}
	s := base64.StdEncoding.EncodeToString(c.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: checksum}))
	return &s
}
