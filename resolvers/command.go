package resolvers

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Commands of GraphQL: arguments into requests.

func (r *Resolver) estimate(
	ctx context.Context, q FeeRequest, body, initCode, initData chain.BOC, at *chain.AtBlock,
) (_ *chain.FeeEstimate, err error) {
	if q.Seqno, err = r.Service.SeqnoAt(ctx, at); err != nil {
		return nil, err
	}
	for _, in := range []struct {
		name string
		boc  chain.BOC
		into **cell.Cell
	}{{"body", body, &q.Body}, {"initCode", initCode, &q.InitCode}, {"initData", initData, &q.InitData}} {
		if in.boc == nil {
			continue
		}
		if *in.into, err = parseBag(in.boc); err != nil {
			return nil, &chain.Error{Kind: chain.Invalid, Message: in.name + " is not a bag of cells with one root", Err: err}
		}
	}
	return r.Service.EstimateFee(ctx, q)
}

func (r *Resolver) decode(ctx context.Context, opcodes, bodies []string) (*chain.Decoded, error) {
	if max(len(opcodes), len(bodies)) > chain.MaxInputs {
		return nil, chain.Invalidf("each list takes at most %d values", chain.MaxInputs)
	}
	return r.Service.Decode(ctx, opcodes, bodies)
}

// methodSeqno returns the masterchain seqno at which a get-method runs.
func (r *Resolver) methodSeqno(ctx context.Context, mcSeqno *uint32, at *chain.AtBlock) (*uint32, error) {
	if mcSeqno != nil && at != nil {
		return nil, chain.Invalidf("give mcSeqno or at, not both")
	}
	if mcSeqno != nil {
		return mcSeqno, nil
	}
	return r.Service.SeqnoAt(ctx, at)
}
