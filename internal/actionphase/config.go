package actionphase

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// capBounceBody is the capability to return the beginning of a message's body.
const capBounceBody = 4

// Config is what the phases take from the configuration of the network.
type Config struct {
	version                uint32
	bounceBody             bool
	basechain, masterchain prices                       // MsgForwardPrices, ConfigParam 25 and 24
	gasPrices              [2]tlb.ConfigGasLimitsPrices // ConfigParam 21 and 20
	limits                 limits                       // SizeLimitsConfig, ConfigParam 43
	workchains             map[int32]workchain
	special                map[[32]byte]bool // ConfigParam 0 and 31
}

// workchain is what a WorkchainDescr says about addresses.
type workchain struct {
	accepts                 bool
	shortest, longest, step uint64 // bits of an address
}

func (w workchain) validLength(bits uint64) bool {
	return bits >= w.shortest && bits <= w.longest &&
		(bits == w.shortest || bits == w.longest || w.step > 0 && (bits-w.shortest)%w.step == 0)
}

type limits struct {
	messageBits, messageCells, libraryCells            uint64
	stateCells, masterchainStateCells, publicLibraries uint64
	extraCurrencies                                    int
}

type prices struct{ tlb.ConfigMsgForwardPrices }

func (p *prices) ihr(forward *big.Int) *big.Int { return part(forward, uint64(p.IHRFactor)) }

// firstPart is what the block collects of a fee.
func (p *prices) firstPart(fee *big.Int) *big.Int { return part(fee, uint64(p.FirstFrac)) }

// part returns the fraction of a fee, in 65536ths.
func part(fee *big.Int, fraction uint64) *big.Int {
	out := new(big.Int).Mul(fee, new(big.Int).SetUint64(fraction))
	return out.Rsh(out, 16)
}

// errConfig is returned for a configuration that lacks a parameter or has one of an unknown form.
var errConfig = errors.New("configuration of the network")

// NewConfig reads the root of a configuration: Hashmap 32 ^Cell.
func NewConfig(root *cell.Cell) (*Config, error) {
	c, err := readConfig(tlb.BlockchainConfig{Root: root})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errConfig, err)
	}
	return c, nil
}

func readConfig(from tlb.BlockchainConfig) (*Config, error) {
	version, err := from.GetGlobalVersion()
	if err != nil {
		return nil, fmt.Errorf("global version: %w", err)
	}
	basechain, err := from.GetMsgForwardPrices(false)
	if err != nil {
		return nil, fmt.Errorf("prices of messages: %w", err)
	}
	masterchain, err := from.GetMsgForwardPrices(true)
	if err != nil {
		return nil, fmt.Errorf("prices of messages of the masterchain: %w", err)
	}
	sizes, err := from.GetSizeLimitsConfig()
	if err != nil {
		sizes = tlb.SizeLimitsConfig{} // of a form that no node knows: the defaults are in force
	}
	c := &Config{
		version: version.Version, bounceBody: version.Capabilities&capBounceBody != 0,
		basechain: prices{*basechain}, masterchain: prices{*masterchain}, limits: limitsOf(sizes),
	}
	for i, masterchain := range []bool{false, true} {
		gas, err := from.GetGasPrices(masterchain)
		if err != nil {
			return nil, fmt.Errorf("prices of gas: %w", err)
		}
		c.gasPrices[i] = *gas
	}
	if c.workchains, err = readWorkchains(from); err != nil {
		return nil, fmt.Errorf("workchains: %w", err)
	}
	if c.special, err = readSpecial(from); err != nil {
		return nil, fmt.Errorf("special accounts: %w", err)
	}
	return c, nil
}

func limitsOf(sizes tlb.SizeLimitsConfig) limits {
	out := limits{messageBits: 1 << 21, messageCells: 1 << 13, libraryCells: 1000, stateCells: 1 << 16, masterchainStateCells: 1 << 11, publicLibraries: 256, extraCurrencies: 2}
	switch v := sizes.Config.(type) {
	case tlb.SizeLimitsConfigV1:
		out.messageBits, out.messageCells, out.libraryCells = uint64(v.MaxMsgBits), uint64(v.MaxMsgCells), uint64(v.MaxLibraryCells)
	case tlb.SizeLimitsConfigV2:
		return limits{
			messageBits: uint64(v.MaxMsgBits), messageCells: uint64(v.MaxMsgCells), libraryCells: uint64(v.MaxLibraryCells), stateCells: uint64(v.MaxAccStateCells),
			masterchainStateCells: uint64(v.MaxMCAccStateCells), publicLibraries: uint64(v.MaxAccPublicLibraries), extraCurrencies: int(v.MaxMsgExtraCurrencies),
		}
	}
	return out
}

func readWorkchains(from tlb.BlockchainConfig) (map[int32]workchain, error) {
	config, err := from.GetWorkchains()
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the parameter
	}
	out := map[int32]workchain{}
	if config.Workchains == nil || config.Workchains.IsEmpty() {
		return out, nil
	}
	all, err := entries(config.Workchains.AsCell(), 32)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the parameter
	}
	for _, kv := range all {
		id := int32(kv.Key.MustLoadUInt(32))
		var d tlb.WorkchainDescr
		if err := tlb.LoadFromCell(&d, kv.Value); err != nil {
			return nil, fmt.Errorf("%d: %w", id, err)
		}
		var fields tlb.WorkchainDescrFields
		switch v := d.Descr.(type) {
		case tlb.WorkchainDescrV1:
			fields = v.WorkchainDescrFields
		case tlb.WorkchainDescrV2:
			fields = v.WorkchainDescrFields
		}
		w := workchain{accepts: fields.AcceptMsgs, shortest: 256, longest: 256}
		if extended, ok := fields.Format.(tlb.WorkchainFormatExtended); ok {
			w.shortest, w.longest, w.step = uint64(extended.MinAddrLen), uint64(extended.MaxAddrLen), uint64(extended.AddrLenStep)
		}
		out[id] = w
	}
	return out, nil
}

func readSpecial(from tlb.BlockchainConfig) (map[[32]byte]bool, error) {
	out := map[[32]byte]bool{}
	if own, err := from.GetConfigAddress(); err == nil && len(own) == 32 {
		out[[32]byte(own)] = true
	}
	config, err := from.GetFundamentalSmartContractAddresses()
	if err != nil || config.Addresses == nil || config.Addresses.IsEmpty() {
		return out, err //nolint:wrapcheck // the caller names the parameter
	}
	all, err := entries(config.Addresses.AsCell(), 256)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the parameter
	}
	for _, kv := range all {
		out[[32]byte(kv.Key.MustLoadSlice(256))] = true
	}
	return out, nil
}

// prices returns those of messages from, to or within the masterchain, or of others.
func (c *Config) prices(masterchain bool) *prices {
	if masterchain {
		return &c.masterchain
	}
	return &c.basechain
}

// gas returns the prices of gas in the masterchain, or elsewhere.
func (c *Config) gas(masterchain bool) *tlb.ConfigGasLimitsPrices {
	if masterchain {
		return &c.gasPrices[1]
	}
	return &c.gasPrices[0]
}
