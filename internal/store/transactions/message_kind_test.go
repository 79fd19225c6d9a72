package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// A list restricted to a kind of message contains only that kind, alone and with another filter.
func TestMessages_OfAKindExcludeOtherKinds(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(1)
	from, to := testdb.Address(), testdb.Address()
	internal := testdb.NewMessage(mb, from, to)
	in, out := testdb.NewMessage(mb, from, to), testdb.NewMessage(mb, from, to)
	in.Kind, in.Source, in.Value, in.CreatedLT = chain.ExternalIn, nil, nil, nil
	in.Key = chain.MessageKey{Account: to, LT: internal.Key.LT + 10}
	out.Kind, out.Destination, out.Value = chain.ExternalOut, nil, nil
	out.Key.LT += 20
	mb.Messages = append(mb.Messages, internal, in, out)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for kind, want := range map[chain.MessageKind]chain.Hash{
		chain.InternalMessage: internal.Hash, chain.ExternalIn: in.Hash, chain.ExternalOut: out.Hash,
	} {
		for name, f := range map[string]chain.MessageFilter{
			"alone": {}, "by hash": {Hashes: []chain.Hash{internal.Hash, in.Hash, out.Hash}},
		} {
			f.Kind = &kind
			rows, err := db.Reader().Messages(t.Context(), f, chain.Page{Limit: 10})
			require.NoError(t, err)
			require.Len(t, rows, 1, "%s %s", kind, name)
			require.Equal(t, want, rows[0].Hash, "%s %s", kind, name)
		}
	}
}
