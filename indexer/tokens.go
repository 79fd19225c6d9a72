package indexer

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store"
)

const (
	// tokenShare is the share of the time that counts of tokens take, as dayShare.
	tokenShare = 20
	// tokenBlocks is the number of masterchain blocks whose tokens are looked up at once.
	tokenBlocks = 20
)

// tokenRounds is the position of the counts of tokens.
type tokenRounds struct {
	seqno uint32 // the newest masterchain block whose tokens were counted
	kind  int    // of tokenKinds
	after *chain.Address
}

var tokenKinds = [...]chain.TokenKind{chain.TokenJettonMaster, chain.TokenNFTCollection}

// tokens counts holders and transfers of tokens, beside following and refilling: those that changed in the newest blocks, and in rounds all
// others, for transfers leave the day without a change. A failure does not end the session; only the first of several is logged.
func (x *Indexer) tokens(ctx context.Context) error {
	var at tokenRounds
	failing := false
	for {
		began := time.Now()
		idle, err := x.countTokens(ctx, &at)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !failing {
			x.opts.Logger.Warn("counts of tokens failed, retrying", "err", err)
		}
		failing = err != nil
		pause := max(x.digestPause, tokenShare*time.Since(began))
		if idle || failing {
			pause = max(pause, x.opts.Recheck)
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// countTokens counts the next tokens. idle is true at the end of a round without anything to count.
func (x *Indexer) countTokens(ctx context.Context, at *tokenRounds) (idle bool, err error) {
	db := x.db.Reader()
	indexed, err := db.Ranges(ctx)
	if err != nil || len(indexed) == 0 {
		return true, err
	}
	head := indexed[len(indexed)-1].Last
	info, err := db.MasterchainInfo(ctx)
	if err != nil {
		return false, err
	}
	now := info.Last.GenUtime
	if at.seqno < head {
		first := max(at.seqno+1, head-min(head-1, tokenBlocks-1))
		touched, err := db.TouchedTokens(ctx, chain.SeqnoRange{First: first, Last: head}, now)
		if err != nil {
			return false, err
		}
		if err := x.db.CountTokens(ctx, touched, now); err != nil {
			return false, err
		}
		at.seqno = head
	}
	var tokens store.Tokens
	tokens, last, err := db.TokenRound(ctx, tokenKinds[at.kind], at.after, now)
	if err != nil {
		return false, err
	}
	if err := x.db.CountTokens(ctx, tokens, now); err != nil {
		return false, err
	}
	at.after = last
	if last == nil {
		at.kind = (at.kind + 1) % len(tokenKinds)
	}
	return last == nil && at.kind == 0, nil
}
