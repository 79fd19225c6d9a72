package action_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestElection_FailsWithoutConfirmation(t *testing.T) {
	t.Parallel()
	elector, err := chain.ParseAddress("-1:3333333333333333333333333333333333333333333333333333333333333333")
	require.NoError(t, err)
	for _, tc := range []struct {
		kind             string
		request, confirm uint64
		amount, none     any // with and without the confirmation
	}{
		{"election_deposit", 0x4e73744b, 0xf374484c, 1000, 1000},
		{"election_recover", 0x47657424, 0xf96f7324, 900, nil},
	} {
		for _, confirmed := range []bool{true, false} {
			b, root := external(1)
			tx := b.send(root, 2, 1000, op(tc.request).EndCell())
			tx.Account, tx.In.Destination = elector, &elector
			row := want{"source": raw(1), "amount": tc.none, "success": confirmed}
			if confirmed {
				b.send(tx, 1, 900, op(tc.confirm).EndCell())
				row["amount"] = tc.amount
			}
			requireRows(t, b, records{}, []string{tc.kind}, row)
		}
		// The same request to another account.
		b, root := external(1)
		b.send(root, 2, 1000, op(tc.request).EndCell())
		requireRows(t, b, records{}, []string{"call_contract"}, want{})
	}
}
