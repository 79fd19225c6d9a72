package resolvers

import (
	"context"
	"fmt"
	"math"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/wallet"
)

// Transfer is a message that a wallet is requested to send.
type Transfer = wallet.Transfer

// ConnectRequest is what an application requests a wallet to send, as TON Connect describes it.
type ConnectRequest struct {
	From       chain.Address
	Messages   []Transfer
	ValidUntil *uint64 // in Unix seconds, or in a smaller unit; nil: some minutes after the block
	Seqno      *uint32 // the masterchain block on which the request is executed; nil: the newest indexed one
}

// defaultValidity is how long a request without an end is valid, in seconds.
const defaultValidity = 300

// ConnectMessage builds the external message by which a wallet sends the messages of a request, without a valid signature, and returns the
// masterchain block of the wallet's state, on which it has to be executed. NotFound when the account does not exist, Invalid when it is no wallet that
// takes such requests.
func (s *Service) ConnectMessage(ctx context.Context, q ConnectRequest) (message chain.BOC, seqno uint32, err error) {
	v, err := s.emulator.At(ctx, q.Seqno)
	if err != nil {
		return nil, 0, err
	}
	state, err := s.informationAt(ctx, v, AccountRequest{Account: q.From, Seqno: q.Seqno})
	if err != nil {
		return nil, 0, err
	}
	if state.Status == chain.Nonexist {
		return nil, 0, chain.NotFoundf("Failed to fetch account state: Account not found in accounts_dict") // clients match on it
	}
	if state.CodeHash == nil || len(state.DataBOC) == 0 {
		return nil, 0, chain.Invalidf("Account state no code or no data")
	}
	validUntil := uint64(v.Master.GenUtime) + defaultValidity
	if q.ValidUntil != nil {
		validUntil = inSeconds(*q.ValidUntil)
	}
	if validUntil > math.MaxUint32 {
		return nil, 0, chain.Invalidf("valid_until: expected a time in Unix seconds, not %d", *q.ValidUntil)
	}
	data, err := cell.FromBOC(state.DataBOC)
	if err != nil {
		return nil, 0, fmt.Errorf("data of %s: %w", q.From, err)
	}
	body, err := wallet.Request(*state.CodeHash, data, uint32(validUntil), q.Messages)
	if err != nil {
		return nil, 0, err
	}
	root, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: address.NewAddress(0, byte(q.From.Workchain), q.From.ID[:]), Body: body})
	if err != nil {
		return nil, 0, fmt.Errorf("message to %s: %w", q.From, err)
	}
	return root.ToBOC(), v.Master.Seqno, nil
}

// inSeconds returns a time in seconds that may be in milliseconds, microseconds or nanoseconds.
func inSeconds(t uint64) uint64 {
	for t >= 1e12 {
		t /= 1000
	}
	return t
}
