package ledger

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// Config parameters that list the validators: the temporary ones come before the elected ones.
const (
	paramCatchain            = 28
	paramValidators          = 34
	paramTemporaryValidators = 35
)

// maxSessions limits the sessions in memory.
const maxSessions = 64

// signer is a validator whose key the chain has.
type signer struct {
	node   []byte // short node id
	key    ed25519.PrivateKey
	weight uint64
}

// session is the validator session between two key blocks. The configuration of the first
// one decides who signs the blocks after it, and in which form.
type session struct {
	keySeqno  uint32 // of the key block it begins with; 0 = the zerostate
	consensus genesis.Consensus
	set       validatorSet
	id        []byte // hash of validator.groupNew; part of what Simplex signs
	// candidates are the checkpoints of the chain of Simplex candidates; see candidateAt.
	candidates []ton.ConsensusCandidateID
}

// validatorSet is a list of validators as the configuration has it.
type validatorSet struct {
	signers  []signer // in the order of the list; those without a known key are left out
	members  []groupMember
	listHash uint32
	weight   uint64 // of all, also of those without a known key
}

// sessions caches validator sessions. Its mutex is held while one is used: sessions grow.
type sessions struct {
	mu  sync.Mutex
	lru *simplelru.LRU[uint32, *session]
}

func newSessions() (*sessions, error) {
	lru, err := simplelru.NewLRU[uint32, *session](maxSessions, nil)
	return &sessions{lru: lru}, err
}

// groupMember and groupNew are what a session id is the hash of.
type groupMember struct {
	Node   []byte `tl:"int256"`
	ADNL   []byte `tl:"int256"`
	Weight uint64 `tl:"long"`
}

type groupNew struct {
	Workchain     int32         `tl:"int"`
	Shard         int64         `tl:"long"`
	VerticalSeqno int32         `tl:"int"`
	KeySeqno      int32         `tl:"int"`
	CatchainSeqno int32         `tl:"int"`
	ConfigHash    []byte        `tl:"int256"`
	Members       []groupMember `tl:"vector struct"`
}

func init() {
	tl.Register(groupMember{}, "validator.groupMember public_key_hash:int256 adnl:int256 weight:long = engine.validator.GroupMember")
	tl.Register(groupNew{}, "validator.groupNew workchain:int shard:long vertical_seqno:int last_key_block_seqno:int catchain_seqno:int config_hash:int256 members:(vector validator.groupMember) = validator.Group")
}

// sessionOptions stands for the hash of the consensus options in a session id: a constant in the node since it supports
// Simplex alone, unless its operator overrides it.
var sessionOptions = [32]byte{
	0x0a, 0x5b, 0xf2, 0x39, 0x9f, 0x17, 0x2f, 0xee, 0x5a, 0x8e, 0x78, 0x6f, 0x55, 0xa9, 0xd2, 0x71,
	0x49, 0xd1, 0xed, 0x33, 0xe6, 0xb8, 0xe0, 0xcc, 0x81, 0xef, 0x45, 0xfa, 0x3b, 0x8c, 0xb8, 0xd7,
}

// sessionOf returns the session that signs a masterchain block. The caller holds sessions.mu.
func (c *Chain) sessionOf(b *Block) (*session, error) {
	if s, ok := c.sessions.lru.Get(b.PrevKeySeqno); ok {
		return s, nil
	}
	params, err := c.keyConfig(b.PrevKeySeqno)
	if err != nil {
		return nil, err
	}
	set, err := readValidators(params, c.keys)
	if err != nil {
		return nil, err
	}
	s := &session{keySeqno: b.PrevKeySeqno, consensus: genesis.ConsensusOf(params), set: *set}
	s.id, err = tl.Hash(groupNew{
		Workchain: layout.Masterchain, Shard: b.ID.Shard, KeySeqno: int32(s.keySeqno), CatchainSeqno: genesis.CatchainSeqno,
		ConfigHash: sessionOptions[:], Members: set.members,
	})
	if err != nil {
		return nil, fmt.Errorf("id of validator session: %w", err)
	}
	c.sessions.lru.Add(s.keySeqno, s)
	return s, nil
}

// keyConfig returns the parameter dictionary of a key block, or of the zerostate for seqno 0.
func (c *Chain) keyConfig(seqno uint32) (*cell.Cell, error) {
	if seqno == 0 {
		st, err := layout.ParseState(c.zero.Masterchain.Root)
		if err != nil {
			return nil, err
		}
		extra, err := layout.ParseMcExtra(st.Extra)
		if err != nil {
			return nil, err
		}
		return extra.Config, nil
	}
	full := layout.FullShard
	b, err := c.BySeqno(layout.Masterchain, int64(full), seqno)
	if err != nil {
		return nil, err
	}
	root, err := b.Root.PeekRef(3)
	if err != nil {
		return nil, fmt.Errorf("key block %d: %w", seqno, err)
	}
	var extra tlb.BlockExtra
	if err := tlb.Parse(&extra, root); err != nil {
		return nil, fmt.Errorf("key block %d: %w", seqno, err)
	}
	if extra.Custom == nil || extra.Custom.ConfigParams == nil {
		return nil, fmt.Errorf("block %d is not a key block", seqno)
	}
	return extra.Custom.ConfigParams.Config.Params.AsCell(), nil
}

// readValidators reads the validators of masterchain blocks from a parameter dictionary.
func readValidators(params *cell.Cell, keys map[string]ed25519.PrivateKey) (*validatorSet, error) {
	var catchain tlb.CatchainConfig
	if err := readParam(&catchain, params, paramCatchain); err != nil {
		return nil, err
	}
	var listed tlb.ValidatorSetAny
	err := readParam(&listed, params, paramTemporaryValidators)
	if errors.Is(err, cell.ErrNoSuchKeyInDict) {
		err = readParam(&listed, params, paramValidators)
	}
	if err != nil {
		return nil, err
	}
	full := layout.FullShard
	place := &ton.BlockIDExt{Workchain: layout.Masterchain, Shard: int64(full)}
	list, err := ton.GetMainValidators(place, catchain, listed, genesis.CatchainSeqno)
	if err != nil {
		return nil, fmt.Errorf("validators: %w", err)
	}
	set := &validatorSet{}
	if set.listHash, err = genesis.ValidatorListHash(list); err != nil {
		return nil, err
	}
	for _, v := range list {
		node, err := genesis.NodeIDShort(v.PublicKey.Key)
		if err != nil {
			return nil, fmt.Errorf("validator id: %w", err)
		}
		set.weight += v.Weight
		set.members = append(set.members, groupMember{Node: node, ADNL: v.ADNLAddr, Weight: v.Weight})
		if key, ok := keys[string(v.PublicKey.Key)]; ok {
			set.signers = append(set.signers, signer{node: node, key: key, weight: v.Weight})
		}
	}
	if _, err := set.certificate(0); err != nil {
		return nil, err
	}
	return set, nil
}

func readParam(into any, params *cell.Cell, id int64) error {
	value, err := params.AsDict(32).LoadValueByIntKey(big.NewInt(id))
	if err != nil {
		return fmt.Errorf("config parameter %d: %w", id, err)
	}
	ref, err := value.LoadRefCell()
	if err == nil {
		err = tlb.Parse(into, ref)
	}
	if err != nil {
		return fmt.Errorf("config parameter %d: %w", id, err)
	}
	return nil
}

// certificate returns just enough signers for more than two thirds of the weight, from an
// offset in the list on.
func (s *validatorSet) certificate(offset int) ([]signer, error) {
	var signed uint64
	for i := range s.signers {
		signed += s.signers[(offset+i)%len(s.signers)].weight
		if overTwoThirds(signed, s.weight) {
			out := make([]signer, 0, i+1)
			for j := range i + 1 {
				out = append(out, s.signers[(offset+j)%len(s.signers)])
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("no certificate: the chain has keys for %d of %d of the validators' weight", signed, s.weight)
}

// overTwoThirds reports whether a weight suffices: weights have 64 bits, so their products have more.
func overTwoThirds(weight, total uint64) bool {
	hi3, lo3 := bits.Mul64(weight, 3)
	hi2, lo2 := bits.Mul64(total, 2)
	return hi3 > hi2 || hi3 == hi2 && lo3 > lo2
}
