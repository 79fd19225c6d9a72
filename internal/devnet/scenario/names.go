package scenario

import (
	"fmt"
	"math/rand/v2"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

const (
	nameCount  = 200 // different names in use
	nameGas    = oneTON / 10
	namePrice  = oneTON / 2
	firstNames = 3 // registered during setup
)

func nameOf(i int) string {
	places := []string{"harbour", "lighthouse", "market", "museum", "station", "island", "library", "garden"}
	if i < len(places) {
		return places[i]
	}
	return fmt.Sprintf("%s-%d", places[i%len(places)], i/len(places))
}

// name registers a random name. When an actor already owns it, name sets or removes a record, or sells it.
func (t *batch) name() bool {
	label := nameOf(t.rand.IntN(nameCount))
	item := contracts.DNSItem(t.contractSet.domains.Address, label).Address
	acc := t.look(item)
	if !acc.active {
		return t.register(label)
	}
	holder, err := contracts.DNSOwner(acc.data)
	if err != nil {
		t.failed = err
		return false
	}
	owner := t.actorAt(holder)
	if owner == nil {
		return false
	}
	if t.chance(6) {
		sale := contracts.NFTTransfer{QueryID: t.nextQuery(), NewOwner: t.other(owner), Response: owner.Address, ForwardValue: 1}
		return t.call(owner, contracts.Call(item, nameGas, sale.Body()))
	}
	category, record := t.record()
	return t.call(owner, contracts.Call(item, nameGas, contracts.DNSChangeRecord(t.nextQuery(), category, record)))
}

func (t *batch) register(label string) bool {
	w := t.actor()
	if w == nil || !t.look(t.contractSet.domains.Address).active {
		return false
	}
	return t.call(w, contracts.Call(t.contractSet.domains.Address, namePrice, contracts.DNSRegister(label)))
}

// record is a category and its value; nil removes it.
func (t *batch) record() (category string, record *cell.Cell) {
	switch t.rand.IntN(6) {
	case 0:
		return "site", contracts.SiteRecord(hash(t.rand))
	case 1:
		return "storage", contracts.StorageRecord(hash(t.rand))
	case 2:
		return "text", contracts.TextRecord(phrases[t.rand.IntN(len(phrases))])
	case 3:
		return "wallet", nil
	default:
		return "wallet", contracts.WalletRecord(t.other(nil))
	}
}

func hash(r *rand.Rand) (h [32]byte) {
	for i := range h {
		h[i] = byte(r.Uint32())
	}
	return h
}
