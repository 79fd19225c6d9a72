// Package elector reads the contract with which validators stake.
//
// Its data, as the published code has them:
//
//	_ elect:(Maybe ^Elect) credits:(HashmapE 256 Coins) past_elections:(HashmapE 32 PastElection) grams:Coins
//	  active_id:uint32 active_hash:bits256 = Data;
//	_ elect_at:uint32 elect_close:uint32 min_stake:Coins total_stake:Coins members:(HashmapE 256 Member) failed:Bool
//	  finished:Bool = Elect;
//	_ stake:Coins time:uint32 max_factor:uint32 src_addr:bits256 adnl_addr:bits256 = Member;
//	_ unfreeze_at:uint32 stake_held:uint32 vset_hash:bits256 frozen:(HashmapE 256 Frozen) total_stake:Coins bonuses:Coins
//	  complaints:(HashmapE 256 ComplaintStatus) = PastElection;
//	_ src_addr:bits256 weight:uint64 stake:Coins banned:Bool = Frozen;
//	complaint_status#2d complaint:^Complaint voters:(HashmapE 16 uint32) vset_id:bits256 weight_remaining:int64 = ComplaintStatus;
//	complaint#bc validator_pubkey:bits256 description:^Cell created_at:uint32 severity:uint8 reward_addr:bits256 paid:Coins
//	  suggested_fine:Coins suggested_fine_part:uint32 = Complaint;
//
// The contract of a private network may have any data.
package elector

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// maxEntries is how many participants, past elections, validators, complaints and votes a state may have together that is read. The main network
// has some 1,500.
const maxEntries = 1 << 16

// State is what the elector has.
type State struct {
	Election *chain.ValidatorElection // the current one with its participants in the order of keys; nil when there is none
	Past     []PastElection           // by id
}

// PastElection is an election whose stakes the elector has.
type PastElection struct {
	ID         uint32
	UnfreezeAt uint32 // time from which stakes are returned, once another set is current
	FrozenFor  uint32 // how long stakes are frozen after another set became current, in seconds
	SetHash    chain.Hash
	TotalStake *big.Int
	Frozen     map[chain.Hash]Frozen // by public key
	Complaints []Complaint           // by hash
}

// Frozen is the stake of a validator.
type Frozen struct {
	StakeHolder chain.Address
	Stake       *big.Int
}

// Complaint is a complaint with its votes.
type Complaint struct {
	Hash              chain.Hash
	Key               chain.Hash // public key of the validator
	Description       *cell.Cell
	CreatedAt         uint32
	Severity          uint8
	RewardAddress     chain.Address
	Paid              *big.Int
	SuggestedFine     *big.Int
	SuggestedFinePart uint32
	Voters            []uint16   // indexes in the set with the hash SetHash, ascending
	SetHash           chain.Hash // zero before the first vote
	WeightRemaining   int64      // negative once it is accepted
}

// Of returns the past election that made a validator set; nil when the elector has none.
func (s *State) Of(set chain.Hash) *PastElection {
	for i := range s.Past {
		if s.Past[i].SetHash == set {
			return &s.Past[i]
		}
	}
	return nil
}

// Parse reads the data of the elector. The error is a [chain.Error] of kind Invalid.
func Parse(data *cell.Cell) (*State, error) {
	r := reader{left: maxEntries}
	l := contract.Load(data)
	elect, _, past := l.MaybeRef(), l.MaybeRef(), l.MaybeRef()
	l.Coins()
	l.Uint(32)
	l.Hash()
	s := &State{}
	if r.end(l); r.err == nil && elect != nil {
		s.Election = r.election(elect)
	}
	r.each(past, 32, func(key, value *contract.Loader) {
		s.Past = append(s.Past, r.past(uint32(key.Uint(32)), value))
	})
	if r.err != nil {
		return nil, r.err
	}
	return s, nil
}

// reader reads parts of a state until the first error.
type reader struct {
	left int // entries that may still be read
	err  error
}

// end takes over the error of a loader, which must be at the end of its cell.
func (r *reader) end(l *contract.Loader) {
	if l.BitsLeft() != 0 || l.RefsLeft() != 0 {
		l.Failf("the data are none of the elector")
	}
	if r.err == nil {
		r.err = l.Err()
	}
}

// each visits the entries of a dictionary, ascending.
func (r *reader) each(root *cell.Cell, bits uint, visit func(key, value *contract.Loader)) {
	if r.err != nil || root == nil {
		return
	}
	n, err := cellgraph.Entries(root, bits, r.left)
	if err != nil {
		r.err = chain.Invalidf("the elector has entries that are not read: %v", err)
		return
	}
	r.left -= n
	it, err := root.AsDict(bits).Iterator(false, false)
	if err != nil {
		r.err = chain.Invalidf("the elector has no dictionary where one is expected")
		return
	}
	for ; n > 0 && r.err == nil && it.Next(); n-- {
		item := it.Item()
		key := contract.Load(item.Key)
		if key.Err() == nil {
			visit(key, contract.LoadSlice(item.Value))
		}
	}
}

// holder is an account that stakes: those are in the masterchain.
func holder(id chain.Hash) chain.Address {
	return chain.Address{Workchain: chain.MasterchainID, ID: id}
}

func (r *reader) election(c *cell.Cell) *chain.ValidatorElection {
	l := contract.Load(c)
	e := &chain.ValidatorElection{ID: uint32(l.Uint(32)), Close: uint32(l.Uint(32)), MinStake: l.Coins(), TotalStake: l.Coins()}
	members := l.MaybeRef()
	e.Failed, e.Finished = l.Bool(), l.Bool()
	r.end(l)
	r.each(members, 256, func(key, l *contract.Loader) {
		p := chain.ElectionParticipant{Key: key.Hash(), Stake: l.Coins()}
		l.Uint(32) // time
		p.MaxFactor, p.StakeHolder, p.ADNL = uint32(l.Uint(32)), holder(l.Hash()), l.Hash()
		r.end(l)
		e.Participants = append(e.Participants, p)
	})
	return e
}

func (r *reader) past(id uint32, l *contract.Loader) PastElection {
	p := PastElection{ID: id, UnfreezeAt: uint32(l.Uint(32)), Frozen: map[chain.Hash]Frozen{}}
	p.FrozenFor, p.SetHash = uint32(l.Uint(32)), l.Hash()
	frozen := l.MaybeRef()
	p.TotalStake = l.Coins()
	l.Coins() // bonuses
	complaints := l.MaybeRef()
	r.end(l)
	r.each(frozen, 256, func(key, l *contract.Loader) {
		f := Frozen{StakeHolder: holder(l.Hash())}
		l.Uint(64) // weight
		f.Stake = l.Coins()
		l.Bool() // banned
		r.end(l)
		p.Frozen[key.Hash()] = f
	})
	r.each(complaints, 256, func(key, l *contract.Loader) {
		p.Complaints = append(p.Complaints, r.complaint(key.Hash(), l))
	})
	return p
}

// Constructors of a complaint and of its status.
const (
	tagStatus    = 0x2d
	tagComplaint = 0xbc
)

func (r *reader) complaint(hash chain.Hash, l *contract.Loader) Complaint {
	r.tag(l, tagStatus)
	body, voters := contract.Load(l.Ref()), l.MaybeRef()
	c := Complaint{Hash: hash, SetHash: l.Hash(), WeightRemaining: int64(l.Uint(64))}
	r.end(l)
	r.tag(body, tagComplaint)
	c.Key, c.Description, c.CreatedAt, c.Severity = body.Hash(), body.Ref(), uint32(body.Uint(32)), uint8(body.Uint(8))
	c.RewardAddress, c.Paid, c.SuggestedFine = holder(body.Hash()), body.Coins(), body.Coins()
	c.SuggestedFinePart = uint32(body.Uint(32))
	r.end(body)
	r.each(voters, 16, func(key, _ *contract.Loader) { c.Voters = append(c.Voters, uint16(key.Uint(16))) })
	return c
}

func (r *reader) tag(l *contract.Loader, want uint64) {
	if got := l.Uint(8); l.Err() == nil && got != want {
		l.Failf("constructor %#x where %#x is expected", got, want)
	}
}
