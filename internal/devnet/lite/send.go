package lite

import (
	"context"
	"errors"
	"strings"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/cellgraph"
	"tonql/internal/devnet/ledger"
)

const (
	maxExternal    = 65535 // bytes of BoC
	refusedMessage = "cannot apply external message to current state : "
)

// sendMessage sends an external message to the chain. A refusal has code 0 and the text
// of nodes, which wallets and the v2 API show to people.
func (a *api) sendMessage(ctx context.Context, q ton.SendMessage) (tl.Serializable, error) {
	if len(q.Body) > maxExternal {
		return nil, refused("too large external message")
	}
	roots, err := cellgraph.FromBOCMultiRoot(q.Body)
	if err != nil {
		return nil, refused("failed to deserialize external message: " + err.Error())
	}
	if len(roots) != 1 {
		return nil, refused("external message must have exactly one root")
	}
	if err := a.chain.SendExternal(ctx, roots[0]); err != nil {
		var ext *ledger.ExternalError
		if errors.As(err, &ext) {
			return nil, refused(ext.Text)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, refused(err.Error())
	}
	return ton.SendMessageStatus{Status: 1}, nil
}

func refused(text string) error {
	if strings.HasPrefix(text, refusedMessage) {
		return fail(codeExternal, "%s", text)
	}
	return fail(codeExternal, "%s%s", refusedMessage, text)
}
