package v3_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/contracts"
)

type withID struct{ ID string }

// traceIDs are the ids of a trace and of what is in it.
type traceIDs struct {
	withID
	Transactions struct {
		Nodes []struct {
			withID
			InMessage   *withID
			OutMessages []withID
		}
	}
	Actions struct{ Nodes []withID }
}

const traceIDFields = ` { id transactions(first: 100) { nodes { id inMessage { id } outMessages { id } } } actions(first: 100) { nodes { id } } }`

func (t *traceIDs) all() []string {
	ids := []string{t.ID}
	for _, tx := range t.Transactions.Nodes {
		ids = append(ids, tx.ID)
		if tx.InMessage != nil {
			ids = append(ids, tx.InMessage.ID)
		}
		for _, m := range tx.OutMessages {
			ids = append(ids, m.ID)
		}
	}
	for _, a := range t.Actions.Nodes {
		ids = append(ids, a.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// What a simulation returns has ids of its own, also where account and logical time are those of the chain: a client with a normalised cache
// would mix both otherwise. Nothing is fetched by them.
func TestSimulation_HasIDsThatNothingOnTheChainHas(t *testing.T) {
	t.Parallel()
	n := startQuiet(t)
	query := n.past()
	root := n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(unusedAddress(2), 3e9, "hello")})
	require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, root))
	n.seqno++
	n.advance(n.head() + 8)
	var got struct {
		Trace    *traceIDs
		Simulate struct{ Trace *traceIDs }
	}
	query(t, fmt.Sprintf(`{ trace(by: {message: "%x"})%s simulate(message: {hash: "%x"}) { trace%s } }`, root.Hash(), traceIDFields, root.Hash(), traceIDFields), &got)
	require.NotNil(t, got.Trace)
	require.NotNil(t, got.Simulate.Trace)
	chainIDs, simulated := got.Trace.all(), got.Simulate.Trace.all()
	require.Len(t, chainIDs, 6, "a trace, two transactions, an external and an internal message, an action")
	require.Len(t, simulated, 6)
	var nodes struct{ Nodes []*withID }
	query(t, `{ nodes(ids: ["`+strings.Join(slices.Concat(chainIDs, simulated), `", "`)+`"]) { id } }`, &nodes)
	for i, id := range chainIDs {
		require.NotContains(t, simulated, id)
		require.NotNil(t, nodes.Nodes[i])
		require.Equal(t, id, nodes.Nodes[i].ID)
	}
	for i := range simulated {
		require.Nil(t, nodes.Nodes[len(chainIDs)+i])
	}
}
