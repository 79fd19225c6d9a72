package genesis

import (
	"bytes"
	"crypto/ed25519"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Compiled from the .tolk files beside them with @ton/tolk-js 1.3.0.
var (
	//go:embed tolk/config.b64
	configCode string
	//go:embed tolk/elector.b64
	electorCode string
)

const opChangeParam = 0x43665021

var (
	// ConfigAddress is the contract with the config parameters.
	ConfigAddress = masterchainAddress(0x55)
	// ElectorAddress collects the fees.
	ElectorAddress = masterchainAddress(0x33)
	// MinterAddress is the sender of the messages that pay out collected fees.
	MinterAddress = masterchainAddress(0x00)
)

func masterchainAddress(fill byte) *address.Address {
	return address.NewAddress(0, byte(0xff), bytes.Repeat([]byte{fill}, 32))
}

func decodeCode(b64 string) (*cell.Cell, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(b64))
	if err != nil {
		return nil, err
	}
	return cell.FromBOC(raw)
}

// fundamental are the contracts of the masterchain that the protocol itself names.
func fundamental(seed [32]byte, params *cell.Cell) ([]Account, error) {
	config, err := decodeCode(configCode)
	if err != nil {
		return nil, fmt.Errorf("config contract: %w", err)
	}
	elector, err := decodeCode(electorCode)
	if err != nil {
		return nil, fmt.Errorf("elector contract: %w", err)
	}
	owner := ConfigKey(seed).Public().(ed25519.PublicKey) //nolint:errcheck // the public half of an ed25519 key is of no other type
	configData := cell.BeginCell().
		MustStoreRef(params).
		MustStoreUInt(0, 32). // seqno
		MustStoreSlice(owner, 256).
		MustStoreBoolBit(false). // no votes
		EndCell()
	return []Account{
		{Address: MinterAddress, Balance: 1e9},
		{Address: ElectorAddress, Balance: 10e9, Code: elector, Data: cell.BeginCell().MustStoreUInt(0, 64+1).EndCell(), Tick: true},
		{Address: ConfigAddress, Balance: 10e9, Code: config, Data: configData, Tock: true},
	}, nil
}

// ConfigParams reads the parameter dictionary out of the config contract's data.
func ConfigParams(data *cell.Cell) (*cell.Cell, error) {
	if data == nil {
		return nil, fmt.Errorf("config contract has no data")
	}
	return data.PeekRef(0)
}

// ConfigSeqno reads the config contract's counter of changes out of its data.
func ConfigSeqno(data *cell.Cell) (uint32, error) {
	if data == nil {
		return 0, fmt.Errorf("config contract has no data")
	}
	s, err := data.BeginParse()
	if err != nil {
		return 0, err
	}
	seqno, err := s.LoadUInt(32)
	if err != nil {
		return 0, fmt.Errorf("seqno of the config contract: %w", err)
	}
	return uint32(seqno), nil
}

// ConfigChange is an external message that sets one config parameter. Seqno is
// the config contract's own counter, validUntil a unix time.
func ConfigChange(seed [32]byte, seqno, validUntil uint32, param int32, value *cell.Cell) (*cell.Cell, error) {
	order := cell.BeginCell().
		MustStoreUInt(opChangeParam, 32).
		MustStoreUInt(uint64(seqno), 32).
		MustStoreUInt(uint64(validUntil), 32).
		MustStoreInt(int64(param), 32).
		MustStoreRef(value)
	signature := order.Copy().EndCell().Sign(ConfigKey(seed))
	body := cell.BeginCell().MustStoreSlice(signature, 512).MustStoreBuilder(order).EndCell()
	return tlb.ToCell(&tlb.ExternalMessage{DstAddr: ConfigAddress, Body: body})
}
