package genesis

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the config contract.
const (
	OpNewProposal      = 0x6e565052
	OpProposalAccepted = 0xee565052
	OpVote             = 0x566f7465
	// OpVoted is the opcode of the reply to a vote plus its result.
	OpVoted = 0xd6745240

	votePrefix = 0x566f7445
)

// Results of a vote. A vote for a proposal that does not exist, or a second one, has a negative result.
const (
	VoteCounted  = 0
	VoteWonRound = 1 // three quarters of the weight have voted in this round
	VoteAccepted = 2 // the parameter has changed
)

// Proposal is a change of a config parameter to vote for.
//
//	cfg_proposal#f3 param_id:int32 param_value:(Maybe ^Cell) if_hash_equal:(Maybe uint256) = ConfigProposal;
func Proposal(param int32, value *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0xf3, 8).MustStoreInt(int64(param), 32).MustStoreMaybeRef(value).MustStoreBoolBit(false).EndCell()
}

// NewProposal is the body of a message that lets validators vote for a proposal until a unix time.
//
//	new_proposal#6e565052 query_id:uint64 expire_at:uint32 proposal:^ConfigProposal critical:Bool = InternalMsgBody;
func NewProposal(queryID uint64, expireAt uint32, proposal *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(OpNewProposal, 32).MustStoreUInt(queryID, 64).MustStoreUInt(uint64(expireAt), 32).
		MustStoreRef(proposal).MustStoreBoolBit(false).EndCell()
}

// Vote is the body of a message with the vote of a validator, signed by its key. position is its index in parameter 34, and key
// that of [ValidatorKey].
//
//	vote#566f7465 query_id:uint64 signature:bits512 prefix:uint32 idx:uint16 proposal:bits256 = InternalMsgBody;
func Vote(seed [32]byte, queryID uint64, position uint16, key int, proposal []byte) *cell.Cell {
	signed := cell.BeginCell().MustStoreUInt(votePrefix, 32).MustStoreUInt(uint64(position), 16).MustStoreSlice(proposal, 256)
	signature := signed.Copy().EndCell().Sign(ValidatorKey(seed, key))
	return cell.BeginCell().MustStoreUInt(OpVote, 32).MustStoreUInt(queryID, 64).MustStoreSlice(signature, 512).MustStoreBuilder(signed).EndCell()
}

// ValidatorSet is a value of parameters 32, 34 and 36 with the validators of these keys, whose weights are those of a new
// chain.
func ValidatorSet(seed [32]byte, since, until uint32, keys [ValidatorCount]int) (*cell.Cell, error) {
	list := cell.NewDict(16)
	var total uint64
	for i, v := range validatorsWith(seed, keys) {
		one, err := tlb.ToCell(*v)
		if err == nil {
			err = list.SetIntKey(big.NewInt(int64(i)), one)
		}
		if err != nil {
			return nil, fmt.Errorf("validator %d: %w", i, err)
		}
		total += v.Weight
	}
	return tlb.ToCell(tlb.ValidatorSetExt{
		UTimeSince: since, UTimeUntil: until, Total: ValidatorCount, Main: ValidatorCount, TotalWeight: total, List: list,
	})
}
