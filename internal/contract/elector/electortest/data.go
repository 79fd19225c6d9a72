package electortest

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Data are data of the elector.
type Data struct {
	Election *chain.ValidatorElection
	Credits  map[chain.Hash]int64
	Past     []PastElection
}

// PastElection is an election of [Data].
type PastElection struct {
	ID, UnfreezeAt uint32
	FrozenFor      uint32
	SetHash        chain.Hash
	Frozen         []chain.ElectionParticipant // their stakes
	Complaints     []Complaint
}

// Complaint is a complaint of a [PastElection].
type Complaint struct {
	Key             chain.Hash
	CreatedAt       uint32
	Voters          []uint16
	SetHash         chain.Hash
	WeightRemaining int64
}

// Description is the description of complaints.
var Description = cell.BeginCell().MustStoreUInt(0xc0ffee, 24).EndCell()

func coins(b *cell.Builder, n *big.Int) *cell.Builder { return b.MustStoreBigCoins(n) }

func dictionary[K any](bits uint, list []K, entry func(K) (key, value *cell.Builder)) *cell.Cell {
	d := cell.NewDict(bits)
	for _, item := range list {
		key, value := entry(item)
		if err := d.Set(key.EndCell(), value.EndCell()); err != nil {
			panic(err) //nolint:forbidigo // data of a test always fit
		}
	}
	return d.AsCell()
}

func hashKey(h chain.Hash) *cell.Builder { return cell.BeginCell().MustStoreSlice(h[:], 256) }

// Cell is the root cell of the data.
func (d *Data) Cell() *cell.Cell {
	var elect *cell.Cell
	if e := d.Election; e != nil {
		b := coins(coins(cell.BeginCell().MustStoreUInt(uint64(e.ID), 32).MustStoreUInt(uint64(e.Close), 32), e.MinStake), e.TotalStake)
		elect = b.MustStoreMaybeRef(dictionary(256, e.Participants, func(p chain.ElectionParticipant) (key, value *cell.Builder) {
			return hashKey(p.Key), coins(cell.BeginCell(), p.Stake).MustStoreUInt(uint64(e.ID-1000), 32).MustStoreUInt(uint64(p.MaxFactor), 32).
				MustStoreSlice(p.StakeHolder.ID[:], 256).MustStoreSlice(p.ADNL[:], 256)
		})).MustStoreBoolBit(e.Failed).MustStoreBoolBit(e.Finished).EndCell()
	}
	credits := cell.NewDict(256)
	for id, amount := range d.Credits {
		if err := credits.Set(hashKey(id).EndCell(), coins(cell.BeginCell(), big.NewInt(amount)).EndCell()); err != nil {
			panic(err) //nolint:forbidigo // data of a test always fit
		}
	}
	past := dictionary(32, d.Past, func(p PastElection) (key, value *cell.Builder) {
		return cell.BeginCell().MustStoreUInt(uint64(p.ID), 32), p.value()
	})
	return coins(cell.BeginCell().MustStoreMaybeRef(elect).MustStoreMaybeRef(credits.AsCell()).MustStoreMaybeRef(past), big.NewInt(5)).
		MustStoreUInt(0, 32).MustStoreSlice(make([]byte, 32), 256).EndCell()
}

func (p *PastElection) value() *cell.Builder {
	total := new(big.Int)
	frozen := dictionary(256, p.Frozen, func(f chain.ElectionParticipant) (key, value *cell.Builder) {
		total.Add(total, f.Stake)
		return hashKey(f.Key), coins(cell.BeginCell().MustStoreSlice(f.StakeHolder.ID[:], 256).MustStoreUInt(7, 64), f.Stake).MustStoreBoolBit(false)
	})
	complaints := dictionary(256, p.Complaints, func(c Complaint) (key, value *cell.Builder) {
		body := coins(coins(hashKey256(0xbc, c.Key).MustStoreRef(Description).MustStoreUInt(uint64(c.CreatedAt), 32).MustStoreUInt(9, 8).
			MustStoreSlice(make([]byte, 32), 256), big.NewInt(11)), big.NewInt(12)).MustStoreUInt(13, 32).EndCell()
		voters := dictionary(16, c.Voters, func(v uint16) (key, value *cell.Builder) {
			return cell.BeginCell().MustStoreUInt(uint64(v), 16), cell.BeginCell().MustStoreUInt(uint64(c.CreatedAt), 32)
		})
		status := cell.BeginCell().MustStoreUInt(0x2d, 8).MustStoreRef(body).MustStoreMaybeRef(voters).MustStoreSlice(c.SetHash[:], 256).
			MustStoreInt(c.WeightRemaining, 64)
		return hashKey(chain.Hash(body.HashKey())), status
	})
	b := cell.BeginCell().MustStoreUInt(uint64(p.UnfreezeAt), 32).MustStoreUInt(uint64(p.FrozenFor), 32).MustStoreSlice(p.SetHash[:], 256).MustStoreMaybeRef(frozen)
	return coins(coins(b, total), big.NewInt(6)).MustStoreMaybeRef(complaints)
}

func hashKey256(tag uint64, h chain.Hash) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(tag, 8).MustStoreSlice(h[:], 256)
}
