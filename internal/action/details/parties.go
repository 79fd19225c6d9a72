package details

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"tonql/internal/chain"
)

// Parties is what the details of an action say about who acts, to whom, and how much of which asset, whatever its kind.
type Parties struct {
	Sources      []chain.Address
	Destinations []chain.Address
	Assets       []chain.Address // Jettons, NFT items and collections
	Amounts      []AmountOf
}

// AmountOf is an amount in the smallest unit of an asset.
type AmountOf struct {
	Asset *chain.Address // nil is TON
	Value *big.Int
}

// role is what a field says.
type role uint8

const (
	noRole role = iota
	ofSource
	ofDestination
	ofAsset
	ofAmount // of the field that its name names: amount of asset, amount_1 of asset_1
	ofCoins
	ofLeg // an object with an asset and an amount
)

// byColumn are the roles of columns, byName those of fields whose column has none.
var (
	byColumn = map[string]role{
		"source": ofSource, "destination": ofDestination, "asset": ofAsset, "asset_secondary": ofAsset, "asset2": ofAsset, "asset2_secondary": ofAsset,
		"amount": ofAmount, "value": ofCoins,
	}
	byName = map[string]role{
		"sender": ofSource, "owner": ofSource, "old_owner": ofSource, "real_old_owner": ofSource, "initiator": ofSource,
		"receiver": ofDestination, "recipient": ofDestination, "new_owner": ofDestination, "beneficiary": ofDestination,
		"nft_item": ofAsset, "nft_collection": ofAsset, "asset_in": ofAsset, "asset_out": ofAsset, "asset_1": ofAsset, "asset_2": ofAsset,
		"amount_1": ofAmount, "amount_2": ofAmount, "price": ofCoins, "full_price": ofCoins, "ton_amount": ofCoins,
		"dex_incoming_transfer": ofLeg, "dex_outgoing_transfer": ofLeg,
	}
)

// roles are the fields with a role of each kind.
var roles = rolesOf()

func rolesOf() map[string]map[string]role {
	all := map[string]map[string]role{}
	for kind, s := range plans {
		fields := map[string]role{}
		columns := map[int]string{}
		for _, f := range s.fields {
			if f.member == "" {
				columns[f.index] = f.column
			}
		}
		for i := range s.of.NumField() {
			name, _, _ := strings.Cut(s.of.Field(i).Tag.Get("json"), ",")
			r := byColumn[columns[i]]
			if r == noRole || byName[name] == ofCoins {
				r = byName[name]
			}
			if r != noRole {
				fields[name] = r
			}
		}
		all[kind] = fields
	}
	return all
}

// PartiesOf reads details from their JSON. A kind without details has no parties.
func PartiesOf(kind string, text []byte) (*Parties, error) {
	p := &Parties{}
	fields := roles[kind]
	if len(fields) == 0 || len(text) == 0 {
		return p, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("details of %s: %w", kind, err)
	}
	for name, r := range fields {
		value := object[name]
		switch r {
		case noRole:
		case ofSource:
			p.Sources = appendAddress(p.Sources, value)
		case ofDestination:
			p.Destinations = appendAddress(p.Destinations, value)
		case ofAsset:
			p.Assets = appendAddress(p.Assets, value)
		case ofAmount:
			p.add(object["asset"+strings.TrimPrefix(name, "amount")], value)
		case ofCoins:
			p.add(nil, value)
		case ofLeg:
			var leg struct{ Asset, Amount json.RawMessage }
			if json.Unmarshal(value, &leg) == nil {
				p.add(leg.Asset, leg.Amount)
			}
		}
	}
	return p, nil
}

// add adds an amount, unless it is null.
func (p *Parties) add(asset, value json.RawMessage) {
	if len(value) == 0 || string(value) == "null" {
		return
	}
	digits, err := decimal(value)
	if err != nil {
		return
	}
	amount := AmountOf{}
	amount.Value, _ = new(big.Int).SetString(digits, 10)
	if of := appendAddress(nil, asset); len(of) > 0 {
		amount.Asset = &of[0]
	}
	p.Amounts = append(p.Amounts, amount)
}

// appendAddress appends an address, unless it is null or none.
func appendAddress(list []chain.Address, text json.RawMessage) []chain.Address {
	var a *chain.Address
	if len(text) == 0 || json.Unmarshal(text, &a) != nil || a == nil {
		return list
	}
	return append(list, *a)
}
