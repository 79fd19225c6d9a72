package action_test

import (
	"testing"

	"tonql/internal/action"
)

func TestSubscribe_FailsWithItsRequest(t *testing.T) {
	t.Parallel()
	const subscriber, subscription, beneficiary = 1, 2, 3
	pay := func(b *builder, from *action.Transaction) {
		b.send(b.send(from, subscription, 500, op(0xf06c7567).EndCell()), beneficiary, 480, op(0x73756273).EndCell())
	}
	row := want{"source": raw(subscriber), "destination": raw(beneficiary), "destination_secondary": raw(subscription), "success": true}

	b, root := external(subscriber)
	pay(b, root)
	row["amount"] = 500
	requireRows(t, b, records{}, []string{"subscribe"}, row)

	b, root = external(subscription)
	request := b.send(root, subscriber, 20, op(0x706c7567).MustStoreUInt(1, 64).MustStoreCoins(470).MustStoreBoolBit(false).EndCell())
	pay(b, request)
	row["amount"] = 470
	requireRows(t, b, records{}, []string{"subscribe"}, row)
	request.Aborted = true
	requireRows(t, b, records{}, []string{"subscribe"}, want{"success": false})
}
